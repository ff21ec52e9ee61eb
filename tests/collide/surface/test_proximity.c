/* Method "proximity" from pose to pose: whatever the last pose was and whatever the scratch holds, it gives the result
 * of testing all triangles, and the bits of method "distance". */
#include "base/vec.h"
#include "collide/surface/surface_tree.h"
#include "support.h"

enum { SEQUENCES = 1000, POSES = 6 };

/* Round, spiky, with flat faces, thin as paper. */
static syn_trimesh *make_fixed(test_random *random, int scene) {
  syn_trimesh *mesh = scene % 4 == 0   ? make_cube(NULL, 1.2)
                      : scene % 4 == 1 ? make_blob(NULL, random, 3 + random_below(random, 3), 5, 2)
                                       : make_blob(NULL, random, 4, 6, 0.3);
  if (scene % 5) return mesh;
  syn_vec3 *flat = calloc(mesh->vertex_count, sizeof *flat);
  syn_trimesh *thin;
  syn_error error;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    flat[i] = vec3(mesh->vertices[i].x, mesh->vertices[i].y, 1e-3 * mesh->vertices[i].z);
  ASSERT_OK(syn_trimesh_create(NULL, flat, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &thin, &error));
  free(flat);
  syn_trimesh_destroy(mesh);
  return thin;
}

static syn_trimesh *make_mobile(test_random *random, int scene) {
  return scene % 3 == 0   ? make_cube(NULL, 0.6)
         : scene % 3 == 1 ? make_blob(NULL, random, 3, 4, 1)
                          : make_soup(NULL, random, 12, 5); /* open, crossing itself */
}

/* On from the last pose by next to nothing, a little or a jump; or where faces, edges and corners touch. */
static syn_pose next_pose(test_random *random, const syn_pose *last) {
  const syn_pose jump = random_pose(random, 1.5);
  const double step[] = {0, 1e-9, 0.01, 0.1};
  const uint32_t kind = random_below(random, 6);
  if (kind == 4) return jump;
  if (kind == 5) {
    syn_pose pose = syn_pose_identity();
    pose.translation = vec3(0.6 * random_below(random, 5) - 0.6, 0.6 * random_below(random, 5) - 0.6,
                            0.6 * random_below(random, 5) - 0.6);
    return pose;
  }
  syn_pose turn = syn_pose_about_axis(vec3(0, 0, 0), random_vec3(random, 1), step[kind]);
  turn.translation = vec3_add(turn.translation, random_vec3(random, step[kind]));
  return syn_pose_compose(&turn, last);
}

static double slow_distance(const syn_surface_tree *s, syn_vec3 point) {
  syn_nearest best = {.at = {.distance2 = INFINITY}};
  for (uint32_t t = 0; t < s->triangle_count; ++t) surface_try(s, point, t, &best);
  return sqrt(best.at.distance2);
}

static void check_depths(const syn_surface_tree *fixed, const syn_trimesh *mobile, const syn_pose *pose,
                         const double *depth) {
  for (uint32_t i = 0; i < mobile->vertex_count; ++i) {
    const syn_vec3 at = syn_pose_point(pose, mobile->vertices[i]);
    const double distance = slow_distance(fixed, at);
    assert_true(fabs(fabs(depth[i]) - distance) <= 1e-12);
    if (distance > 1e-9) assert_true((depth[i] > 0) == (syn_surface_tree_winding(fixed, at) > 0.5));
  }
}

static void spoil(test_random *random, unsigned char *scratch, size_t size) {
  for (size_t i = 0; i < size; ++i) scratch[i] = (unsigned char)random_u32(random);
}

typedef struct pair {
  syn_collider *proximity, *distance;
  unsigned char *scratch, *other, *few; /* few: of queries that do not ask for all depths */
  syn_surface_tree *fixed;
  double depth[2][64];
  syn_contact contacts[2][64];
} pair;

static void open_pair(pair *p, const syn_trimesh *fixed, const syn_trimesh *mobile,
                      const syn_collide_options *options) {
  const syn_body a = {.surface = fixed}, b = {.surface = mobile};
  syn_error error;
  assert_true(mobile->vertex_count <= 64);
  ASSERT_OK(syn_collider_create(NULL, "proximity", &a, &b, options, &p->proximity, &error));
  ASSERT_OK(syn_collider_create(NULL, "distance", &a, &b, options, &p->distance, &error));
  ASSERT_OK(syn_surface_tree_create(NULL, fixed, &p->fixed, &error));
  p->scratch = malloc(syn_collider_scratch(p->proximity));
  p->other = malloc(syn_collider_scratch(p->distance));
  p->few = malloc(syn_collider_scratch(p->proximity));
}

static void close_pair(pair *p) {
  syn_collider_destroy(p->proximity);
  syn_collider_destroy(p->distance);
  syn_surface_tree_destroy(p->fixed);
  free(p->scratch);
  free(p->other);
  free(p->few);
}

static void check_same(const syn_contacts *found, const syn_contacts *same) {
  assert_int_equal(found->count, same->count);
  for (size_t i = 0; i < found->count; ++i) {
    const syn_contact *a = &found->contacts[i], *b = &same->contacts[i];
    assert_true(a->fixed_element == b->fixed_element && a->mobile_element == b->mobile_element);
    assert_true(a->depth_mm == b->depth_mm);
    assert_true(vec3_equal(a->direction, b->direction) && vec3_equal(a->point, b->point));
  }
  assert_true(found->penetrating == same->penetrating && found->max_vertex == same->max_vertex);
  assert_true(found->max_depth_mm == same->max_depth_mm && vec3_equal(found->max_point, same->max_point));
}

/* The bits of method distance, whether all depths are asked for or not. */
static size_t check_bits(pair *p, const syn_trimesh *mobile, const syn_pose *pose) {
  syn_contacts found = {.contacts = p->contacts[0], .capacity = 64, .vertex_depth = p->depth[0]};
  syn_contacts same = {.contacts = p->contacts[1], .capacity = 64, .vertex_depth = p->depth[1]};
  syn_collider_query(p->proximity, pose, p->scratch, &found);
  syn_collider_query(p->distance, pose, p->other, &same);
  assert_memory_equal(p->depth[0], p->depth[1], mobile->vertex_count * sizeof(double));
  check_same(&found, &same);
  found.vertex_depth = NULL;
  syn_collider_query(p->proximity, pose, p->few, &found);
  check_same(&found, &same);
  return found.count;
}

static size_t check_pose(pair *p, const syn_trimesh *mobile, const syn_pose *pose) {
  const size_t count = check_bits(p, mobile, pose);
  check_depths(p->fixed, mobile, pose, p->depth[0]);
  return count;
}

static void any_sequence_of_poses_gives_what_all_triangles_give(void **state) {
  (void)state;
  test_random random = {77};
  size_t inside = 0;
  for (int scene = 0; scene < SEQUENCES; ++scene) {
    syn_trimesh *fixed = make_fixed(&random, scene), *mobile = make_mobile(&random, scene);
    pair p;
    open_pair(&p, fixed, mobile, NULL);
    spoil(&random, p.scratch, syn_collider_scratch(p.proximity));
    spoil(&random, p.few, syn_collider_scratch(p.proximity));
    syn_pose pose = random_pose(&random, 1);
    for (int k = 0; k < POSES; ++k) {
      inside += check_pose(&p, mobile, &pose);
      if (random_below(&random, 8) == 0) spoil(&random, p.scratch, syn_collider_scratch(p.proximity));
      if (random_below(&random, 8) == 0) spoil(&random, p.few, syn_collider_scratch(p.proximity));
      pose = next_pose(&random, &pose);
    }
    close_pair(&p);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
  assert_true(inside > SEQUENCES);
}

/* What was learnt of the old shape must not be believed of the new one. */
static void a_deformation_between_poses_is_noticed(void **state) {
  (void)state;
  test_random random = {78};
  for (int scene = 0; scene < 100; ++scene) {
    syn_trimesh *fixed = make_blob(NULL, &random, 4, 6, 0.3), *mobile = make_mobile(&random, scene);
    pair p;
    open_pair(&p, fixed, mobile, NULL);
    spoil(&random, p.scratch, syn_collider_scratch(p.proximity));
    const syn_pose pose = random_pose(&random, 0.8);
    syn_vec3 *moved = calloc(fixed->vertex_count, sizeof *moved);
    for (int k = 0; k < 3; ++k) {
      syn_error error;
      check_pose(&p, mobile, &pose);
      for (uint32_t i = 0; i < fixed->vertex_count; ++i)
        moved[i] = vec3_scale(fixed->vertices[i], random_between(&random, 0.8, 1.3));
      ASSERT_OK(syn_collider_update(p.proximity, moved, NULL, &error));
      ASSERT_OK(syn_collider_update(p.distance, moved, NULL, &error));
      ASSERT_OK(syn_surface_tree_update(p.fixed, moved, &error));
    }
    check_pose(&p, mobile, &pose);
    free(moved);
    close_pair(&p);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
}

/* ---- sheets ---------------------------------------------------------------------------------------------------------
 */

/* A round body with holes, still turned one way. */
static syn_trimesh *make_sheet(test_random *random) {
  syn_trimesh *whole = make_blob(NULL, random, 4, 6, 0.3), *sheet;
  syn_triangle *kept = calloc(whole->triangle_count, sizeof *kept);
  uint32_t count = 0;
  syn_error error;
  for (uint32_t t = 0; t < whole->triangle_count; ++t)
    if (t > 0 && random_below(random, 4) > 0) kept[count++] = whole->triangles[t];
  ASSERT_OK(syn_trimesh_create(NULL, whole->vertices, whole->vertex_count, kept, count, &sheet, &error));
  free(kept);
  syn_trimesh_destroy(whole);
  return sheet;
}

static bool has_border(const syn_surface_tree *s, uint32_t a, uint32_t b) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < s->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t p = s->triangles[t].v[c], q = s->triangles[t].v[(c + 1) % 3];
      count += (p == a && q == b) || (p == b && q == a);
    }
  return count == 1;
}

/* Is the nearest place of the triangle on an edge that only this one has, or at the end of such an edge? */
static bool on_border(const syn_surface_tree *s, const syn_nearest *nearest) {
  const uint32_t *v = s->triangles[nearest->triangle].v;
  const int on = nearest->at.on;
  if (on == SYN_ON_FACE) return false;
  if (on < SYN_ON_CORNER) return has_border(s, v[on - SYN_ON_EDGE], v[(on - SYN_ON_EDGE + 1) % 3]);
  for (uint32_t t = 0; t < s->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t p = s->triangles[t].v[c], q = s->triangles[t].v[(c + 1) % 3], at = v[on - SYN_ON_CORNER];
      if ((p == at || q == at) && has_border(s, p, q)) return true;
    }
  return false;
}

/* The twin: every triangle, every edge. */
static void check_sheet(const syn_surface_tree *s, const syn_trimesh *mobile, const syn_pose *pose, double reach,
                        const double *depth, size_t seen[2]) {
  for (uint32_t i = 0; i < mobile->vertex_count; ++i) {
    const syn_vec3 at = syn_pose_point(pose, mobile->vertices[i]);
    syn_nearest best = {.at = {.distance2 = INFINITY}};
    for (uint32_t t = 0; t < s->triangle_count; ++t) surface_try(s, at, t, &best);
    const double distance = sqrt(best.at.distance2);
    if (distance > reach) {
      assert_true(depth[i] == (double)-INFINITY);
      continue;
    }
    assert_true(fabs(fabs(depth[i]) - distance) <= 1e-12);
    const bool border = on_border(s, &best);
    if (border) assert_true(depth[i] <= 0);
    if (!border && best.at.on == SYN_ON_FACE && distance > 1e-9) {
      const bool behind = vec3_dot(vec3_sub(at, best.at.point), s->normals[best.triangle]) < 0;
      assert_true(behind == (depth[i] > 0));
    }
    ++seen[depth[i] > 0];
  }
}

static void open_sheets_have_a_front_and_a_back(void **state) {
  (void)state;
  test_random random = {79};
  size_t seen[2] = {0};
  for (int scene = 0; scene < 200; ++scene) {
    syn_trimesh *fixed = make_sheet(&random), *mobile = make_mobile(&random, scene);
    syn_collide_options options = syn_default_collide_options();
    pair p;
    options.sheets = true;
    options.reach_mm = scene % 3 ? random_between(&random, 0.05, 1) : (double)INFINITY;
    open_pair(&p, fixed, mobile, &options);
    spoil(&random, p.scratch, syn_collider_scratch(p.proximity));
    syn_pose pose = random_pose(&random, 1);
    for (int k = 0; k < POSES; ++k) {
      check_bits(&p, mobile, &pose);
      check_sheet(p.fixed, mobile, &pose, options.reach_mm, p.depth[0], seen);
      pose = next_pose(&random, &pose);
    }
    close_pair(&p);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
  assert_true(seen[0] > 1000 && seen[1] > 1000);
}

static void sheets_are_asked_for_and_not_for_points_between_vertices(void **state) {
  (void)state;
  test_random random = {80};
  syn_error error;
  syn_trimesh *sheet = make_sheet(&random), *cube = make_cube(NULL, 1);
  const syn_body a = {.surface = sheet}, b = {.surface = cube};
  syn_collide_options options = syn_default_collide_options();
  syn_collider *collider;
  ASSERT_FAILS(syn_collider_create(NULL, "proximity", &a, &b, &options, &collider, &error), SYN_BAD_MESH, "sheets");
  options.sheets = options.between_vertices = true;
  ASSERT_FAILS(syn_collider_create(NULL, "proximity", &a, &b, &options, &collider, &error), SYN_BAD_ARGUMENT, "sheets");
  syn_trimesh_destroy(sheet);
  syn_trimesh_destroy(cube);
}

/* ---- Maciel's update ------------------------------------------------------------------------------------------------
 */

/* Never nearer than the truth; and the truth where there is no last pose, and on a convex body however it moved. */
static void walking_gives_distances_to_triangles_that_are_there(void **state) {
  (void)state;
  test_random random = {81};
  for (int scene = 0; scene < 300; ++scene) {
    const bool convex = scene % 3 == 0;
    syn_trimesh *fixed = convex ? make_blob(NULL, &random, 6, 8, 0) : make_fixed(&random, scene),
                *mobile = make_mobile(&random, scene);
    const syn_body a = {.surface = fixed}, b = {.surface = mobile};
    syn_error error;
    pair p;
    open_pair(&p, fixed, mobile, NULL);
    syn_collider_destroy(p.proximity);
    ASSERT_OK(syn_collider_create(NULL, "proximity-walk", &a, &b, NULL, &p.proximity, &error));
    spoil(&random, p.scratch, syn_collider_scratch(p.proximity));
    syn_pose pose = random_pose(&random, 1);
    pose.translation.x += convex ? 3 : 0; /* outside, there is one nearest place */
    for (int k = 0; k < POSES; ++k) {
      syn_contacts walked = {.vertex_depth = p.depth[0]}, exact = {.vertex_depth = p.depth[1]};
      syn_collider_query(p.proximity, &pose, p.scratch, &walked);
      syn_collider_query(p.distance, &pose, p.other, &exact);
      for (uint32_t i = 0; i < mobile->vertex_count; ++i) {
        assert_true(fabs(p.depth[0][i]) >= fabs(p.depth[1][i]) * (1 - 1e-14));
        if (k == 0) assert_true(p.depth[0][i] == p.depth[1][i]);
        if (convex) ASSERT_NEAR(p.depth[0][i], p.depth[1][i], 1e-12);
      }
      syn_pose step = syn_pose_about_axis(vec3(0, 0, 0), random_vec3(&random, 1), convex ? 0.02 : 0.3);
      pose = syn_pose_compose(&step, &pose);
    }
    close_pair(&p);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_sequence_of_poses_gives_what_all_triangles_give),
      cmocka_unit_test(a_deformation_between_poses_is_noticed),
      cmocka_unit_test(open_sheets_have_a_front_and_a_back),
      cmocka_unit_test(sheets_are_asked_for_and_not_for_points_between_vertices),
      cmocka_unit_test(walking_gives_distances_to_triangles_that_are_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

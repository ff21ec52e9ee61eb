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
  unsigned char *scratch, *other;
  syn_surface_tree *fixed;
  double depth[2][64];
  syn_contact contacts[2][64];
} pair;

static void open_pair(pair *p, const syn_trimesh *fixed, const syn_trimesh *mobile) {
  const syn_body a = {.surface = fixed}, b = {.surface = mobile};
  syn_error error;
  assert_true(mobile->vertex_count <= 64);
  ASSERT_OK(syn_collider_create(NULL, "proximity", &a, &b, NULL, &p->proximity, &error));
  ASSERT_OK(syn_collider_create(NULL, "distance", &a, &b, NULL, &p->distance, &error));
  ASSERT_OK(syn_surface_tree_create(NULL, fixed, &p->fixed, &error));
  p->scratch = malloc(syn_collider_scratch(p->proximity));
  p->other = malloc(syn_collider_scratch(p->distance));
}

static void close_pair(pair *p) {
  syn_collider_destroy(p->proximity);
  syn_collider_destroy(p->distance);
  syn_surface_tree_destroy(p->fixed);
  free(p->scratch);
  free(p->other);
}

static size_t check_pose(pair *p, const syn_trimesh *mobile, const syn_pose *pose) {
  syn_contacts found = {.contacts = p->contacts[0], .capacity = 64, .vertex_depth = p->depth[0]};
  syn_contacts same = {.contacts = p->contacts[1], .capacity = 64, .vertex_depth = p->depth[1]};
  syn_collider_query(p->proximity, pose, p->scratch, &found);
  syn_collider_query(p->distance, pose, p->other, &same);
  check_depths(p->fixed, mobile, pose, p->depth[0]);
  assert_memory_equal(p->depth[0], p->depth[1], mobile->vertex_count * sizeof(double));
  assert_int_equal(found.count, same.count);
  for (size_t i = 0; i < found.count; ++i) {
    const syn_contact *a = &p->contacts[0][i], *b = &p->contacts[1][i];
    assert_true(a->fixed_element == b->fixed_element && a->mobile_element == b->mobile_element);
    assert_true(vec3_equal(a->direction, b->direction) && vec3_equal(a->point, b->point));
  }
  assert_true(found.max_depth_mm == same.max_depth_mm && found.max_vertex == same.max_vertex);
  return found.count;
}

static void any_sequence_of_poses_gives_what_all_triangles_give(void **state) {
  (void)state;
  test_random random = {77};
  size_t inside = 0;
  for (int scene = 0; scene < SEQUENCES; ++scene) {
    syn_trimesh *fixed = make_fixed(&random, scene), *mobile = make_mobile(&random, scene);
    pair p;
    open_pair(&p, fixed, mobile);
    spoil(&random, p.scratch, syn_collider_scratch(p.proximity));
    syn_pose pose = random_pose(&random, 1);
    for (int k = 0; k < POSES; ++k) {
      inside += check_pose(&p, mobile, &pose);
      if (random_below(&random, 8) == 0) spoil(&random, p.scratch, syn_collider_scratch(p.proximity));
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
    open_pair(&p, fixed, mobile);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_sequence_of_poses_gives_what_all_triangles_give),
      cmocka_unit_test(a_deformation_between_poses_is_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The cylindrical method as it lives: updates, exchanged roles, depths between the vertices, threads, memory, bones. */
#include "support.h"

#include "base/vec.h"
#include "collide/cylindrical/cylindrical.h"
#include "geometry/closest.h"

typedef struct scene {
  syn_trimesh *fixed, *mobile;
  syn_collide_options options;
} scene;

typedef struct answer {
  syn_contacts result;
  syn_contact contacts[4096];
  double depth[4096];
} answer;

static syn_trimesh *with_vertices(const syn_trimesh *mesh, const syn_vec3 *vertices) {
  syn_trimesh *result;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(mesh->context, vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count,
                               &result, &error));
  return result;
}

static syn_trimesh *random_blob(const syn_context *context, test_random *random, syn_vec3 shift) {
  syn_trimesh *blob = make_blob(context, random, 6, 9, 0.4);
  const syn_pose pose = {syn_pose_identity().rotation, shift};
  syn_trimesh *moved;
  syn_error error;
  ASSERT_OK(syn_trimesh_transform(blob, &pose, &moved, &error));
  syn_trimesh_destroy(blob);
  return moved;
}

static scene random_scene(const syn_context *context, test_random *random) {
  scene s = {random_blob(context, random, random_vec3(random, 1)), random_blob(context, random, random_vec3(random, 1)),
             syn_default_collide_options()};
  s.options.center = random_vec3(random, 1);
  s.options.axis = random_vec3(random, 1);
  s.options.angle = (double)random_below(random, 3) - 1;
  return s;
}

static void release_scene(scene *s) {
  syn_trimesh_destroy(s->fixed);
  syn_trimesh_destroy(s->mobile);
}

static syn_collider *collider_of(const syn_context *context, const scene *s) {
  const syn_body fixed = {.surface = s->fixed}, mobile = {.surface = s->mobile};
  syn_collider *collider;
  syn_error error;
  ASSERT_OK(syn_collider_create(context, "cylindrical", &fixed, &mobile, &s->options, &collider, &error));
  return collider;
}

static void ask(const syn_collider *collider, const syn_pose *pose, answer *a) {
  void *scratch = malloc(syn_collider_scratch(collider));
  a->result = (syn_contacts){.contacts = a->contacts, .capacity = 4096, .vertex_depth = a->depth};
  syn_collider_query(collider, pose, scratch, &a->result);
  assert_true(a->result.count <= 4096);
  free(scratch);
}

static void check_same_contact(const syn_contact *a, const syn_contact *b) {
  assert_int_equal(a->of, b->of);
  assert_int_equal(a->fixed_element, b->fixed_element);
  assert_int_equal(a->mobile_element, b->mobile_element);
  assert_true(a->depth_mm == b->depth_mm);
  assert_true(vec3_equal(a->point, b->point) && vec3_equal(a->direction, b->direction));
}

/* The same bits, for a turn about the axis and for another pose. */
static void check_same(const syn_collider *one, const syn_collider *two, const scene *s) {
  static answer a, b;
  const syn_pose turn = syn_pose_about_axis(s->options.center, s->options.axis, 0.3);
  syn_pose shifted = turn;
  shifted.translation.x += 0.01;
  const syn_pose *poses[3] = {NULL, &turn, &shifted};
  for (int i = 0; i < 3; ++i) {
    ask(one, poses[i], &a);
    ask(two, poses[i], &b);
    assert_memory_equal(a.depth, b.depth, s->mobile->vertex_count * sizeof(double));
    assert_int_equal(a.result.count, b.result.count);
    assert_true(a.result.max_depth_mm == b.result.max_depth_mm);
    for (size_t c = 0; c < a.result.count; ++c) check_same_contact(&a.contacts[c], &b.contacts[c]);
  }
}

/* ---- update ------------------------------------------------------------------------------------------------------ */

enum { NOTHING, ONE_VERTEX, ALONG_THE_RINGS, SOME, ALL, FAR_AWAY, DEFORMATIONS };

/* New positions in mesh->vertices' order; free(). */
static syn_vec3 *deformed(const syn_trimesh *mesh, const scene *s, test_random *random, uint32_t kind) {
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  const uint32_t chosen = random_below(random, mesh->vertex_count);
  const syn_pose turn = syn_pose_about_axis(s->options.center, s->options.axis, random_between(random, -1, 1));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    places[v] = mesh->vertices[v];
    const bool some = kind == SOME && random_below(random, 5) == 0;
    if (kind == ALL || some || (kind == ONE_VERTEX && v == chosen))
      places[v] = vec3_add(places[v], random_vec3(random, 0.2));
    if (kind == ALONG_THE_RINGS && v % 2) places[v] = syn_pose_point(&turn, places[v]);
    if (kind == FAR_AWAY) places[v] = vec3_add(vec3_scale(places[v], 3), vec3(5, 5, 5));
  }
  return places;
}

static void an_updated_collider_answers_like_a_new_one(void **state) {
  (void)state;
  syn_error error;
  test_random random = {21};
  for (int round = 0; round < repeats(60, 15); ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    scene s = random_scene(&context, &random);
    s.options.both_roles = round % 3 == 0;
    s.options.between_vertices = round % 5 == 0;
    syn_collider *kept = collider_of(&context, &s);
    const scene first = s; /* the collider borrows these meshes */
    for (int step = 0; step < 6; ++step) {
      const uint32_t which = random_below(&random, 3);
      syn_vec3 *fixed = deformed(s.fixed, &s, &random, random_below(&random, DEFORMATIONS));
      syn_vec3 *mobile = deformed(s.mobile, &s, &random, random_below(&random, DEFORMATIONS));
      scene next = {with_vertices(s.fixed, which != 1 ? fixed : s.fixed->vertices),
                    with_vertices(s.mobile, which != 0 ? mobile : s.mobile->vertices), s.options};
      ASSERT_OK(syn_collider_update(kept, which != 1 ? fixed : NULL, which != 0 ? mobile : NULL, &error));
      syn_collider *fresh = collider_of(&context, &next);
      check_same(kept, fresh, &next);
      syn_collider_destroy(fresh);
      free(fixed);
      free(mobile);
      if (step > 0) release_scene(&s);
      s = next;
    }
    syn_collider_destroy(kept);
    release_scene(&s);
    scene borrowed = first;
    release_scene(&borrowed);
    assert_int_equal(memory.live, 0);
  }
}

/* White box: a deformation along the rings leaves every triangle in its cells. */
static void a_turn_of_the_fixed_body_keeps_its_table(void **state) {
  (void)state;
  syn_trimesh *mesh = make_cube(NULL, 10);
  syn_vec3 points[8];
  syn_ring_table table;
  for (int v = 0; v < 8; ++v) points[v] = vec3_add(mesh->vertices[v], vec3(3, 4, 0));
  void *memory = malloc(syn_ring_table_bytes(12, 40));
  syn_ring_table_build(&table, points, mesh->triangles, 12, 40, memory, NULL, false);
  const uint8_t changed[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  uint8_t *dirty = calloc(table.cell_capacity, 1);
  const syn_pose turn = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 0, 1), 1);
  for (int v = 0; v < 8; ++v) points[v] = syn_pose_point(&turn, points[v]);
  assert_true(syn_ring_table_update(&table, changed, dirty));
  assert_int_equal(table.added_count, 0);
  for (int v = 0; v < 8; ++v) points[v].z += 7; /* and one along the axis does not */
  assert_true(syn_ring_table_update(&table, changed, dirty));
  assert_true(table.added_count > 0);
  free(dirty);
  free(memory);
  syn_trimesh_destroy(mesh);
}

static void bounds_hold_the_triangle_and_are_tight(void **state) {
  (void)state;
  test_random random = {77};
  for (int round = 0; round < repeats(2000, 1); ++round) {
    syn_vec3 v[3];
    for (int c = 0; c < 3; ++c) v[c] = random_vec3(&random, 1);
    const syn_ring_bounds bounds = syn_ring_bounds_of(v, 3);
    double near = INFINITY, far = 0;
    for (int i = 0; i <= 30; ++i)
      for (int j = 0; j <= 30 - i; ++j) {
        const syn_vec3 p = vec3_add(vec3_scale(v[0], i / 30.0),
                                    vec3_add(vec3_scale(v[1], j / 30.0), vec3_scale(v[2], (30 - i - j) / 30.0)));
        near = min2(near, syn_ring_of(p).radius);
        far = max2(far, syn_ring_of(p).radius);
        assert_true(syn_ring_within(&bounds, (float)syn_ring_of(p).radius, (float)p.z));
      }
    ASSERT_NEAR((double)bounds.near, near, 0.08); /* of the samples */
    ASSERT_NEAR((double)bounds.far, far, 1e-5);
  }
}

static void places_that_are_no_numbers_are_refused(void **state) {
  (void)state;
  syn_error error;
  test_random random = {4};
  scene s = random_scene(NULL, &random);
  syn_collider *collider = collider_of(NULL, &s), *fresh = collider_of(NULL, &s);
  syn_vec3 *places = deformed(s.fixed, &s, &random, ALL);
  places[7].z = NAN;
  ASSERT_FAILS(syn_collider_update(collider, places, NULL, &error), SYN_BAD_MESH, "fixed vertex 7");
  ASSERT_FAILS(syn_collider_update(collider, NULL, places, &error), SYN_BAD_MESH, "mobile vertex 7");
  check_same(collider, fresh, &s);
  free(places);
  syn_collider_destroy(collider);
  syn_collider_destroy(fresh);
  release_scene(&s);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static syn_status create_and_update(const syn_context *context, void *user, syn_error *error) {
  const scene *s = user;
  const syn_body fixed = {.surface = s->fixed}, mobile = {.surface = s->mobile};
  syn_collider *collider;
  syn_status status = syn_collider_create(context, "cylindrical", &fixed, &mobile, &s->options, &collider, error);
  if (status != SYN_OK) return status;
  syn_vec3 *places = malloc(s->fixed->vertex_count * sizeof *places);
  for (uint32_t v = 0; v < s->fixed->vertex_count; ++v) places[v] = vec3_scale(s->fixed->vertices[v], 1.1);
  status = syn_collider_update(collider, places, NULL, error);
  free(places);
  syn_collider_destroy(collider);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_random random = {31};
  scene s = random_scene(NULL, &random);
  check_every_allocation(create_and_update, &s);
  s.options.between_vertices = true;
  check_every_allocation(create_and_update, &s);
  release_scene(&s);
}

static void an_update_without_memory_still_answers_rightly(void **state) {
  (void)state;
  static answer a, b;
  test_random random = {33};
  for (size_t refuse = 1; refuse < 40; ++refuse) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_error error;
    scene s = random_scene(NULL, &random);
    s.options.both_roles = true;
    syn_collider *collider = collider_of(&context, &s);
    syn_vec3 *places = deformed(s.fixed, &s, &random, ALL);
    scene next = {with_vertices(s.fixed, places), s.mobile, s.options};
    memory.refuse_at = memory.allocations + refuse;
    const syn_status status = syn_collider_update(collider, places, NULL, &error);
    memory.refuse_at = 0;
    assert_true(status == SYN_OK || status == SYN_NO_MEMORY);
    /* Refused before anything was touched, it answers as before; later, as after. */
    syn_collider *old = collider_of(NULL, &s), *new = collider_of(NULL, &next);
    ask(collider, NULL, &a);
    ask(new, NULL, &b);
    bool like_new = a.result.count == b.result.count, like_old;
    for (uint32_t v = 0; v < s.mobile->vertex_count; ++v)
      like_new = like_new && (a.depth[v] == b.depth[v] || fabs(a.depth[v] - b.depth[v]) < 1e-9);
    ask(old, NULL, &b);
    like_old = a.result.count == b.result.count && memcmp(a.depth, b.depth, s.mobile->vertex_count * 8) == 0;
    assert_true(status == SYN_OK ? like_new : like_new || like_old);
    syn_collider_destroy(old);
    syn_collider_destroy(new);
    syn_collider_destroy(collider);
    free(places);
    syn_trimesh_destroy(next.fixed);
    release_scene(&s);
    if (status == SYN_OK) break;
    assert_true(refuse < 39);
  }
}

static void threads_make_no_difference(void **state) {
  (void)state;
  test_random random = {41};
  for (int round = 0; round < 10; ++round) {
    syn_context one = syn_default_context(), many = syn_default_context();
    one.threads = 1;
    many.threads = 2 + round;
    scene s = random_scene(&one, &random);
    syn_trimesh *finer;
    syn_error error;
    for (int i = 0; i < 2; ++i) {
      ASSERT_OK(syn_trimesh_subdivide(s.fixed, &finer, &error));
      syn_trimesh_destroy(s.fixed);
      s.fixed = finer;
      ASSERT_OK(syn_trimesh_subdivide(s.mobile, &finer, &error));
      syn_trimesh_destroy(s.mobile);
      s.mobile = finer;
    }
    syn_collider *a = collider_of(&one, &s), *b = collider_of(&many, &s);
    check_same(a, b, &s);
    syn_collider_destroy(a);
    syn_collider_destroy(b);
    release_scene(&s);
  }
}

/* ---- exchanged roles and between the vertices ----------------------------------------------------------------------
 */

/* Fixed vertices in the mobile body: the same as the collider of the exchanged bodies gives at the inverse pose. */
static void exchanged_roles_mirror_the_exchanged_bodies(void **state) {
  (void)state;
  static answer both, exchanged;
  test_random random = {51};
  for (int round = 0; round < repeats(150, 2); ++round) {
    scene s = random_scene(NULL, &random);
    s.options.both_roles = true;
    scene e = {s.mobile, s.fixed, s.options};
    e.options.both_roles = false;
    e.options.angle = -s.options.angle;
    syn_pose pose = syn_pose_about_axis(s.options.center, s.options.axis, random_between(&random, -3, 3));
    if (round % 2) {
      /* Another pose: the mobile body is put there for good, and nothing is left to move. */
      const syn_pose any = random_pose(&random, 0.1);
      syn_error error;
      ASSERT_OK(syn_trimesh_transform(s.mobile, &any, &e.fixed, &error));
      pose = any;
    }
    const syn_pose back = round % 2 ? syn_pose_identity() : syn_pose_inverse(&pose);
    syn_collider *one = collider_of(NULL, &s), *two = collider_of(NULL, &e);
    ask(one, &pose, &both);
    ask(two, &back, &exchanged);
    size_t count = 0, mobile_vertices = 0;
    for (size_t i = 0; i < both.result.count; ++i) {
      const syn_contact *contact = &both.contacts[i];
      if (i > 0) assert_true(contact[-1].mobile_element <= contact->mobile_element);
      if (contact->of == SYN_OF_VERTEX_TRIANGLE) ++mobile_vertices;
      if (contact->of != SYN_OF_TRIANGLE_VERTEX) continue;
      ASSERT_NEAR(contact->depth_mm, exchanged.depth[contact->fixed_element], 1e-9);
      /* The point lies on the mobile triangle at the pose, and leaves towards the vertex. */
      const uint32_t *v = s.mobile->triangles[contact->mobile_element].v;
      syn_vec3 corners[3];
      for (int c = 0; c < 3; ++c) corners[c] = syn_pose_point(&pose, s.mobile->vertices[v[c]]);
      ASSERT_NEAR(vec3_distance(contact->point, closest_on_triangle(contact->point, corners)), 0, 1e-7);
      const syn_vec3 to_vertex = vec3_sub(s.fixed->vertices[contact->fixed_element], contact->point);
      if (s.options.angle == 0) assert_true(vec3_dot(contact->direction, to_vertex) > 0);
      ++count;
    }
    assert_int_equal(count, exchanged.result.count);
    assert_int_equal(count + mobile_vertices, both.result.count);
    syn_collider_destroy(one);
    syn_collider_destroy(two);
    if (round % 2) syn_trimesh_destroy(e.fixed);
    release_scene(&s);
  }
}

static syn_trimesh *tetrahedron(syn_vec3 a, syn_vec3 b, syn_vec3 c, syn_vec3 d) {
  const syn_vec3 points[4] = {a, b, c, d};
  const bool outward = vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(d, a)) < 0;
  const syn_triangle faces[2][4] = {{{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}},
                                    {{{0, 1, 2}}, {{0, 3, 1}}, {{1, 3, 2}}, {{2, 3, 0}}}};
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, points, 4, faces[outward], 4, &mesh, &error));
  return mesh;
}

/* Two ridges cross like the edges of two knives: no vertex is inside anything. */
static void crossing_ridges_are_found_between_the_vertices(void **state) {
  (void)state;
  static answer a;
  scene s = {tetrahedron(vec3(10, 0, -1), vec3(10, 0, 1), vec3(9, 3, 0), vec3(11, 3, 0)),
             tetrahedron(vec3(9, 0.05, 0), vec3(11, 0.05, 0), vec3(10, -3, -1), vec3(10, -3, 1)),
             syn_default_collide_options()};
  s.options.both_roles = true;
  syn_collider *collider = collider_of(NULL, &s);
  ask(collider, NULL, &a);
  assert_int_equal(a.result.count, 0);
  syn_collider_destroy(collider);
  s.options.between_vertices = true;
  collider = collider_of(NULL, &s);
  ask(collider, NULL, &a);
  assert_true(a.result.count > 0);
  ASSERT_NEAR(a.result.max_depth_mm, 10 * asin(0.005), 1e-12);
  ASSERT_NEAR(vec3_distance(a.result.max_point, vec3(sqrt(100 - 0.0025), 0.05, 0)), 0, 1e-12);
  for (size_t i = 0; i < a.result.count; ++i) {
    assert_int_equal(a.contacts[i].of, SYN_OF_TRIANGLE_TRIANGLE);
    assert_true(a.contacts[i].direction.y < 0); /* back where it came from */
  }
  syn_collider_destroy(collider);
  release_scene(&s);
}

/* Cutting triangles into four changes no surface: the vertices' depths then grow towards what was found between them.
 */
static void refined_vertices_converge_to_the_depth_between_them(void **state) {
  (void)state;
  static answer between, vertices;
  test_random random = {61};
  double worst = 0, coarse_gap = 0;
  int deep = 0;
  for (int round = 0; round < 12; ++round) {
    syn_error error;
    /* Shallow: deep inside, depth peaks also where another side of the body becomes the nearest. */
    scene s = {random_blob(NULL, &random, vec3(10, 0, 0)), random_blob(NULL, &random, vec3(10, 1.9, 0)),
               syn_default_collide_options()};
    s.options.between_vertices = true;
    syn_collider *collider = collider_of(NULL, &s);
    ask(collider, NULL, &between);
    syn_collider_destroy(collider);
    s.options.between_vertices = false;
    collider = collider_of(NULL, &s);
    ask(collider, NULL, &vertices);
    syn_collider_destroy(collider);
    assert_true(between.result.max_depth_mm >= vertices.result.max_depth_mm);
    const double expected = between.result.max_depth_mm;
    if (expected > 0) coarse_gap = max2(coarse_gap, expected - vertices.result.max_depth_mm);
    for (int i = 0; i < 3; ++i) {
      syn_trimesh *finer;
      ASSERT_OK(syn_trimesh_subdivide(s.mobile, &finer, &error));
      syn_trimesh_destroy(s.mobile);
      s.mobile = finer;
    }
    collider = collider_of(NULL, &s);
    ask(collider, NULL, &vertices);
    if (vertices.result.count) {
      ++deep;
      worst = max2(worst, fabs(expected - vertices.result.max_depth_mm));
      assert_true(vertices.result.max_depth_mm < expected + 1e-3); /* angles peak there, arcs nearly */
    }
    syn_collider_destroy(collider);
    release_scene(&s);
  }
  assert_true(deep > 6);
  if (!(worst < coarse_gap / 4)) fail_msg("%g is left of a gap of %g", worst, coarse_gap);
}

/* ---- bones ---------------------------------------------------------------------------------------------------------
 */

/* The femur of z013 is free just below its range of motion and collides just beyond it (FCL, bisected). With edges and
 * both roles the cylindrical depth must see that; three of these four first touches are not of a mobile vertex. */
static void the_femur_collides_beyond_its_range_of_motion(void **state) {
  (void)state;
  REQUIRE_DATA(hip_path, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur_path, "vsd_NC/z013/Femur_R.ply");
  syn_error error;
  scene s = {.options = syn_default_collide_options()};
  ASSERT_OK(syn_trimesh_read(NULL, hip_path, NULL, &s.fixed, &error));
  ASSERT_OK(syn_trimesh_read(NULL, femur_path, NULL, &s.mobile, &error));
  s.options.center = vec3(-383.9038, 310.4713, -585.7273);
  s.options.between_vertices = true;
  const syn_vec3 axes[2] = {{1, 0, 0}, {0, 1, 0}};
  const double range[2][2] = {{29.7265, 122.5867}, {61.7423, 14.1734}};
  for (int axis = 0; axis < 2; ++axis) {
    s.options.axis = axes[axis];
    syn_collider *collider = collider_of(NULL, &s);
    void *scratch = malloc(syn_collider_scratch(collider));
    for (int i = 0; i < 4; ++i) {
      const double limit = range[axis][i / 2] + (i % 2 ? 0.002 : -0.002);
      const syn_pose pose =
          syn_pose_about_axis(s.options.center, s.options.axis, (i < 2 ? limit : -limit) / 180 * SYN_PI);
      syn_contacts result = {0};
      syn_collider_query(collider, &pose, scratch, &result);
      assert_int_equal(result.penetrating, i % 2);
      if (i % 2) /* beyond by up to 0.003 degrees at a radius of at most 150 mm, or of one edge more at the other end */
        assert_true(result.max_depth_mm > 0 && result.max_depth_mm < 0.003 / 180 * SYN_PI * 150);
    }
    free(scratch);
    syn_collider_destroy(collider);
  }
  release_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_updated_collider_answers_like_a_new_one),
      cmocka_unit_test(a_turn_of_the_fixed_body_keeps_its_table),
      cmocka_unit_test(bounds_hold_the_triangle_and_are_tight),
      cmocka_unit_test(places_that_are_no_numbers_are_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(an_update_without_memory_still_answers_rightly),
      cmocka_unit_test(threads_make_no_difference),
      cmocka_unit_test(exchanged_roles_mirror_the_exchanged_bodies),
      cmocka_unit_test(crossing_ridges_are_found_between_the_vertices),
      cmocka_unit_test(refined_vertices_converge_to_the_depth_between_them),
      cmocka_unit_test(the_femur_collides_beyond_its_range_of_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

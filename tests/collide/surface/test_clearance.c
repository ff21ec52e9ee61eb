/* The least distance of two bodies, against all pairs of triangles and against closed forms. */
#include "base/vec.h"
#include "collide/surface/surface_tree.h"
#include "geometry/triangle_pair.h"
#include "support.h"
#include <synovia/shape.h>

static void corners(const syn_trimesh *mesh, const syn_pose *pose, uint32_t t, syn_vec3 v[3]) {
  for (int c = 0; c < 3; ++c) v[c] = syn_pose_point(pose, mesh->vertices[mesh->triangles[t].v[c]]);
}

static double slow_distance(const syn_trimesh *a, const syn_trimesh *b, const syn_pose *pose) {
  const syn_pose identity = syn_pose_identity();
  double best2 = INFINITY;
  for (uint32_t i = 0; i < a->triangle_count; ++i)
    for (uint32_t j = 0; j < b->triangle_count; ++j) {
      syn_vec3 u[3], v[3];
      corners(a, &identity, i, u);
      corners(b, pose, j, v);
      if (syn_triangles_meet(u, v)) return 0;
      best2 = min2(best2, syn_triangle_distance(u, v).distance2);
    }
  return sqrt(best2);
}

/* Deepest corner of b's triangles in a, 0 where none is inside. */
static double slow_depth(const syn_surface_tree *a, const syn_trimesh *b, const syn_pose *pose) {
  double deepest = 0;
  bool seen[256] = {false};
  for (uint32_t i = 0; i < 3 * b->triangle_count; ++i) {
    const uint32_t vertex = b->triangles[i / 3].v[i % 3];
    const syn_vec3 at = syn_pose_point(pose, b->vertices[vertex]);
    if (seen[vertex]) continue;
    seen[vertex] = true;
    syn_nearest nearest;
    syn_surface_tree_search_portable(a, at, INFINITY, &nearest);
    if (syn_surface_tree_winding(a, at) > 0.5) deepest = max2(deepest, sqrt(nearest.at.distance2));
  }
  return deepest;
}

typedef struct tally {
  int apart, crossing, nested;
} tally;

static void check_scene(test_random *random, const syn_trimesh *a, const syn_trimesh *b, double reach, tally *count) {
  syn_error error;
  syn_distance *d;
  syn_surface_tree *sa, *sb;
  ASSERT_OK(syn_surface_tree_create(a->context, a, &sa, &error));
  ASSERT_OK(syn_surface_tree_create(b->context, b, &sb, &error));
  const syn_vec3 center = random_vec3(random, 1);
  ASSERT_OK(syn_distance_create(a, b, random_below(random, 2) ? &center : NULL, &d, &error));
  void *scratch = malloc(syn_distance_scratch(d));
  syn_clearance last = {.fixed_triangle = SYN_NONE};
  for (int i = 0; i < 8; ++i) {
    const syn_pose pose = random_pose(random, reach), back = syn_pose_inverse(&pose);
    const double surfaces = slow_distance(a, b, &pose);
    const double depth = max2(sa->solid ? slow_depth(sa, b, &pose) : 0, sb->solid ? slow_depth(sb, a, &back) : 0);
    const double truth = depth > 0 ? -depth : surfaces;
    syn_clearance r, again;
    syn_distance_query(d, &pose, NULL, scratch, &r);
    ASSERT_NEAR(r.distance_mm, truth, 1e-12);
    ASSERT_NEAR(vec3_distance(r.point_fixed, r.point_mobile), fabs(truth), surfaces == 0 && depth == 0 ? 10 : 1e-12);
    assert_int_equal(r.crossing, surfaces == 0);
    /* what the caller knows from elsewhere changes nothing */
    syn_distance_query(d, &pose, &last, scratch, &again);
    assert_true(again.distance_mm == r.distance_mm && again.crossing == r.crossing);
    if (!r.crossing)
      assert_true(again.fixed_triangle == r.fixed_triangle && again.mobile_triangle == r.mobile_triangle);
    last = r;
    count->apart += truth > 0;
    count->crossing += surfaces == 0;
    count->nested += surfaces > 0 && depth > 0;
  }
  free(scratch);
  syn_distance_destroy(d);
  syn_surface_tree_destroy(sa);
  syn_surface_tree_destroy(sb);
}

static void the_distance_is_that_of_all_pairs_of_triangles(void **state) {
  (void)state;
  test_random random = {31};
  tally count = {0};
  for (int scene = 0; scene < 130; ++scene) {
    syn_trimesh *a = scene % 3 == 0   ? make_blob(NULL, &random, 5, 6, scene % 2 ? 3 : 0.1)
                     : scene % 3 == 1 ? make_soup(NULL, &random, 12, 14)
                                      : make_cube(NULL, 3);
    syn_trimesh *b = scene % 2 == 0   ? make_cube(NULL, 0.2)
                     : scene % 4 == 1 ? make_soup(NULL, &random, 9, 8)
                                      : make_blob(NULL, &random, 4, 5, 0.5);
    check_scene(&random, a, b, scene % 5 == 0 || scene % 3 == 2 ? 1.2 : 4, &count);
    syn_trimesh_destroy(a);
    syn_trimesh_destroy(b);
  }
  assert_true(count.apart > 300 && count.crossing > 100 && count.nested > 20);
}

/* Segments by sampling both, which can only be farther. */
static void segments_are_as_near_as_samples_say(void **state) {
  (void)state;
  test_random random = {32};
  for (int i = 0; i < 2000; ++i) {
    syn_vec3 p[4];
    for (int k = 0; k < 4; ++k) p[k] = random_vec3(&random, 1);
    if (i % 5 == 0) p[3] = vec3_add(p[2], vec3_sub(p[1], p[0])); /* parallel */
    if (i % 7 == 0) p[1] = p[0];                                 /* a point */
    if (i % 11 == 0) p[3] = vec3_madd(p[2], 1e-9, random_vec3(&random, 1));
    const syn_witness w = syn_segment_distance(p[0], p[1], p[2], p[3]);
    double sampled = INFINITY;
    for (int s = 0; s <= 40; ++s)
      for (int t = 0; t <= 40; ++t)
        sampled = min2(sampled, vec3_distance(vec3_lerp(p[0], p[1], s / 40.0), vec3_lerp(p[2], p[3], t / 40.0)));
    assert_true(sqrt(w.distance2) <= sampled + 1e-12 && sqrt(w.distance2) >= sampled - 0.1);
    ASSERT_NEAR(vec3_distance(w.a, w.b), sqrt(w.distance2), 1e-14);
  }
}

static void touching_bodies_have_distance_zero(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_distance *d;
  syn_clearance r;
  ASSERT_OK(syn_distance_create(cube, cube, NULL, &d, &error));
  void *scratch = malloc(syn_distance_scratch(d));
  syn_pose pose = syn_pose_identity();
  const syn_vec3 touching[] = {{1, 0, 0}, {1, 0.25, 0.5}, {1, 1, 0}, {1, 1, 1}, {0.5, -1, 0.25}};
  for (size_t i = 0; i < sizeof touching / sizeof *touching; ++i) {
    pose.translation = touching[i];
    syn_distance_query(d, &pose, NULL, scratch, &r);
    assert_true(r.distance_mm == 0 && r.crossing);
  }
  pose.translation = vec3(1.25, 0, 0);
  syn_distance_query(d, &pose, NULL, scratch, &r);
  assert_true(r.distance_mm == 0.25 && !r.crossing);
  free(scratch);
  syn_distance_destroy(d);
  syn_trimesh_destroy(cube);
}

/* Plates that are almost parallel, and bodies very far apart: where bounds in floats would fail. */
static void parallel_and_distant_bodies_are_measured_exactly(void **state) {
  (void)state;
  test_random random = {33};
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 3), *blob = make_blob(NULL, &random, 5, 6, 0.2);
  const syn_trimesh *const others[2] = {cube, blob};
  for (int k = 0; k < 2; ++k) {
    syn_distance *d;
    syn_clearance r;
    ASSERT_OK(syn_distance_create(cube, others[k], NULL, &d, &error));
    void *scratch = malloc(syn_distance_scratch(d));
    for (int i = 0; i < 60; ++i) {
      syn_pose pose = syn_pose_about_axis(vec3(1, 1, 0), random_vec3(&random, 1), ldexp(1, -i / 2));
      pose.translation = vec3_add(pose.translation, vec3(random_between(&random, -1, 1), 0, i % 3 ? 7 : 1e6));
      syn_distance_query(d, &pose, NULL, scratch, &r);
      const double truth = slow_distance(cube, others[k], &pose);
      ASSERT_NEAR(r.distance_mm, truth, 1e-15 * truth);
    }
    free(scratch);
    syn_distance_destroy(d);
  }
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(blob);
}

/* Scene B of the oracles, coarser: the ball's clearance is that of its vertices over the cup's facets. */
static void a_ball_in_a_cup_keeps_its_clearance(void **state) {
  (void)state;
  syn_error error;
  syn_joint *cup, *ball;
  ASSERT_OK(syn_shape_create(NULL, "cup", (syn_shape_value[]){{"resolution", 24}}, 1, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "ball", (syn_shape_value[]){{"resolution", 24}}, 1, &ball, &error));
  syn_distance *d;
  ASSERT_OK(syn_distance_create(cup->bodies[0].surface, ball->bodies[0].surface, NULL, &d, &error));
  void *scratch = malloc(syn_distance_scratch(d));
  const double cell = 24 * SYN_PI / 2 / 24, sag = cell * cell / 2 / (2 * 24);
  syn_clearance r;
  for (int i = 0; i < 4; ++i) {
    const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 3), 0.3 * i);
    syn_distance_query(d, &pose, NULL, scratch, &r);
    assert_true(r.distance_mm > 0.2 - 1.05 * sag && r.distance_mm < 0.2 - 0.8 * sag);
    ASSERT_NEAR(vec3_length(r.point_mobile), 23.8, 0.02);
  }
  free(scratch);
  syn_distance_destroy(d);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

static void an_open_surface_is_told_and_has_no_inside(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  syn_trimesh *cube = make_cube(&context, 3), *small = make_cube(&context, 1), *open;
  ASSERT_OK(syn_trimesh_create(&context, cube->vertices, 8, cube->triangles, 11, &open, &error));
  syn_distance *d;
  syn_clearance r;
  ASSERT_OK(syn_distance_create(open, small, NULL, &d, &error));
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.last_warning, "fixed surface"));
  void *scratch = malloc(syn_distance_scratch(d));
  syn_pose pose = syn_pose_identity();
  pose.translation = vec3(1, 1, 1);
  syn_distance_query(d, &pose, NULL, scratch, &r);
  ASSERT_NEAR(r.distance_mm, 1, 1e-12);
  pose.translation = vec3(0.5, 1, -0.5);
  syn_distance_query(d, &pose, NULL, scratch, &r);
  assert_true(r.distance_mm == 0 && r.crossing);
  free(scratch);
  syn_distance_destroy(d);
  const syn_vec3 nowhere = {NAN, 0, 0};
  ASSERT_FAILS(syn_distance_create(cube, small, &nowhere, &d, &error), SYN_BAD_ARGUMENT, "centre");
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(small);
  syn_trimesh_destroy(open);
  assert_int_equal(memory.live, 0);
}

/* Each block goes back to whom it came from: after the distance is gone, both allocators have what they had. */
static void meshes_of_two_allocators_are_fine(void **state) {
  (void)state;
  test_memory first = {0}, second = {0};
  const syn_context one = test_context(&first), other = test_context(&second);
  syn_error error;
  syn_trimesh *cube = make_cube(&one, 3), *small = make_cube(&other, 1);
  syn_distance *d;
  ASSERT_OK(syn_distance_create(cube, small, NULL, &d, &error));
  syn_distance_destroy(d);
  syn_trimesh_destroy(cube);
  assert_int_equal(first.live, 0);
  syn_trimesh_destroy(small);
  assert_int_equal(second.live, 0);
}

static syn_status make(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh mesh = *(const syn_trimesh *)user;
  syn_distance *d;
  mesh.context = context;
  mesh.shared = NULL; /* all memory comes from this context */
  SYN_TRY(syn_distance_create(&mesh, &mesh, NULL, &d, error));
  syn_distance_destroy(d);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(make, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_distance_is_that_of_all_pairs_of_triangles),
      cmocka_unit_test(segments_are_as_near_as_samples_say),
      cmocka_unit_test(touching_bodies_have_distance_zero),
      cmocka_unit_test(parallel_and_distant_bodies_are_measured_exactly),
      cmocka_unit_test(a_ball_in_a_cup_keeps_its_clearance),
      cmocka_unit_test(an_open_surface_is_told_and_has_no_inside),
      cmocka_unit_test(meshes_of_two_allocators_are_fine),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

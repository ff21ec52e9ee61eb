/* Penetration of convex bodies: the least translation that parts them, against every possible axis. */
#include "collide/convex/convex.h"
#include "convex_bodies.h"

static syn_convex_result ask(const syn_convex *a, const syn_convex *b, const syn_pose *pose) {
  void *scratch = malloc(syn_convex_scratch(a, b));
  assert_non_null(scratch);
  syn_convex_result result;
  syn_convex_query(a, b, pose, NULL, NULL, scratch, &result);
  free(scratch);
  return result;
}

static void check_depth(const syn_convex *a, const syn_convex *b, const syn_pose *pose, double expected,
                        double tolerance) {
  const syn_convex_result r = ask(a, b, pose);
  assert_int_equal(r.exit, SYN_CONVEX_COLLIDING);
  ASSERT_NEAR(-r.distance_mm, expected, tolerance);
  ASSERT_NEAR(-r.bound_mm, expected, tolerance);
  ASSERT_NEAR(vec3_length(r.direction), 1, 1e-14);
  ASSERT_NEAR(vec3_distance(vec3_madd(r.point_b, expected, r.direction), r.point_a), 0, 100 * tolerance);
  /* The witnesses are points of the bodies, the deepest ones along the direction. */
  syn_convex *points[2] = {convex_of_points(&r.point_a, 1), convex_of_points(&r.point_b, 1)};
  ASSERT_NEAR(slow_pair(points[0], a, NULL).distance, 0, 10 * tolerance);
  ASSERT_NEAR(slow_pair(points[1], b, pose).distance, 0, 10 * tolerance);
  ASSERT_NEAR(vec3_dot(r.point_a, r.direction), highest(a, r.direction), 100 * tolerance);
  syn_convex_destroy(points[0]);
  syn_convex_destroy(points[1]);
  /* Moved by it the bodies part, moved by less they do not. */
  syn_pose moved = *pose;
  moved.translation = vec3_madd(pose->translation, expected + 10 * tolerance, r.direction);
  assert_true(ask(a, b, &moved).distance_mm >= 0);
  moved.translation = vec3_madd(pose->translation, 0.99 * expected, r.direction);
  assert_int_equal(ask(a, b, &moved).exit, SYN_CONVEX_COLLIDING);
}

static void random_overlaps_agree_with_every_axis(void **state) {
  (void)state;
  test_random random = {12};
  int overlaps = 0;
  for (int round = 0; round < repeats(2000, 1); ++round) {
    const double size = pow(10, random_between(&random, -3, 3));
    syn_convex *a = random_convex(NULL, &random, (int)random_below(&random, CONVEX_KINDS), size);
    syn_convex *b = random_convex(NULL, &random, (int)random_below(&random, CONVEX_KINDS), size);
    const syn_pose pose = random_pose(&random, 0.5 * size);
    const slow_answer slow = slow_pair(a, b, &pose);
    if (slow.distance == 0 && a->dimension + b->dimension >= 3) {
      check_depth(a, b, &pose, slow.depth, 1e-12 * size);
      ++overlaps;
    } else {
      assert_true(ask(a, b, &pose).distance_mm >= 0);
    }
    syn_convex_destroy(a);
    syn_convex_destroy(b);
  }
  assert_true(overlaps > repeats(800, 1));
}

/* Coincident, stacked and shifted cubes: all facets of the difference consist of many faces in one plane. */
static void cubes_on_a_grid_part_along_the_nearest_face(void **state) {
  (void)state;
  static const double steps[] = {0, 0.25, 0.5, 1 - 1e-9, 1};
  const syn_vec3 corners[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  syn_convex *cube = convex_of_points(corners, 8);
  for (int i = 0; i < 125; ++i) {
    syn_pose pose = syn_pose_identity();
    pose.translation = vec3(steps[i % 5], -steps[i / 5 % 5], steps[i / 25]);
    const double widest = max2(steps[i % 5], max2(steps[i / 5 % 5], steps[i / 25]));
    check_depth(cube, cube, &pose, 1 - widest, 1e-14);
  }
  syn_convex_destroy(cube);
}

/* Nearly every facet of the difference is nearly nearest: the whole polytope has to be seen. */
static void spheres_inside_one_another_are_parted_exactly(void **state) {
  (void)state;
  syn_convex *large = convex_sphere(25, 2), *small = convex_sphere(20, 1);
  syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 3), 0.7);
  for (int i = 0; i < 3; ++i) {
    pose.translation = vec3(i * 0.01, i * 0.02, 0);
    check_depth(large, small, &pose, slow_pair(large, small, &pose).depth, 1e-12);
  }
  check_depth(small, small, &(syn_pose){syn_pose_identity().rotation, {0, 0, 0}}, slow_pair(small, small, NULL).depth,
              1e-12);
  syn_convex_destroy(large);
  syn_convex_destroy(small);
}

/* Too fine for every axis; the bound proves that no better translation exists. */
static void the_scratch_suffices_for_fine_spheres(void **state) {
  (void)state;
  syn_convex *large = convex_sphere(25, 3), *small = convex_sphere(20, 3);
  syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 3), 0.7);
  for (int i = 0; i < 3; ++i) {
    pose.translation = vec3(i * 20, i * 3, 0);
    const syn_convex_result r = ask(large, small, &pose);
    assert_int_equal(r.exit, SYN_CONVEX_COLLIDING);
    ASSERT_NEAR(r.bound_mm, r.distance_mm, 1e-12);
    assert_true(-r.distance_mm <= 45 - vec3_length(pose.translation));
    assert_true(-r.distance_mm > 44 - vec3_length(pose.translation));
  }
  syn_convex_destroy(large);
  syn_convex_destroy(small);
}

/* Without space for the proof: a translation that parts the bodies, and a bound below the least one. */
static void too_little_room_still_gives_bounds(void **state) {
  (void)state;
  syn_convex *large = convex_sphere(25, 3), *small = convex_sphere(20, 3);
  const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 2, 3), 0.7);
  const double depth = -ask(large, small, &pose).distance_mm;
  void *scratch = malloc(syn_convex_scratch(large, small));
  double before = 0;
  for (size_t room = 8; room < 380; room += 30) {
    convex_pair pair = {.body = {large, small}, .pose = &pose, .last = {0, 0}, .rounding = 1e-13, .room = room};
    syn_convex_result r;
    syn_convex_penetration(&pair, scratch, &r);
    assert_true(-r.distance_mm >= depth - 1e-12 && -r.distance_mm <= 45);
    assert_true(-r.bound_mm < depth && -r.bound_mm >= before);
    ASSERT_NEAR(highest(large, r.direction), vec3_dot(r.point_a, r.direction), 1e-12);
    ASSERT_NEAR(vec3_distance(r.point_a, r.point_b), -r.distance_mm, 1e-12);
    before = -r.bound_mm;
  }
  assert_true(before > 0.9 * depth);
  free(scratch);
  syn_convex_destroy(large);
  syn_convex_destroy(small);
}

/* Bodies whose difference is flat: they touch, and part without a depth across it. */
static void flat_bodies_touch_without_depth(void **state) {
  (void)state;
  const syn_vec3 triangle[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, flat[3] = {{0.5, 0.5, 0}, {3, 0.5, 0}, {0.5, 3, 0}};
  const syn_vec3 inside = {0.5, 0.25, 0}, cross[2] = {{0.5, -1, 0}, {0.5, 1, 0}}, along[2] = {{-1, 0, 0}, {1, 0, 0}};
  syn_convex *bodies[5] = {convex_of_points(triangle, 3), convex_of_points(flat, 3), convex_of_points(&inside, 1),
                           convex_of_points(cross, 2), convex_of_points(along, 2)};
  for (int i = 1; i < 5; ++i) {
    const syn_convex_result r = ask(bodies[0], bodies[i], NULL);
    assert_int_equal(r.exit, SYN_CONVEX_COLLIDING);
    ASSERT_NEAR(r.distance_mm, 0, 0);
    ASSERT_NEAR(fabs(r.direction.z), 1, 1e-15);
    ASSERT_NEAR(vec3_distance(r.point_a, r.point_b), 0, 1e-15);
  }
  const syn_convex_result crossing = ask(bodies[3], bodies[4], NULL);
  ASSERT_NEAR(fabs(crossing.direction.z), 1, 1e-15);
  const syn_convex_result overlay = ask(bodies[4], bodies[4], NULL);
  ASSERT_NEAR(overlay.direction.x, 0, 1e-15);
  ASSERT_NEAR(vec3_length(overlay.direction), 1, 1e-15);
  const syn_convex_result same = ask(bodies[2], bodies[2], NULL);
  assert_int_equal(same.exit, SYN_CONVEX_COLLIDING);
  ASSERT_NEAR(vec3_length(same.direction), 1, 0);
  for (int i = 0; i < 5; ++i) syn_convex_destroy(bodies[i]);
}

/* Across the touch, distance and depth are one continuous number. */
static void depth_goes_over_into_distance(void **state) {
  (void)state;
  syn_convex *a = convex_sphere(25, 3), *b = convex_sphere(20, 3);
  syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 1, 0), 0.4);
  double before = NAN;
  for (int step = 0; step <= 400; ++step) {
    pose.translation = vec3(44 + 0.005 * step, 1, 2);
    const syn_convex_result r = ask(a, b, &pose);
    if (step > 0) assert_true(r.distance_mm > before && r.distance_mm < before + 0.005 + 1e-9);
    before = r.distance_mm;
  }
  syn_convex_destroy(a);
  syn_convex_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_overlaps_agree_with_every_axis),
      cmocka_unit_test(cubes_on_a_grid_part_along_the_nearest_face),
      cmocka_unit_test(spheres_inside_one_another_are_parted_exactly),
      cmocka_unit_test(the_scratch_suffices_for_fine_spheres),
      cmocka_unit_test(too_little_room_still_gives_bounds),
      cmocka_unit_test(flat_bodies_touch_without_depth),
      cmocka_unit_test(depth_goes_over_into_distance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

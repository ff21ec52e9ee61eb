/* Distances of convex bodies: the alternating search, GJK and a slow answer must agree. */
#include "base/vec.h"
#include "convex_bodies.h"

static const syn_convex_algorithm algorithms[2] = {SYN_CONVEX_ALTERNATING, SYN_CONVEX_GJK};

static syn_convex_result ask(const syn_convex *a, const syn_convex *b, const syn_pose *pose,
                             syn_convex_algorithm algorithm, syn_convex_memory *memory) {
  syn_convex_options options = syn_default_convex_options();
  options.algorithm = algorithm;
  syn_convex_result result;
  syn_convex_query(a, b, pose, &options, memory, NULL, &result);
  return result;
}

static syn_pose shifted(double x, double y, double z) {
  syn_pose pose = syn_pose_identity();
  pose.translation = vec3(x, y, z);
  return pose;
}

/* The witness must be a point of the body that its feature names. */
static void check_witness(const syn_convex *body, const syn_pose *pose, uint32_t count, const uint32_t *feature,
                          syn_vec3 witness, double tolerance) {
  syn_vec3 corners[3];
  assert_in_range(count, 1, 3);
  for (uint32_t i = 0; i < count; ++i) {
    assert_true(feature[i] < body->vertex_count);
    corners[i] = body->vertices[feature[i]];
    if (pose) corners[i] = syn_pose_point(pose, corners[i]);
  }
  syn_convex *carrier = convex_of_points(corners, count), *point = convex_of_points(&witness, 1);
  ASSERT_NEAR(slow_pair(carrier, point, NULL).distance, 0, tolerance);
  syn_convex_destroy(carrier);
  syn_convex_destroy(point);
}

static void check_result(const syn_convex *a, const syn_convex *b, const syn_pose *pose, const syn_convex_result *r,
                         double expected, double size) {
  ASSERT_NEAR(r->distance_mm, expected, 1e-10 * size);
  assert_true(r->bound_mm <= r->distance_mm);
  if (r->exit == SYN_CONVEX_CLOSED) ASSERT_NEAR(r->bound_mm, r->distance_mm, 1e-11 * size);
  if (r->exit == SYN_CONVEX_COLLIDING) {
    ASSERT_NEAR(expected, 0, 1e-13 * size);
    return;
  }
  ASSERT_NEAR(vec3_distance(r->point_a, r->point_b), expected, 1e-10 * size);
  ASSERT_NEAR(vec3_distance(vec3_madd(r->point_a, r->distance_mm, r->direction), r->point_b), 0, 1e-14 * size);
  check_witness(a, NULL, r->count_a, r->feature_a, r->point_a, 1e-13 * size);
  check_witness(b, pose, r->count_b, r->feature_b, r->point_b, 1e-13 * size);
}

static void random_pairs_agree_with_the_slow_answer(void **state) {
  (void)state;
  test_random random = {11};
  int exits[2][4] = {0};
  for (int round = 0; round < repeats(1500, 1); ++round) {
    const double size = pow(10, random_between(&random, -3, 3));
    syn_convex *a = random_convex(NULL, &random, (int)random_below(&random, CONVEX_KINDS), size);
    syn_convex *b = random_convex(NULL, &random, (int)random_below(&random, CONVEX_KINDS), size);
    const syn_pose pose = random_pose(&random, 2 * size);
    const slow_answer slow = slow_pair(a, b, &pose);
    for (int k = 0; k < 2; ++k) {
      const syn_convex_result result = ask(a, b, &pose, algorithms[k], NULL);
      check_result(a, b, &pose, &result, slow.distance, 4 * size);
      assert_true(result.supports < 100);
      ++exits[k][result.exit];
    }
    syn_convex_destroy(a);
    syn_convex_destroy(b);
  }
  for (int k = 0; k < 2; ++k) {
    assert_int_equal(exits[k][SYN_CONVEX_FAR], 0);
    assert_true(exits[k][SYN_CONVEX_COLLIDING] > repeats(100, 1));
    assert_true(exits[k][SYN_CONVEX_CLOSED] > repeats(1000, 1));
    assert_true(exits[k][SYN_CONVEX_UNSTABLE] < 30); /* plates and needles of 1e-9 */
  }
}

/* Faces, edges and corners of equal cubes that touch or stand exactly opposite: every choice of features is a tie. */
static void cubes_on_a_grid_have_the_distance_of_their_boxes(void **state) {
  (void)state;
  static const double steps[] = {0, 0.5, 1, 1 + 1e-9, 1.5, 3};
  const syn_vec3 corners[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  syn_convex *cube = convex_of_points(corners, 8);
  for (int i = 0; i < 6 * 6 * 6 * 2; ++i) {
    const double sign = i % 2 ? 1 : -1, x = sign * steps[i / 2 % 6], y = steps[i / 12 % 6], z = sign * steps[i / 72];
    const double gap = vec3_length(vec3(max2(0, fabs(x) - 1), max2(0, y - 1), max2(0, fabs(z) - 1)));
    const syn_pose pose = shifted(x, y, z);
    for (int k = 0; k < 2; ++k) {
      const syn_convex_result result = ask(cube, cube, &pose, algorithms[k], NULL);
      check_result(cube, cube, &pose, &result, gap, 1e-4); /* to 1e-14 */
      assert_int_equal(result.exit, gap > 0 ? SYN_CONVEX_CLOSED : SYN_CONVEX_COLLIDING);
    }
  }
  syn_convex_destroy(cube);
}

/* Alternating projections alone would need a million turns here. */
static void edges_that_are_almost_parallel_do_not_creep(void **state) {
  (void)state;
  for (double tilt = 0.1; tilt > 1e-9; tilt /= 7) {
    const syn_vec3 along_x[2] = {{-1, 0, 0}, {1.3, 0, 0}}, tilted[2] = {{-1.2, -tilt, 0.5}, {1, tilt, 0.5}};
    syn_convex *a = convex_of_points(along_x, 2), *b = convex_of_points(tilted, 2);
    for (int k = 0; k < 2; ++k) {
      const syn_convex_result result = ask(a, b, NULL, algorithms[k], NULL);
      ASSERT_NEAR(result.distance_mm, 0.5, 1e-14);
      assert_true(result.supports < 16);
    }
    syn_convex_destroy(a);
    syn_convex_destroy(b);
  }
}

static void the_unit_of_length_does_not_matter(void **state) {
  (void)state;
  test_random random = {13};
  for (int exponent = -90; exponent <= 240; exponent += 15) {
    const double size = ldexp(1, exponent);
    test_random same = {17};
    syn_convex *a = random_convex(NULL, &same, 0, 1), *b = random_convex(NULL, &same, 0, 1);
    syn_vec3 points[2][32];
    for (uint32_t i = 0; i < a->vertex_count; ++i) points[0][i] = vec3_scale(a->vertices[i], size);
    for (uint32_t i = 0; i < b->vertex_count; ++i) points[1][i] = vec3_scale(b->vertices[i], size);
    syn_convex *large_a = convex_of_points(points[0], a->vertex_count);
    syn_convex *large_b = convex_of_points(points[1], b->vertex_count);
    syn_pose pose = random_pose(&random, 3), large = pose;
    large.translation = vec3_scale(pose.translation, size);
    for (int k = 0; k < 2; ++k) {
      const syn_convex_result small = ask(a, b, &pose, algorithms[k], NULL);
      const syn_convex_result scaled = ask(large_a, large_b, &large, algorithms[k], NULL);
      assert_int_equal(small.exit, scaled.exit);
      ASSERT_NEAR(small.distance_mm * size, scaled.distance_mm, 0); /* powers of two scale without rounding */
    }
    syn_convex_destroy(a);
    syn_convex_destroy(b);
    syn_convex_destroy(large_a);
    syn_convex_destroy(large_b);
  }
}

static void bodies_too_far_to_be_of_interest_cost_little(void **state) {
  (void)state;
  syn_convex *sphere = convex_sphere(10, 3);
  const syn_vec3 stick[2] = {{0, 0, -100}, {0, 0, 100}};
  syn_convex *segment = convex_of_points(stick, 2);
  for (int k = 0; k < 2; ++k) {
    syn_convex_options options = syn_default_convex_options();
    options.algorithm = algorithms[k];
    options.far_mm = 5;
    syn_convex_result result;
    /* The bounding balls decide. */
    syn_pose pose = shifted(26, 0, 0);
    syn_convex_query(sphere, sphere, &pose, &options, NULL, NULL, &result);
    assert_int_equal(result.exit, SYN_CONVEX_FAR);
    assert_int_equal(result.supports, 0);
    assert_true(result.bound_mm > 5 && result.bound_mm <= 6 && result.distance_mm >= 6);
    /* The stick's ball holds the sphere: support planes decide. */
    pose = shifted(0, 16, 3);
    syn_convex_query(sphere, segment, &pose, &options, NULL, NULL, &result);
    assert_int_equal(result.exit, SYN_CONVEX_FAR);
    assert_true(result.bound_mm > 5 && result.bound_mm <= 6.0001 && result.distance_mm >= 6);
    /* Near enough: nothing changes. */
    options.far_mm = 7;
    syn_convex_query(sphere, segment, &pose, &options, NULL, NULL, &result);
    const syn_convex_result plain = ask(sphere, segment, &pose, algorithms[k], NULL);
    assert_int_equal(result.exit, SYN_CONVEX_CLOSED);
    ASSERT_NEAR(result.distance_mm, plain.distance_mm, 0);
  }
  syn_convex_destroy(sphere);
  syn_convex_destroy(segment);
}

/* Noise for a memory, and the memory of one algorithm given to the other: never worse than a detour. */
static void any_memory_gives_the_same_answer(void **state) {
  (void)state;
  test_random random = {19};
  for (int round = 0; round < repeats(2000, 7); ++round) {
    syn_convex *a = random_convex(NULL, &random, (int)random_below(&random, CONVEX_KINDS), 1);
    syn_convex *b = random_convex(NULL, &random, (int)random_below(&random, CONVEX_KINDS), 1);
    const syn_pose pose = random_pose(&random, 2);
    const double expected = ask(a, b, &pose, SYN_CONVEX_GJK, NULL).distance_mm;
    syn_convex_memory memory = {.count_a = random_below(&random, 6), .count_b = random_below(&random, 6)};
    for (int i = 0; i < 4; ++i) {
      memory.a[i] = random_below(&random, a->vertex_count + (round % 7 == 0));
      memory.b[i] = random_below(&random, b->vertex_count);
    }
    for (int turn = 0; turn < 4; ++turn)
      ASSERT_NEAR(ask(a, b, &pose, algorithms[turn % 2], &memory).distance_mm, expected, 1e-9);
    syn_convex_destroy(a);
    syn_convex_destroy(b);
  }
}

static void a_pose_of_noise_is_refused(void **state) {
  (void)state;
  syn_convex *sphere = convex_sphere(1, 2);
  void *scratch = malloc(syn_convex_scratch(sphere, sphere));
  const double bad[] = {NAN, INFINITY, 1e300};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k) {
      syn_convex_options options = syn_default_convex_options();
      options.algorithm = algorithms[k];
      syn_pose pose = shifted(bad[i], 0, 0);
      syn_convex_result result;
      assert_int_equal(syn_convex_query(sphere, sphere, &pose, &options, NULL, scratch, &result), SYN_BAD_ARGUMENT);
      pose.rotation.row[1] = vec3(bad[i], bad[i], 0);
      assert_int_equal(syn_convex_query(sphere, sphere, &pose, &options, NULL, scratch, &result), SYN_BAD_ARGUMENT);
      assert_true(result.exit == SYN_CONVEX_UNSTABLE && isnan(result.distance_mm));
    }
  free(scratch);
  syn_convex_destroy(sphere);
}

/* ---- frames: what is remembered saves the work ------------------------------------------------------------------- */

typedef struct effort {
  double supports, looked;
} effort;

static effort follow_path(int level, syn_convex_algorithm algorithm, bool warm) {
  enum { STEPS = 300 };
  syn_convex *a = convex_sphere(25, level), *b = convex_sphere(20, level);
  syn_convex_memory memory = {0};
  effort sum = {0, 0};
  for (int step = 0; step < STEPS; ++step) {
    const double turn = 0.004 * step;
    syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(0.3, 1, 0.2), 0.0174533 * step);
    pose.translation = vec3(46 * cos(turn), 46 * sin(turn) * 0.8, 46 * sin(turn) * 0.6);
    const syn_convex_result cold = ask(a, b, &pose, algorithm, NULL);
    const syn_convex_result result = warm ? ask(a, b, &pose, algorithm, &memory) : cold;
    assert_int_equal(result.exit, SYN_CONVEX_CLOSED);
    ASSERT_NEAR(result.distance_mm, cold.distance_mm, 1e-11);
    sum.supports += (double)result.supports / STEPS;
    sum.looked += (double)result.looked / STEPS;
  }
  syn_convex_destroy(a);
  syn_convex_destroy(b);
  return sum;
}

static void small_motions_take_constant_work_whatever_the_size(void **state) {
  (void)state;
  for (int k = 0; k < 2; ++k) {
    const effort cold = follow_path(4, algorithms[k], false), coarse = follow_path(2, algorithms[k], true),
                 fine = follow_path(4, algorithms[k], true);
    assert_true(coarse.supports < 3 && fine.supports < 5); /* two are the least: one look from each side */
    assert_true(fine.supports < cold.supports / 3 && fine.looked < cold.looked / 5);
    assert_true(fine.looked < 3 * coarse.looked); /* though there are sixteen times as many vertices */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_pairs_agree_with_the_slow_answer),
      cmocka_unit_test(cubes_on_a_grid_have_the_distance_of_their_boxes),
      cmocka_unit_test(edges_that_are_almost_parallel_do_not_creep),
      cmocka_unit_test(the_unit_of_length_does_not_matter),
      cmocka_unit_test(bodies_too_far_to_be_of_interest_cost_little),
      cmocka_unit_test(any_memory_gives_the_same_answer),
      cmocka_unit_test(a_pose_of_noise_is_refused),
      cmocka_unit_test(small_motions_take_constant_work_whatever_the_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

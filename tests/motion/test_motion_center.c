/* Centre and axis of synthetic motions, with and without noise, against the truth that made them. */
#include "base/vec.h"
#include "motion/recording.h"
#include "support.h"

enum { POSES = 80, DRAWS = 300 };

static const syn_vec3 hip = {12, -34, 56};

static double normal(test_random *random) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += random_between(random, -0.5, 0.5);
  return sum;
}

/* A star of swings about a point, as people are asked to move their leg. */
static void swing(syn_pose *motion) {
  for (int i = 0; i < POSES; ++i) {
    const double way = 2 * SYN_PI * (i / 20) / 4, angle = 0.5 * sin(2 * SYN_PI * i / 20);
    motion[i] = syn_pose_about_axis(hip, vec3(cos(way), sin(way), 0.3), angle);
  }
}

static void bend(syn_pose *motion, syn_vec3 point, syn_vec3 axis) {
  for (int i = 0; i < POSES; ++i) motion[i] = syn_pose_about_axis(point, axis, 1.2 * i / (POSES - 1));
}

static void shake(test_random *random, syn_pose *motion, double sd_mm) {
  for (int i = 0; i < POSES; ++i)
    motion[i].translation =
        vec3_add(motion[i].translation, vec3_scale(vec3(normal(random), normal(random), normal(random)), sd_mm));
}

/* How far a point lies from a line. */
static double from_line(syn_vec3 p, syn_vec3 point, syn_vec3 axis) {
  return vec3_length(vec3_cross(vec3_sub(p, point), vec3_unit(axis)));
}

static void a_clean_swing_gives_its_centre(void **state) {
  (void)state;
  syn_pose motion[POSES];
  swing(motion);
  const syn_motion_center found = syn_motion_center_find(motion, POSES);
  assert_true(found.has_center);
  assert_true(vec3_distance(found.center, hip) < 1e-9);
  assert_true(vec3_distance(found.mobile_center, hip) < 1e-9);
  assert_true(found.residual_mm < 1e-9 && found.center_sd_mm < 1e-9);
  assert_true(found.center_confidence > 0.999);
  assert_true(found.axis_share < 0.7); /* about no axis in particular */
}

/* The mobile body may have another frame: then the centre differs between the two. */
static void the_centre_is_told_in_both_frames(void **state) {
  (void)state;
  test_random random = {5};
  const syn_pose frame = random_pose(&random, 100), back = syn_pose_inverse(&frame);
  syn_pose motion[POSES];
  swing(motion);
  for (int i = 0; i < POSES; ++i) motion[i] = syn_pose_compose(&motion[i], &frame);
  const syn_motion_center found = syn_motion_center_find(motion, POSES);
  assert_true(vec3_distance(found.center, hip) < 1e-8);
  assert_true(vec3_distance(found.mobile_center, syn_pose_point(&back, hip)) < 1e-8);
}

/* Over many draws of noise the centre scatters as much as each of them says that it may. */
static void the_standard_deviation_is_that_of_many_draws(void **state) {
  (void)state;
  test_random random = {7};
  double scatter[3] = {0}, said = 0, residual = 0;
  const double noise = 1.5;
  for (int draw = 0; draw < DRAWS; ++draw) {
    syn_pose motion[POSES];
    swing(motion);
    shake(&random, motion, noise);
    const syn_motion_center found = syn_motion_center_find(motion, POSES);
    const syn_vec3 off = vec3_sub(found.center, hip);
    assert_true(vec3_length(off) < 6 * found.center_sd_mm);
    for (int k = 0; k < 3; ++k) scatter[k] += vec3_at(off, k) * vec3_at(off, k) / DRAWS;
    said += found.center_sd_mm / DRAWS;
    residual += found.residual_mm / DRAWS;
  }
  const double worst =
      sqrt(fmax(scatter[0], fmax(scatter[1], scatter[2]))); /* z is the worst: the star lies across it */
  print_message("noise %.2f: residual %.3f, centre scatters by %.3f, said %.3f mm\n", noise, residual, worst, said);
  ASSERT_NEAR(residual, noise * sqrt(3), 0.15);
  assert_true(said > 0.85 * worst && said < 1.15 * worst);
}

static void a_hinge_gives_its_axis_and_no_centre(void **state) {
  (void)state;
  const syn_vec3 point = {3, 4, 5}, axis = {0.6, 0, 0.8};
  syn_pose motion[POSES];
  bend(motion, point, axis);
  syn_motion_center found = syn_motion_center_find(motion, POSES);
  assert_false(found.has_center);
  assert_true(isnan(found.residual_mm));
  assert_true(found.center_confidence == 0);
  assert_true(found.has_axis);
  ASSERT_NEAR(fabs(vec3_dot(found.axis, axis)), 1, 1e-12);
  assert_true(from_line(found.axis_point, point, axis) < 1e-8);
  ASSERT_NEAR(found.turn, 1.2, 1e-12);
  ASSERT_NEAR(found.axis_share, 1, 1e-12);
  assert_true(found.axis_residual_mm < 1e-8);
  test_random random = {9};
  double farthest = 0;
  for (int draw = 0; draw < 40; ++draw) {
    bend(motion, point, axis);
    shake(&random, motion, 0.5);
    found = syn_motion_center_find(motion, POSES);
    assert_true(found.has_axis && !found.has_center);
    farthest = fmax(farthest, from_line(found.axis_point, point, axis));
    assert_true(from_line(found.axis_point, point, axis) < 5 * found.axis_sd_mm);
  }
  print_message("noise 0.5: axis off by up to %.3f mm\n", farthest);
  assert_true(farthest < 1);
}

static void a_motion_that_hardly_turns_gives_nothing(void **state) {
  (void)state;
  syn_pose motion[POSES];
  for (int i = 0; i < POSES; ++i) motion[i] = syn_pose_about_axis(hip, vec3(1, i, 2), 0.01 * i / POSES);
  syn_motion_center found = syn_motion_center_find(motion, POSES);
  assert_false(found.has_axis);
  found = syn_motion_center_find(motion, 1);
  assert_false(found.has_center || found.has_axis);
  found = syn_motion_center_find(NULL, 0);
  assert_int_equal(found.pose_count, 0);
  assert_false(found.has_center || found.has_axis);
}

static void write_motion(const char *path, const syn_pose *motion, double unit) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 12; ++i)
      fprintf(file, "%s%s_T%d%d", b || i ? "," : "", b ? "femur" : "tibia", i / 4 + 1, i % 4 + 1);
  fprintf(file, "\n");
  test_random random = {13};
  for (int i = 0; i < POSES; ++i) {
    const syn_pose base = random_pose(&random, 50), whole = syn_pose_compose(&base, &motion[i]);
    for (int b = 0; b < 2; ++b) {
      double m[16];
      syn_pose_to_matrix(b ? &base : &whole, m);
      for (int k = 0; k < 12; ++k) fprintf(file, "%s%.17g", b || k ? "," : "", k % 4 == 3 ? m[k] / unit : m[k]);
    }
    fprintf(file, "\n");
  }
  fclose(file);
}

/* Two bodies that both wander about the laboratory, in metres. */
static void a_recording_is_read_relative_to_the_other_body(void **state) {
  (void)state;
  syn_pose motion[POSES];
  swing(motion);
  const char *path = temporary_path("knee.csv");
  write_motion(path, motion, 1000);
  syn_motion_center found;
  syn_error error = {0};
  ASSERT_OK(syn_motion_center_read(NULL, path, "tibia", "femur", 1000, &found, &error));
  assert_true(found.has_center);
  assert_true(vec3_distance(found.center, hip) < 1e-8);
  assert_int_equal(found.pose_count, POSES);
  ASSERT_FAILS(syn_motion_center_read(NULL, path, "patella", NULL, 1000, &found, &error), SYN_BAD_FORMAT,
               "there is no matrix of 'patella'");
  ASSERT_FAILS(syn_motion_center_read(NULL, temporary_path("none.csv"), NULL, NULL, 1, &found, &error), SYN_NOT_FOUND,
               "cannot open");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_clean_swing_gives_its_centre),
      cmocka_unit_test(the_centre_is_told_in_both_frames),
      cmocka_unit_test(the_standard_deviation_is_that_of_many_draws),
      cmocka_unit_test(a_hinge_gives_its_axis_and_no_centre),
      cmocka_unit_test(a_motion_that_hardly_turns_gives_nothing),
      cmocka_unit_test(a_recording_is_read_relative_to_the_other_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

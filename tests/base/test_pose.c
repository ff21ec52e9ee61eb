#include "support.h"

#include "base/vec.h"

static void a_turn_about_an_axis_keeps_the_axis_and_all_distances(void **state) {
  (void)state;
  test_random random = {1};
  for (int i = 0; i < 1000; ++i) {
    syn_vec3 center = random_vec3(&random, 10), axis = random_vec3(&random, 2);
    double angle = random_between(&random, -7, 7);
    syn_pose pose = syn_pose_about_axis(center, axis, angle);
    syn_vec3 on_axis = vec3_madd(center, random_between(&random, -5, 5), axis);
    ASSERT_NEAR(vec3_distance(syn_pose_point(&pose, on_axis), on_axis), 0, 1e-12);
    syn_vec3 p = random_vec3(&random, 10), q = random_vec3(&random, 10);
    ASSERT_NEAR(vec3_distance(syn_pose_point(&pose, p), syn_pose_point(&pose, q)), vec3_distance(p, q), 1e-12);
  }
}

static void a_quarter_turn_about_z_takes_x_to_y(void **state) {
  (void)state;
  syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 0, 3), SYN_PI / 2);
  ASSERT_NEAR(vec3_distance(syn_pose_point(&pose, vec3(1, 0, 0)), vec3(0, 1, 0)), 0, 1e-15);
}

static void inverse_and_compose_agree(void **state) {
  (void)state;
  test_random random = {2};
  for (int i = 0; i < 1000; ++i) {
    syn_pose a = random_pose(&random, 5), b = random_pose(&random, 5), ab = syn_pose_compose(&a, &b);
    syn_pose back = syn_pose_inverse(&ab);
    syn_vec3 p = random_vec3(&random, 10);
    syn_vec3 once = syn_pose_point(&a, syn_pose_point(&b, p));
    ASSERT_NEAR(vec3_distance(syn_pose_point(&ab, p), once), 0, 1e-12);
    ASSERT_NEAR(vec3_distance(syn_pose_point(&back, once), p), 0, 1e-12);
  }
}

static void quaternions_and_matrices_round_trip(void **state) {
  (void)state;
  test_random random = {3};
  syn_error error;
  for (int i = 0; i < 2000; ++i) {
    /* half turns about every axis exercise each branch of the conversion */
    syn_pose pose = i % 2 ? random_pose(&random, 5)
                          : syn_pose_about_axis(vec3(0, 0, 0), random_vec3(&random, 1), SYN_PI - (i % 3) * 1e-9);
    syn_pose again = syn_pose_from_quat(syn_pose_quat(&pose), pose.translation), third;
    double matrix[16];
    syn_pose_to_matrix(&pose, matrix);
    ASSERT_OK(syn_pose_from_matrix(matrix, &third, &error));
    syn_vec3 p = random_vec3(&random, 1);
    ASSERT_NEAR(vec3_distance(syn_pose_point(&pose, p), syn_pose_point(&again, p)), 0, 1e-13);
    ASSERT_NEAR(vec3_distance(syn_pose_point(&pose, p), syn_pose_point(&third, p)), 0, 1e-13);
  }
}

static void a_matrix_that_is_not_rigid_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_pose pose;
  double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, m[16];
  ASSERT_OK(syn_pose_from_matrix(identity, &pose, &error));
  memcpy(m, identity, sizeof m), m[0] = 2;
  ASSERT_FAILS(syn_pose_from_matrix(m, &pose, &error), SYN_BAD_ARGUMENT, "not rigid");
  memcpy(m, identity, sizeof m), m[0] = -1;
  ASSERT_FAILS(syn_pose_from_matrix(m, &pose, &error), SYN_BAD_ARGUMENT, "mirror");
  memcpy(m, identity, sizeof m), m[14] = 1;
  ASSERT_FAILS(syn_pose_from_matrix(m, &pose, &error), SYN_BAD_ARGUMENT, "last row");
  memcpy(m, identity, sizeof m), m[7] = NAN;
  ASSERT_FAILS(syn_pose_from_matrix(m, &pose, &error), SYN_BAD_ARGUMENT, "entry 8");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_turn_about_an_axis_keeps_the_axis_and_all_distances),
      cmocka_unit_test(a_quarter_turn_about_z_takes_x_to_y),
      cmocka_unit_test(inverse_and_compose_agree),
      cmocka_unit_test(quaternions_and_matrices_round_trip),
      cmocka_unit_test(a_matrix_that_is_not_rigid_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Joint angles to poses and back. */
#include <math.h>
#include <synovia/clinic.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "support.h"

static const syn_vec3 right = {1, 0, 0}, forward = {0, 1, 0}, up = {0, 0, 1};

static syn_hip hip_of(syn_side side) {
  const syn_hip_axes axes = side == SYN_SIDE_RIGHT ? (syn_hip_axes){right, forward, up}
                                                   : (syn_hip_axes){right, vec3_neg(forward), vec3_neg(up)};
  return (syn_hip){.side = side, .center = {3, -4, 5}, .pelvis_axes = axes, .femur_axes = axes};
}

static syn_vec3 direction_after(const syn_hip *hip, syn_hip_angles angles, syn_vec3 direction) {
  const syn_pose pose = syn_hip_pose(hip, angles);
  return syn_pose_direction(&pose, direction);
}

static void each_angle_moves_the_thigh_as_its_name_says_on_both_sides(void **state) {
  (void)state;
  for (int s = 0; s < 2; ++s) {
    const syn_hip hip = hip_of(s ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    const double medial = s ? 1 : -1; /* towards the midline, along `right` */
    const syn_vec3 down = vec3_neg(up);
    assert_true(direction_after(&hip, (syn_hip_angles){.flexion = 1}, down).y > 0.8);
    assert_true(direction_after(&hip, (syn_hip_angles){.adduction = 1}, down).x * medial > 0.8);
    assert_true(direction_after(&hip, (syn_hip_angles){.rotation = 1}, forward).x * medial > 0.8);
  }
}

static void the_centre_stays_where_it_is(void **state) {
  (void)state;
  const syn_hip hip = hip_of(SYN_SIDE_LEFT);
  const syn_pose pose = syn_hip_pose(&hip, (syn_hip_angles){1, -0.4, 0.3});
  assert_true(vec3_distance(syn_pose_point(&pose, hip.center), hip.center) < 1e-14);
}

/* The obvious twin: three turns about axes carried along. */
static syn_pose turn_by_turn(const syn_hip *hip, syn_hip_angles angles) {
  syn_pose pose = syn_pose_about_axis(hip->center, hip->pelvis_axes.flexion, angles.flexion);
  syn_vec3 axis = syn_pose_direction(&pose, hip->pelvis_axes.adduction);
  syn_pose next = syn_pose_about_axis(hip->center, axis, angles.adduction);
  pose = syn_pose_compose(&next, &pose);
  axis = syn_pose_direction(&pose, hip->pelvis_axes.rotation);
  next = syn_pose_about_axis(hip->center, axis, angles.rotation);
  return syn_pose_compose(&next, &pose);
}

static void angles_and_poses_agree_with_three_turns_and_go_back_and_forth(void **state) {
  (void)state;
  test_random random = {7};
  for (int i = 0; i < 2000; ++i) {
    syn_hip hip = hip_of(i & 1 ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    const syn_hip_angles angles = {random_between(&random, -3.1, 3.1), random_between(&random, -1.55, 1.55),
                                   random_between(&random, -3.1, 3.1)};
    const syn_pose pose = syn_hip_pose(&hip, angles), twin = turn_by_turn(&hip, angles);
    for (int row = 0; row < 3; ++row)
      assert_true(vec3_distance(pose.rotation.row[row], twin.rotation.row[row]) < 1e-14);
    const syn_hip_angles back = syn_hip_angles_of(&hip, &pose);
    ASSERT_NEAR(back.flexion, angles.flexion, 1e-12);
    ASSERT_NEAR(back.adduction, angles.adduction, 1e-12);
    ASSERT_NEAR(back.rotation, angles.rotation, 1e-12);
  }
}

static void a_femur_scanned_turned_has_the_angles_of_its_frame(void **state) {
  (void)state;
  syn_hip hip = hip_of(SYN_SIDE_RIGHT);
  const syn_hip_angles scanned = {0.3, -0.2, 0.5};
  const syn_pose pose = syn_hip_pose(&hip, scanned);
  hip.femur_axes = (syn_hip_axes){syn_pose_direction(&pose, right), syn_pose_direction(&pose, forward),
                                  syn_pose_direction(&pose, up)};
  const syn_pose as_it_lies = syn_pose_identity();
  const syn_hip_angles told = syn_hip_angles_of(&hip, &as_it_lies);
  ASSERT_NEAR(told.flexion, scanned.flexion, 1e-14);
  ASSERT_NEAR(told.adduction, scanned.adduction, 1e-14);
  ASSERT_NEAR(told.rotation, scanned.rotation, 1e-14);
  const syn_pose neutral = syn_hip_pose(&hip, (syn_hip_angles){0, 0, 0});
  assert_true(vec3_distance(syn_pose_direction(&neutral, hip.femur_axes.flexion), right) < 1e-14);
}

static void at_ninety_degrees_of_adduction_rotation_is_zero(void **state) {
  (void)state;
  const syn_hip hip = hip_of(SYN_SIDE_RIGHT);
  const syn_pose pose = syn_hip_pose(&hip, (syn_hip_angles){0.4, SYN_PI / 2, 0.3});
  const syn_hip_angles told = syn_hip_angles_of(&hip, &pose);
  const syn_pose again = syn_hip_pose(&hip, told);
  assert_true(told.rotation == 0);
  for (int row = 0; row < 3; ++row) assert_true(vec3_distance(pose.rotation.row[row], again.rotation.row[row]) < 1e-12);
}

static void parts_have_names_and_know_whether_they_move(void **state) {
  (void)state;
  assert_string_equal(syn_hip_part_name(SYN_HIP_ACETABULAR_CARTILAGE), "acetabular_cartilage");
  assert_true(syn_hip_part_moves(SYN_HIP_FEMUR) && syn_hip_part_moves(SYN_HIP_FEMORAL_CARTILAGE));
  assert_false(syn_hip_part_moves(SYN_HIP_PELVIS) || syn_hip_part_moves(SYN_HIP_LABRUM));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_angle_moves_the_thigh_as_its_name_says_on_both_sides),
      cmocka_unit_test(the_centre_stays_where_it_is),
      cmocka_unit_test(angles_and_poses_agree_with_three_turns_and_go_back_and_forth),
      cmocka_unit_test(a_femur_scanned_turned_has_the_angles_of_its_frame),
      cmocka_unit_test(at_ninety_degrees_of_adduction_rotation_is_zero),
      cmocka_unit_test(parts_have_names_and_know_whether_they_move),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

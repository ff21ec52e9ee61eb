/* The leg of Maciel's section 2.4.7 (examples/leg.json), by itself and driven by a recorded squat. */
#include "base/vec.h"
#include "motion/skeleton.h"
#include "support.h"

enum { DOFS = 15, JOINTS = 6, BODIES = 8 };

static syn_skeleton *read_leg(void) {
  syn_error error;
  syn_skeleton *leg;
  ASSERT_OK(syn_skeleton_read(NULL, SYN_SOURCE_DIR "/examples/leg.json", &leg, &error));
  assert_int_equal(leg->dof_count, DOFS);
  assert_int_equal(leg->description.joint_count, JOINTS);
  assert_int_equal(leg->description.body_count, BODIES);
  return leg;
}

static void set(const syn_skeleton *leg, const char *dof, double degrees, double *values) {
  values[skeleton_dof_named(leg, dof)] = degrees * SYN_PI / 180;
}

static syn_vec3 place_of(const syn_skeleton *leg, const char *joint, const double *values) {
  syn_pose joints[JOINTS];
  syn_skeleton_pose(leg, values, joints, NULL);
  return joints[skeleton_joint_named(leg, joint)].translation;
}

static void each_angle_moves_the_leg_as_its_name_says(void **state) {
  (void)state;
  syn_skeleton *leg = read_leg();
  double rest[DOFS], values[DOFS];
  syn_skeleton_rest(leg, rest);
  const syn_vec3 ankle = place_of(leg, "tibia_foot", rest);
  memcpy(values, rest, sizeof rest);
  set(leg, "hip_flexion_r", 45, values);
  assert_true(place_of(leg, "tibia_foot", values).y > ankle.y + 300); /* forward */
  memcpy(values, rest, sizeof rest);
  set(leg, "hip_adduction_r", 20, values);
  assert_true(place_of(leg, "tibia_foot", values).x < ankle.x - 200); /* a right leg: to the left */
  memcpy(values, rest, sizeof rest);
  set(leg, "knee_angle_r", 90, values);
  assert_true(place_of(leg, "tibia_foot", values).y < ankle.y - 300); /* back */
  syn_skeleton_destroy(leg);
}

static void the_knee_turns_only_when_bent_and_the_patella_follows(void **state) {
  (void)state;
  syn_skeleton *leg = read_leg();
  double values[DOFS];
  syn_skeleton_rest(leg, values);
  const size_t rotation = skeleton_dof_named(leg, "knee_rotation_r"), patella = skeleton_dof_named(leg, "patella_r");
  for (int bent = 0; bent <= 140; bent += 10) {
    set(leg, "knee_angle_r", bent, values);
    values[rotation] = 1;
    syn_skeleton_clamp(leg, values);
    ASSERT_NEAR(values[rotation] * 180 / SYN_PI,
                bent <= 30   ? bent / 1.5
                : bent <= 90 ? 20 + (bent - 30) / 6.0
                             : 30,
                1e-9);
    ASSERT_NEAR(values[patella] * 180 / SYN_PI, bent * 95 / 140.0, 1e-9);
  }
  syn_skeleton_destroy(leg);
}

/* In a squat the pelvis sinks while the foot stays on the ground. The recorded person is taller than this leg: lengths
 * are scaled so that the ankle starts 80 mm above the ground. */
static void a_recorded_squat_lowers_the_pelvis_over_a_resting_foot(void **state) {
  (void)state;
  REQUIRE_DATA(path, "motion/squats1.mot");
  syn_skeleton *leg = read_leg();
  syn_error error;
  syn_recording *squat;
  ASSERT_OK(syn_recording_read(NULL, path, &squat, &error));
  size_t columns[DOFS];
  assert_int_equal(syn_skeleton_columns(leg, squat, columns), 12); /* all but patella, knee rotation and fibula */
  double values[DOFS];
  syn_skeleton_rest(leg, values);
  const double leg_length = 72.7 + 390.4 + 375, height = squat->values[syn_recording_column_named(squat, "pelvis_ty")];
  const double mm_per_unit = (leg_length + 80) / height;
  syn_pose joints[JOINTS], bodies[BODIES], before[BODIES];
  const size_t pelvis = skeleton_joint_named(leg, "pelvis"), ankle = skeleton_joint_named(leg, "tibia_foot");
  syn_box sinking = box_empty(), standing = box_empty();
  for (size_t row = 0; row < squat->row_count; ++row) {
    assert_int_equal(syn_skeleton_follow(leg, squat, row, mm_per_unit, values), 12);
    for (size_t i = 0; i < DOFS; ++i)
      if (columns[i] != SIZE_MAX) assert_int_not_equal(syn_skeleton_state(leg, i, values), SYN_DOF_BEYOND);
    syn_skeleton_clamp(leg, values); /* lets patella and fibula follow */
    syn_skeleton_pose(leg, values, joints, bodies);
    box_add(&sinking, joints[pelvis].translation);
    box_add(&standing, joints[ankle].translation);
    for (size_t b = 0; b < BODIES; ++b) {
      double matrix[16];
      syn_pose same;
      syn_pose_to_matrix(&bodies[b], matrix);
      ASSERT_OK(syn_pose_from_matrix(matrix, &same, &error));
      if (row > 0) assert_true(vec3_distance(bodies[b].translation, before[b].translation) < 40); /* in 10 ms */
    }
    memcpy(before, bodies, sizeof bodies);
  }
  const double drop = sinking.max.z - sinking.min.z;
  print_message("pelvis sinks %.0f mm, ankle moves %.0f %.0f %.0f mm\n", drop, standing.max.x - standing.min.x,
                standing.max.y - standing.min.y, standing.max.z - standing.min.z);
  assert_true(drop > 300);
  assert_true(vec3_distance(standing.max, standing.min) < drop / 4);
  syn_recording_destroy(squat);
  syn_skeleton_destroy(leg);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_angle_moves_the_leg_as_its_name_says),
      cmocka_unit_test(the_knee_turns_only_when_bent_and_the_patella_follows),
      cmocka_unit_test(a_recorded_squat_lowers_the_pelvis_over_a_resting_foot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Recorded motions of a hip. */
#include <synovia/clinic.h>

#include "base/vec.h"
#include "support.h"

static syn_hip hip_of(syn_side side) {
  const double s = side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_hip_axes axes = {{1, 0, 0}, {0, s, 0}, {0, 0, s}};
  return (syn_hip){.side = side, .center = {30, -4, 5}, .pelvis_axes = axes, .femur_axes = axes};
}

typedef struct motion {
  syn_pose *poses;
  double *times;
  size_t count;
} motion;

static syn_status read_motion(const syn_context *context, const syn_hip *hip, const char *text, motion *m,
                              syn_error *error) {
  const char *path = temporary_path("motion.csv");
  write_text_file(path, text);
  return syn_hip_motion_read(context, hip, path, &m->poses, &m->times, &m->count, error);
}

static void release(motion *m) {
  syn_free(NULL, m->poses);
  syn_free(NULL, m->times);
}

static void assert_angles(const syn_hip *hip, const syn_pose *pose, double flexion, double adduction, double rotation) {
  const syn_hip_angles angles = syn_hip_angles_of(hip, pose);
  ASSERT_NEAR(angles.flexion * 180 / SYN_PI, flexion, 1e-10);
  ASSERT_NEAR(angles.adduction * 180 / SYN_PI, adduction, 1e-10);
  ASSERT_NEAR(angles.rotation * 180 / SYN_PI, rotation, 1e-10);
  assert_true(vec3_distance(syn_pose_point(pose, hip->center), hip->center) < 1e-12);
}

static void angles_under_any_of_the_names_become_poses(void **state) {
  (void)state;
  static const char *const cases[] = {
      "time,hip_flexion_r,hip_adduction_r,hip_rotation_r,hip_flexion_l,hip_adduction_l,hip_rotation_l\n"
      "0.5,60,-10,20,60,-10,20\n",
      "time,rotation,adduction,flexion\n0.5,20,-10,60\n",
      "time,flexion_deg,adduction_deg,rotation_deg\n0.5,60,-10,20\n",
      "inDegrees=no\nendheader\ntime\tflexion_deg\tadduction_deg\trotation_deg\n0.5\t60\t-10\t20\n",
      "time,flexion_rad,adduction_rad,rotation_rad\n0.5,1.0471975511965977,-0.17453292519943295,0.3490658503988659\n",
      "inDegrees=no\nendheader\ntime\tflexion\tadduction\trotation\n"
      "0.5\t1.0471975511965977\t-0.17453292519943295\t0.3490658503988659\n",
      "time,hip_flexion_r_deg,hip_adduction_r_deg,hip_rotation_r_deg,hip_flexion_l_deg,hip_adduction_l_deg,"
      "hip_rotation_l_deg\n0.5,60,-10,20,60,-10,20\n",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    for (int s = 0; s < 2; ++s) {
      const syn_hip hip = hip_of(s ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
      syn_error error;
      motion m;
      ASSERT_OK(read_motion(NULL, &hip, cases[i], &m, &error));
      assert_int_equal(m.count, 1);
      assert_true(m.times[0] == 0.5);
      assert_angles(&hip, &m.poses[0], 60, -10, 20);
      release(&m);
    }
}

static void angles_of_a_doubtful_unit_are_asked_about(void **state) {
  (void)state;
  static const struct {
    const char *text, *warning;
  } cases[] = {
      {"flexion,adduction,rotation\n1.57,0.2,-0.3\n", "_rad"},
      {"hip_flexion_r,hip_adduction_r,hip_rotation_r\n0,0,-3.1\n", "taken as degrees"},
      {"version=1\nendheader\nflexion\tadduction\trotation\n1.57\t0\t0\n", "inDegrees=no"},
      {"inDegrees=no\nendheader\nflexion\tadduction\trotation\n90\t0\t0\n",
       "the header says radians, but an angle is 90"},
      {"flexion,adduction,rotation\n1.57,0.2,-3.3\n", NULL},
      {"flexion,adduction,rotation\n0,0,0\n", NULL},
      {"flexion_deg,adduction_deg,rotation_deg\n1.57,0.2,-0.3\n", NULL},
      {"flexion_rad,adduction_rad,rotation_rad\n1.57,0.2,-0.3\n", NULL},
      {"inDegrees=yes\nendheader\nflexion\tadduction\trotation\n1.57\t0\t0\n", NULL},
      {"Angles are in degrees.\nendheader\nflexion\tadduction\trotation\n1.57\t0\t0\n", NULL},
      {"inDegrees=no\nendheader\nflexion\tadduction\trotation\n1.57\t0\t0\n", NULL},
  };
  const syn_hip hip = hip_of(SYN_SIDE_RIGHT);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_error error;
    motion m;
    ASSERT_OK(read_motion(&context, &hip, cases[i].text, &m, &error));
    if (memory.warnings != (cases[i].warning != NULL)) fail_msg("case %zu: %s", i, memory.all_warnings);
    if (cases[i].warning) assert_non_null(strstr(memory.last_warning, cases[i].warning));
    syn_free(&context, m.poses);
    syn_free(&context, m.times);
    assert_int_equal(memory.live, 0);
  }
}

static void each_side_takes_its_own_columns(void **state) {
  (void)state;
  const char *text = "hip_flexion_r,hip_adduction_r,hip_rotation_r,hip_flexion_l,hip_adduction_l,hip_rotation_l\n"
                     "1,2,3,4,5,6\n7,8,9,10,11,12\n";
  for (int s = 0; s < 2; ++s) {
    const syn_hip hip = hip_of(s ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    syn_error error;
    motion m;
    ASSERT_OK(read_motion(NULL, &hip, text, &m, &error));
    assert_int_equal(m.count, 2);
    assert_true(m.times[0] == 0 && m.times[1] == 1);
    assert_angles(&hip, &m.poses[0], 1 + 3 * s, 2 + 3 * s, 3 + 3 * s);
    assert_angles(&hip, &m.poses[1], 7 + 3 * s, 8 + 3 * s, 9 + 3 * s);
    release(&m);
  }
}

static void matrices_move_the_femur_as_they_stand_or_relative_to_the_pelvis(void **state) {
  (void)state;
#define MATRIX(b)                                                                                                      \
  b "T11," b "T12," b "T13," b "T14," b "T21," b "T22," b "T23," b "T24," b "T31," b "T32," b "T33," b "T34"
  static const struct {
    const char *text;
    double x;
  } cases[] = {
      {MATRIX("") "\n1,0,0,5,0,1,0,6,0,0,1,7\n", 5},
      {MATRIX("femur_") "\n1,0,0,5,0,1,0,6,0,0,1,7\n", 5},
      {MATRIX("femur_r_") "\n1,0,0,5,0,1,0,6,0,0,1,7\n", 5},
      {MATRIX("femur_") "," MATRIX("pelvis_") "\n1,0,0,5,0,1,0,6,0,0,1,7,1,0,0,2,0,1,0,0,0,0,1,0\n", 3},
  };
#undef MATRIX
  const syn_hip hip = hip_of(SYN_SIDE_RIGHT);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error;
    motion m;
    ASSERT_OK(read_motion(NULL, &hip, cases[i].text, &m, &error));
    ASSERT_NEAR(m.poses[0].translation.x, cases[i].x, 0);
    ASSERT_NEAR(m.poses[0].translation.y, 6, 0);
    release(&m);
  }
}

static void files_without_a_motion_of_the_hip_are_refused(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"time,knee\n0,1\n", "expected columns hip_flexion_r"},
      {"hip_flexion_l,hip_adduction_l,hip_rotation_l\n1,2,3\n", "expected columns hip_flexion_r"},
      {"hip_flexion_r,hip_rotation_r\n1,2\n", "a column hip_flexion_r but no column hip_adduction_r"},
      {"flexion_deg,adduction_deg\n1,2\n", "a column flexion_deg but no column rotation_deg"},
      {"flexion,adduction,rotation\n1,2,3\n1,nan,3\n", "row 2: an angle of the hip is not a finite number"},
      {"flexion,adduction,rotation\n1,2,x\n", "expected a number"},
      {"T11,T12\n1,2\n", "no column T13"},
  };
  const syn_hip hip = hip_of(SYN_SIDE_RIGHT);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error = {0};
    motion m;
    ASSERT_FAILS(read_motion(NULL, &hip, cases[i][0], &m, &error), SYN_BAD_FORMAT, cases[i][1]);
    assert_null(m.poses);
    assert_null(m.times);
    assert_int_equal(m.count, 0);
    assert_non_null(strstr(error.file, "motion.csv"));
  }
  syn_error error = {0};
  motion m;
  ASSERT_FAILS(syn_hip_motion_read(NULL, &hip, temporary_path("none"), &m.poses, &m.times, &m.count, &error),
               SYN_NOT_FOUND, NULL);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  motion m;
  const syn_status status = read_motion(context, user, "flexion,adduction,rotation\n1,2,3\n4,5,6\n", &m, error);
  syn_free(context, m.poses);
  syn_free(context, m.times);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_hip hip = hip_of(SYN_SIDE_LEFT);
  check_every_allocation(attempt, &hip);
}

static void a_recorded_squat_flexes_the_hip_to_106_degrees(void **state) {
  (void)state;
  REQUIRE_DATA(path, "motion/squats1.mot");
  const syn_hip hip = hip_of(SYN_SIDE_RIGHT);
  syn_error error;
  motion m;
  ASSERT_OK(syn_hip_motion_read(NULL, &hip, path, &m.poses, &m.times, &m.count, &error));
  assert_int_equal(m.count, 801);
  double most = 0;
  for (size_t i = 0; i < m.count; ++i) most = fmax(most, syn_hip_angles_of(&hip, &m.poses[i]).flexion * 180 / SYN_PI);
  ASSERT_NEAR(most, 105.70007817, 1e-8);
  release(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_under_any_of_the_names_become_poses),
      cmocka_unit_test(angles_of_a_doubtful_unit_are_asked_about),
      cmocka_unit_test(each_side_takes_its_own_columns),
      cmocka_unit_test(matrices_move_the_femur_as_they_stand_or_relative_to_the_pelvis),
      cmocka_unit_test(files_without_a_motion_of_the_hip_are_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(a_recorded_squat_flexes_the_hip_to_106_degrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

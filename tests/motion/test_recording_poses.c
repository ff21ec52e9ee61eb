/* Rows of matrices as poses. */
#include "base/vec.h"
#include "support.h"

enum { ROWS = 40 };

/* A table of the poses of two bodies (lengths divided by 1000) with `digits` after the point. `count` is 16 or 12. */
static void write_poses(char *text, size_t size, syn_pose poses[2][ROWS], const char *const names[2], char letter,
                        int count, int digits) {
  size_t used = 0;
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < count; ++i)
      used += (size_t)snprintf(text + used, size - used, "%s%s%c%d%d", b + i ? "," : "", names[b], letter, i / 4 + 1,
                               i % 4 + 1);
  for (int row = 0; row < ROWS; ++row)
    for (int b = 0; b < 2; ++b) {
      double m[16];
      syn_pose_to_matrix(&poses[b][row], m);
      m[3] /= 1000, m[7] /= 1000, m[11] /= 1000;
      for (int i = 0; i < count; ++i)
        used += (size_t)snprintf(text + used, size - used, "%c%.*f", b + i ? ',' : '\n', digits, m[i]);
    }
  assert_true(used < size);
}

static double pose_distance(const syn_pose *a, const syn_pose *b) {
  double most = vec3_distance(a->translation, b->translation);
  for (int i = 0; i < 3; ++i) most = fmax(most, vec3_distance(a->rotation.row[i], b->rotation.row[i]));
  return most;
}

static char text[ROWS * 32 * 24 + 1024];

static void make_poses(syn_pose poses[2][ROWS]) {
  test_random random = {23};
  for (int b = 0; b < 2; ++b)
    for (int row = 0; row < ROWS; ++row) poses[b][row] = random_pose(&random, 300);
}

static void matrices_of_named_bodies_come_back_alone_and_relative(void **state) {
  (void)state;
  static const char *const names[2] = {"femur_", "tibia_r_"};
  syn_pose poses[2][ROWS], found[ROWS];
  make_poses(poses);
  for (int kind = 0; kind < 4; ++kind) {
    write_poses(text, sizeof text, poses, names, kind & 1 ? 'm' : 'T', kind & 2 ? 12 : 16, 17);
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_error error;
    syn_recording *r;
    ASSERT_OK(syn_recording_parse(&context, text, strlen(text), "x.csv", &r, &error));
    const size_t allocations = memory.allocations;
    ASSERT_OK(syn_recording_poses(r, "tibia_r", NULL, 1000, found, &error));
    for (int row = 0; row < ROWS; ++row) assert_true(pose_distance(&found[row], &poses[1][row]) < 1e-12);
    ASSERT_OK(syn_recording_poses(r, "tibia_r", "femur", 1000, found, &error));
    for (int row = 0; row < ROWS; ++row) {
      const syn_pose back = syn_pose_compose(&poses[0][row], &found[row]);
      assert_true(pose_distance(&back, &poses[1][row]) < 1e-11);
    }
    assert_int_equal(memory.allocations, allocations);
    assert_int_equal(memory.warnings, 0);
    ASSERT_FAILS(syn_recording_poses(r, "patella", NULL, 1, found, &error), SYN_BAD_FORMAT,
                 "no matrix of 'patella' (columns patella_T11 and on); the file has femur, tibia_r");
    ASSERT_FAILS(syn_recording_poses(r, "femur", "patella", 1, found, &error), SYN_BAD_FORMAT, "of 'patella'");
    ASSERT_FAILS(syn_recording_poses(r, NULL, NULL, 1, found, &error), SYN_BAD_FORMAT, "without a body's name");
    ASSERT_FAILS(syn_recording_poses(r, "femur", NULL, 0, found, &error), SYN_BAD_ARGUMENT, "must be positive");
    ASSERT_FAILS(syn_recording_poses(r, "femur", NULL, NAN, found, &error), SYN_BAD_ARGUMENT, "must be positive");
    syn_recording_destroy(r);
  }
}

static void few_digits_are_made_rigid_and_told(void **state) {
  (void)state;
  static const char *const names[2] = {"", "b_"};
  syn_pose poses[2][ROWS], found[ROWS];
  make_poses(poses);
  for (int digits = 4; digits <= 6; ++digits) {
    write_poses(text, sizeof text, poses, names, 'T', 16, digits);
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_error error;
    syn_recording *r;
    ASSERT_OK(syn_recording_parse(&context, text, strlen(text), NULL, &r, &error));
    ASSERT_OK(syn_recording_poses(r, NULL, NULL, 1000, found, &error));
    assert_int_equal(memory.warnings, 1);
    assert_non_null(strstr(memory.last_warning, "made orthonormal"));
    const double rounding = pow(10, -digits);
    for (int row = 0; row < ROWS; ++row) {
      for (int i = 0; i < 3; ++i) {
        assert_true(vec3_distance(found[row].rotation.row[i], poses[0][row].rotation.row[i]) < 2 * rounding);
        for (int k = 0; k < 3; ++k)
          ASSERT_NEAR(vec3_dot(found[row].rotation.row[i], found[row].rotation.row[k]), i == k, 1e-14);
      }
      assert_true(vec3_distance(found[row].translation, poses[0][row].translation) < 1000 * rounding);
    }
    syn_recording_destroy(r);
  }
}

static void what_is_no_pose_is_refused_with_its_row(void **state) {
  (void)state;
#define NAMES "m11,m12,m13,m14,m21,m22,m23,m24,m31,m32,m33,m34"
#define GOOD "\n1,0,0,5,0,1,0,6,0,0,1,7"
  static const char *const cases[][2] = {
      {NAMES GOOD "\n1,0,0,5,0,1,0,6,0,0,-1,7", "row 2: the pose is a mirror image"},
      {NAMES GOOD GOOD "\n1,0,0,5,0,nan,0,6,0,0,1,7", "row 3: pose entry 6 is not a finite number"},
      {NAMES GOOD "\n1,0,0,inf,0,1,0,6,0,0,1,7", "row 2: pose entry 4 is not a finite number"},
      {NAMES "\n1,0.1,0,5,0,1,0,6,0,0,1,7", "row 1: the pose is not rigid"},
      {NAMES "\n0,0,0,0,0,0,0,0,0,0,0,0", "row 1: the pose is not rigid"},
      {NAMES ",m41,m42,m43,m44\n1,0,0,5,0,1,0,6,0,0,1,7,0,0,1,1", "row 1: the last row of a pose"},
      {NAMES ",m41,m42,m43" GOOD ",0,0,0", "the matrix has no column m44"},
      {"m11,m12\n1,2\n", "has no column m13"},
      {"a,b\n1,2\n", "the file has none of a named body"},
  };
#undef GOOD
#undef NAMES
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error = {0};
    syn_recording *r;
    syn_pose poses[4];
    ASSERT_OK(syn_recording_parse(NULL, cases[i][0], strlen(cases[i][0]), "x.csv", &r, &error));
    ASSERT_FAILS(syn_recording_poses(r, NULL, NULL, 1, poses, &error), SYN_BAD_FORMAT, cases[i][1]);
    assert_string_equal(error.file, "x.csv");
    syn_recording_destroy(r);
  }
}

/* The knee bends through the recording: femur, tibia and patella stay together and move smoothly. */
static void the_recorded_knee_bends_smoothly(void **state) {
  (void)state;
  REQUIRE_DATA(path, "knee/kinematics/passive_body_transformations.sto");
  syn_error error;
  syn_recording *r;
  ASSERT_OK(syn_recording_read(NULL, path, &r, &error));
  syn_pose tibia[60], patella[60];
  assert_int_equal(r->row_count, 60);
  ASSERT_OK(syn_recording_poses(r, "tibia_proximal_r", "femur_distal_r", 1000, tibia, &error));
  ASSERT_OK(syn_recording_poses(r, "patella_r", "femur_distal_r", 1000, patella, &error));
  for (int i = 0; i < 60; ++i) {
    assert_true(vec3_length(tibia[i].translation) < 80);
    assert_true(vec3_length(patella[i].translation) < 120);
    if (i == 0) continue;
    assert_true(vec3_distance(tibia[i].translation, tibia[i - 1].translation) < 5);
    assert_true(vec3_distance(patella[i].translation, patella[i - 1].translation) < 10);
  }
  const syn_pose back = syn_pose_inverse(&tibia[0]);
  double most = 0;
  for (int i = 0; i < 60; ++i) {
    const syn_pose bent = syn_pose_compose(&back, &tibia[i]);
    most = fmax(most, 2 * acos(fmin(1, fabs(syn_pose_quat(&bent).w))) * 180 / SYN_PI);
  }
  assert_true(most > 15 && most < 25);
  syn_recording_destroy(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_of_named_bodies_come_back_alone_and_relative),
      cmocka_unit_test(few_digits_are_made_rigid_and_told),
      cmocka_unit_test(what_is_no_pose_is_refused_with_its_row),
      cmocka_unit_test(the_recorded_knee_bends_smoothly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

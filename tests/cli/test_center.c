/* synovia center --motion: the centre and axis of recorded motions, against the truth that made them. */
#include "base/vec.h"
#include "program.h"

enum { POSES = 60 };

/* Columns BODY_T11 … of poses with `noise` mm in each coordinate; "" for no body. */
static const char *write_poses(const char *name, const char *body, const syn_pose *poses, double noise) {
  const char *path = temporary_path(name);
  FILE *file = fopen(path, "w");
  test_random random = {31};
  assert_non_null(file);
  for (int k = 0; k < 12; ++k) fprintf(file, "%s%sT%d%d", k ? "," : "", body, k / 4 + 1, k % 4 + 1);
  fprintf(file, "\n");
  for (int i = 0; i < POSES; ++i) {
    double m[16];
    syn_pose_to_matrix(&poses[i], m);
    for (int k = 0; k < 12; ++k)
      fprintf(file, "%s%.17g", k ? "," : "", m[k] + (k % 4 == 3 ? random_between(&random, -noise, noise) : 0));
    fprintf(file, "\n");
  }
  fclose(file);
  return path;
}

static void circle(syn_vec3 center, syn_pose *poses) {
  for (int i = 0; i < POSES; ++i) {
    const double way = 2 * SYN_PI * i / 20;
    poses[i] = syn_pose_about_axis(center, vec3(cos(way), sin(way), 0.2 * i / POSES), 0.2 + 0.3 * i / POSES);
  }
}

static syn_vec3 point_at(json_t *answer, const char *path) {
  const json_t *list = json_at(answer, path);
  return vec3(json_number_value(json_array_get(list, 0)), json_number_value(json_array_get(list, 1)),
              json_number_value(json_array_get(list, 2)));
}

static void any_joint_turns_about_the_centre_of_its_recording(void **state) {
  (void)state;
  const syn_vec3 truth = {10, 20, -30};
  syn_pose poses[POSES];
  circle(truth, poses);
  json_t *answer = run_json(0, "center", "--motion", write_poses("clean.csv", "", poses, 0), NULL);
  assert_true(vec3_distance(point_at(answer, "result.center"), truth) < 1e-8);
  assert_true(json_number_at(answer, "result.residual_mm") < 1e-8);
  assert_true(json_number_at(answer, "result.center_confidence") > 0.99);
  json_decref(answer);
  const char *noisy = write_poses("noisy.csv", "tibia_", poses, 1);
  answer = run_json(0, "center", "--motion", noisy, "--body", "tibia", NULL);
  const double off = vec3_distance(point_at(answer, "result.center"), truth),
               sd = json_number_at(answer, "result.center_sd_mm");
  print_message("off by %.3f mm, standard deviation %.3f mm\n", off, sd);
  assert_true(off < 4 * sd && sd < 1.5);
  ASSERT_NEAR(json_number_at(answer, "result.residual_mm"), 1,
              0.15); /* 1 mm either way: 1 / sqrt(3) in each of three */
  assert_true(json_number_at(answer, "result.center_confidence") < 0.9);
  json_decref(answer);
  program_run run = run_synovia("center", "--motion", noisy, "--body", "tibia", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "Recorded motion of 60 poses");
  end_run(&run);
}

static void a_hinge_has_an_axis(void **state) {
  (void)state;
  syn_pose poses[POSES];
  for (int i = 0; i < POSES; ++i) poses[i] = syn_pose_about_axis(vec3(1, 2, 3), vec3(0, 0, 1), 1.0 * i / POSES);
  json_t *answer = run_json(0, "center", "--motion", write_poses("hinge.csv", "", poses, 0), NULL);
  assert_true(json_is_null(json_at(answer, "result.center")));
  const syn_vec3 point = point_at(answer, "result.axis_point"), axis = point_at(answer, "result.axis");
  assert_true(fabs(point.x - 1) < 1e-8 && fabs(point.y - 2) < 1e-8);
  ASSERT_NEAR(fabs(axis.z), 1, 1e-12);
  ASSERT_NEAR(json_number_at(answer, "result.axis_share"), 1, 1e-9);
  json_decref(answer);
}

static void a_hip_has_score_among_its_methods(void **state) {
  (void)state;
  const char *folder = temporary_path("hip");
  program_run run = run_synovia("shape", "hip", "--resolution", "3", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  syn_pose poses[POSES];
  circle(vec3(0.5, -0.25, 1), poses);
  const char *motion = write_poses("femur.csv", "femur_", poses, 0.2);
  json_t *answer = run_json(0, "center", folder, "--motion", motion, NULL);
  json_t *method, *found = NULL;
  size_t i;
  json_array_foreach(json_at(answer, "result.methods"), i,
                     method) if (strcmp(json_string_value(json_object_get(method, "name")), "score") == 0) found =
      method;
  assert_non_null(found);
  assert_true(vec3_distance(point_at(answer, "result.motion.center"), vec3(0.5, -0.25, 1)) < 0.5);
  ASSERT_NEAR(json_number_value(json_object_get(found, "residual_mm")), 0.2, 0.05);
  json_decref(answer);
  /* without a motion there is neither */
  answer = run_json(0, "center", folder, NULL);
  assert_null(json_object_get(json_object_get(answer, "result"), "motion"));
  json_decref(answer);
  const char *angles = temporary_path("angles.csv");
  write_text_file(angles, "flexion,adduction,rotation\n0,0,0\n10,0,0\n");
  answer = run_json(3, "center", folder, "--motion", angles, NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "angles turn about a centre that is given");
  json_decref(answer);
}

static void mistakes_are_named(void **state) {
  (void)state;
  json_t *answer = run_json(2, "center", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "a recorded motion as --motion");
  json_decref(answer);
  answer = run_json(3, "center", "--motion", temporary_path("none.csv"), NULL);
  json_decref(answer);
  syn_pose poses[POSES];
  circle(vec3(0, 0, 0), poses);
  answer = run_json(3, "center", "--motion", write_poses("named.csv", "femur_", poses, 0), NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "the file has femur");
  json_decref(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_joint_turns_about_the_centre_of_its_recording),
      cmocka_unit_test(a_hinge_has_an_axis),
      cmocka_unit_test(a_hip_has_score_among_its_methods),
      cmocka_unit_test(mistakes_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

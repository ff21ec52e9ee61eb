/* synovia surgery graft between two cubes: its keys, its words, and what it refuses. */
#include "program.h"

static const char *cube(const char *name, const char *edge) {
  const char *folder = temporary_path(name);
  static char files[2][512];
  static int count;
  program_run run = run_synovia("shape", "cube", "--edge", edge, "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  char *file = files[count++ % 2];
  snprintf(file, sizeof files[0], "%s/cube.ply", folder);
  return file;
}

static void before_and_after_have_what_the_contract_says(void **state) {
  (void)state;
  const char *femur = cube("femur", "30"), *tibia = cube("tibia", "70");
  json_t *answer = run_json(0, "surgery", "graft", femur, tibia, "--femur-outlet", "2,-15,0", "--tibia-outlet",
                            "0,-35,0", "--to", "6", "--step", "3", "--search", "2", "--failure", "30", NULL);
  static const char *const plans[] = {"before", "after"};
  for (int i = 0; i < 2; ++i) {
    char path[64];
    snprintf(path, sizeof path, "result.%s.rows", plans[i]);
    assert_int_equal(json_array_size(json_at(answer, path)), 3);
    snprintf(path, sizeof path, "result.%s.rest_mm", plans[i]);
    assert_true(json_number_at(answer, path) > 15);
    snprintf(path, sizeof path, "result.%s.failure_deg", plans[i]);
    assert_true(json_is_null(json_at(answer, path)));
  }
  ASSERT_NEAR(json_number_at(answer, "result.failure_mpa"), 30, 0);
  assert_true(json_number_at(answer, "result.after.strain_percent") <=
              json_number_at(answer, "result.before.strain_percent"));
  json_decref(answer);
  answer = run_json(0, "surgery", "graft", femur, tibia, "--femur-outlet", "2,-15,0", "--tibia-outlet", "0,-35,0",
                    "--to", "3", "--step", "3", "--search", "0", "--model", "vdm", "-o", temporary_path("torn"), NULL);
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 3); /* page, table, result.json */
  assert_contains(json_string_value(json_at(answer, "result.report")), "report.html");
  assert_true(json_is_null(json_at(answer, "result.after")));
  assert_contains(json_string_value(json_array_get(json_at(answer, "warnings"), 0)), "not those at which tissue tears");
  ASSERT_NEAR(json_number_value(
                  json_object_get(json_array_get(json_at(answer, "result.before.rows"), 1), "volume_change_percent")),
              0, 1e-4);
  json_decref(answer);
  program_run run = run_synovia("surgery", "graft", femur, tibia, "--femur-outlet", "2,-15,0", "--tibia-outlet",
                                "0,-35,0", "--to", "3", "--step", "3", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "Tunnels as planned");
  assert_contains(run.out, "Best tunnels nearby");
  assert_contains(run.out, "does not tear");
  end_run(&run);
}

static void faults_are_named(void **state) {
  (void)state;
  const char *femur = cube("femur", "30"), *tibia = cube("tibia", "70");
  program_run run = run_synovia("surgery", "graft", femur, tibia, "--femur-outlet", "2,-15,0", NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "--tibia-outlet");
  end_run(&run);
  run = run_synovia("surgery", "graft", femur, tibia, "--femur-outlet", "2,-15,0", "--tibia-outlet", "0,-35,0", "--to",
                    "-5", NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "bend");
  end_run(&run);
  /* the folder is looked at before the meshes */
  run = run_synovia("surgery", "graft", "no.ply", "no.ply", "--femur-outlet", "2,-15,0", "--tibia-outlet", "0,-35,0",
                    "-o", femur, NULL);
  assert_int_equal(run.code, 5);
  assert_contains(run.err, femur);
  end_run(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(before_and_after_have_what_the_contract_says),
      cmocka_unit_test(faults_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

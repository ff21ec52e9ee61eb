/* Training from a table of pressures beside the joint files. */
#include "program.h"
#include "support.h"

enum { HIPS = 4, STEPS = 3 };

static double peak(int hip, int step) { return 2 + 0.5 * hip + 0.25 * step * hip; }

/* Four small hips as joint files, once. */
static const char *folder_of_hips(void) {
  static char folder[256];
  syn_error error;
  if (folder[0]) return folder;
  snprintf(folder, sizeof folder, "%s", temporary_path("hips"));
  for (int i = 0; i < HIPS; ++i) {
    char path[300];
    syn_joint *joint;
    const syn_shape_value values[] = {{"ce", 10.0 * i}, {"cartilage-edge", 82}, {"resolution", 2}};
    ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &joint, &error));
    snprintf(path, sizeof path, "%s/hip%d", folder, i);
    ASSERT_OK(syn_joint_save(NULL, joint, path, NULL, &error));
    syn_joint_destroy(joint);
  }
  return folder;
}

/* Every other name is that of the file, and one is quoted. */
static const char *write_table(const char *header, const char *ending) {
  static char path[300], text[4096];
  size_t used = (size_t)snprintf(text, sizeof text, "%s\n", header);
  for (int i = 0; i < HIPS; ++i)
    for (int j = 0; j < STEPS; ++j)
      used += (size_t)snprintf(text + used, sizeof text - used, "%g,%g,%ship%d%s,x,%g\n", j / (STEPS - 1.0), peak(i, j),
                               i == 2 ? "\"" : "", i,
                               i == 2  ? "\""
                               : i % 2 ? "/joint.json"
                                       : "",
                               300.0 + i);
  snprintf(text + used, sizeof text - used, "%s", ending);
  snprintf(path, sizeof path, "%s/pressure.csv", folder_of_hips());
  write_text_file(path, text);
  return path;
}

static void check_model(const syn_pressure_model *model) {
  assert_int_equal(model->hip_count, HIPS);
  assert_int_equal(model->step_count, STEPS);
  assert_string_equal(model->names[1], "hip1/joint.json");
  assert_string_equal(model->names[2], "hip2");
  for (int i = 0; i < HIPS; ++i)
    for (int j = 0; j < STEPS; ++j) {
      const syn_pressure_part *value = &model->values[i * STEPS + j];
      ASSERT_NEAR(value->peak_mpa, peak(i, j), 1e-5);
      ASSERT_NEAR(value->area_mm2, 300 + i, 0);
      assert_true(isnan(value->mean_mpa));
    }
}

static void a_table_trains_a_model(void **state) {
  (void)state;
  syn_pressure_model *model;
  double features[SYN_PRESSURE_FEATURES];
  syn_joint *joint;
  syn_error error;
  const char *path = write_table("at,peak_mpa,hip,note,area_mm2", "\n");
  ASSERT_OK(syn_pressure_model_train_table(NULL, path, NULL, "stand_to_sit", "fem", &model, &error));
  check_model(model);
  /* the features are those of the hip in memory, but for the digits of the mesh files */
  const syn_shape_value values[] = {{"ce", 30}, {"cartilage-edge", 82}, {"resolution", 2}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &joint, &error));
  const syn_hip hip = hip_of_shape(joint);
  ASSERT_OK(syn_pressure_features(NULL, &hip, features, &error));
  for (int f = 0; f < SYN_PRESSURE_FEATURES; ++f)
    ASSERT_NEAR(model->features[3 * SYN_PRESSURE_FEATURES + f], features[f], 1e-6);
  syn_joint_destroy(joint);
  syn_pressure_model_destroy(model);
  const char *regions = write_table("at,cartilage_peak_mpa,hip,peak_mpa,cartilage_area_mm2", "");
  ASSERT_OK(syn_pressure_model_train_table(NULL, regions, "cartilage", "stand_to_sit", "fem", &model, &error));
  check_model(model);
  syn_pressure_model_destroy(model);
}

static void a_table_that_is_not_valid_is_refused_by_its_line(void **state) {
  (void)state;
  static const struct {
    const char *header, *ending, *part;
    syn_status status;
    int64_t line;
  } tables[] = {
      {"at,peak_mpa,joint,note,area_mm2", "", "column 'hip'", SYN_BAD_FORMAT, 1},
      {"at,peak,hip,note,area_mm2", "", "column 'peak_mpa'", SYN_BAD_FORMAT, 1},
      {"at,peak_mpa,hip,note,area_mm2", "0,1,hip9,x\n", "expected 5 fields", SYN_BAD_FORMAT, 14},
      {"at,peak_mpa,hip,note,area_mm2", "0,nan,hip9,x,1\n", "'nan' in column 'peak_mpa'", SYN_BAD_FORMAT, 14},
      {"at,peak_mpa,hip,note,area_mm2", "0,1,hip9,x,1\n", "fewer steps", SYN_BAD_FORMAT, 0},
      {"at,peak_mpa,hip,note,area_mm2", "0.1,1,hip9,x,1\n", "step 1 of 'hip9'", SYN_BAD_FORMAT, 14},
      {"at,peak_mpa,hip,note,area_mm2", "0,1,hip9,x,1\n0.5,1,hip9,x,1\n1,1,hip9,x,1\n", "", SYN_NOT_FOUND, 0}};
  syn_pressure_model *model;
  syn_error error;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
    const char *path = write_table(tables[i].header, tables[i].ending);
    ASSERT_FAILS(syn_pressure_model_train_table(NULL, path, NULL, "", "", &model, &error), tables[i].status,
                 tables[i].part);
    assert_null(model);
    assert_int_equal(error.line, tables[i].line);
  }
  write_text_file(temporary_path("empty.csv"), "");
  ASSERT_FAILS(syn_pressure_model_train_table(NULL, temporary_path("empty.csv"), NULL, "", "", &model, &error),
               SYN_BAD_FORMAT, "empty");
  write_text_file(temporary_path("bare.csv"), "hip,at,peak_mpa\n");
  ASSERT_FAILS(syn_pressure_model_train_table(NULL, temporary_path("bare.csv"), NULL, "", "", &model, &error),
               SYN_BAD_ARGUMENT, "from 0 hips");
}

/* As a user would: a table becomes a model, and the model tells the pressure of a hip. */
static void the_program_trains_and_estimates(void **state) {
  (void)state;
  const char *path = write_table("at,peak_mpa,hip,note,area_mm2", "");
  char model[300], hip[300];
  snprintf(model, sizeof model, "%s/small.model", folder_of_hips());
  snprintf(hip, sizeof hip, "%s/hip2/joint.json", folder_of_hips());
  json_t *trained = run_json(0, "pressure", path, "--train", "--model", model, NULL);
  assert_int_equal(json_array_size(json_at(trained, "result.hips")), HIPS);
  assert_int_equal(json_integer_value(json_at(trained, "result.steps")), STEPS);
  double errors = 0;
  for (size_t i = 0; i < HIPS; ++i)
    errors += json_number_at(json_array_get(json_at(trained, "result.hips"), i), "error_percent") / HIPS;
  ASSERT_NEAR(json_number_at(trained, "result.mean_percent"), errors, 1e-9);
  json_decref(trained);
  json_t *found = run_json(0, "pressure", hip, "--method", "estimate", "--model", model, NULL);
  json_t *steps = json_at(found, "result.steps");
  for (int j = 0; j < STEPS; ++j)
    ASSERT_NEAR(json_number_at(json_array_get(steps, (size_t)j), "peak_mpa"), peak(2, j), 1e-5);
  json_decref(found);
  json_decref(run_json(2, "pressure", path, "--train", NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_table_trains_a_model),
                                     cmocka_unit_test(a_table_that_is_not_valid_is_refused_by_its_line),
                                     cmocka_unit_test(the_program_trains_and_estimates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The parts of a joint's analysis are what the single calls give: envelope, effect of the centre, depths along a
 * recording. */
#include <jansson.h>

#include "base/vec.h"
#include "support.h"

static const double degrees = SYN_PI / 180;

static syn_joint *make_lever(void) {
  syn_joint *lever;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "lever", NULL, 0, &lever, &error));
  return lever;
}

static syn_envelope_options coarse_grid(void) {
  syn_envelope_options grid = syn_default_envelope_options();
  grid.flexion_from = grid.adduction_from = -20 * degrees;
  grid.flexion_to = grid.adduction_to = 20 * degrees;
  grid.step = 20 * degrees;
  return grid;
}

static json_t *json_of(const syn_record *record, const void *object) {
  char *text = syn_record_json(record, object, 0);
  json_t *value = json_loads(text, 0, NULL);
  assert_non_null(value);
  free(text);
  return value;
}

static size_t count_lines(const char *path) {
  size_t size, lines = 0;
  char *text = read_whole_file(path, &size);
  for (const char *c = text; *c; ++c) lines += *c == '\n';
  free(text);
  return lines;
}

static void check_map(const syn_joint_analysis *a, const syn_envelope_options *grid) {
  syn_envelope *alone;
  syn_error error;
  ASSERT_OK(syn_envelope_create(NULL, a->rom, grid, &alone, &error));
  assert_int_equal(a->envelope->flexion_count * a->envelope->adduction_count, 9);
  assert_memory_equal(a->envelope->internal, alone->internal, 9 * sizeof(double));
  assert_memory_equal(a->envelope->external, alone->external, 9 * sizeof(double));
  json_t *value = json_of(&syn_joint_record, a);
  const json_t *map = json_object_get(value, "map"), *cells = json_object_get(map, "cells");
  assert_int_equal(json_array_size(cells), 9);
  for (size_t i = 0; i < 9; ++i) {
    const json_t *cell = json_object_get(json_array_get(cells, i), "negative"),
                 *angle = json_object_get(cell, "angle_deg");
    const bool stopped = alone->external_states[i] == SYN_LIMIT_STOPPED;
    assert_string_equal(json_string_value(json_object_get(cell, "state")),
                        syn_limit_state_name(alone->external_states[i]));
    assert_int_equal(json_is_number(angle), stopped);
    if (stopped) ASSERT_NEAR(json_number_value(angle), alone->external[i] / degrees, 1e-12);
  }
  json_decref(value);
  const char *path = temporary_path("lever-map.csv");
  ASSERT_OK(syn_csv_write(NULL, &syn_joint_envelope_csv, a, path, &error));
  assert_int_equal(count_lines(path), 10);
  syn_envelope_destroy(alone);
}

static void check_centers(const syn_joint_analysis *a) {
  json_t *value = json_of(&syn_joint_center_record, a);
  const json_t *motions = json_object_get(value, "motions");
  assert_int_equal(json_array_size(motions), a->limit_count);
  ASSERT_NEAR(json_number_value(json_object_get(value, "shift_mm")), 1, 0);
  for (size_t i = 0; i < a->limit_count; ++i) {
    const json_t *motion = json_array_get(motions, i), *low = json_object_get(motion, "low_deg");
    syn_band band;
    syn_error error;
    ASSERT_OK(syn_center_bands_find(a->rom, &a->limits[i].motion, 1, 1, &band, &error));
    assert_memory_equal(&band, &a->center_bands[i], sizeof band);
    assert_int_equal(json_is_number(low), isfinite(band.low));
    if (isfinite(band.low)) ASSERT_NEAR(json_number_value(low), band.low, 1e-12);
  }
  json_decref(value);
}

static void envelope_and_centre_are_those_of_the_single_calls(void **state) {
  (void)state;
  const syn_envelope_options grid = coarse_grid();
  syn_joint_analysis_options options = syn_default_joint_analysis_options();
  syn_joint_analysis *a;
  syn_error error;
  syn_joint *lever = make_lever();
  options.bands.draws = 0;
  options.envelope = &grid;
  options.center_mm = 1;
  ASSERT_OK(syn_joint_analysis_create(NULL, lever, &options, &a, &error));
  assert_int_equal(a->limit_count, 6);
  check_map(a, &grid);
  check_centers(a);
  syn_joint_analysis_destroy(a);
  options.center_mm = -1;
  ASSERT_FAILS(syn_joint_analysis_create(NULL, lever, &options, &a, &error), SYN_BAD_ARGUMENT, "0 or more");
  syn_joint_destroy(lever);
}

static void depths_are_those_along_the_recording(void **state) {
  (void)state;
  static const char *const none[] = {NULL};
  const char *path = temporary_path("lever.csv");
  syn_joint_analysis_options options = syn_default_joint_analysis_options();
  syn_joint_analysis *a;
  syn_depths *alone;
  syn_error error;
  syn_joint *lever = make_lever();
  options.motions = none;
  options.bands.draws = 0;
  options.depths = true;
  ASSERT_FAILS(syn_joint_analysis_create(NULL, lever, &options, &a, &error), SYN_BAD_ARGUMENT, "give a recording");
  write_text_file(path, "time,flexion_deg\n0,-8\n1,-4\n2,0\n3,4\n4,8\n");
  options.recording = path;
  ASSERT_OK(syn_joint_analysis_create(NULL, lever, &options, &a, &error));
  assert_int_equal(a->limit_count, 0);
  ASSERT_OK(syn_depths_create(NULL, lever, a->recorded.poses, a->recorded.pose_count, NULL, &alone, &error));
  assert_memory_equal(a->depths->curvilinear_mm, alone->curvilinear_mm, 5 * sizeof(double));
  assert_memory_equal(a->depths->radial_swapped_mm, alone->radial_swapped_mm, 5 * sizeof(double));
  assert_true(alone->curvilinear_max_mm > 0);
  json_t *value = json_of(&syn_depths_record, a->depths);
  ASSERT_NEAR(json_number_value(json_object_get(value, "curvilinear_max_mm")), alone->curvilinear_max_mm, 1e-12);
  const json_t *curve = json_object_get(json_object_get(value, "curves"), "curvilinear_swapped_mm");
  assert_int_equal(json_array_size(curve), 5);
  for (size_t i = 0; i < 5; ++i)
    ASSERT_NEAR(json_number_value(json_array_get(curve, i)), alone->curvilinear_swapped_mm[i], 1e-12);
  json_decref(value);
  syn_depths_destroy(alone);
  syn_joint_analysis_destroy(a);
  syn_joint_destroy(lever);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(envelope_and_centre_are_those_of_the_single_calls),
      cmocka_unit_test(depths_are_those_along_the_recording),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

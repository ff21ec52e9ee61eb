// test: slow
/* The tables of results: sound by themselves, and giving the numbers that the structs hold. */
#include "joint/joint_store.h"
#include "support.h"
#include "title.h"

#include <jansson.h>

#include "clinic/hip.h"
#include "clinic/surgery_rows.h"
#include "result/record_json.h"
#include "tissue/haptics/haptics_scene.h"
#include <synovia/synovia.h>

/* All that the headers declare. */
static const syn_record *const records[] = {&syn_tet_quality_record,
                                            &syn_geometry_record,
                                            &syn_repair_record,
                                            &syn_mesh_info_record,
                                            &syn_mesh_health_record,
                                            &syn_collision_record,
                                            &syn_clearance_record,
                                            &syn_overlap_record,
                                            &syn_zone_record,
                                            &syn_contour_record,
                                            &syn_turn_range_record,
                                            &syn_penetration_record,
                                            &syn_event_record,
                                            &syn_method_record,
                                            &syn_body_record,
                                            &syn_label_surface_record,
                                            &syn_image_surfaces_record,
                                            &syn_hip_scan_record,
                                            &syn_shape_record,
                                            &syn_motion_center_record,
                                            &syn_skeleton_record,
                                            &syn_skeleton_dof_record,
                                            &syn_skeleton_touch_record,
                                            &syn_skeleton_range_record,
                                            &syn_layer_record,
                                            &syn_contact_comparison_record,
                                            &syn_pressure_record,
                                            &syn_pressure_step_record,
                                            &syn_tissue_run_record,
                                            &syn_tissue_step_record,
                                            &syn_haptics_record,
                                            &syn_graft_record,
                                            &syn_graft_plan_record,
                                            &syn_graft_row_record,
                                            &syn_congruity_record,
                                            &syn_congruity_path_record,
                                            &syn_congruity_moment_record,
                                            &syn_congruity_surface_record,
                                            &syn_osteotomy_record,
                                            &syn_ligament_rom_record,
                                            &syn_ligament_stiffness_record,
                                            &syn_ligament_row_record,
                                            &syn_resection_record,
                                            &syn_joint_record,
                                            &syn_joint_limit_record,
                                            &syn_joint_collision_record,
                                            &syn_hip_record,
                                            &syn_center_record,
                                            &syn_measure_record,
                                            &syn_rom_record,
                                            &syn_fai_record,
                                            &syn_seat_record,
                                            &syn_motion_limit_record,
                                            &syn_slack_limit_record,
                                            &syn_series_limit_record,
                                            &syn_sweep_limit_record,
                                            &syn_contact_place_record,
                                            &syn_envelope_record,
                                            &syn_center_method_record,
                                            &syn_center_effect_record,
                                            &syn_study_record};
enum { RECORDS = sizeof records / sizeof *records };

/* ---- the tables ---------------------------------------------------------------------------------------------------
 */

/* A key that ends in a unit has that unit. The first ending that fits counts, so a quotient stands first. */
static const struct {
  const char *ending, *unit;
} units[] = {{"_per_mm", "deg/mm"}, {"_deg", "deg"},  {"_mm", "mm"}, {"_mm2", "mm²"},
             {"_mm3", "mm³"},       {"_mpa", "MPa"},  {"_n", "N"},   {"_s", "s"},
             {"_us", "us"},         {"_nmm", "N mm"}, {"_hz", "Hz"}, {"_percent", "percent"}};
enum { UNITS = sizeof units / sizeof *units };

static bool ends_in(const char *key, const char *ending) {
  const size_t length = strlen(key), last = strlen(ending);
  return length > last && strcmp(key + length - last, ending) == 0;
}

/* "h" is an hour of a clock. */
static bool is_unit(const char *unit) {
  bool known = !unit[0] || strcmp(unit, "h") == 0;
  for (size_t i = 0; i < UNITS; ++i) known |= strcmp(unit, units[i].unit) == 0;
  return known;
}

static void check_field(const syn_record *record, const syn_result_field *field) {
  if (!field->key[0] || !field->label[0] || !field->get == !field->member || !is_unit(field->unit))
    fail_msg("%s.%s is not described", record->name, field->key);
  const bool is_number = field->kind == SYN_VALUE_REAL || field->kind == SYN_VALUE_NUMBERS;
  size_t unit = 0;
  while (unit < UNITS && !ends_in(field->key, units[unit].ending)) ++unit;
  if (is_number && unit < UNITS && strcmp(field->unit, units[unit].unit) != 0)
    fail_msg("%s.%s has the unit '%s'", record->name, field->key, field->unit);
  if (field->member && (!record->size || (!field->through && field->offset + field->size > record->size)))
    fail_msg("%s.%s lies outside of its struct", record->name, field->key);
  const bool nested =
      field->kind == SYN_VALUE_RECORD || field->kind == SYN_VALUE_LIST || field->kind == SYN_VALUE_COLUMNS;
  if (nested != (field->items != NULL)) fail_msg("%s.%s: items", record->name, field->key);
  if (field->source && !(isfinite(field->low) || isfinite(field->high)))
    fail_msg("%s.%s has a source and no range", record->name, field->key);
}

static void check_record(const syn_record *record) {
  const size_t count = syn_record_count(record);
  for (size_t i = 0; i < count; ++i) {
    const syn_result_field field = syn_record_field(record, i);
    check_field(record, &field);
    for (size_t k = 0; k < i; ++k) {
      const syn_result_field other = syn_record_field(record, k);
      const unsigned files = field.use & other.use & SYN_IN_FILE, pages = field.use & other.use & SYN_IN_PAGE;
      if ((files || pages) && strcmp(field.key, other.key) == 0) fail_msg("%s.%s twice", record->name, field.key);
    }
    if (field.items) check_record(field.items);
  }
}

static void every_field_is_described(void **state) {
  (void)state;
  for (size_t i = 0; i < RECORDS; ++i) check_record(records[i]);
}

/* ---- a hip --------------------------------------------------------------------------------------------------------
 */

/* A parametric hip with labrum and cartilage, from a folder as users have it. */
static syn_hip_analysis *shape;

static int analyse_shape(void **state) {
  (void)state;
  syn_error error;
  syn_joint *joint;
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 70}, {"resolution", 2}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &joint, &error));
  for (size_t i = 0; i < joint->body_count; ++i) {
    char file[64];
    snprintf(file, sizeof file, "%s.ply", joint->bodies[i].name);
    const syn_geometry geometry = syn_trimesh_geometry(joint->bodies[i].surface);
    ASSERT_OK(syn_geometry_write(NULL, &geometry, temporary_path(file), NULL, &error));
    ASSERT_OK(syn_joint_set_mesh_file(joint, i, file, &error));
  }
  syn_hip_input input = syn_default_hip_input();
  input.joint = temporary_path("joint.json");
  ASSERT_OK(syn_joint_write(NULL, joint, input.joint, &error));
  syn_joint_destroy(joint);
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  const syn_motion_series *series[] = {syn_motion_series_named("squat")};
  options.series_limits = series;
  options.series_limit_count = 1;
  options.sweep_count = 4;
  options.slack_mm = 0.5;
  options.bands.draws = 4;
  ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &shape, &error));
  return 0;
}

static int drop_shape(void **state) {
  (void)state;
  syn_hip_analysis_destroy(shape);
  return 0;
}

static double number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void same(double a, double b) {
  if (isnan(a) && isnan(b)) return;
  assert_memory_equal(&a, &b, sizeof a);
}

static void check_motions(const json_t *list, const syn_hip_motion_limit *limits, size_t count) {
  assert_int_equal(json_array_size(list), count);
  for (size_t i = 0; i < count; ++i) {
    const json_t *row = json_array_get(list, i);
    assert_string_equal(json_string_value(json_object_get(row, "name")), limits[i].motion->name);
    assert_string_equal(json_string_value(json_object_get(row, "state")), syn_limit_state_name(limits[i].limit.state));
    same(number(row, "angle_deg"), limits[i].limit.angle * SYN_RADIAN);
    same(number(row, "bone_angle_deg"), limits[i].bones.angle * SYN_RADIAN);
    same(number(row, "clock"), limits[i].hour);
    const json_t *shift = json_object_get(row, "shift");
    same(json_number_value(json_array_get(shift, 0)), shape->hip_case->hip.seat.x);
    same(json_number_value(json_array_get(shift, 2)), shape->hip_case->hip.seat.z);
    assert_int_equal(json_is_object(json_object_get(row, "published")), limits[i].motion->source != NULL);
  }
}

static void json_holds_what_the_structs_hold(void **state) {
  (void)state;
  const syn_hip_analysis *a = shape;
  json_t *hip = syn_record_to_json(&syn_hip_record, a, 0);
  assert_non_null(hip);
  check_motions(json_object_get(json_object_get(hip, "rom"), "motions"), a->limits, a->limit_count);
  const json_t *map = json_object_get(json_object_get(hip, "rom"), "map");
  const json_t *rows = json_object_get(map, "internal_deg");
  assert_int_equal(json_array_size(rows), a->envelope->flexion_count);
  for (size_t f = 0; f < a->envelope->flexion_count; ++f)
    for (size_t k = 0; k < a->envelope->adduction_count; ++k) {
      const json_t *cell = json_array_get(json_array_get(rows, f), k);
      const size_t at = f * a->envelope->adduction_count + k;
      const bool stopped = a->envelope->internal_states[at] == SYN_LIMIT_STOPPED;
      const double angle = stopped ? (double)(float)a->envelope->internal[at] * (180 / M_PI) : (double)NAN;
      same(json_is_number(cell) ? json_number_value(cell) : (double)NAN, angle);
    }
  const json_t *measure = json_object_get(hip, "measure");
  assert_int_equal(json_is_object(measure), a->has_measures);
  for (int i = 0; a->has_measures && i < SYN_MEASURES; ++i)
    same(number(measure, syn_measure_infos[i].name), a->measures.value[i]);
  const json_t *fai = json_object_get(hip, "fai");
  same(number(fai, "curvilinear_max_mm"), a->impingement.fai->curvilinear_max_mm);
  const json_t *curve = json_object_get(json_object_get(fai, "curves"), "radial_mm");
  assert_int_equal(json_array_size(curve), a->impingement.fai->step_count);
  const json_t *effect = json_object_get(json_object_get(hip, "center"), "effect");
  for (size_t i = 0; i < a->effect->motion_count; ++i) {
    const json_t *by_method = json_object_get(json_array_get(effect, i), "by_method_deg");
    for (int m = 0; m < SYN_CENTER_METHODS; ++m)
      same(number(by_method, syn_center_method_name((syn_center_method)m)),
           a->effect->method_angle[(size_t)m * a->effect->motion_count + i] * (180 / M_PI));
  }
  json_decref(hip);
}

/* Every member of the JSON is a field that says so, in the order of the table. */
static void check_members(const syn_record *record, const json_t *object) {
  size_t i = 0;
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    for (;; ++i) {
      if (i == syn_record_count(record)) fail_msg("%s has no field '%s'", record->name, key);
      const syn_result_field field = syn_record_field(record, i);
      if ((field.use & SYN_IN_FILE) && strcmp(field.key, key) == 0) break;
      if ((field.use & SYN_IN_FILE) && !(field.use & SYN_OPTIONAL))
        fail_msg("%s.%s is missing", record->name, field.key);
    }
    const syn_result_field field = syn_record_field(record, i++);
    if (json_is_object(value)) check_members(field.items, value);
    if (field.kind == SYN_VALUE_LIST)
      for (size_t k = 0; k < json_array_size(value); ++k) check_members(field.items, json_array_get(value, k));
  }
}

static void json_has_the_members_of_the_table(void **state) {
  (void)state;
  const syn_hip_analysis *a = shape;
  json_t *hip = syn_record_to_json(&syn_hip_record, a, 0);
  check_members(&syn_hip_record, hip);
  json_decref(hip);
  const struct {
    const syn_record *record;
    const void *objects;
    size_t count;
  } lists[] = {{&syn_slack_limit_record, a->slack, a->slack_count},
               {&syn_series_limit_record, a->series, a->series_count},
               {&syn_sweep_limit_record, a->sweep, a->sweep_count}};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; ++l) {
    assert_true(lists[l].count > 0);
    for (size_t i = 0; i < lists[l].count; ++i) {
      json_t *row = syn_record_to_json(lists[l].record, lists[l].objects, i);
      check_members(lists[l].record, row);
      json_decref(row);
    }
  }
  char *text = syn_record_json(&syn_rom_record, a, 0);
  json_t *back = json_loads(text, 0, NULL), *rom = syn_record_to_json(&syn_rom_record, a, 0);
  assert_true(json_equal(back, rom));
  json_decref(back);
  json_decref(rom);
  free(text);
}

/* ---- in a folder --------------------------------------------------------------------------------------------------
 */

static void one_call_writes_everything_or_nothing(void **state) {
  (void)state;
  static const char *const names[] = {"report.html", "result.json", "rom.csv", "hip.glb", "joint.json", "femur.vtp"};
  syn_error error;
  const syn_hip_analysis *a = shape;
  char folder[4096], path[4200];
  snprintf(folder, sizeof folder, "%s", temporary_path("written"));
  const char *warning = "a warning";
  const syn_provenance provenance = {.command = "test", .date = "today", .warnings = &warning, .warning_count = 1};
  syn_publish_options options = syn_default_publish_options();
  options.title = "A hip to write";
  options.provenance = &provenance;
  ASSERT_OK(syn_publish(NULL, &syn_hip_record, a, &options, folder, &error));
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    size_t size;
    char *bytes = read_whole_file(path, &size);
    assert_true(size > 100);
    if (strcmp(names[i], "result.json") == 0) {
      json_t *answer = json_loadb(bytes, size, 0, NULL), *rom = syn_record_to_json(&syn_rom_record, a, 0);
      assert_true(json_equal(json_object_get(json_object_get(answer, "result"), "rom"), rom));
      assert_string_equal(json_string_value(json_array_get(json_object_get(answer, "warnings"), 0)), warning);
      json_decref(answer);
      json_decref(rom);
    }
    free(bytes);
    assert_carries_title(path, "A hip to write");
  }
  snprintf(path, sizeof path, "%s/report.html/below", folder); /* below a file there is no folder */
  assert_int_not_equal(syn_publish(NULL, &syn_hip_record, a, &options, path, &error), SYN_OK);
  ASSERT_FAILS(syn_publish(NULL, &syn_zone_record, a, &options, folder, &error), SYN_BAD_ARGUMENT, "no page");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_is_described),
      cmocka_unit_test(json_holds_what_the_structs_hold),
      cmocka_unit_test(json_has_the_members_of_the_table),
      cmocka_unit_test(one_call_writes_everything_or_nothing),
  };
  return cmocka_run_group_tests(tests, analyse_shape, drop_shape);
}

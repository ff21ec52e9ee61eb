/* Answers as JSON, streams into memory, and files that may be written: what the program prints with. */
#include "support.h"

#include <jansson.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/outbox.h"
#include "base/status.h"
#include "clinic/surgery_rows.h"
#include "result/record_json.h"
#include "tissue/haptics/haptics_scene.h"
#include <synovia/mesh.h>
#include <synovia/result.h>

static void values_that_json_cannot_hold_become_others(void **state) {
  (void)state;
  json_t *text = syn_text_to_json("caf\xe9"), *number = syn_real_to_json(0.1), *none = syn_real_to_json(NAN);
  assert_string_equal(json_string_value(text), "caf?");
  assert_true(json_real_value(number) == 0.1);
  assert_true(json_is_null(none));
  json_decref(text);
  json_decref(number);
  json_decref(none);
}

static void an_answer_has_a_result_or_an_error(void **state) {
  (void)state;
  syn_error error = {.code = SYN_BAD_MESH, .message = "torn", .byte = -1, .line = 3};
  json_t *result = json_integer(7), *warnings = json_array();
  json_t *good = syn_answer_to_json("hip", result, warnings, NULL),
         *bad = syn_answer_to_json(NULL, NULL, warnings, &error);
  assert_string_equal(json_string_value(json_object_get(good, "command")), "hip");
  assert_int_equal(json_integer_value(json_object_get(good, "result")), 7);
  assert_null(json_object_get(good, "error"));
  assert_true(json_is_null(json_object_get(bad, "command")));
  assert_null(json_object_get(bad, "result"));
  json_t *alone = syn_error_to_json(&error);
  assert_true(json_equal(json_object_get(bad, "error"), alone));
  assert_string_equal(json_string_value(json_object_get(alone, "code")), syn_status_name(SYN_BAD_MESH));
  assert_int_equal(json_integer_value(json_object_get(alone, "line")), 3);
  assert_true(json_is_null(json_object_get(alone, "byte")) && json_is_null(json_object_get(alone, "file")));
  const char *path = temporary_path("answer.json");
  ASSERT_OK(syn_answer_write(NULL, good, path, &error));
  json_t *again = json_load_file(path, 0, NULL);
  assert_true(json_equal(again, good));
  assert_int_equal(syn_answer_write(NULL, NULL, path, &error), SYN_NO_MEMORY);
  json_decref(again);
  json_decref(alone);
  json_decref(good);
  json_decref(bad);
  json_decref(result);
  json_decref(warnings);
}

static void a_stream_into_memory_ends_with_a_zero(void **state) {
  (void)state;
  syn_memory_stream memory;
  syn_error error;
  ASSERT_OK(syn_memory_open(&memory, &error));
  for (int i = 0; i < 1000; ++i) fprintf(memory.stream, "%03d,", i);
  ASSERT_OK(syn_memory_close(&memory, &error));
  assert_int_equal(memory.size, 4000);
  assert_int_equal(strlen(memory.bytes), 4000);
  assert_memory_equal(memory.bytes + 3996, "999,", 4);
  free(memory.bytes);
}

static void folders_and_devices_are_no_files_to_write(void **state) {
  (void)state;
  syn_error error;
  const char *path = temporary_path("new.txt");
  ASSERT_OK(syn_outbox_check_file(path, &error));
  assert_int_equal(syn_outbox_check_file("/tmp/", &error), SYN_IO_ERROR);
  assert_int_equal(syn_outbox_check_file("/tmp", &error), SYN_IO_ERROR);
  assert_int_equal(syn_outbox_check_file("/dev/null", &error), SYN_IO_ERROR);
}

static void units_have_symbols(void **state) {
  (void)state;
  assert_string_equal(syn_unit_symbol("deg"), "°");
  assert_string_equal(syn_unit_symbol("percent"), "%");
  assert_string_equal(syn_unit_symbol("mm"), "mm");
}

/* A surface alone: there is no volume, and a volume alone cannot be had. */
static void a_file_gives_the_meshes_that_it_has(void **state) {
  (void)state;
  static const char tetrahedron[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
  syn_error error;
  syn_trimesh *surface;
  syn_tetmesh *volume;
  const char *path = temporary_path("tetrahedron.off");
  write_text_file(path, tetrahedron);
  ASSERT_OK(syn_meshes_read(NULL, path, NULL, &surface, &volume, &error));
  assert_int_equal(surface->triangle_count, 4);
  assert_null(volume);
  syn_trimesh_destroy(surface);
  assert_int_not_equal(syn_meshes_read(NULL, path, NULL, NULL, &volume, &error), SYN_OK);
  assert_null(volume);
  assert_string_equal(error.file, path);
}

/* Tables that no other test names. */
static void tables_of_results_are_whole(void **state) {
  (void)state;
  static const syn_record *const records[] = {&syn_contact_comparison_record,
                                              &syn_congruity_record,
                                              &syn_congruity_moment_record,
                                              &syn_congruity_path_record,
                                              &syn_contact_place_record,
                                              &syn_contour_record,
                                              &syn_graft_record,
                                              &syn_graft_plan_record,
                                              &syn_graft_row_record,
                                              &syn_haptics_record,
                                              &syn_joint_record,
                                              &syn_joint_collision_record,
                                              &syn_joint_limit_record,
                                              &syn_layer_record,
                                              &syn_ligament_rom_record,
                                              &syn_ligament_row_record,
                                              &syn_ligament_stiffness_record,
                                              &syn_motion_center_record,
                                              &syn_osteotomy_record,
                                              &syn_overlap_record,
                                              &syn_pressure_record,
                                              &syn_pressure_region_record,
                                              &syn_pressure_step_record,
                                              &syn_pressure_training_record,
                                              &syn_resection_record,
                                              &syn_sensitivity_record,
                                              &syn_skeleton_record,
                                              &syn_skeleton_dof_record,
                                              &syn_skeleton_range_record,
                                              &syn_skeleton_touch_record,
                                              &syn_study_record,
                                              &syn_tissue_run_record,
                                              &syn_zone_record};
  for (size_t r = 0; r < sizeof records / sizeof *records; ++r) {
    const syn_record *record = records[r];
    const size_t count = syn_record_count(record);
    assert_true(record->name && record->name[0] && count > 0);
    for (size_t i = 0; i < count; ++i) {
      const syn_result_field field = syn_record_field(record, i);
      assert_true(field.key && field.key[0] && !field.get != !field.member);
      if (isfinite(field.low) && isfinite(field.high) && field.low < field.high) assert_non_null(field.source);
      for (size_t k = 0; k < i; ++k) { /* a key may be a number in files and words in a page */
        const syn_result_field before = syn_record_field(record, k);
        if (before.use & field.use) assert_string_not_equal(before.key, field.key);
      }
    }
  }
}

static void values_are_of_the_kind_that_their_field_says(void **state) {
  (void)state;
  const syn_contact_place places[] = {{SYN_FEMUR_NECK, SYN_PELVIS_RIM, 1.5, 2.25, true},
                                      {SYN_FEMUR_REGIONS, SYN_PELVIS_REGIONS, NAN, NAN, false}};
  size_t known[2] = {0, 0};
  for (size_t row = 0; row < 2; ++row)
    for (size_t i = 0; i < syn_record_count(&syn_contact_place_record); ++i) {
      const syn_value value = syn_record_value(&syn_contact_place_record, i, places, row);
      assert_true(value.kind == SYN_VALUE_NONE || value.kind == syn_record_field(&syn_contact_place_record, i).kind);
      known[row] += value.kind != SYN_VALUE_NONE && syn_value_text(&value)[0] != 0;
    }
  assert_true(known[0] > known[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_that_json_cannot_hold_become_others),
      cmocka_unit_test(an_answer_has_a_result_or_an_error),
      cmocka_unit_test(a_stream_into_memory_ends_with_a_zero),
      cmocka_unit_test(folders_and_devices_are_no_files_to_write),
      cmocka_unit_test(units_have_symbols),
      cmocka_unit_test(tables_of_results_are_whole),
      cmocka_unit_test(values_are_of_the_kind_that_their_field_says),
      cmocka_unit_test(a_file_gives_the_meshes_that_it_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

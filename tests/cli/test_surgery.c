// test: slow
/* synovia surgery resect: its answers, its files, and the same hip by `synovia rom` on the bone that it writes. */
#include "program.h"
#include "title.h"

static const char *hip_folder(void) {
  const char *folder = temporary_path("cam");
  program_run run = run_synovia("shape", "hip", "--alpha", "70", "--resolution", "3", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  return folder;
}

static double motion_number(json_t *answer, const char *where, size_t motion, const char *key) {
  char path[64];
  snprintf(path, sizeof path, "result.%s.motions", where);
  return json_number_value(json_object_get(json_array_get(json_at(answer, path), motion), key));
}

/* How far the bones of a joint file flex. */
static double flexion_of(const char *joint) {
  json_t *answer = run_json(0, "rom", joint, "--motion", "flexion", "--draws", "0", NULL);
  json_t *flexion = json_array_get(json_at(answer, "result.motions"), 0);
  const double angle = json_number_value(json_object_get(flexion, "bone_angle_deg"));
  json_decref(answer);
  return angle;
}

/* The same joint file with another femur. */
static void exchange_femur(const char *joint, const char *femur, const char *path) {
  json_t *file = json_load_file(joint, 0, NULL), *body;
  size_t i;
  assert_non_null(file);
  json_array_foreach(json_object_get(file, "bodies"), i, body) {
    if (strcmp(json_string_value(json_object_get(body, "name")), "femur") == 0)
      json_object_set_new(body, "mesh", json_string(femur));
  }
  assert_int_equal(json_dump_file(file, path, 0), 0);
  json_decref(file);
}

static void a_plan_is_written_and_its_bone_turns_as_far(void **state) {
  char joint[512], changed[512], cut[512], table[512];
  (void)state;
  const char *folder = hip_folder(), *out = temporary_path("plan");
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  snprintf(changed, sizeof changed, "%s/changed.json", folder);
  snprintf(cut, sizeof cut, "%s/femur_cut.ply", out);
  snprintf(table, sizeof table, "%s/resection.csv", out);
  json_t *answer =
      run_json(0, "surgery", "resect", joint, "--motion", "flexion,abduction", "--step", "1", "--depth", "2", "--to",
               "6", "--edge", "1", "--draws", "0", "--every-cut", "--title", "Case 7", "-o", out, NULL);
  assert_string_equal(json_string_value(json_at(answer, "result.bone")), "femur");
  assert_int_equal(json_array_size(json_at(answer, "result.steps")), 3);
  ASSERT_NEAR(json_number_at(answer, "result.after.deepest_mm"), 2, 1e-3);
  assert_true(json_number_at(answer, "result.after.volume_mm3") > 100);
  assert_true(json_number_at(answer, "result.before.volume_mm3") == 0);
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 6); /* page, table, three bones, result.json */
  for (size_t i = 0; i < 6; ++i)
    assert_carries_title(json_string_value(json_array_get(json_at(answer, "result.files"), i)), "Case 7");
  const double before = motion_number(answer, "before", 0, "angle_deg"),
               after = motion_number(answer, "after", 0, "angle_deg");
  ASSERT_NEAR(motion_number(answer, "after", 0, "gain_deg"), after - before, 1e-9);
  assert_true(after > before + 5);
  json_decref(answer);

  exchange_femur(joint, cut, changed);
  ASSERT_NEAR(flexion_of(joint), before, 1e-6);
  ASSERT_NEAR(flexion_of(changed), after, 0.05); /* the head's sphere is fitted again */

  size_t size;
  snprintf(changed, sizeof changed, "%s/report.html", out);
  char *text = read_whole_file(changed, &size);
  assert_contains(text, "Gain by depth");
  assert_contains(text, "Cutting the cam from 12:00 to 6:00 o'clock, 2.0 mm at its deepest");
  free(text);
  text = read_whole_file(table, &size);
  assert_contains(text, "depth_mm,deepest_mm,volume_mm3,area_mm2,alpha_deg,flexion_state,flexion_deg,");
  assert_contains(text, "\n2.000000,");
  free(text);
  answer = run_json(0, "mesh", "check", cut, NULL);
  json_decref(answer);
}

static void the_rim_is_cut_on_request(void **state) {
  char joint[512];
  (void)state;
  snprintf(joint, sizeof joint, "%s/joint.json", hip_folder());
  json_t *answer = run_json(0, "surgery", "resect", joint, "--cut", "rim", "--depth", "1", "--step", "1", "--edge", "1",
                            "--draws", "3", "--motion", "flexion", NULL);
  assert_string_equal(json_string_value(json_at(answer, "result.bone")), "pelvis");
  assert_true(json_is_null(json_at(answer, "result.after.alpha_deg")));
  assert_true(motion_number(answer, "after", 0, "gain_deg") > 1);
  json_t *motion = json_array_get(json_at(answer, "result.after.motions"), 0);
  assert_int_equal(json_array_size(json_object_get(motion, "gain_band_deg")), 2);
  json_decref(answer);
  program_run run = run_synovia("surgery", "resect", joint, "--cut", "rim", "--depth", "1", "--step", "1", "--edge",
                                "1", "--draws", "0", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "Resection of the rim of the right hip, 11:00 to 3:00 o'clock");
  assert_contains(run.out, "\n   1.00 ");
  end_run(&run);
}

static void faults_are_explained(void **state) {
  char joint[512], femur[512];
  (void)state;
  const char *folder = hip_folder();
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  snprintf(femur, sizeof femur, "%s/femur.ply", folder);
  static const struct {
    const char *option, *value, *says;
    int code;
  } faults[] = {{"--depth", "9", "between 0 and 8", 2},
                {"--cut", "neck", "cam", 2},
                {"--motion", "flexon", "flexion", 2},
                {"--step", "0", "step", 2}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    program_run run = run_synovia("surgery", "resect", joint, i == 0 ? "--cut=rim" : "--quiet", faults[i].option,
                                  faults[i].value, NULL);
    assert_int_equal(run.code, faults[i].code);
    assert_contains(run.err, faults[i].says);
    end_run(&run);
  }
  program_run run = run_synovia("surgery", "resect", femur, NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "pelvis and femur");
  end_run(&run);
}

/* Small meshes and few steps; the numbers are those of the library's own test. */
static void ligaments_are_answered(void **state) {
  char joint[512];
  (void)state;
  snprintf(joint, sizeof joint, "%s/joint.json", hip_folder());
  json_t *answer = run_json(0, "surgery", "ligament-rom", joint, "--motion", "internal_rotation", "--step", "10",
                            "--to", "20", "--cells-across", "2", "--cells-along", "10", "--failure", "0.1",
                            "--failure-sd", "0.05", "-o", temporary_path("strained"), NULL);
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 3); /* page, table, result.json */
  assert_string_equal(json_string_value(json_at(answer, "result.ligament")), "ischiofemoral");
  json_t *before = json_array_get(json_at(answer, "result.before.motions"), 0),
         *after = json_array_get(json_at(answer, "result.after.motions"), 0);
  assert_non_null(json_object_get(before, "state"));
  assert_string_equal(json_string_value(json_object_get(after, "state")), "stopped");
  assert_int_equal(json_array_size(json_object_get(after, "rows")), 3);
  assert_int_equal(json_array_size(json_object_get(after, "limits")), 2);
  ASSERT_NEAR(json_number_value(json_object_get(after, "published_deg")), 68, 0);
  json_decref(answer);
  answer = run_json(0, "surgery", "ligament-stiffness", joint, "--motion", "internal_rotation", "--angle", "10",
                    "--step", "10", "--cells-across", "2", "--cells-along", "10", "--failure", "0.2", "--tick", "1",
                    "-o", temporary_path("stiffened"), NULL);
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 3);
  ASSERT_NEAR(json_number_at(answer, "result.before.young_mpa"), 1, 0);
  size_t size;
  char *page = read_whole_file(json_string_value(json_at(answer, "result.report")), &size);
  assert_contains(page, "\"name\":\"stress\"");
  assert_contains(page, "\"displaces\":true"); /* the ligament deforms on this page, too */
  free(page);
  const double exact = json_number_at(answer, "result.after.exact_mpa");
  ASSERT_NEAR(json_number_at(answer, "result.after.proportional_mpa"), exact, 5e-3 * exact);
  json_decref(answer);
  program_run run = run_synovia("surgery", "ligament-rom", joint, "--motion", "flexon", NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "flexon");
  end_run(&run);
}

/* The numbers are those of the library's own tests. */
static void cartilages_and_osteotomy_are_answered(void **state) {
  char joint[512];
  (void)state;
  const char *folder = temporary_path("small"), *out = temporary_path("turned");
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "--anatomy", "1", "-o", folder, NULL);
  end_run(&run);
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  json_t *answer = run_json(0, "surgery", "osteotomy", joint, "--varus", "12", "--bones-only", "-o", out, NULL);
  ASSERT_NEAR(json_number_at(answer, "result.varus_deg"), 12, 1e-9);
  ASSERT_NEAR(motion_number(answer, "after", 1, "gain_deg"), -12, 1e-6);
  assert_true(json_is_null(json_at(answer, "result.before.cartilage")));
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 4); /* page, table, bone, result.json */
  json_decref(answer);
  run = run_synovia("surgery", "osteotomy", joint, "--bones-only", NULL);
  assert_contains(run.out, "into varus");
  assert_contains(run.out, "knee in its place");
  end_run(&run);
  run = run_synovia("congruity", joint, "--motion", "flexion-rotation", "--step", "90", "--edge", "0", "--press", "0.2",
                    "--json", NULL);
  if (run.code == 5) SKIP("gmsh is not installed");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "acetabular_cartilage");
  end_run(&run);
  run = run_synovia("congruity", joint, "--press", "6", NULL);
  assert_int_equal(run.code, 2);
  end_run(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plan_is_written_and_its_bone_turns_as_far),
      cmocka_unit_test(the_rim_is_cut_on_request),
      cmocka_unit_test(faults_are_explained),
      cmocka_unit_test(cartilages_and_osteotomy_are_answered),
      cmocka_unit_test(ligaments_are_answered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// test: slow, early
#include "program.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[512];

static const char *in_folder(const char *name) {
  static char paths[4][768];
  static unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static int make_demo(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "%s", temporary_path("demo"));
  setenv("SOURCE_DATE_EPOCH", "1763182800", 1); /* the page names the moment it was made */
  return 0;
}

static void everything_is_written(void **state) {
  (void)state;
  json_t *answer = run_json(0, "demo", "--draws", "4", "-o", folder, NULL);
  assert_string_equal(json_string_value(json_at(answer, "result.report")), in_folder("report.html"));
  json_t *files = json_at(answer, "result.files"), *file;
  size_t index;
  json_array_foreach(files, index, file) assert_int_equal(access(json_string_value(file), R_OK), 0);
  /* bodies as PLY and with fields; joint, glb, csv, result, report */
  assert_int_equal(json_array_size(files), 6 + 6 + 5);
  assert_true(json_number_at(answer, "result.fai.curvilinear_max_mm") > 3);
  assert_true(json_is_null(json_at(answer, "result.fai.class"))); /* classes are of standing to sitting */
  json_decref(answer);
}

/* Of the plain hip with alpha 70 all round some motions end, some cannot begin, and one is free only beyond a start
 * that collides. */
static void motions_that_cannot_begin_are_no_free_motions(void **state) {
  (void)state;
  static const char *const states[][2] = {{"flexion", "stopped"},
                                          {"fadir", "no_free_pose"},
                                          {"internal_rotation_90", "no_free_pose"},
                                          {"faber", "no_free_pose"}};
  char plain[512], joint[600], page_path[600];
  json_t *motion;
  snprintf(plain, sizeof plain, "%s", temporary_path("plain"));
  json_decref(run_json(0, "shape", "hip", "--ce", "25", "--alpha", "70", "--resolution", "2", "-o", plain, NULL));
  snprintf(joint, sizeof joint, "%s/joint.json", plain);
  json_t *result = run_json(0, "hip", joint, "--draws", "2", "-o", plain, NULL);
  for (size_t i = 0; i < sizeof states / sizeof *states; ++i) {
    size_t k;
    json_array_foreach(json_at(result, "result.rom.motions"), k, motion) {
      if (strcmp(json_string_value(json_object_get(motion, "name")), states[i][0]) != 0) continue;
      assert_string_equal(json_string_value(json_object_get(motion, "state")), states[i][1]);
      assert_int_equal(json_is_number(json_object_get(motion, "angle_deg")), i == 0);
      assert_int_equal(json_is_object(json_object_get(motion, "contact")), i == 0);
      assert_int_equal(json_is_number(json_object_get(motion, "free_again_until_deg")), i == 3);
    }
  }
  json_decref(result);
  size_t size;
  snprintf(page_path, sizeof page_path, "%s/report.html", plain);
  char *page = read_whole_file(page_path, &size);
  assert_contains(page, "FADIR (90° flexed, 20° adducted): no free pose: femur overlaps pelvis.");
  assert_contains(page, "<td>no free pose at the start; free again further on, up to 119°</td>");
  assert_null(strstr(page, "<td>nothing</td>"));
  assert_contains(page, "25 of the 45 poses of the FADIR protocol");
  assert_contains(page, "over the 20 of 45 poses");
  free(page);
}

static double angle_of(const json_t *motions, const char *name) {
  size_t k;
  json_t *motion;
  json_array_foreach(motions, k, motion) {
    if (strcmp(json_string_value(json_object_get(motion, "name")), name) != 0) continue;
    assert_string_equal(json_string_value(json_object_get(motion, "state")), "stopped");
    return json_number_value(json_object_get(motion, "angle_deg"));
  }
  fail_msg("there is no %s", name);
  return 0;
}

/* What a surgeon knows: a hip bends by 110 to 125 degrees and turns inward by 25 to 40 when bent, one with a cam by 5
 * to 15, stopped in front and above. The angles that are asked for are those that are measured. */
static void the_hip_moves_as_hips_do_and_its_cam_stops_it(void **state) {
  (void)state;
  char normal[512], joint[600];
  json_t *result = json_load_file(in_folder("result.json"), 0, NULL), *motion;
  const json_t *motions = json_at(result, "result.rom.motions");
  const double flexion = angle_of(motions, "flexion"), turn = angle_of(motions, "internal_rotation_90");
  if (!(flexion > 90 && flexion < 110 && turn >= 5 && turn <= 15)) fail_msg("with a cam %g and %g", flexion, turn);
  size_t k;
  json_array_foreach(motions, k, motion) {
    if (strcmp(json_string_value(json_object_get(motion, "name")), "internal_rotation_90") != 0) continue;
    const double hour = json_number_value(json_object_get(motion, "clock"));
    if (!(hour >= 1 && hour <= 2)) fail_msg("stopped at %g o'clock", hour);
  }
  ASSERT_NEAR(json_number_at(result, "result.measure.alpha_deg"), 60, 1);
  ASSERT_NEAR(json_number_at(result, "result.measure.lcea_deg"), 28, 1);
  json_decref(result);
  snprintf(normal, sizeof normal, "%s", temporary_path("normal"));
  json_t *made = run_json(0, "shape", "hip", "--ce", "28", "--alpha", "44", "--neck-shaft", "128", "--cup-tilt", "42",
                          "--femoral-version", "20", "--acetabular-version", "15", "--cartilage", "1.5", "--anatomy",
                          "1", "--labrum-height", "3", "--neck-ratio", "0.53", "--resolution", "4", "-o", normal, NULL);
  json_decref(made);
  snprintf(joint, sizeof joint, "%s/joint.json", normal);
  result = run_json(0, "rom", joint, "--draws", "0", NULL);
  motions = json_at(result, "result.motions");
  const double whole = angle_of(motions, "flexion"), inward = angle_of(motions, "internal_rotation_90");
  if (!(whole >= 110 && whole <= 125 && inward >= 25 && inward <= 40)) fail_msg("normal: %g and %g", whole, inward);
  json_decref(result);
}

static void its_meshes_are_sound_and_belong_together(void **state) {
  (void)state;
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, in_folder("joint.json"), &joint, &error));
  for (size_t i = 0; i < joint->body_count; ++i) {
    json_t *answer = run_json(0, "mesh", "check", in_folder(joint->bodies[i].mesh_file), NULL);
    json_decref(answer);
  }
  syn_joint_destroy(joint);
  json_t *femur = run_json(0, "mesh", "info", in_folder("femur.vtp"), "--no-self-intersections", NULL);
  json_t *fields = json_at(femur, "result.fields");
  assert_string_equal(json_string_value(json_at(json_array_get(fields, 0), "name")), "curvilinear_depth_mm");
  json_decref(femur);
}

static void the_scene_is_a_glb_with_a_motion(void **state) {
  (void)state;
  size_t size;
  char *bytes = read_whole_file(in_folder("hip.glb"), &size);
  assert_true(size > 1000);
  assert_memory_equal(bytes, "glTF", 4);
  uint32_t length;
  memcpy(&length, bytes + 12, 4);
  json_t *scene = json_loadb(bytes + 20, length, 0, NULL);
  assert_true(json_is_object(scene));
  assert_int_equal(json_array_size(json_object_get(scene, "animations")), 1);
  assert_int_equal(json_array_size(json_object_get(scene, "meshes")), 6);
  json_decref(scene);
  free(bytes);
}

static void the_report_stands_on_its_own(void **state) {
  (void)state;
  size_t size;
  char *page = read_whole_file(in_folder("report.html"), &size);
  assert_true(strncmp(page, "<!doctype html>", 15) == 0);
  static const char *const parts[] = {"A hip with a cam",      "esearch software, not a medical device",
                                      "prefers-color-scheme",  "@media print",
                                      "Femoral cartilage",     "Labrum",
                                      "2025-11-15 05:00 UTC",  "synovia demo",
                                      "id=\"synovia-report\"", "</html>"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) assert_contains(page, parts[i]);
  assert_contains(page, syn_version());
  /* nothing is fetched: no element names another file */
  static const char *const outside[] = {"<link", "<script src", "<img src=\"h", "@import"};
  for (size_t i = 0; i < sizeof outside / sizeof *outside; ++i) assert_null(strstr(page, outside[i]));
  assert_null(strstr(page, "\">nan"));
  free(page);
}

/* Two runs on a coarse hip: with threads, and with one, in words. */
static void the_same_bytes_come_from_one_thread_and_people_are_told_where(void **state) {
  (void)state;
  char coarse[512], report[600];
  size_t size, again_size;
  snprintf(coarse, sizeof coarse, "%s", temporary_path("coarse"));
  snprintf(report, sizeof report, "%s/report.html", coarse);
  json_decref(run_json(0, "demo", "--resolution", "2", "--draws", "3", "-o", coarse, "--threads", "3", NULL));
  char *page = read_whole_file(report, &size);
  program_run run = run_synovia("demo", "--resolution", "2", "--draws", "3", "-o", coarse, "--threads", "1", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, report);
  assert_contains(run.out, "Next:");
  end_run(&run);
  char *again = read_whole_file(report, &again_size);
  assert_int_equal(size, again_size);
  assert_memory_equal(page, again, size);
  free(page);
  free(again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_is_written),
      cmocka_unit_test(motions_that_cannot_begin_are_no_free_motions),
      cmocka_unit_test(the_hip_moves_as_hips_do_and_its_cam_stops_it),
      cmocka_unit_test(its_meshes_are_sound_and_belong_together),
      cmocka_unit_test(the_scene_is_a_glb_with_a_motion),
      cmocka_unit_test(the_report_stands_on_its_own),
      cmocka_unit_test(the_same_bytes_come_from_one_thread_and_people_are_told_where),
  };
  return cmocka_run_group_tests(tests, make_demo, NULL);
}

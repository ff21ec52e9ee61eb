// test: slow, early
/* The commands about a hip, run as a stranger would: on a parametric hip with soft tissue and on real bones. */
#include <sys/stat.h>

#include "program.h"

/* The parametric hip, written once. */
static const char *write_joint(const char *resolution, char path[512]) {
  if (path[0]) return path;
  char name[32];
  snprintf(name, sizeof name, "parametric %s", resolution);
  const char *folder = temporary_path(name);
  program_run run =
      run_synovia("shape", "hip", "--ce", "30", "--alpha", "70", "--resolution", resolution, "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(path, 512, "%s/joint.json", folder);
  return path;
}

static const char *joint_file(void) {
  static char path[512];
  return write_joint("3", path);
}

/* As coarse as it may be: for what is written, whatever the numbers are. */
static const char *coarse_joint_file(void) {
  static char path[512];
  return write_joint("2", path);
}

static bool exists(const char *folder, const char *name) {
  char path[1024];
  struct stat about;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return stat(path, &about) == 0 && about.st_size > 0;
}

/* The motion of that name in result.motions (or result.rom.motions). */
static json_t *motion_named(json_t *motions, const char *name) {
  size_t i;
  json_t *motion;
  json_array_foreach(motions, i, motion) {
    if (strcmp(json_string_value(json_object_get(motion, "name")), name) == 0) return motion;
  }
  fail_msg("there is no motion %s", name);
  return NULL;
}

static double motion_angle(json_t *root, const char *path, const char *name) {
  return json_number_value(json_object_get(motion_named(json_at(root, path), name), "angle_deg"));
}

/* ---- the parametric hip -------------------------------------------------------------------------------------------
 */

static void centre_of_a_parametric_hip_is_the_one_it_was_made_about(void **state) {
  (void)state;
  json_t *root = run_json(0, "center", joint_file(), NULL);
  json_t *methods = json_at(root, "result.methods"), *method;
  size_t i;
  assert_true(json_array_size(methods) >= 5);
  json_array_foreach(methods, i, method) {
    for (size_t k = 0; k < 3; ++k)
      ASSERT_NEAR(json_number_value(json_array_get(json_object_get(method, "center"), k)), 0, 0.1);
  }
  json_decref(root);
}

static void measures_of_a_parametric_hip_are_what_was_asked_for(void **state) {
  (void)state;
  json_t *root = run_json(0, "measure", joint_file(), "--draws", "5", NULL);
  ASSERT_NEAR(json_number_at(root, "result.alpha_deg"), 70, 1.5);
  ASSERT_NEAR(json_number_at(root, "result.lcea_deg"), 30, 1.5);
  assert_true(json_is_null(json_at(root, "result.femoral_torsion_deg")));
  assert_string_equal(json_string_value(json_at(root, "result.impossible.femoral_torsion_deg")),
                      "the femur's condyles are not there");
  json_at(root, "result.head_neck_offset_ratio");
  json_at(root, "result.neck_shaft_deg");
  json_at(root, "result.acetabular_version_deg");
  json_at(root, "result.coverage_percent");
  json_at(root, "result.head_radius_mm");
  json_at(root, "result.landmarks");
  /* Bands hold their measure; a cause that does not change one is not there. */
  const double lcea = json_number_at(root, "result.lcea_deg");
  assert_true(json_number_at(root, "result.bands.lcea_deg.low") < lcea);
  assert_true(json_number_at(root, "result.bands.lcea_deg.high") > lcea);
  json_at(root, "result.bands.lcea_deg.surface");
  json_at(root, "result.bands.lcea_deg.center");
  assert_null(json_object_get(json_at(root, "result.bands.alpha_deg"), "center"));
  assert_null(json_object_get(json_at(root, "result.bands"), "femoral_torsion_deg"));
  json_decref(root);
}

static void motions_may_be_chosen_by_name(void **state) {
  (void)state;
  json_t *root = run_json(0, "rom", joint_file(), "--motion", "flexion,abduction", "adduction", "--draws", "2", NULL);
  assert_int_equal(json_array_size(json_at(root, "result.motions")), 3);
  json_t *flexion = motion_named(json_at(root, "result.motions"), "flexion");
  assert_string_equal(json_string_value(json_object_get(json_object_get(flexion, "limited_by"), "fixed")), "labrum");
  assert_true(json_number_value(json_object_get(flexion, "bone_angle_deg")) >
              json_number_value(json_object_get(flexion, "angle_deg")));
  assert_true(json_is_number(json_object_get(flexion, "clock")));
  json_decref(root);
  program_run run = run_synovia("rom", joint_file(), "--motion", "flexon", NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "Did you mean 'flexion'?");
  end_run(&run);
}

static void a_squat_is_a_motion_like_others(void **state) {
  (void)state;
  json_t *root = run_json(0, "rom", joint_file(), "--motion", "squat,flexion", "--draws", "2", NULL);
  assert_int_equal(json_array_size(json_at(root, "result.motions")), 1);
  json_t *squat = json_array_get(json_at(root, "result.series"), 0);
  assert_string_equal(json_string_value(json_object_get(squat, "name")), "squat");
  const double part = json_number_value(json_object_get(squat, "free_part"));
  assert_true(part > 0 && part <= 1);
  assert_true(json_number_value(json_object_get(squat, "flexion_deg")) <= 100.001);
  json_decref(root);
  root = run_json(0, "fai", joint_file(), "--motion", "squat", NULL);
  assert_string_equal(json_string_value(json_at(root, "result.motion")), "squat");
  assert_int_equal(json_array_size(json_at(root, "result.curves.curvilinear_mm")), 31);
  json_decref(root);
}

static void a_motion_that_is_named_again_is_told_once(void **state) {
  (void)state;
  char many[2000] = "squat";
  for (int i = 0; i < 60; ++i) strcat(many, i % 2 ? ",flexion" : ",squat,fadir");
  json_t *root = run_json(0, "rom", joint_file(), "--motion", many, "--draws", "2", NULL);
  assert_int_equal(json_array_size(json_at(root, "result.motions")), 2);
  assert_int_equal(json_array_size(json_at(root, "result.series")), 1);
  json_decref(root);
}

static void a_motion_that_is_mistyped_is_guessed(void **state) {
  (void)state;
  program_run run = run_synovia("fai", joint_file(), "--motion", "squatt", NULL);
  assert_int_equal(run.code, 3);
  assert_string_equal(run.out, "");
  assert_contains(run.err, "stand_to_sit");
  assert_contains(run.err, "Did you mean 'squat'?");
  end_run(&run);
}

/* Fig. 56 of Arbabi 2009: both ways about axes of the horizontal plane, as numbers, as a table and on the page. */
static void a_sweep_is_a_table_and_a_plot(void **state) {
  (void)state;
  enum { AXES = 6 };
  const char *csv = temporary_path("sweep.csv");
  char folder[512], path[600], row[256];
  size_t size;
  snprintf(folder, sizeof folder, "%s", temporary_path("sweep"));
  json_t *root = run_json(0, "rom", coarse_joint_file(), "--draws", "0", "--motion", "flexion", "--sweep", "6", "--csv",
                          csv, "-o", folder, NULL);
  char *text = read_whole_file(csv, &size);
  assert_memory_equal(text, "axis_deg,positive_deg,positive_state,negative_deg,negative_state,case\n", 70);
  for (size_t i = 0; i < AXES; ++i) {
    json_t *turn = json_array_get(json_at(root, "result.sweep"), i);
    assert_int_equal(json_number_value(json_object_get(turn, "axis_deg")), 30 * (int)i);
    snprintf(row, sizeof row, "\n%zu,%.6f,stopped,%.6f,stopped,\"%s, right hip\"\n", 30 * i,
             json_number_value(json_object_get(turn, "positive_deg")),
             json_number_value(json_object_get(turn, "negative_deg")),
             json_string_value(json_at(root, "result.title")));
    if (!strstr(text, row)) fail_msg("there is no row '%s' in '%s'", row, text);
  }
  free(text);
  /* at 0 the turn one way is flexion */
  ASSERT_NEAR(json_number_value(json_object_get(json_array_get(json_at(root, "result.sweep"), 0), "positive_deg")),
              json_number_value(json_object_get(json_array_get(json_at(root, "result.motions"), 0), "angle_deg")),
              1e-9);
  json_decref(root);
  snprintf(path, sizeof path, "%s/report.html", folder);
  text = read_whole_file(path, &size);
  assert_contains(text, "Turns about horizontal axes");
  assert_contains(text, "\"other_way\"");
  free(text);
}

static const char *text_of(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_string(value) ? json_string_value(value) : "";
}

/* Every cell says which of three states it is in; an angle, parts and their regions are where a turn is stopped. On a
 * labrum that is the rim. */
static void check_map_cells(const json_t *map) {
  static const char *const ways[] = {"internal", "external"}, *const grids[] = {"internal_deg", "external_deg"};
  const json_t *cells = json_object_get(map, "cells");
  const size_t columns = json_array_size(json_object_get(map, "adduction_deg"));
  size_t stopped = 0, on_labrum = 0, others = 0;
  assert_int_equal(json_array_size(cells), columns * json_array_size(json_object_get(map, "flexion_deg")));
  for (size_t i = 0; i < json_array_size(cells); ++i)
    for (int way = 0; way < 2; ++way) {
      const json_t *turn = json_object_get(json_array_get(cells, i), ways[way]),
                   *place = json_object_get(turn, "place");
      const json_t *row = json_array_get(json_object_get(map, grids[way]), i / columns);
      const bool stops = strcmp(text_of(turn, "state"), "stopped") == 0;
      assert_true(stops || strcmp(text_of(turn, "state"), "no_stop") == 0 ||
                  strcmp(text_of(turn, "state"), "no_free_pose") == 0);
      assert_int_equal(json_is_number(json_object_get(turn, "angle_deg")), stops);
      assert_int_equal(json_is_number(json_array_get(row, i % columns)), stops);
      assert_int_equal(json_is_object(place), stops);
      stopped += stops;
      others += !stops;
      if (!stops) continue;
      assert_true(text_of(place, "femur")[0] && text_of(place, "pelvis")[0]);
      assert_true(json_is_boolean(json_object_get(place, "inside_joint")));
      if (!strstr(text_of(turn, "parts"), "on labrum")) continue;
      assert_string_equal(text_of(place, "pelvis"), "rim");
      assert_true(json_is_true(json_object_get(place, "inside_joint")));
      ++on_labrum;
    }
  assert_true(stopped > 0 && others > 0 && on_labrum > 0); /* else little was checked */
}

static void the_map_agrees_with_single_motions(void **state) {
  (void)state;
  const char *csv = temporary_path("map.csv");
  json_t *root = run_json(0, "rom", joint_file(), "--draws", "2", "--map", "--step", "30", "--csv", csv, NULL);
  json_t *flexions = json_at(root, "result.map.flexion_deg"), *adductions = json_at(root, "result.map.adduction_deg");
  size_t f, a;
  json_t *value;
  json_array_foreach(flexions, f, value) if (fabs(json_number_value(value)) < 1e-9) break;
  json_array_foreach(adductions, a, value) if (fabs(json_number_value(value)) < 1e-9) break;
  const double inner =
      json_number_value(json_array_get(json_array_get(json_at(root, "result.map.internal_deg"), f), a));
  ASSERT_NEAR(inner, motion_angle(root, "result.motions", "internal_rotation"), 1e-4);
  size_t size;
  char *text = read_whole_file(csv, &size);
  assert_contains(text, "flexion_deg,adduction_deg,internal_state,internal_rotation_deg,internal_femur_region,");
  assert_contains(text, ",internal_inside_joint,external_state,external_rotation_deg,external_femur_region,");
  free(text);
  check_map_cells(json_at(root, "result.map"));
  json_decref(root);
}

/* A table is asked for by its file alone, too; it used to be written only beside --map or --sweep. */
static void a_table_without_a_map_holds_the_map(void **state) {
  (void)state;
  const char *asked = temporary_path("asked.csv"), *alone = temporary_path("alone.csv");
  program_run run = run_synovia("rom", coarse_joint_file(), "--draws", "0", "--motion", "flexion", "--map", "--step",
                                "30", "--csv", asked, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  run = run_synovia("rom", coarse_joint_file(), "--draws", "0", "--motion", "flexion", "--step", "30", "--csv", alone,
                    NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "alone.csv");
  end_run(&run);
  size_t sizes[2];
  char *tables[] = {read_whole_file(asked, &sizes[0]), read_whole_file(alone, &sizes[1])};
  assert_true(sizes[0] > 0 && sizes[0] == sizes[1]);
  assert_memory_equal(tables[0], tables[1], sizes[0]);
  free(tables[0]);
  free(tables[1]);
}

static void penetration_is_told_with_its_class(void **state) {
  (void)state;
  json_t *root = run_json(0, "fai", joint_file(), NULL);
  assert_true(json_number_at(root, "result.curvilinear_max_mm") > 5);
  assert_true(json_number_at(root, "result.radial_max_mm") > 2);
  assert_string_equal(json_string_value(json_at(root, "result.class")), "cam");
  assert_int_equal(json_array_size(json_at(root, "result.curves.curvilinear_mm")), 31);
  json_decref(root);
}

static void the_whole_analysis_writes_its_files(void **state) {
  (void)state;
  const char *folder = temporary_path("whole");
  json_t *root = run_json(0, "hip", coarse_joint_file(), "--draws", "2", "-o", folder, NULL);
  static const char *const files[] = {"report.html", "result.json", "rom.csv", "joint.json", "hip.glb", "femur.vtp"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) assert_true(exists(folder, files[i]));
  json_at(root, "result.rom.motions");
  json_at(root, "result.measure.alpha_deg");
  json_at(root, "result.fai.class");
  json_at(root, "result.center.methods");
  json_at(root, "result.center.effect");
  assert_contains(json_string_value(json_at(root, "result.report")), "report.html");
  json_decref(root);
}

/* Published ranges are bone to bone: a labrum that stops earlier does not make a hip unusual. */
static void check_bones_are_compared_with_bones(json_t *root, const char *folder) {
  json_t *flexion = motion_named(json_at(root, "result.motions"), "flexion");
  const double bones = json_number_value(json_object_get(flexion, "bone_angle_deg"));
  char path[1024], expected[128];
  size_t size;
  snprintf(path, sizeof path, "%s/report.html", folder);
  snprintf(expected, sizeof expected, "The bones alone would meet at %.0f°", bones);
  char *page = read_whole_file(path, &size);
  assert_contains(page, expected);
  free(page);
}

static void single_answers_write_reports_too(void **state) {
  (void)state;
  const char *const commands[] = {"rom", "fai"};
  for (size_t i = 0; i < 2; ++i) {
    const char *folder = temporary_path(commands[i]);
    const char *draws = i == 0 ? "--draws" : NULL;
    json_t *root = run_json(0, commands[i], coarse_joint_file(), "-o", folder, draws, "4", NULL);
    assert_contains(json_string_value(json_at(root, "result.report")), "report.html");
    assert_true(exists(folder, "report.html"));
    if (i == 0) check_bones_are_compared_with_bones(root, folder);
    json_decref(root);
  }
}

/* ---- real bones ---------------------------------------------------------------------------------------------------
 */

/* Others' hips are in clinic/hip_people, without the program around them. */
static void a_real_hip_needs_nothing_but_its_meshes(void **state) {
  (void)state;
  char pelvis[1024];
  REQUIRE_DATA(pelvis_path, "vsd_NC/z013/Hip_R.ply");
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  json_t *root = run_json(0, "hip", pelvis, femur, "--draws", "2", "-o", temporary_path("person"), NULL);
  assert_string_equal(json_string_value(json_at(root, "result.measure.side")), "right");
  /* Within two standard deviations of the published means. */
  const double flexion = motion_angle(root, "result.rom.motions", "flexion");
  const double inward = motion_angle(root, "result.rom.motions", "internal_rotation_90");
  assert_true(flexion > 121 - 24 && flexion < 121 + 24);
  assert_true(inward > 35 - 24 && inward < 35 + 24);
  json_decref(root);
}

/* Writes a copy of a mesh, its coordinates scaled and moved, as OBJ. */
static const char *changed_copy(const char *path, const char *name, double scale, bool mirror) {
  syn_error error;
  syn_trimesh *mesh, *copy;
  syn_read_options options = syn_default_read_options();
  options.scale = scale;
  ASSERT_OK(syn_trimesh_read(NULL, path, &options, &mesh, &error));
  if (mirror) {
    ASSERT_OK(syn_trimesh_mirror(mesh, &copy, &error));
    syn_trimesh_destroy(mesh);
    mesh = copy;
  }
  const syn_geometry geometry = syn_trimesh_geometry(mesh);
  const char *changed = temporary_path(name);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, changed, NULL, &error));
  syn_trimesh_destroy(mesh);
  return changed;
}

static void check_refused(const char *part, const char *first, const char *second) {
  program_run run = run_synovia("hip", first, second, "-o", temporary_path("refused"), NULL);
  assert_int_equal(run.code, 3);
  assert_contains(run.err, part);
  assert_false(exists(temporary_path("refused"), "report.html"));
  end_run(&run);
}

static void wrong_inputs_are_told_in_plain_words(void **state) {
  (void)state;
  char pelvis[1024], femur[1024];
  REQUIRE_DATA(pelvis_path, "vsd_NC/z013/Hip_R.ply");
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur_path, "vsd_NC/z013/Femur_R.ply");
  snprintf(femur, sizeof femur, "%s", femur_path);
  REQUIRE_DATA(other_path, "vsd_NC/z013/Hip_L.ply");
  check_refused("exchanged", femur, pelvis);
  check_refused("far apart", other_path, femur);
  check_refused("--units m", changed_copy(pelvis, "pelvis_m.ply", 0.001, false),
                changed_copy(femur, "femur_m.ply", 0.001, false));
  REQUIRE_DATA(bunny, "collision/stanford-bunny.obj");
  check_refused("no spherical head", pelvis, bunny);
  program_run run = run_synovia("hip", pelvis, femur, "--side", "left", NULL);
  assert_int_equal(run.code, 3);
  assert_contains(run.err, "mirrored");
  end_run(&run);
}

static void one_mesh_is_not_enough(void **state) {
  (void)state;
  program_run run = run_synovia("hip", "pelvis.stl", NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "pelvis and femur");
  end_run(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(centre_of_a_parametric_hip_is_the_one_it_was_made_about),
      cmocka_unit_test(measures_of_a_parametric_hip_are_what_was_asked_for),
      cmocka_unit_test(motions_may_be_chosen_by_name),
      cmocka_unit_test(a_squat_is_a_motion_like_others),
      cmocka_unit_test(a_motion_that_is_named_again_is_told_once),
      cmocka_unit_test(a_motion_that_is_mistyped_is_guessed),
      cmocka_unit_test(the_map_agrees_with_single_motions),
      cmocka_unit_test(a_table_without_a_map_holds_the_map),
      cmocka_unit_test(penetration_is_told_with_its_class),
      cmocka_unit_test(the_whole_analysis_writes_its_files),
      cmocka_unit_test(single_answers_write_reports_too),
      cmocka_unit_test(a_real_hip_needs_nothing_but_its_meshes),
      cmocka_unit_test(wrong_inputs_are_told_in_plain_words),
      cmocka_unit_test(one_mesh_is_not_enough),
      cmocka_unit_test(a_sweep_is_a_table_and_a_plot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

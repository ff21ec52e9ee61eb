// test: slow
/* `synovia hip` on what strangers bring: surfaces with holes, cut scans, overlapping, mirrored, or no hip at all. */
#include "base/vec.h"
#include "joint/joint_store.h"
#include "program.h"
#include "result/record_json.h"

typedef bool keeps(syn_vec3 middle, const void *user);

static void write_mesh(const syn_trimesh *mesh, const char *path) {
  const syn_geometry geometry = syn_trimesh_geometry(mesh);
  syn_error error;
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
}

/* A copy without the triangles that `keep` refuses, and with `extra` triangles more that meet others at one edge. */
static syn_trimesh *torn(const syn_trimesh *mesh, keeps *keep, const void *user, uint32_t extra) {
  syn_triangle *kept = malloc((mesh->triangle_count + extra) * sizeof *kept);
  size_t count = 0;
  syn_trimesh *result;
  syn_error error;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 sum = vec3_add(mesh->vertices[v[0]], vec3_add(mesh->vertices[v[1]], mesh->vertices[v[2]]));
    if (keep(vec3_scale(sum, 1.0 / 3), user)) kept[count++] = mesh->triangles[t];
  }
  for (uint32_t i = 0; i < extra; ++i)
    kept[count++] = (syn_triangle){{kept[i].v[0], kept[i].v[1], kept[i + extra].v[2]}};
  ASSERT_OK(syn_trimesh_create(NULL, mesh->vertices, mesh->vertex_count, kept, count, &result, &error));
  free(kept);
  return result;
}

/* ---- the parametric hip -------------------------------------------------------------------------------------------
 */

typedef struct bones {
  char pelvis[512], femur[512];
} bones;

static const bones *parametric(void) {
  static bones made;
  if (made.pelvis[0]) return &made;
  const char *folder = temporary_path("closed");
  program_run run = run_synovia("shape", "hip", "--resolution", "3", "--gap", "1", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(made.pelvis, sizeof made.pelvis, "%s/pelvis.ply", folder);
  snprintf(made.femur, sizeof made.femur, "%s/femur.ply", folder);
  return &made;
}

static double angle_of(json_t *root, const char *name) {
  size_t i;
  json_t *motion;
  json_array_foreach(json_at(root, "result.rom.motions"), i, motion) {
    if (strcmp(json_string_value(json_object_get(motion, "name")), name) == 0)
      return json_number_value(json_object_get(motion, "angle_deg"));
  }
  fail_msg("there is no motion %s", name);
  return 0;
}

static bool has_warning(json_t *root, const char *part) {
  size_t i, count = 0;
  json_t *warning;
  json_array_foreach(json_at(root, "warnings"), i, warning) if (strstr(json_string_value(warning), part))++ count;
  assert_true(count <= 1); /* nothing is said twice */
  return count == 1;
}

/* A few degrees come from the axis of a shaft that ends earlier. The shaft's end is cut off, and there is a hole in the
 * head where it never touches. */
static bool in_neither_hole(syn_vec3 middle, const void *user) {
  (void)user;
  return middle.z > -147 && vec3_distance(middle, vec3(0, 0, 25)) > 8;
}

static void an_open_and_torn_femur_turns_as_far_as_the_whole_one_and_is_told(void **state) {
  (void)state;
  syn_trimesh *femur;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, parametric()->femur, NULL, &femur, &error));
  syn_trimesh *open = torn(femur, in_neither_hole, NULL, 3);
  assert_true(open->triangle_count < femur->triangle_count);
  const char *path = temporary_path("open.ply");
  write_mesh(open, path);
  json_t *whole = run_json(0, "hip", parametric()->pelvis, parametric()->femur, "--draws", "2", "-o",
                           temporary_path("whole"), NULL);
  json_t *holed = run_json(0, "hip", parametric()->pelvis, path, "--draws", "2", "-o", temporary_path("holed"), NULL);
  assert_false(has_warning(whole, "surface of the femur is open"));
  assert_true(has_warning(holed, "surface of the femur is open"));
  static const char *const motions[] = {"flexion", "abduction", "internal_rotation_90"};
  for (size_t i = 0; i < 3; ++i) ASSERT_NEAR(angle_of(holed, motions[i]), angle_of(whole, motions[i]), 3);
  json_decref(whole);
  json_decref(holed);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(femur);
}

static void bones_that_overlap_at_rest_are_told_and_analysed_all_the_same(void **state) {
  (void)state;
  syn_trimesh *femur, *moved;
  syn_error error;
  const syn_pose into = {syn_pose_identity().rotation, {-4, 0, 4}};
  ASSERT_OK(syn_trimesh_read(NULL, parametric()->femur, NULL, &femur, &error));
  ASSERT_OK(syn_trimesh_transform(femur, &into, &moved, &error));
  const char *path = temporary_path("overlapping.ply");
  write_mesh(moved, path);
  json_t *root = run_json(0, "hip", parametric()->pelvis, path, "--draws", "2", "-o", temporary_path("overlap"), NULL);
  assert_true(has_warning(root, "head and socket overlap as they were scanned"));
  assert_true(json_number_at(root, "result.rom.articular_overlap_mm") > 0.1);
  assert_true(json_number_at(root, "result.rom.left_out.triangles") > 100);
  assert_true(json_is_null(json_at(root, "result.rom.overlap")));
  assert_true(json_number_at(root, "result.measure.joint_gap_mm") < 0);
  assert_true(json_number_at(root, "result.measure.head_radius_mm") > 20);
  json_decref(root);
  root = run_json(0, "hip", parametric()->pelvis, path, "--as-scanned", "--draws", "2", "-o", temporary_path("scanned"),
                  NULL);
  assert_true(has_warning(root, "pelvis and femur overlap as they were scanned"));
  assert_true(json_is_object(json_at(root, "result.rom.overlap")));
  assert_true(json_is_null(json_at(root, "result.rom.left_out")));
  json_decref(root);
  syn_trimesh_destroy(moved);
  syn_trimesh_destroy(femur);
}

/* What the console warns of stands in every file that outlives it, also where the console is quiet. */
static void warnings_reach_the_files(void **state) {
  (void)state;
  static const char *const commands[] = {"hip", "rom", "fai"};
  static const char said[] = "overlap as they were scanned";
  syn_trimesh *femur, *moved;
  syn_error error;
  const syn_pose into = {syn_pose_identity().rotation, {-4, 0, 4}};
  ASSERT_OK(syn_trimesh_read(NULL, parametric()->femur, NULL, &femur, &error));
  ASSERT_OK(syn_trimesh_transform(femur, &into, &moved, &error));
  char path[512], folder[512], file[600];
  snprintf(path, sizeof path, "%s", temporary_path("warned.ply"));
  write_mesh(moved, path);
  for (size_t i = 0; i < 3; ++i) {
    size_t size;
    snprintf(folder, sizeof folder, "%s", temporary_path(commands[i]));
    const char *draws = strcmp(commands[i], "fai") == 0 ? NULL : "--draws"; /* it has no bands */
    json_t *root = run_json(0, commands[i], parametric()->pelvis, path, "-q", "-o", folder, draws, "2", NULL);
    snprintf(file, sizeof file, "%s/result.json", folder);
    json_t *result = json_load_file(file, 0, NULL);
    assert_true(has_warning(result, said));
    static const char *const keys[] = {"tool", "version", "command", "warnings", "result.files", "result.report"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
      assert_true(json_equal(json_at(root, keys[k]), json_at(result, keys[k])));
    assert_true(json_number_at(result, "result.seat.length_mm") >= 0);
    snprintf(file, sizeof file, "%s/report.html", folder);
    char *page = read_whole_file(file, &size);
    assert_contains(page, "Assumptions and warnings");
    assert_contains(page, said);
    free(page);
    json_decref(root);
    json_decref(result);
  }
  snprintf(folder, sizeof folder, "%s", temporary_path("hip"));
  snprintf(file, sizeof file, "%s/joint.json", folder);
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, file, &joint, &error));
  bool noted = false;
  for (size_t i = 0; i < joint->note_count; ++i) noted = noted || strstr(joint->notes[i], said);
  assert_true(noted);
  syn_joint_destroy(joint);
  syn_trimesh_destroy(moved);
  syn_trimesh_destroy(femur);
}

static size_t count_of(json_t *warnings, const char *warning) {
  size_t i, count = 0;
  json_t *other;
  json_array_foreach(warnings, i, other) if (syn_same_warning(json_string_value(other), warning))++ count;
  return count;
}

/* What was said when the bones were opened was said of their files; the joint file has others, which are whole and
 * smooth. Every command that reads it says it again, once, also where it notices the same itself. */
static void what_a_joint_file_notes_is_told_by_all_that_read_it(void **state) {
  (void)state;
  syn_trimesh *femur;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, parametric()->femur, NULL, &femur, &error));
  syn_trimesh *open = torn(femur, in_neither_hole, NULL, 3);
  char path[512], folder[512], again[512];
  snprintf(path, sizeof path, "%s", temporary_path("noted.ply"));
  snprintf(folder, sizeof folder, "%s", temporary_path("noted"));
  snprintf(again, sizeof again, "%s", temporary_path("noted again"));
  write_mesh(open, path);
  json_t *first = run_json(0, "hip", parametric()->pelvis, path, "--draws", "2", "-o", folder, NULL);
  json_t *told = json_at(first, "warnings");
  assert_true(json_array_size(told) > 0);
  const char *const commands[][4] = {{"rom", "--motion", "flexion"}, {"measure"}, {"center"}, {"hip", "-o", again}};
  const char *joint = folder;
  for (size_t round = 0; round < 2; ++round, joint = again)
    for (size_t c = 0; c < sizeof commands / sizeof *commands - round; ++c) {
      size_t i;
      json_t *warning,
          *root = run_json(0, commands[c][0], joint, c == 2 ? "-q" : "--draws=2", commands[c][1], commands[c][2], NULL);
      json_array_foreach(told, i, warning)
          assert_int_equal(count_of(json_at(root, "warnings"), json_string_value(warning)), 1);
      json_array_foreach(json_at(root, "warnings"), i, warning) {
        assert_int_equal(count_of(json_at(root, "warnings"), json_string_value(warning)), 1);
        const char *once = strstr(json_string_value(warning), "when the joint file");
        assert_true(!once || !strstr(once + 1, "when the joint file"));
      }
      json_decref(root);
    }
  json_decref(first);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(femur);
}

/* Two rough balls, far apart: that they are rough explains nothing. */
static void an_error_comes_before_the_warnings(void **state) {
  (void)state;
  char path[512];
  syn_error error;
  syn_trimesh *femur;
  ASSERT_OK(syn_trimesh_read(NULL, parametric()->femur, NULL, &femur, &error));
  syn_trimesh *open = torn(femur, in_neither_hole, NULL, 3);
  snprintf(path, sizeof path, "%s", temporary_path("unsuitable.ply"));
  write_mesh(open, path);
  program_run run = run_synovia("rom", path, path, NULL);
  assert_int_equal(run.code, 3);
  const char *warned = strstr(run.err, "synovia: warning: ");
  assert_non_null(warned); /* nothing is dropped */
  assert_true(strncmp(run.err, "synovia rom: ", 13) == 0);
  assert_true(warned > strchr(run.err, '\n'));
  end_run(&run);
  run = run_synovia("measure", path, "--draws", "0", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "synovia: warning: ");
  end_run(&run);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(femur);
}

/* ---- a real one ---------------------------------------------------------------------------------------------------
 */

static bool below(syn_vec3 middle, const void *user) { return middle.z < *(const double *)user; }

/* What is left of the ilium has an outermost point in front and behind, which are no spines. */
static void the_edge_of_a_cut_pelvis_is_not_taken_for_its_spines(void **state) {
  (void)state;
  char femur[1024];
  REQUIRE_DATA(femur_path, "vsd_NC/z013/Femur_R.ply");
  snprintf(femur, sizeof femur, "%s", femur_path);
  REQUIRE_DATA(pelvis_path, "vsd_NC/z013/Hip_R.ply");
  syn_trimesh *pelvis;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, pelvis_path, NULL, &pelvis, &error));
  const double height = -586 + 60; /* mm above the hip's centre */
  syn_trimesh *cut = torn(pelvis, below, &height, 0);
  const char *path = temporary_path("cut.ply");
  write_mesh(cut, path);
  json_t *root = run_json(0, "measure", path, femur, "--draws", "2", NULL);
  assert_true(has_warning(root, "surface of the pelvis is open"));
  assert_true(has_warning(root, "not a whole hip bone"));
  assert_true(has_warning(root, "axes of the scan"));
  assert_null(json_object_get(json_at(root, "result.landmarks"), "asis"));
  json_decref(root);
  syn_trimesh_destroy(cut);
  syn_trimesh_destroy(pelvis);
}

static void a_femur_mirrored_against_its_pelvis_is_called_so(void **state) {
  (void)state;
  char pelvis[1024];
  REQUIRE_DATA(pelvis_path, "vsd_NC/z013/Hip_R.ply");
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur_path, "vsd_NC/z013/Femur_R.ply");
  syn_trimesh *femur, *mirrored, *back;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, femur_path, NULL, &femur, &error));
  ASSERT_OK(syn_trimesh_mirror(femur, &mirrored, &error));
  const syn_pose to_the_cup = {syn_pose_identity().rotation, {2 * -383.9, 0, 0}};
  ASSERT_OK(syn_trimesh_transform(mirrored, &to_the_cup, &back, &error));
  const char *path = temporary_path("mirrored.ply");
  write_mesh(back, path);
  program_run run = run_synovia("hip", pelvis, path, NULL);
  assert_int_equal(run.code, 3);
  assert_contains(run.err, "mirrored");
  end_run(&run);
  syn_trimesh_destroy(back);
  syn_trimesh_destroy(mirrored);
  syn_trimesh_destroy(femur);
}

/* The way by which a centre was found stays known when the case is opened again, and gives the same centre. */
static void a_joint_file_keeps_the_method_of_its_centre(void **state) {
  (void)state;
  const char *folder = temporary_path("kept");
  char joint[600];
  json_t *first =
      run_json(0, "hip", parametric()->pelvis, parametric()->femur, "--as-scanned", "--draws", "0", "-o", folder, NULL);
  const char *method = json_string_value(json_at(first, "result.center.chosen"));
  assert_string_equal(method, "dref");
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  json_t *second = run_json(0, "center", joint, NULL);
  assert_string_equal(json_string_value(json_at(second, "result.chosen")), method);
  for (size_t i = 0; i < 3; ++i)
    ASSERT_NEAR(json_number_value(json_array_get(json_at(second, "result.center"), i)),
                json_number_value(json_array_get(json_at(first, "result.center.center"), i)), 1e-4);
  json_decref(first);
  json_decref(second);
}

static void two_balls_are_no_hip(void **state) {
  (void)state;
  char sphere[600];
  const char *folder = temporary_path("ball");
  program_run run = run_synovia("shape", "sphere", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(sphere, sizeof sphere, "%s/sphere.ply", folder);
  run = run_synovia("hip", sphere, sphere, NULL);
  assert_int_equal(run.code, 3);
  assert_true(strlen(run.err) > 40);
  end_run(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_open_and_torn_femur_turns_as_far_as_the_whole_one_and_is_told),
      cmocka_unit_test(bones_that_overlap_at_rest_are_told_and_analysed_all_the_same),
      cmocka_unit_test(warnings_reach_the_files),
      cmocka_unit_test(what_a_joint_file_notes_is_told_by_all_that_read_it),
      cmocka_unit_test(an_error_comes_before_the_warnings),
      cmocka_unit_test(the_edge_of_a_cut_pelvis_is_not_taken_for_its_spines),
      cmocka_unit_test(a_femur_mirrored_against_its_pelvis_is_called_so),
      cmocka_unit_test(a_joint_file_keeps_the_method_of_its_centre),
      cmocka_unit_test(two_balls_are_no_hip),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// test: slow
#define _GNU_SOURCE /* nftw */
#include "program.h"

#include <ftw.h>
#include <unistd.h>

/* ---- meshes of our own --------------------------------------------------------------------------------------------
 */

static const char cube_obj[] = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\n"
                               "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n";
static const char lid[] = "f 4 1 5 8\n", inside_out_lid[] = "f 8 5 1 4\n";

/* The cube with or without its last face, in a file of this name. */
static const char *write_cube(const char *name, const char *last) {
  char text[1024];
  snprintf(text, sizeof text, "%s%s", cube_obj, last);
  const char *path = temporary_path(name);
  write_text_file(path, text);
  return path;
}

static bool yes(json_t *answer, const char *path) { return json_is_true(json_at(answer, path)); }

static void info_has_every_key_and_the_right_numbers(void **state) {
  (void)state;
  json_t *answer = run_json(0, "mesh", "info", write_cube("cube.obj", lid), NULL);
  static const struct {
    const char *key;
    double value;
  } numbers[] = {{"vertices", 8},
                 {"triangles", 12},
                 {"tets", 0},
                 {"cells", 12},
                 {"components", 1},
                 {"volume_mm3", 8},
                 {"area_mm2", 24},
                 {"boundary_edges", 0},
                 {"boundary_loops", 0},
                 {"nonmanifold_edges", 0},
                 {"nonmanifold_vertices", 0},
                 {"degenerate_triangles", 0},
                 {"duplicate_triangles", 0},
                 {"unreferenced_vertices", 0},
                 {"self_intersections", 0},
                 {"genus", 0}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    char path[64];
    snprintf(path, sizeof path, "result.%s", numbers[i].key);
    ASSERT_NEAR(json_number_at(answer, path), numbers[i].value, 1e-12);
  }
  assert_true(yes(answer, "result.closed") && yes(answer, "result.manifold") && yes(answer, "result.oriented"));
  assert_true(yes(answer, "result.fit"));
  assert_string_equal(json_string_value(json_at(answer, "result.format")), "obj");
  assert_string_equal(json_string_value(json_at(answer, "command")), "mesh info");
  assert_true(json_is_null(json_at(answer, "result.space")));
  assert_int_equal(json_array_size(json_at(answer, "result.fields")), 0);
  assert_int_equal(json_array_size(json_at(answer, "result.problems")), 0);
  json_t *high = json_at(answer, "result.bounds.max");
  for (size_t i = 0; i < 3; ++i) ASSERT_NEAR(json_number_value(json_array_get(high, i)), 2, 0);
  json_decref(answer);
}

static void metres_become_millimetres(void **state) {
  (void)state;
  json_t *answer = run_json(0, "mesh", "info", write_cube("metres.obj", lid), "--units", "m", NULL);
  ASSERT_NEAR(json_number_at(answer, "result.volume_mm3"), 8e9, 1);
  json_decref(answer);
}

static void an_open_mesh_is_an_answer_with_advice(void **state) {
  (void)state;
  const char *path = write_cube("open.obj", "");
  json_t *answer = run_json(0, "mesh", "info", path, NULL);
  assert_false(yes(answer, "result.closed"));
  assert_int_equal(json_integer_value(json_at(answer, "result.boundary_edges")), 4);
  assert_int_equal(json_integer_value(json_at(answer, "result.boundary_loops")), 1);
  assert_true(json_is_null(json_at(answer, "result.volume_mm3")));
  assert_true(json_is_null(json_at(answer, "result.genus")));
  json_decref(answer);
  program_run run = run_synovia("mesh", "info", path, NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "not closed: 4 boundary edges in 1 hole; `synovia mesh repair --fill N`");
  assert_contains(run.out, "encloses nothing");
  end_run(&run);
}

static void check_answers_with_its_exit_code(void **state) {
  (void)state;
  json_decref(run_json(0, "mesh", "check", write_cube("good.obj", lid), NULL));
  json_t *answer = run_json(1, "mesh", "check", write_cube("turned.obj", inside_out_lid), NULL);
  assert_false(yes(answer, "result.fit"));
  assert_contains(json_string_value(json_array_get(json_at(answer, "result.problems"), 0)), "face opposite ways");
  json_decref(answer);
  program_run run = run_synovia("mesh", "check", write_cube("open.obj", ""), "--no-self-intersections", NULL);
  assert_int_equal(run.code, 1);
  assert_contains(run.out, "it is not fit for contact");
  end_run(&run);
}

static void no_triangles_is_said(void **state) {
  (void)state;
  const char *path = temporary_path("points.obj");
  write_text_file(path, "v 0 0 0\nv 1 0 0\nv 0 1 0\n");
  json_t *answer = run_json(0, "mesh", "info", path, NULL);
  assert_contains(json_string_value(json_array_get(json_at(answer, "result.problems"), 0)), "no triangles");
  assert_int_equal(json_integer_value(json_at(answer, "result.unreferenced_vertices")), 3);
  assert_int_equal(json_integer_value(json_at(answer, "result.vertices")), 0);
  assert_int_equal(json_integer_value(json_at(answer, "result.points")), 3);
  json_decref(answer);
}

static void counts_in_front_of_an_obj_file_are_told(void **state) {
  (void)state;
  const char *path = temporary_path("counted.obj");
  write_text_file(path, "3 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  json_t *answer = run_json(0, "mesh", "info", path, NULL);
  assert_int_equal(json_integer_value(json_at(answer, "result.triangles")), 1);
  assert_contains(json_string_value(json_array_get(json_at(answer, "warnings"), 0)), "numbers without a keyword");
  json_decref(answer);
}

static void a_place_that_is_no_number_is_named_with_its_file(void **state) {
  (void)state;
  const char *path = temporary_path("nan.off");
  write_text_file(path, "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n");
  json_t *answer = run_json(3, "mesh", "info", path, NULL);
  assert_string_equal(json_string_value(json_at(answer, "error.file")), path);
  json_decref(answer);
  json_decref(run_json(3, "mesh", "subdivide", path, temporary_path("never.off"), NULL));
  assert_int_not_equal(access(temporary_path("never.off"), F_OK), 0);
}

/* ---- changing meshes ----------------------------------------------------------------------------------------------
 */

static void repair_closes_and_turns(void **state) {
  (void)state;
  const char *out = temporary_path("repaired.ply");
  json_t *answer = run_json(0, "mesh", "repair", write_cube("open.obj", ""), out, NULL);
  assert_int_equal(json_integer_value(json_at(answer, "result.changes.filled_holes")), 1);
  assert_int_equal(json_integer_value(json_at(answer, "result.changes.added_triangles")), 2);
  assert_true(yes(answer, "result.fit"));
  assert_true(json_array_size(json_at(answer, "warnings")) > 0);
  json_decref(answer);
  json_decref(run_json(0, "mesh", "check", out, NULL));
  answer = run_json(0, "mesh", "repair", write_cube("turned.obj", inside_out_lid), out, NULL);
  assert_int_equal(json_integer_value(json_at(answer, "result.changes.flipped")), 2);
  json_decref(answer);
  json_decref(run_json(0, "mesh", "check", out, NULL));
  answer = run_json(0, "mesh", "repair", write_cube("open.obj", ""), out, "--fill", "3", NULL);
  assert_false(yes(answer, "result.fit"));
  json_decref(answer);
  program_run run = run_synovia("mesh", "repair", write_cube("good.obj", lid), out, NULL);
  assert_contains(run.out, "nothing to repair");
  end_run(&run);
  run = run_synovia("mesh", "repair", write_cube("open.obj", ""), out, NULL);
  assert_contains(run.out, "holes filled: 1\n");
  assert_string_equal(run.err, "");
  end_run(&run);
}

static void subdividing_smoothing_and_decimating_write_surfaces(void **state) {
  (void)state;
  char cube[512], fine[512];
  snprintf(cube, sizeof cube, "%s", write_cube("cube.obj", lid));
  snprintf(fine, sizeof fine, "%s", temporary_path("fine.ply"));
  json_t *answer = run_json(0, "mesh", "subdivide", cube, fine, NULL);
  assert_int_equal(json_integer_value(json_at(answer, "result.triangles")), 48);
  json_decref(answer);
  answer = run_json(0, "mesh", "info", fine, NULL);
  ASSERT_NEAR(json_number_at(answer, "result.volume_mm3"), 8, 1e-12);
  json_decref(answer);
  const char *round = temporary_path("round.ply");
  json_decref(run_json(0, "mesh", "subdivide", cube, round, "--smooth", NULL));
  answer = run_json(0, "mesh", "info", round, NULL);
  assert_true(json_number_at(answer, "result.volume_mm3") < 7);
  json_decref(answer);
  json_decref(run_json(0, "mesh", "smooth", fine, temporary_path("smooth.ply"), "--iterations", "3", NULL));
  answer = run_json(0, "mesh", "decimate", fine, temporary_path("coarse.ply"), "--triangles", "12", NULL);
  assert_true(json_number_at(answer, "result.triangles") < 48);
  assert_true(json_number_at(answer, "result.deviation_mm") >= 0);
  json_decref(answer);
}

static void tetrahedra_fill_a_cube(void **state) {
  (void)state;
  char vtu[512];
  snprintf(vtu, sizeof vtu, "%s", temporary_path("cube.vtu"));
  json_t *answer = run_json(0, "mesh", "tet", write_cube("cube.obj", lid), vtu, "--edge", "1mm", NULL);
  ASSERT_NEAR(json_number_at(answer, "result.volume_mm3"), 8, 1e-9);
  const json_int_t tets = json_integer_value(json_at(answer, "result.tets"));
  json_decref(answer);
  answer = run_json(0, "mesh", "info", vtu, NULL);
  assert_int_equal(json_integer_value(json_at(answer, "result.tets")), tets);
  assert_int_equal(json_integer_value(json_at(answer, "result.triangles")), 12);
  assert_int_equal(json_integer_value(json_at(answer, "result.unreferenced_vertices")), 0);
  ASSERT_NEAR(json_number_at(answer, "result.tet_quality.volume_mm3"), 8, 1e-9);
  ASSERT_NEAR(json_number_at(answer, "result.volume_mm3"), 8, 1e-9);
  json_decref(answer);
  answer = run_json(0, "mesh", "convert", vtu, temporary_path("skin.stl"), NULL);
  assert_contains(json_string_value(json_array_get(json_at(answer, "warnings"), 0)), "their surface is written");
  json_decref(answer);
  json_decref(run_json(0, "mesh", "check", temporary_path("skin.stl"), NULL));
  answer = run_json(5, "mesh", "tet", write_cube("cube.obj", lid), vtu, "--gmsh", "no-such-program", NULL);
  json_decref(answer);
  answer = run_json(3, "mesh", "tet", write_cube("open.obj", ""), vtu, NULL);
  json_decref(answer);
}

/* ---- converting ---------------------------------------------------------------------------------------------------
 */

static void every_format_keeps_the_surface(void **state) {
  (void)state;
  char cube[512];
  snprintf(cube, sizeof cube, "%s", write_cube("given.obj", lid));
  for (size_t i = 0; i < syn_format_count(); ++i) {
    const syn_format_info info = syn_format_at(i);
    if (!info.reads || !info.writes || !info.holds_triangles) continue;
    char name[32];
    snprintf(name, sizeof name, "cube%.*s", (int)strcspn(info.extensions, " "), info.extensions);
    const char *out = temporary_path(name);
    json_decref(run_json(0, "mesh", "convert", cube, out, "--ascii", NULL));
    json_t *answer = run_json(0, "mesh", "info", out, NULL);
    ASSERT_NEAR(json_number_at(answer, "result.volume_mm3"), 8, 1e-12);
    assert_int_equal(json_integer_value(json_at(answer, "result.triangles")), 12);
    assert_string_equal(json_string_value(json_at(answer, "result.format")), info.name);
    json_decref(answer);
  }
}

static void the_format_can_be_named(void **state) {
  (void)state;
  const char *out = temporary_path("cube.data");
  json_decref(run_json(0, "mesh", "convert", write_cube("cube.obj", lid), out, "--format", "off", NULL));
  json_t *answer = run_json(0, "mesh", "info", out, NULL);
  assert_string_equal(json_string_value(json_at(answer, "result.format")), "off");
  json_decref(answer);
  json_decref(run_json(3, "mesh", "convert", out, temporary_path("x.ply"), "--from", "ply", NULL));
  json_decref(run_json(2, "mesh", "convert", out, temporary_path("x.unknown"), NULL));
}

static void patient_axes_are_turned_where_they_are_known(void **state) {
  (void)state;
  const char *path = temporary_path("slicer.ply");
  write_text_file(path,
                  "ply\nformat ascii 1.0\ncomment SPACE=RAS\nelement vertex 3\nproperty double x\nproperty double "
                  "y\nproperty double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                  "1 2 3\n4 5 6\n7 8 10\n3 0 1 2\n");
  json_t *answer = run_json(0, "mesh", "info", path, NULL);
  assert_string_equal(json_string_value(json_at(answer, "result.space")), "LPS");
  ASSERT_NEAR(json_number_value(json_array_get(json_at(answer, "result.bounds.min"), 0)), -7, 0);
  json_decref(answer);
  json_decref(run_json(0, "mesh", "convert", path, temporary_path("ras.obj"), "--space", "ras", NULL));
  answer = run_json(0, "mesh", "info", temporary_path("ras.obj"), NULL);
  ASSERT_NEAR(fabs(json_number_value(json_array_get(json_at(answer, "result.bounds.min"), 0))), 1, 6);
  json_decref(answer);
  answer = run_json(0, "mesh", "convert", write_cube("cube.obj", lid), temporary_path("c.ply"), "--space", "ras", NULL);
  assert_contains(json_string_value(json_array_get(json_at(answer, "warnings"), 0)), "does not say in which space");
  json_decref(answer);
}

/* ---- real meshes --------------------------------------------------------------------------------------------------
 */

static void known_facts_of_real_meshes(void **state) {
  (void)state;
  static const struct {
    const char *file, *cells_key;
    int vertices, cells, closed, boundary_edges;
  } facts[] = {
      {"bodyparts3d/hip_bone_R_FMA16586.ply", "triangles", 4858, 9716, 1, 0},
      {"vsd_NC/z013/Hip_R.ply", "triangles", 14996, 29992, 1, 0},
      {"vsd_NC/z013/Femur_R.ply", "triangles", 13889, 27774, 1, 0},
      {"collision/stanford-bunny.obj", "triangles", 34834, 69451, 0, 223},
      {"collision/libigl_armadillo.obj", "triangles", 43243, 86482, 1, 0},
      {"deformable/raptorTetra_8418.vtu", "tets", 2996, 8418, 1, 0},
      {"collision/libigl_bunny.mesh", "tets", 5433, -1, -1, -1},
  };
  for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
    REQUIRE_DATA(path, facts[i].file);
    char cells[32];
    snprintf(cells, sizeof cells, "result.%s", facts[i].cells_key);
    json_t *answer = run_json(0, "mesh", "info", path, "--no-self-intersections", NULL);
    assert_int_equal(json_integer_value(json_at(answer, "result.vertices")), facts[i].vertices);
    if (facts[i].cells >= 0) assert_int_equal(json_integer_value(json_at(answer, cells)), facts[i].cells);
    if (facts[i].closed >= 0) assert_int_equal(yes(answer, "result.closed"), facts[i].closed);
    if (facts[i].boundary_edges >= 0)
      assert_int_equal(json_integer_value(json_at(answer, "result.boundary_edges")), facts[i].boundary_edges);
    json_decref(answer);
  }
}

static int answered;

static int ask_one(const char *path, const struct stat *info, int flag, struct FTW *at) {
  static const char *const endings[] = {".ply", ".stl", ".obj", ".off", ".vtk", ".vtp", ".vtu", ".mesh", ".msh"};
  (void)info, (void)at;
  if (flag != FTW_F) return 0;
  const size_t length = strlen(path);
  for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
    const size_t ending = strlen(endings[i]);
    if (length < ending || strcmp(path + length - ending, endings[i]) != 0) continue;
    json_t *answer = run_json(0, "mesh", "info", path, "--no-self-intersections", NULL);
    assert_true(json_number_at(answer, "result.vertices") > 0);
    assert_true(json_number_at(answer, "result.triangles") > 0);
    json_decref(answer);
    ++answered;
  }
  return 0;
}

static void every_real_mesh_is_answered(void **state) {
  (void)state;
  REQUIRE_DATA(folder, "README.md");
  char root[1024];
  snprintf(root, sizeof root, "%.*s", (int)(strrchr(folder, '/') - folder), folder);
  assert_int_equal(nftw(root, ask_one, 16, FTW_PHYS), 0);
  print_message("%d real meshes answered\n", answered);
  assert_true(answered > 20);
}

/* A pile of sheets is reported with what was counted, and that it is not all. */
static void counting_self_intersections_has_an_end(void **state) {
  (void)state;
  enum { SHEETS = 6000 };
  const char *path = temporary_path("pile.off");
  FILE *to = fopen(path, "w");
  fprintf(to, "OFF\n%d %d 0\n", 3 * SHEETS, SHEETS);
  for (int i = 0; i < SHEETS; ++i) fprintf(to, "0 0 0\n1 0 0\n0 1 0\n");
  for (int i = 0; i < SHEETS; ++i) fprintf(to, "3 %d %d %d\n", 3 * i, 3 * i + 1, 3 * i + 2);
  fclose(to);
  json_t *answer = run_json(0, "mesh", "info", path, NULL);
  assert_true(json_is_true(json_at(answer, "result.self_intersections_stopped")));
  assert_true(json_integer_value(json_at(answer, "result.self_intersections")) > 10000);
  assert_true(json_is_false(json_at(answer, "result.fit")));
  json_decref(answer);
  program_run run = run_synovia("mesh", "info", path, NULL);
  assert_contains(run.out, "or more (counting stopped)");
  end_run(&run);
}

/* Layers of a made hip, as they are and with a thickness for every vertex. */
static void layers_cover_the_bones_of_a_hip(void **state) {
  (void)state;
  char hip[512], joint[600], folder[600], pelvis[600];
  snprintf(hip, sizeof hip, "%s", temporary_path("layers"));
  snprintf(joint, sizeof joint, "%s/joint.json", hip);
  snprintf(folder, sizeof folder, "%s/made", hip);
  snprintf(pelvis, sizeof pelvis, "%s/pelvis.ply", hip);
  json_decref(run_json(0, "shape", "hip", "--resolution", "3", "--cartilage-edge", "82", "-o", hip, NULL));
  json_t *answer =
      run_json(0, "mesh", "layers", joint, "--edge", "4", "--layers", "2", "--thickness", "1.5", "-o", folder, NULL);
  ASSERT_NEAR(json_number_at(answer, "result.socket.quality.thickness_mm"), 1.5, 0.5);
  ASSERT_NEAR(json_number_at(answer, "result.head.quality.thickness_mm"), 1.5, 0.01);
  assert_int_equal(json_integer_value(json_at(answer, "result.socket.quality.inverted")), 0);
  assert_true(json_is_true(json_at(answer, "result.head.assumed")));
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 2);
  json_decref(answer);
  answer = run_json(0, "mesh", "layers", joint, "--edge", "4", NULL);
  assert_true(json_is_false(json_at(answer, "result.head.assumed")));
  json_decref(answer);
  answer = run_json(3, "mesh", "layers", joint, "--pelvis-thickness", pelvis, NULL);
  assert_non_null(strstr(json_string_value(json_at(answer, "error.message")), "no field of one number"));
  json_decref(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(info_has_every_key_and_the_right_numbers),
      cmocka_unit_test(metres_become_millimetres),
      cmocka_unit_test(an_open_mesh_is_an_answer_with_advice),
      cmocka_unit_test(check_answers_with_its_exit_code),
      cmocka_unit_test(no_triangles_is_said),
      cmocka_unit_test(counts_in_front_of_an_obj_file_are_told),
      cmocka_unit_test(a_place_that_is_no_number_is_named_with_its_file),
      cmocka_unit_test(repair_closes_and_turns),
      cmocka_unit_test(subdividing_smoothing_and_decimating_write_surfaces),
      cmocka_unit_test(tetrahedra_fill_a_cube),
      cmocka_unit_test(layers_cover_the_bones_of_a_hip),
      cmocka_unit_test(every_format_keeps_the_surface),
      cmocka_unit_test(the_format_can_be_named),
      cmocka_unit_test(patient_axes_are_turned_where_they_are_known),
      cmocka_unit_test(known_facts_of_real_meshes),
      cmocka_unit_test(every_real_mesh_is_answered),
      cmocka_unit_test(counting_self_intersections_has_an_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

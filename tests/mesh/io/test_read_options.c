/* What reading does with any format: patient spaces, units, formats named by hand, files that are not meshes. */
#include "support.h"

static const char ras_file[] = "ply\nformat ascii 1.0\ncomment SPACE=RAS\nelement vertex 3\nproperty float x\n"
                               "property float y\nproperty float z\nproperty float nx\nproperty float ny\n"
                               "property float nz\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
                               "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                               "0 0 0 0.5 -1 2 1 2 3\n1 0 0 0 0 1 1 2 3\n0 1 7 0 0 1 1 2 3\n3 0 1 2\n";

static const syn_field *field_of(const syn_geometry *geometry, const char *name) {
  for (size_t i = 0; i < geometry->field_count; ++i)
    if (strcmp(geometry->fields[i].name, name) == 0) return &geometry->fields[i];
  fail_msg("there is no field '%s'", name);
  return NULL;
}

static void a_file_in_ras_is_turned_to_lps_with_its_normals(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  ASSERT_OK(syn_geometry_parse(&context, ras_file, sizeof ras_file - 1, "a.ply", NULL, &g, &error));
  assert_int_equal(g.space, SYN_SPACE_LPS);
  assert_true(g.points[1].x == -1 && g.points[2].y == -1 && g.points[2].z == 7);
  const double *normal = field_of(&g, "normal")->values, *color = field_of(&g, "color")->values;
  assert_true(normal[0] == -0.5 && normal[1] == 1 && normal[2] == 2);
  assert_true(color[0] == 1 && color[1] == 2); /* a colour has no direction */
  assert_non_null(strstr(memory.all_warnings, "'color'"));
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

static void a_file_may_be_taken_as_it_lies(void **state) {
  (void)state;
  syn_geometry g;
  syn_error error;
  syn_read_options options = syn_default_read_options();
  options.space = SYN_SPACE_UNKNOWN;
  ASSERT_OK(syn_geometry_parse(NULL, ras_file, sizeof ras_file - 1, "a.ply", &options, &g, &error));
  assert_int_equal(g.space, SYN_SPACE_RAS);
  assert_true(g.points[1].x == 1);
  syn_geometry_free(NULL, &g);
}

static void metres_become_millimetres(void **state) {
  (void)state;
  syn_geometry g;
  syn_error error;
  syn_read_options options = syn_default_read_options();
  options.scale = 1000;
  ASSERT_OK(syn_geometry_parse(NULL, ras_file, sizeof ras_file - 1, NULL, &options, &g, &error));
  assert_true(g.points[1].x == -1000 && g.points[2].z == 7000);
  assert_true(field_of(&g, "normal")->values[2] == 2); /* directions have no unit */
  syn_geometry_free(NULL, &g);
  options.scale = -1;
  ASSERT_FAILS(syn_geometry_parse(NULL, ras_file, sizeof ras_file - 1, NULL, &options, &g, &error), SYN_BAD_ARGUMENT,
               "scale");
  options.scale = (double)NAN;
  ASSERT_FAILS(syn_geometry_parse(NULL, ras_file, sizeof ras_file - 1, NULL, &options, &g, &error), SYN_BAD_ARGUMENT,
               "scale");
}

static void a_format_named_by_hand_is_taken_at_its_word(void **state) {
  (void)state;
  syn_geometry g;
  syn_error error;
  syn_read_options options = syn_default_read_options();
  options.format = "off";
  ASSERT_FAILS(syn_geometry_parse(NULL, ras_file, sizeof ras_file - 1, "a.ply", &options, &g, &error), SYN_BAD_FORMAT,
               NULL);
  options.format = "png";
  ASSERT_FAILS(syn_geometry_parse(NULL, ras_file, sizeof ras_file - 1, "a.ply", &options, &g, &error), SYN_BAD_ARGUMENT,
               "'png' is not a format that can be read");
}

static void what_is_no_mesh_is_said_so(void **state) {
  (void)state;
  syn_geometry g;
  syn_error error;
  syn_trimesh *mesh;
  ASSERT_FAILS(syn_geometry_parse(NULL, "", 0, "a.ply", NULL, &g, &error), SYN_BAD_FORMAT, "empty");
  ASSERT_FAILS(syn_geometry_parse(NULL, "hello", 5, "letter.txt", NULL, &g, &error), SYN_BAD_FORMAT, "neither");
  assert_string_equal(error.file, "letter.txt");
  ASSERT_FAILS(syn_trimesh_read(NULL, temporary_path("nowhere.stl"), NULL, &mesh, &error), SYN_NOT_FOUND,
               "cannot open");
  assert_null(mesh);
}

static void bodies_in_metres_are_doubted(void **state) {
  (void)state;
  const struct {
    syn_box boxes[2];
    bool doubted;
  } cases[] = {{{{{0, 0, 0}, {0.2, 0.1, 0.3}}, {{1, 1, 1}, {1.1, 1, 1.45}}}, true},
               {{{{0, 0, 0}, {0.2, 0.1, 0.3}}, {{0, 0, 0}, {50, 1, 1}}}, false},
               {{{{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}}, false},
               {{{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_doubt_units(&context, cases[i].boxes, 2);
    assert_int_equal(memory.warnings, cases[i].doubted);
    if (cases[i].doubted) assert_non_null(strstr(memory.last_warning, "--units m"));
  }
}

static void a_broken_promise_names_the_file(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *mesh;
  syn_tetmesh *volume;
  const char *path = temporary_path("nan.off");
  write_text_file(path, "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n");
  ASSERT_FAILS(syn_trimesh_read(NULL, path, NULL, &mesh, &error), SYN_BAD_MESH, "vertex 1 is not finite");
  assert_string_equal(error.file, path);
  ASSERT_FAILS(syn_tetmesh_read(NULL, path, NULL, &volume, &error), SYN_BAD_MESH, "no tetrahedra");
  assert_string_equal(error.file, path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_in_ras_is_turned_to_lps_with_its_normals),
      cmocka_unit_test(a_file_may_be_taken_as_it_lies),
      cmocka_unit_test(metres_become_millimetres),
      cmocka_unit_test(a_format_named_by_hand_is_taken_at_its_word),
      cmocka_unit_test(what_is_no_mesh_is_said_so),
      cmocka_unit_test(bodies_in_metres_are_doubted),
      cmocka_unit_test(a_broken_promise_names_the_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

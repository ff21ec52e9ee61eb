#include "io_support.h"

static const char rich[] = "# from a scanner, SPACE=LPS, kept in c:\\scans\\\n"
                           "mtllib look.mtl\n"
                           "o part\n"
                           "v 0 0 0\n"
                           "v 1 0 \\\n"
                           "  0 1\n"
                           "v 1 1 0 0.5 0.25 1 # with a colour\n"
                           "\tv 0 1 0 1 0 0 1\n"
                           "vt 0 0\n"
                           "vn 0 0 1\n"
                           "g side\n"
                           "usemtl bone\n"
                           "s off\n"
                           "f 1/1/1 2/1 3//1 4\n"
                           "f -4 -3\\\n"
                           " -1\n"
                           "f 1 2\n"
                           "l 1 2 \\\n"
                           "  3\n"
                           "p 1\n"
                           "v 9 9 9\n"
                           "fo 1 3 5";

static void the_usual_statements_are_read(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  ASSERT_OK(parse_text(&context, "no name tells", rich, &g, &error));
  assert_int_equal(g.point_count, 5);
  assert_int_equal(g.triangle_count, 4);
  assert_int_equal(g.space, SYN_SPACE_LPS);
  assert_true(g.points[1].x == 1 && g.points[1].y == 0 && g.points[1].z == 0);
  const syn_triangle expected[2] = {{{0, 1, 3}}, {{0, 2, 4}}};
  assert_memory_equal(g.triangles + 2, expected, sizeof expected);
  const syn_field *color = find_field(&g, "color", SYN_ON_POINTS);
  const double colors[15] = {1, 1, 1, 1, 1, 1, 0.5, 0.25, 1, 0, 0, 1, 1, 1, 1};
  assert_int_equal(color->components, 3);
  assert_memory_equal(color->values, colors, sizeof colors);
  assert_non_null(strstr(memory.all_warnings, "1 faces with fewer than three corners were left out\n"));
  assert_non_null(
      strstr(memory.all_warnings, "2 statements of points, lines, curves and free-form surfaces were left"));
  assert_non_null(strstr(memory.all_warnings, "2 texture places and normals were left out\n"));
  assert_int_equal(memory.warnings, 3);
  syn_geometry_free(&context, &g);
}

static void errors_name_the_line(void **state) {
  (void)state;
  check_text_fails("a.obj", "v 0 0 0\nv 1 x 0\n", 2, "expected a coordinate, found 'x'");
  check_text_fails("a.obj", "v 0 0 0\n\n# c\nv 1 2\n", 4, "a vertex needs three coordinates, this one has 2");
  check_text_fails("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", 3,
                   "this face refers to vertex 3, but 2 stand before it, counted from 1");
  check_text_fails("a.obj", "v 0 0 0\nf 0 1 1\n", 2, "this face refers to vertex 0");
  check_text_fails("a.obj", "v 0 0 0\nf -2 1 1\n", 2, "this face refers to vertex -2");
  check_text_fails("a.obj", "v 0 0 0\nf 1 one 1\n", 2, "expected a vertex number, found 'one'");
  check_text_fails("a.obj", "v 0 0 0\nf 1 1 99999999999999999999\n", 2, "expected a vertex number");
  check_text_fails("a.obj", "v 0 0 0\nvertex 1\n", 2, "'vertex' is no statement of an OBJ file");
}

static void writing_keeps_the_space(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 0.1);
  syn_geometry g = syn_trimesh_geometry(cube), back;
  g.space = SYN_SPACE_LPS;
  write_and_read(NULL, &g, "cube.obj", NULL, &back);
  assert_int_equal(back.space, SYN_SPACE_LPS);
  assert_memory_equal(back.points, g.points, 8 * sizeof *g.points);
  assert_memory_equal(back.triangles, g.triangles, 12 * sizeof *g.triangles);
  syn_geometry_free(NULL, &back);
  g.space = SYN_SPACE_RAS;
  write_and_read(NULL, &g, "cube.obj", NULL, &back);
  assert_int_equal(back.space, SYN_SPACE_LPS); /* turned half round about z */
  assert_true(back.points[6].x == -0.1 && back.points[6].y == -0.1 && back.points[6].z == 0.1);
  syn_geometry_free(NULL, &back);
  syn_trimesh_destroy(cube);
}

static void damaged_files_are_survived(void **state) {
  (void)state;
  check_damage("a.obj", rich, sizeof rich - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_usual_statements_are_read),
      cmocka_unit_test(errors_name_the_line),
      cmocka_unit_test(writing_keeps_the_space),
      cmocka_unit_test(damaged_files_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

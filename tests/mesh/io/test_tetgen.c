/* TetGen's .node, .ele and .face files, which belong together. */
#include <unistd.h>

#include "io_support.h"

static const char nodes[] = "# made by hand\n4 3 2 1\n0 0 0 0 0.5 7 1\n1 1 0 0 0.25 8 0 # comment\n\n2 0 1 0 0 9 0\n"
                            "3 0 0 1 0 10 -1\n";
static const char elements[] = "1 4 1\n0 0 1 2 3 42\n";
static const char faces[] = "2 1\n0 0 1 2 5\n1 0 1 3 -6 0 0\n";

/* Writes the given ones of the three files (NULL: not there) and returns the path of the one that ends so. */
static const char *write_files(const char *node, const char *ele, const char *face, const char *ending) {
  static char path[512];
  const char *const texts[3] = {node, ele, face}, *const endings[3] = {"t.node", "t.ele", "t.face"};
  for (int i = 0; i < 3; ++i) {
    unlink(temporary_path(endings[i]));
    if (texts[i]) write_text_file(temporary_path(endings[i]), texts[i]);
  }
  snprintf(path, sizeof path, "%s%s", temporary_path("t"), ending);
  return path;
}

static void the_files_find_each_other(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  syn_geometry g;
  ASSERT_OK(syn_geometry_read(&context, write_files(nodes, elements, faces, ".node"), NULL, &g, &error));
  assert_int_equal(g.point_count, 4);
  assert_int_equal(g.triangle_count, 2);
  check_triangle(&g, 1, 0, 1, 3);
  check_tet(&g, 0, 0, 1, 2, 3);
  assert_true(g.points[3].z == 1);
  check_field(&g, "attribute", SYN_ON_POINTS, 2, 8, (const double[]){0.5, 7, 0.25, 8, 0, 9, 0, 10});
  check_field(&g, "marker", SYN_ON_POINTS, 1, 4, (const double[]){1, 0, 0, -1});
  check_field(&g, "attribute", SYN_ON_TETS, 1, 1, (const double[]){42});
  check_field(&g, "marker", SYN_ON_TRIANGLES, 1, 2, (const double[]){5, -6});
  syn_geometry_free(&context, &g);
  ASSERT_OK(syn_geometry_read(&context, write_files(nodes, elements, faces, ".ele"), NULL, &g, &error));
  assert_true(g.point_count == 4 && g.tet_count == 1 && g.triangle_count == 0);
  syn_geometry_free(&context, &g);
  ASSERT_OK(syn_geometry_read(&context, write_files(nodes, elements, faces, ".face"), NULL, &g, &error));
  assert_true(g.point_count == 4 && g.tet_count == 0 && g.triangle_count == 2);
  syn_geometry_free(&context, &g);
  ASSERT_OK(syn_geometry_read(&context, write_files(nodes, NULL, NULL, ".node"), NULL, &g, &error));
  assert_true(g.point_count == 4 && g.tet_count == 0 && g.triangle_count == 0);
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.warnings, 0);
  assert_int_equal(memory.live, 0);
}

static void numbers_may_begin_with_one_and_tets_may_be_quadratic(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  syn_geometry g;
  const char *path =
      write_files("4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n", "1 10 2\n1 1 2 3 4 1 1 1 1 1 1 6 7\n", NULL, ".ele");
  ASSERT_OK(syn_geometry_read(&context, path, NULL, &g, &error));
  check_tet(&g, 0, 0, 1, 2, 3);
  check_field(&g, "attribute", SYN_ON_TETS, 1, 1, (const double[]){6});
  assert_non_null(strstr(memory.all_warnings, "only the first of 2 attributes"));
  assert_non_null(strstr(memory.all_warnings, "1 quadratic tetrahedra"));
  syn_geometry_free(&context, &g);
}

/* Expects failure when the file with this ending is read, at a line of the file that is named so. */
static void expect_files_to_fail(const char *node, const char *ele, const char *face, const char *ending,
                                 syn_status status, int64_t line, const char *where, const char *part) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  syn_geometry g;
  ASSERT_FAILS(syn_geometry_read(&context, write_files(node, ele, face, ending), NULL, &g, &error), status, part);
  assert_int_equal(error.line, line);
  assert_non_null(strstr(error.file, where));
  assert_int_equal(memory.live, 0);
}

static void mistakes_are_named_with_file_and_line(void **state) {
  (void)state;
  expect_files_to_fail(NULL, elements, NULL, ".ele", SYN_NOT_FOUND, 0, "t.ele", "t.node, which is not there");
  expect_files_to_fail(NULL, NULL, faces, ".face", SYN_NOT_FOUND, 0, "t.face", "t.node, which is not there");
  expect_files_to_fail("1 2\n0 0 0\n", elements, NULL, ".ele", SYN_BAD_FORMAT, 2, "t.node", "2 coordinates, not 3");
  expect_files_to_fail("1 3 99999999 0\n", NULL, NULL, ".node", SYN_BAD_FORMAT, 2, "t.node", "the header");
  expect_files_to_fail("1 3 x\n", NULL, NULL, ".node", SYN_BAD_FORMAT, 1, "t.node", "found 'x'");
  expect_files_to_fail("2 3\n0 0 0 0\n0 0 0 0\n", NULL, NULL, ".node", SYN_BAD_FORMAT, 0, "t.node", "defined twice");
  expect_files_to_fail("9999999999 3\n0 0 0 0\n", NULL, NULL, ".node", SYN_BAD_FORMAT, 3, "t.node", "file ends where");
  expect_files_to_fail(nodes, "1 5\n", NULL, ".node", SYN_BAD_FORMAT, 2, "t.ele", "tetrahedra of 5 nodes");
  expect_files_to_fail(nodes, "1 4\n0 0 1 2 4\n", NULL, ".node", SYN_BAD_FORMAT, 2, "t.ele", "uses node 4");
  expect_files_to_fail(nodes, "2 4\n0 0 1 2 3\n", NULL, ".ele", SYN_BAD_FORMAT, 3, "t.ele", "file ends where");
  expect_files_to_fail(nodes, NULL, "1 1\n0 0 1 2 x\n", ".face", SYN_BAD_FORMAT, 2, "t.face", "found 'x'");
}

static void memory_holds_points_only(void **state) {
  (void)state;
  syn_geometry g = parsed_text(NULL, "m.node", nodes);
  assert_int_equal(g.point_count, 4);
  syn_geometry_free(NULL, &g);
  check_text_fails("m.ele", elements, 1, "cannot be found from memory");
  check_every_prefix("m.node", nodes, sizeof nodes - 1, sizeof nodes - 3);
}

static syn_status read_attempt(const syn_context *context, void *user, syn_error *error) {
  syn_geometry g;
  syn_status status = syn_geometry_read(context, user, NULL, &g, error);
  syn_geometry_free(context, &g);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  char path[512];
  strcpy(path, write_files(nodes, elements, faces, ".node"));
  check_every_allocation(read_attempt, path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_files_find_each_other),
      cmocka_unit_test(numbers_may_begin_with_one_and_tets_may_be_quadratic),
      cmocka_unit_test(mistakes_are_named_with_file_and_line),
      cmocka_unit_test(memory_holds_points_only),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

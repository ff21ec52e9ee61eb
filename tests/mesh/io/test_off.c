#include "io_support.h"

static const char plain[] = "OFF # a square\n"
                            "# vertices faces edges\n"
                            "4 2 0\n"
                            "0 0 0\n"
                            "1 0 0 # right\n"
                            "1 1 0\n\n"
                            "0 1 0\n"
                            "4 0 1 2 3 255 0 0\n"
                            "2 0 1\n";

static void polygons_and_comments_are_read(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  ASSERT_OK(parse_text(&context, "memory", plain, &g, &error));
  assert_int_equal(g.point_count, 4);
  assert_int_equal(g.triangle_count, 2);
  assert_true(g.points[2].x == 1 && g.points[2].y == 1);
  assert_non_null(strstr(memory.all_warnings, "memory: the colours of 1 faces were left out\n"));
  assert_non_null(strstr(memory.all_warnings, "memory: 1 faces with fewer than three corners were left out\n"));
  assert_int_equal(memory.warnings, 2);
  syn_geometry_free(&context, &g);
}

static void the_same_square_is_read_in_every_dress(void **state) {
  (void)state;
  static const char *const dresses[] = {
      "OFF 4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
      "off 4 1\n0 0 0 1 0 0 1 1 0 0 1 0\n4 0 1 2 3",
      "COFF\n4 1 0\n0 0 0 1 1 1 1\n1 0 0 1 0 0 1\n1 1 0 255 0 0\n0 1 0\n4 0 1 2 3\n",
      "NOFF\r\n4 1 0\r\n0 0 0 0 0 1\r\n1 0 0 0 0 1\r\n1 1 0 0 0 1\r\n0 1 0 0 0 1\r\n4 0 1 2 3\r\n",
      "STCNOFF 4 1 0\n0 0 0 a b c\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
  };
  for (size_t i = 0; i < sizeof dresses / sizeof *dresses; ++i) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_geometry g;
    syn_error error;
    ASSERT_OK(parse_text(&context, "a.off", dresses[i], &g, &error));
    assert_int_equal(g.point_count, 4);
    assert_int_equal(g.triangle_count, 2);
    assert_true(g.points[3].x == 0 && g.points[3].y == 1 && g.points[3].z == 0);
    assert_int_equal(memory.warnings, i >= 2);
    syn_geometry_free(&context, &g);
  }
}

static void errors_name_the_line(void **state) {
  (void)state;
  check_text_fails("a.off", "4OFF\n", 1, "expected OFF, COFF or NOFF, found '4OFF'");
  check_text_fails("a.off", "nOFF 4\n", 1, "expected OFF, COFF or NOFF, found 'nOFF'");
  check_text_fails("a.off", "OFF BINARY\n", 1, "binary OFF files are not read");
  check_text_fails("a.off", "OFF\n3 x 0\n0 0 0\n0 0 0\n0 0 0\n", 2, "expected the number of faces, found 'x'");
  check_text_fails("a.off", "OFF\n1000000 1 0\n0 0 0\n", 2, "the number of vertices: 1000000 cannot be in the");
  check_text_fails("a.off", "OFF\n1 1 0\n0 0 zero\n", 3, "expected a coordinate, found 'zero'");
  check_text_fails("a.off", "OFF\n1 1 0\n0 0 0\n3 0 0 1\n", 4,
                   "this face refers to vertex 1, but there are only 1, counted from 0");
  check_text_fails("a.off", "OFF\n1 1 0\n0 0 0\n3 0 0 -1\n", 4, "expected a vertex number, found '-1'");
  check_text_fails("a.off", "OFF\n1 1 0\n0 0 0\n999 0 0\n", 4, "the number of corners: 999 cannot be in the");
  check_text_fails("a.off", "OFF\n1 2 0\n0 0 0\n3 0 0 0\n", 5,
                   "the file ends where the number of corners was expected");
}

static void damaged_files_are_survived(void **state) {
  (void)state;
  check_damage("a.off", plain, sizeof plain - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polygons_and_comments_are_read),
      cmocka_unit_test(the_same_square_is_read_in_every_dress),
      cmocka_unit_test(errors_name_the_line),
      cmocka_unit_test(damaged_files_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "io_support.h"

static void points_and_their_fields_become_a_table(void **state) {
  (void)state;
  const syn_vec3 points[2] = {{0.1, -2, 3e-20}, {1, 2, 3}};
  const double depth[2] = {0.5, NAN}, force[4] = {1, 2, 3, 4}, area[1] = {7};
  const syn_triangle triangle = {{0, 1, 1}};
  const syn_field fields[3] = {{"depth, \"max\"", SYN_ON_POINTS, 1, depth},
                               {"force", SYN_ON_POINTS, 2, force},
                               {"area", SYN_ON_TRIANGLES, 1, area}};
  const syn_geometry g = {.point_count = 2,
                          .triangle_count = 1,
                          .field_count = 3,
                          .points = points,
                          .triangles = &triangle,
                          .fields = fields};
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  const char *path = temporary_path("table.csv");
  ASSERT_OK(syn_geometry_write(&context, &g, path, NULL, &error));
  size_t size;
  char *text = read_whole_file(path, &size);
  assert_string_equal(text, "x,y,z,\"depth, \"\"max\"\"\",force_0,force_1\n"
                            "0.1,-2,3e-20,0.5,1,2\n"
                            "1,2,3,nan,3,4\n");
  free(text);
  assert_non_null(strstr(memory.all_warnings, "csv files hold no triangles: 1 were left out\n"));
  assert_non_null(strstr(memory.all_warnings, "csv files hold points only: the field 'area' was left out\n"));
  assert_int_equal(memory.warnings, 2);
  assert_int_equal(memory.live, 0);
}

static void a_table_is_not_read(void **state) {
  (void)state;
  syn_geometry g;
  syn_error error;
  syn_read_options options = syn_default_read_options();
  options.format = "csv";
  ASSERT_FAILS(parse_bytes(NULL, "a.csv", "x,y,z\n", 6, &options, &g, &error), SYN_BAD_ARGUMENT,
               "'csv' is not a format that can be read");
  ASSERT_FAILS(parse_bytes(NULL, "a.csv", "x,y,z\n", 6, NULL, &g, &error), SYN_BAD_FORMAT, "neither the content nor");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_and_their_fields_become_a_table),
      cmocka_unit_test(a_table_is_not_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The title of a case stands in every file that has a place for it, and changes nothing else. */
#include "io_support.h"

#include "title.h"

static const syn_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const syn_triangle triangle = {{0, 1, 2}};

static void write_titled(const char *path, const char *title, const syn_write_options *options) {
  const syn_geometry g = {
      .point_count = 3, .triangle_count = 1, .points = points, .triangles = &triangle, .space = SYN_SPACE_RAS};
  syn_context context = syn_default_context();
  syn_error error;
  context.title = title;
  ASSERT_OK(syn_geometry_write(&context, &g, path, options, &error));
}

static void formats_with_a_place_carry_it(void **state) {
  (void)state;
  static const char *const names[] = {"a.vtp", "a.vtu", "a.ply", "a.obj", "a.stl", "a.vtk", "a.glb", "a.csv"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *path = temporary_path(names[i]);
    write_titled(path, "Case 7, right hip", NULL);
    assert_carries_title(path, "Case 7, right hip");
  }
}

/* Lines that begin anew, quotes and signs of markup in it, one that is too long, and words that readers look for. */
static void no_title_spoils_a_file(void **state) {
  (void)state;
  static const char *const names[] = {"b.vtp", "b.vtu", "b.ply", "b.obj", "b.stl", "b.vtk"};
  char longest[3000];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  const char *const titles[] = {"M\xc3\xbcller's <\"7\"> & -->\nend_header\nv 1 2 3\r\tf 1 2", longest, "SPACE=LPS"};
  for (int k = 0; k < 3; ++k)
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
      for (int binary = 0; binary < 2; ++binary) {
        const char *path = temporary_path(names[i]);
        syn_write_options options = syn_default_write_options();
        syn_read_options reading = syn_default_read_options();
        syn_geometry back;
        syn_error error;
        options.binary = binary;
        reading.space = SYN_SPACE_RAS;
        write_titled(path, titles[k], &options);
        ASSERT_OK(syn_geometry_read(NULL, path, &reading, &back, &error));
        assert_int_equal(back.point_count, 3);
        assert_int_equal(back.triangle_count, 1);
        for (int p = 0; p < 3; ++p) assert_memory_equal(&back.points[p], &points[p], sizeof points[p]);
        syn_geometry_free(NULL, &back);
      }
}

static void a_table_has_it_in_its_last_column(void **state) {
  (void)state;
  const char *path = temporary_path("c.csv");
  size_t size;
  write_titled(path, "Case 7, \"old\"", NULL);
  char *text = read_whole_file(path, &size);
  assert_string_equal(text, "x,y,z,case\n"
                            "0,0,0,\"Case 7, \"\"old\"\"\"\n"
                            "1,0,0,\"Case 7, \"\"old\"\"\"\n"
                            "0,1,0,\"Case 7, \"\"old\"\"\"\n");
  free(text);
  write_titled(path, NULL, NULL);
  text = read_whole_file(path, &size);
  assert_string_equal(text, "x,y,z\n0,0,0\n1,0,0\n0,1,0\n");
  free(text);
}

static void lists_for_paraview_have_it_as_an_attribute(void **state) {
  (void)state;
  const char *path = temporary_path("d.pvd"), *file = "d_0000.vtp";
  const double time = 0;
  syn_context context = syn_default_context();
  syn_error error;
  context.title = "<Case \"7\">";
  ASSERT_OK(syn_pvd_write(&context, path, &time, &file, 1, &error));
  assert_carries_title(path, "title=\"&lt;Case &quot;7&quot;&gt;\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formats_with_a_place_carry_it),
      cmocka_unit_test(no_title_spoils_a_file),
      cmocka_unit_test(a_table_has_it_in_its_last_column),
      cmocka_unit_test(lists_for_paraview_have_it_as_an_attribute),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

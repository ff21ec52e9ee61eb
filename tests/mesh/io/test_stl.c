#include "io_support.h"

/* ---- hand-made files -------------------------------------------------------------------------------------------- */

enum { ROOM = 84 + 50 * 4 + 8 };

/* A binary file of `count` triangles in bytes[], corner k of all of them at (k / 2, k % 5, -k). Returns its size. */
static size_t make_binary(char bytes[ROOM], const char *header, uint32_t stated, uint32_t count) {
  memset(bytes, 0, ROOM);
  memcpy(bytes, header, strlen(header));
  memcpy(bytes + 80, &stated, 4);
  for (uint32_t t = 0; t < count; ++t)
    for (uint32_t c = 0; c < 3; ++c) {
      const uint32_t k = t + c; /* neighbours share two corners */
      const float xyz[3] = {(float)(k / 2), (float)(k % 5), -(float)k};
      memcpy(bytes + 84 + 50 * t + 12 + 12 * c, xyz, sizeof xyz);
    }
  return 84 + 50 * (size_t)count;
}

static const char two_facets[] = "solid a name with SPACE=RAS in it\n"
                                 "  facet normal 0 0 1\n"
                                 "    outer loop\n"
                                 "      vertex 0 0 0\n"
                                 "      vertex 1.5 0 0\n"
                                 "      vertex 0 1e0 -0\n"
                                 "    endloop\n"
                                 "  endfacet\n"
                                 "  FACET NORMAL nan -nan(ind) 1\n"
                                 "    OUTER LOOP\n"
                                 "      VERTEX 1.5 0 0\n"
                                 "      VERTEX 0.1 1 0\n"
                                 "      VERTEX 0 1 0\n"
                                 "    ENDLOOP\n"
                                 "  ENDFACET\n"
                                 "endsolid a name\n";

/* ---- binary ----------------------------------------------------------------------------------------------------- */

static void corners_at_the_same_place_become_one_vertex(void **state) {
  (void)state;
  char bytes[ROOM];
  const size_t size = make_binary(bytes, "anything", 3, 3);
  syn_geometry g;
  syn_error error;
  ASSERT_OK(parse_bytes(NULL, "a.stl", bytes, size, NULL, &g, &error));
  assert_int_equal(g.triangle_count, 3);
  assert_int_equal(g.point_count, 5);
  for (uint32_t t = 0; t < 3; ++t)
    for (uint32_t c = 0; c < 3; ++c) assert_int_equal(g.triangles[t].v[c], t + c);
  assert_true(g.points[3].x == 1 && g.points[3].y == 3 && g.points[3].z == -3);
  assert_int_equal(g.space, SYN_SPACE_UNKNOWN);
  syn_geometry_free(NULL, &g);

  syn_read_options options = syn_default_read_options();
  options.weld = false;
  ASSERT_OK(parse_bytes(NULL, "a.stl", bytes, size, &options, &g, &error));
  assert_int_equal(g.point_count, 9);
  syn_geometry_free(NULL, &g);
}

static void the_size_tells_a_binary_file_that_begins_with_solid(void **state) {
  (void)state;
  char bytes[ROOM];
  const size_t size = make_binary(bytes, "solid from a careless program", 2, 2);
  syn_geometry g;
  syn_error error;
  ASSERT_OK(parse_bytes(NULL, "no name tells", bytes, size, NULL, &g, &error));
  assert_int_equal(g.triangle_count, 2);
  syn_geometry_free(NULL, &g);
}

static void bytes_after_the_last_triangle_are_told_and_left_out(void **state) {
  (void)state;
  char bytes[ROOM];
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  const size_t size = make_binary(bytes, "solid with a tail", 2, 2);
  ASSERT_OK(parse_bytes(&context, "a.stl", bytes, size + 7, NULL, &g, &error));
  assert_int_equal(g.triangle_count, 2);
  assert_string_equal(memory.last_warning, "a.stl: 7 bytes after the last of 2 triangles were left out");
  syn_geometry_free(&context, &g);
}

static void colours_are_told_and_left_out(void **state) {
  (void)state;
  char bytes[ROOM];
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  const size_t size = make_binary(bytes, "", 2, 2);
  bytes[84 + 49] = 1;
  ASSERT_OK(parse_bytes(&context, "a.stl", bytes, size, NULL, &g, &error));
  assert_string_equal(memory.last_warning, "a.stl: the attributes (colours) of 1 triangles were left out");
  syn_geometry_free(&context, &g);
}

static void a_cut_binary_file_names_the_byte(void **state) {
  (void)state;
  char bytes[ROOM];
  syn_geometry g;
  syn_error error;
  make_binary(bytes, "", 3, 3);
  ASSERT_FAILS(parse_bytes(NULL, "a.stl", bytes, 84 + 50 + 49, NULL, &g, &error), SYN_BAD_FORMAT,
               "the file ends here, but its header promises 3 triangles and only 1 are whole");
  assert_int_equal(error.byte, 84 + 50 + 49);
  assert_string_equal(error.file, "a.stl");
  ASSERT_FAILS(parse_bytes(NULL, "a.stl", bytes, 83, NULL, &g, &error), SYN_BAD_FORMAT, "the file ends in its header");
  assert_int_equal(error.byte, 83);
}

static void a_hostile_count_allocates_nothing(void **state) {
  (void)state;
  char bytes[ROOM];
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  const size_t size = make_binary(bytes, "", UINT32_MAX, 2);
  ASSERT_FAILS(parse_bytes(&context, "a.stl", bytes, size, NULL, &g, &error), SYN_BAD_FORMAT, "4294967295 triangles");
  assert_int_equal(memory.allocations, 0);
}

static void both_zeros_are_one_place_and_nan_is_left_to_the_mesh(void **state) {
  (void)state;
  char bytes[ROOM];
  syn_geometry g;
  syn_error error;
  const size_t size = make_binary(bytes, "", 1, 1);
  const float corners[9] = {0, 0, 0, -0.0f, 0, -0.0f, 1, 2, NAN};
  memcpy(bytes + 84 + 12, corners, sizeof corners);
  ASSERT_OK(parse_bytes(NULL, "a.stl", bytes, size, NULL, &g, &error));
  assert_int_equal(g.point_count, 2);
  assert_false(signbit(g.points[0].z));
  syn_trimesh *mesh;
  ASSERT_FAILS(syn_trimesh_from_geometry(NULL, &g, &mesh, &error), SYN_BAD_MESH, "vertex 1 is not finite");
  syn_geometry_free(NULL, &g);
}

/* ---- ASCII ------------------------------------------------------------------------------------------------------ */

static void ascii_is_read_in_any_case_and_with_odd_normals(void **state) {
  (void)state;
  syn_geometry g;
  syn_error error;
  ASSERT_OK(parse_text(NULL, "memory", two_facets, &g, &error));
  assert_int_equal(g.triangle_count, 2);
  assert_int_equal(g.point_count, 4);
  assert_true(g.points[3].x == -0.1); /* the double nearest to the text, not a float; turned as below */
  assert_int_equal(g.triangles[1].v[0], 1);
  assert_int_equal(g.triangles[1].v[1], 3);
  assert_int_equal(g.triangles[1].v[2], 2);
  assert_int_equal(g.space, SYN_SPACE_LPS); /* declared RAS, turned into what is asked for by default */
  assert_true(g.points[1].x == -1.5);
  syn_geometry_free(NULL, &g);
}

static void several_solids_share_their_vertices(void **state) {
  (void)state;
  char text[2 * sizeof two_facets + 64];
  syn_geometry g;
  syn_error error;
  snprintf(text, sizeof text, "%ssolid\nendsolid\n\n%s", two_facets, two_facets);
  ASSERT_OK(parse_text(NULL, "a.stl", text, &g, &error));
  assert_int_equal(g.triangle_count, 4);
  assert_int_equal(g.point_count, 4);
  syn_geometry_free(NULL, &g);
}

static void ascii_errors_name_the_line(void **state) {
  (void)state;
  check_text_fails("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 x 0\n", 5,
                   "expected a coordinate, found 'x'");
  check_text_fails("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", 6,
                   "expected 'vertex', found 'endloop'");
  check_text_fails("a.stl", "solid\nfacet normal 0 0 1\n", 3, "the file ends where 'outer' was expected");
  check_text_fails("a.stl", "solid\nfacet normal 0 0", 2, "the file ends inside a facet's normal");
  check_text_fails("a.stl", "solid\n\nfacets\n", 3, "expected 'facet' or 'endsolid', found 'facets'");
  check_text_fails("a.stl", "solid x\n", 2, "the file ends before 'endsolid'");
  check_text_fails("a.stl", "solid x\nendsolid x\nrubbish\n", 3, "expected 'solid', found 'rubbish'");
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static void both_forms_keep_the_space_and_the_triangles(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 2);
  syn_geometry g = syn_trimesh_geometry(cube), back;
  for (int form = 0; form < 4; ++form) {
    syn_write_options options = syn_default_write_options();
    options.binary = form % 2 == 0;
    g.space = form / 2 ? SYN_SPACE_RAS : SYN_SPACE_LPS;
    const char *path = temporary_path("cube.stl");
    syn_error error;
    syn_read_options as_is = syn_default_read_options();
    as_is.space = SYN_SPACE_UNKNOWN;
    ASSERT_OK(syn_geometry_write(NULL, &g, path, &options, &error));
    ASSERT_OK(syn_geometry_read(NULL, path, &as_is, &back, &error));
    assert_int_equal(back.space, g.space);
    assert_int_equal(back.triangle_count, 12);
    assert_int_equal(back.point_count, 8);
    for (uint32_t t = 0; t < 12; ++t)
      for (int c = 0; c < 3; ++c)
        assert_memory_equal(&back.points[back.triangles[t].v[c]], &g.points[g.triangles[t].v[c]], sizeof(syn_vec3));
    syn_geometry_free(NULL, &back);
  }
  syn_trimesh_destroy(cube);
}

static void a_binary_file_has_unit_normals_and_no_solid_in_front(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 2);
  const syn_geometry g = syn_trimesh_geometry(cube);
  const char *path = temporary_path("cube.stl");
  syn_error error;
  ASSERT_OK(syn_geometry_write(NULL, &g, path, NULL, &error));
  size_t size;
  char *bytes = read_whole_file(path, &size);
  assert_int_equal(size, 84 + 12 * 50);
  assert_int_not_equal(strncmp(bytes, "solid", 5), 0);
  float normal[3];
  memcpy(normal, bytes + 84, sizeof normal);
  assert_true(normal[0] == 0 && normal[1] == 0 && normal[2] == -1);
  free(bytes);
  syn_trimesh_destroy(cube);
}

static void what_does_not_fit_is_told(void **state) {
  (void)state;
  const syn_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1e39, 0, 0}};
  const syn_triangle triangle = {{0, 1, 2}};
  syn_geometry g = {.point_count = 3, .points = points, .triangle_count = 1, .triangles = &triangle};
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  const char *path = temporary_path("a.stl");
  ASSERT_OK(syn_geometry_write(&context, &g, path, NULL, &error));
  assert_int_equal(memory.warnings, 0);
  g.point_count = 4;
  ASSERT_FAILS(syn_geometry_write(&context, &g, path, NULL, &error), SYN_TOO_LARGE, "does not fit the 32-bit floats");
  assert_string_equal(memory.last_warning, "stl files hold only triangles: 1 points of no triangle were left out");
  syn_write_options ascii = syn_default_write_options();
  ascii.binary = false;
  ASSERT_OK(syn_geometry_write(&context, &g, path, &ascii, &error));
  assert_int_equal(memory.live, 0);
}

static void damaged_files_are_survived(void **state) {
  (void)state;
  char bytes[ROOM];
  const size_t size = make_binary(bytes, "solid", 2, 2);
  check_damage("a.stl", bytes, size);
  check_damage("a.stl", two_facets, sizeof two_facets - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_at_the_same_place_become_one_vertex),
      cmocka_unit_test(the_size_tells_a_binary_file_that_begins_with_solid),
      cmocka_unit_test(bytes_after_the_last_triangle_are_told_and_left_out),
      cmocka_unit_test(colours_are_told_and_left_out),
      cmocka_unit_test(a_cut_binary_file_names_the_byte),
      cmocka_unit_test(a_hostile_count_allocates_nothing),
      cmocka_unit_test(both_zeros_are_one_place_and_nan_is_left_to_the_mesh),
      cmocka_unit_test(ascii_is_read_in_any_case_and_with_odd_normals),
      cmocka_unit_test(several_solids_share_their_vertices),
      cmocka_unit_test(ascii_errors_name_the_line),
      cmocka_unit_test(both_forms_keep_the_space_and_the_triangles),
      cmocka_unit_test(a_binary_file_has_unit_normals_and_no_solid_in_front),
      cmocka_unit_test(what_does_not_fit_is_told),
      cmocka_unit_test(damaged_files_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

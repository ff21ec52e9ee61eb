/* MEDIT .mesh files. */
#include "io_meshes.h"

static const char sample[] = "MeshVersionFormatted 2\n# a comment\nDimension\n3\n"
                             "Vertices\n5\n0 0 0 1\n1 0 0 0\n0 1 0 0 # here too\n0 0 1 0\n1 1 0 0\n"
                             "Edges\n1\n1 2 5\nNormals\n1\n0 0 1\n"
                             "Triangles 1\n1 2 3 7\nQuadrilaterals\n1\n1 2 5 3 8\n"
                             "Tetrahedra\n1\n1 2 3 4 9\nHexahedra\n1\n1 1 1 1 1 1 1 1 0\nEnd\n";

static void every_section_is_read(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, "a.mesh", sample);
  assert_int_equal(g.point_count, 5);
  assert_int_equal(g.triangle_count, 3);
  check_triangle(&g, 0, 0, 1, 2);
  check_tet(&g, 0, 0, 1, 2, 3);
  check_field(&g, "ref", SYN_ON_POINTS, 1, 5, (const double[]){1, 0, 0, 0, 0});
  check_field(&g, "ref", SYN_ON_TRIANGLES, 1, 3, (const double[]){7, 8, 8});
  check_field(&g, "ref", SYN_ON_TETS, 1, 1, (const double[]){9});
  assert_int_equal(memory.warnings, 2);
  assert_non_null(strstr(memory.all_warnings, "section Normals was left out"));
  assert_non_null(strstr(memory.all_warnings, "1 hexahedra"));
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

static void flat_and_quadratic_meshes_are_read(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, NULL,
                               "MeshVersionFormatted 1 Dimension 2 Vertices 3 0 0 0 1 0 0 0 1 0 "
                               "TrianglesP2 1 1 2 3 1 2 3 0");
  check_triangle(&g, 0, 0, 1, 2);
  assert_true(g.points[2].y == 1 && g.points[2].z == 0);
  assert_int_equal(g.field_count, 0);
  assert_non_null(strstr(memory.last_warning, "quadratic triangles"));
  syn_geometry_free(&context, &g);
}

static void everything_survives_writing_and_reading(void **state) {
  (void)state;
  const double ref[2] = {3, -4}, other[5] = {0};
  const syn_field fields[2] = {{"ref", SYN_ON_TETS, 1, ref}, {"depth", SYN_ON_POINTS, 1, other}};
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = sample_geometry();
  g.fields = fields;
  g.field_count = 2;
  syn_geometry back;
  write_and_read(&context, &g, "sample.mesh", NULL, &back);
  check_same_geometry(&back, &g, false);
  check_field(&back, "ref", SYN_ON_TETS, 1, 2, ref);
  assert_string_equal(memory.all_warnings, "medit files hold no fields: 1 were left out\n");
  syn_geometry_free(&context, &back);
}

#define HEAD "MeshVersionFormatted 2\nDimension 3\n"
#define POINTS HEAD "Vertices\n3\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"

static void mistakes_are_named_with_their_line(void **state) {
  (void)state;
  check_text_fails("a.mesh", "Vertices\n", 1, "begins with MeshVersionFormatted");
  check_text_fails("a.mesh", "MeshVersionFormatted 5\n", 1, "version 5");
  check_text_fails("a.mesh", "MeshVersionFormatted 2\nDimension 4\n", 2, "neither 2 nor 3");
  check_text_fails("a.mesh", "MeshVersionFormatted 2\nVertices\n0\n", 2, "before the Dimension");
  check_text_fails("a.mesh", HEAD "End\n", 0, "no section Vertices");
  check_text_fails("a.mesh", HEAD "Triangles\n0\n", 3, "before the Vertices");
  check_text_fails("a.mesh", HEAD "17\n", 3, "expected a keyword such as Triangles, found '17'");
  check_text_fails("a.mesh", POINTS "Vertices\n0\n", 8, "two sections Vertices");
  check_text_fails("a.mesh", POINTS "Triangles\n1\n1 2 4 0\n", 10, "vertex 4 is used, but they run from 1 to 3");
  check_text_fails("a.mesh", POINTS "Triangles\n1\n0 1 2 0\n", 10, "vertex 0 is used");
  check_text_fails("a.mesh", POINTS "Triangles\n18446744073709551615\n1 2 3 0\n", 11, "the file ends where");
  check_text_fails("a.mesh", POINTS "Triangles\n1\n1 2 3 x\n", 10, "expected a reference number, found 'x'");
}

static void files_cut_short_are_refused(void **state) {
  (void)state;
  check_every_prefix("a.mesh", sample, sizeof sample - 1, (size_t)(strstr(sample, "Edges") - sample) - 2);
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  named_text given = {"a.mesh", sample};
  check_every_allocation(parse_attempt, &given);
}

/* Its tets fill the convex hull, so that their surface is smaller than the 6966 triangles of the bunny within. */
static void the_bunny_is_whole(void **state) {
  (void)state;
  REQUIRE_DATA(path, "collision/libigl_bunny.mesh");
  syn_error error;
  syn_geometry g;
  ASSERT_OK(syn_geometry_read(NULL, path, NULL, &g, &error));
  assert_int_equal(g.point_count, 5433);
  assert_int_equal(g.triangle_count, 6966);
  assert_int_equal(g.tet_count, 34055);
  syn_tetmesh *mesh;
  syn_tet_topology *topology;
  ASSERT_OK(syn_tetmesh_from_geometry(NULL, &g, &mesh, &error));
  ASSERT_OK(syn_tet_topology_create(mesh, &topology, &error));
  assert_int_equal(topology->surface_face_count, 670);
  assert_int_equal(topology->component_count, 1);
  assert_int_equal(topology->nonmanifold_faces, 0);
  syn_tet_topology_destroy(topology);
  syn_tetmesh_destroy(mesh);
  syn_geometry_free(NULL, &g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_section_is_read),
      cmocka_unit_test(flat_and_quadratic_meshes_are_read),
      cmocka_unit_test(everything_survives_writing_and_reading),
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(files_cut_short_are_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(the_bunny_is_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

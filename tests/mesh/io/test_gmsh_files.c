/* What the real gmsh writes, in every format and variant that we share with it, must read as the same mesh. */
#include "io_support.h"

static const char box[] =
    "Point(1) = {0, 0, 0, 0.4};\nExtrude {2, 0, 0} { Point{1}; }\nExtrude {0, 1, 0} { Curve{1}; }\n"
    "Extrude {0, 0, 1} { Surface{5}; }\nPhysical Surface(7) = {5};\nPhysical Volume(9) = {1};\n";

static bool run_gmsh(const char *geo, const char *format, const char *out) {
  char command[2048];
  snprintf(command, sizeof command, "gmsh %s -3 -rand 1e-9 -v 0 -format %s -o %s >/dev/null 2>&1", geo, format, out);
  return system(command) == 0;
}

static void all_variants_are_the_same_mesh(void **state) {
  (void)state;
  static const char *const variants[][2] = {{"msh22", "a.msh"},      {"msh22 -bin", "b.msh"}, {"msh41", "c.msh"},
                                            {"msh41 -bin", "d.msh"}, {"mesh", "e.mesh"},      {"inp", "f.inp"}};
  char geo[512];
  strcpy(geo, temporary_path("box.geo"));
  write_text_file(geo, box);
  size_t points = 0, triangles = 0, tets = 0;
  for (size_t i = 0; i < sizeof variants / sizeof *variants; ++i) {
    const char *path = temporary_path(variants[i][1]);
    if (!run_gmsh(geo, variants[i][0], path)) SKIP("gmsh is not installed");
    syn_geometry g;
    syn_error error;
    syn_tetmesh *mesh;
    ASSERT_OK(syn_geometry_read(NULL, path, NULL, &g, &error));
    ASSERT_OK(syn_tetmesh_from_geometry(NULL, &g, &mesh, &error));
    if (i == 0) points = g.point_count, triangles = g.triangle_count, tets = g.tet_count;
    assert_true(tets > 50 && triangles > 10);
    assert_int_equal(g.point_count, points);
    assert_int_equal(g.triangle_count, triangles);
    assert_int_equal(g.tet_count, tets);
    ASSERT_NEAR(syn_tetmesh_quality(mesh).volume_mm3, 2, 1e-9);
    if (i < 4) {
      assert_true(find_field(&g, "physical", SYN_ON_TRIANGLES)->values[0] == 7);
      assert_true(find_field(&g, "physical", SYN_ON_TETS)->values[0] == 9);
      assert_true(find_field(&g, "entity", SYN_ON_TRIANGLES)->values[0] == 5);
    }
    syn_tetmesh_destroy(mesh);
    syn_geometry_free(NULL, &g);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_variants_are_the_same_mesh)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is found out about a mesh file, and which format gets what. */
#include "support.h"

static const char *write_cube_with_stray_point(void) {
  const char *path = temporary_path("stray.obj");
  write_text_file(path, "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 2 2 2\nv 0 2 2\nv 9 9 9\n"
                        "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
  return path;
}

static const char *write_tet(void) {
  const char *path = temporary_path("tet.vtk");
  write_text_file(path, "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
                        "0 0 0 1 0 0 0 1 0 0 0 1 5 5 5\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n"
                        "POINT_DATA 5\nSCALARS heat double 1\nLOOKUP_TABLE default\n1 2 3 4 5\n");
  return path;
}

static void a_surface_is_measured_without_its_stray_points(void **state) {
  (void)state;
  syn_error error;
  syn_mesh_info info;
  const char *path = write_cube_with_stray_point();
  ASSERT_OK(syn_mesh_info_read(NULL, path, NULL, NULL, &info, &error));
  assert_string_equal(info.path, path);
  assert_int_equal(info.vertex_count, 8);
  assert_int_equal(info.geometry.point_count, 9);
  assert_int_equal(info.triangle_count, 12);
  assert_true(info.self_intersections_known && syn_health_fit(&info.health));
  assert_int_equal(info.problems.count, 1);
  assert_non_null(strstr(info.problems.texts[0], "1 vertex in no triangle"));
  ASSERT_NEAR(info.mass.volume_mm3, 8, 1e-12);
  syn_mesh_info_release(NULL, &info);
  assert_null(info.geometry.points);
  syn_check_options quick = syn_default_check_options();
  quick.self_intersections = false;
  ASSERT_OK(syn_mesh_info_read(NULL, path, NULL, &quick, &info, &error));
  assert_false(info.self_intersections_known);
  syn_mesh_info_release(NULL, &info);
}

static void a_volume_is_measured_by_its_surface_and_its_elements(void **state) {
  (void)state;
  syn_error error;
  syn_mesh_info info;
  ASSERT_OK(syn_mesh_info_read(NULL, write_tet(), NULL, NULL, &info, &error));
  assert_int_equal(info.geometry.tet_count, 1);
  assert_int_equal(info.vertex_count, 5); /* as solvers count */
  assert_int_equal(info.triangle_count, 4);
  assert_int_equal(info.health.unreferenced_vertices, 1);
  ASSERT_NEAR(info.quality.volume_mm3, 1.0 / 6, 1e-15);
  syn_mesh_info_release(NULL, &info);
}

static void a_file_that_breaks_a_promise_is_named(void **state) {
  (void)state;
  syn_error error = {.byte = -1};
  syn_mesh_info info;
  const char *path = temporary_path("nan.obj");
  write_text_file(path, "v 0 0 nan\nv 2 0 0\nv 2 2 0\nf 1 2 3\n");
  assert_int_not_equal(syn_mesh_info_read(NULL, path, NULL, NULL, &info, &error), SYN_OK);
  assert_non_null(strstr(error.file, "nan.obj"));
  assert_null(info.geometry.points);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_mesh_info info;
  const syn_status status = syn_mesh_info_read(context, user, NULL, NULL, &info, error);
  if (status == SYN_OK) syn_mesh_info_release(context, &info);
  return status;
}

static void any_allocation_may_be_refused(void **state) {
  (void)state;
  check_every_allocation(attempt, (void *)(uintptr_t)write_cube_with_stray_point());
  check_every_allocation(attempt, (void *)(uintptr_t)write_tet());
}

static void a_surface_alone_warns_of_what_it_leaves_out(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_read_surface(&context, write_tet(), NULL, &mesh, &error));
  assert_int_equal(mesh->triangle_count, 4);
  assert_non_null(strstr(memory.all_warnings, "only the surface is used, 1 tetrahedra are left out"));
  assert_non_null(strstr(memory.all_warnings, "1 fields are left out"));
  syn_trimesh_destroy(mesh);
  assert_int_equal(memory.live, 0);
}

static void a_format_is_found_by_name_or_by_ending(void **state) {
  (void)state;
  syn_error error;
  syn_format_info info;
  ASSERT_OK(syn_format_find("a/b.STL", NULL, &info, &error));
  assert_string_equal(info.name, "stl");
  ASSERT_OK(syn_format_find("a/b.stl", "vtu", &info, &error));
  assert_true(info.holds_tets);
  ASSERT_FAILS(syn_format_find("b.stl", "doc", &info, &error), SYN_BAD_ARGUMENT, "there are ply, off, vtk");
  ASSERT_FAILS(syn_format_find("b.doc", NULL, &info, &error), SYN_BAD_ARGUMENT, "the name's ending");
  ASSERT_FAILS(syn_format_find("b.node", NULL, &info, &error), SYN_BAD_ARGUMENT, "the name's ending"); /* read only */
}

static void a_format_without_tetrahedra_gets_their_surface(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_geometry geometry, fitting;
  syn_format_info info;
  syn_trimesh *surface;
  ASSERT_OK(syn_geometry_read(&context, write_tet(), NULL, &geometry, &error));
  ASSERT_OK(syn_format_find("a.ply", NULL, &info, &error));
  ASSERT_OK(syn_geometry_for_format(&context, &geometry, &info, "a.ply", &surface, &fitting, &error));
  assert_true(surface && fitting.triangle_count == 4 && fitting.tet_count == 0);
  assert_non_null(strstr(memory.all_warnings, "a.ply: this format holds no tetrahedra, their surface is written"));
  assert_non_null(strstr(memory.all_warnings, "a.ply: 1 fields are left out with them"));
  syn_trimesh_destroy(surface);
  ASSERT_OK(syn_format_find("a.vtu", NULL, &info, &error));
  ASSERT_OK(syn_geometry_for_format(&context, &geometry, &info, "a.vtu", &surface, &fitting, &error));
  assert_true(!surface && fitting.tets == geometry.tets && fitting.fields == geometry.fields);
  syn_geometry_free(&context, &geometry);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_surface_is_measured_without_its_stray_points),
      cmocka_unit_test(a_volume_is_measured_by_its_surface_and_its_elements),
      cmocka_unit_test(a_file_that_breaks_a_promise_is_named),
      cmocka_unit_test(any_allocation_may_be_refused),
      cmocka_unit_test(a_surface_alone_warns_of_what_it_leaves_out),
      cmocka_unit_test(a_format_is_found_by_name_or_by_ending),
      cmocka_unit_test(a_format_without_tetrahedra_gets_their_surface),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

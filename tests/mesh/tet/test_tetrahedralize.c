/* Filling surfaces through the outside program gmsh. */
#include <sys/stat.h>
#include <unistd.h>

#include "surfaces.h"

static bool gmsh_is_here(void) {
  static int here = -1;
  if (here < 0) here = system("gmsh --version >/dev/null 2>&1") == 0;
  return here;
}

/* A scaled, moved copy; turned inside out where `scale` is negative. */
static syn_trimesh *moved_copy(const syn_trimesh *mesh, double scale, double shift) {
  syn_vec3 *points = calloc(mesh->vertex_count, sizeof *points);
  syn_triangle *faces = calloc(mesh->triangle_count, sizeof *faces);
  syn_error error;
  syn_trimesh *copy;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 p = mesh->vertices[i];
    points[i] = (syn_vec3){fabs(scale) * p.x + shift, fabs(scale) * p.y + shift, fabs(scale) * p.z + shift};
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    faces[t] = scale < 0 ? (syn_triangle){{v[0], v[2], v[1]}} : mesh->triangles[t];
  }
  ASSERT_OK(syn_trimesh_create(mesh->context, points, mesh->vertex_count, faces, mesh->triangle_count, &copy, &error));
  free(points);
  free(faces);
  return copy;
}

static syn_trimesh *merged(const syn_trimesh *a, const syn_trimesh *b) {
  const syn_trimesh *both[2] = {a, b};
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_merge(a->context, both, 2, &mesh, &error));
  return mesh;
}

/* Fills it and checks everything that is promised. Returns the number of tets. */
static uint32_t check_filling(const syn_trimesh *surface, double edge_mm) {
  syn_error error;
  syn_tetrahedralize_options options = syn_default_tetrahedralize_options();
  options.edge_mm = edge_mm;
  syn_tetmesh *mesh;
  ASSERT_OK(syn_trimesh_tetrahedralize(surface, &options, &mesh, &error));
  const syn_tet_quality quality = syn_tetmesh_quality(mesh);
  const double volume = surface_volume(surface);
  assert_int_equal(quality.inverted, 0);
  assert_true(quality.min_volume_mm3 > 0);
  ASSERT_NEAR(quality.volume_mm3, volume, 1e-9 * volume);
  assert_memory_equal(mesh->vertices, surface->vertices, surface->vertex_count * sizeof *surface->vertices);
  /* every outer face is a triangle of the surface, the same way round */
  syn_trimesh *outside;
  uint32_t *origin;
  ASSERT_OK(syn_tetmesh_surface(mesh, &outside, &origin, &error));
  assert_int_equal(outside->triangle_count, surface->triangle_count);
  for (uint32_t t = 0; t < outside->triangle_count; ++t) {
    bool found = false;
    for (uint32_t s = 0; s < surface->triangle_count && !found; ++s)
      for (int turn = 0; turn < 3; ++turn) {
        bool same = true;
        for (int i = 0; i < 3; ++i)
          same = same && origin[outside->triangles[t].v[i]] == surface->triangles[s].v[(i + turn) % 3];
        found = found || same;
      }
    assert_true(found);
  }
  const uint32_t count = mesh->tet_count;
  syn_free(mesh->context, origin);
  syn_trimesh_destroy(outside);
  syn_tetmesh_destroy(mesh);
  return count;
}

static void a_cube_and_a_blob_are_filled(void **state) {
  (void)state;
  if (!gmsh_is_here()) SKIP("gmsh is not installed");
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  test_random random = {4};
  syn_trimesh *cube = make_cube(&context, 2), *blob = make_blob(&context, &random, 10, 16, 0.1);
  check_filling(cube, 0);
  const uint32_t coarse = check_filling(blob, 0), fine = check_filling(blob, 0.15);
  assert_true(fine > 2 * coarse);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(blob);
  assert_int_equal(memory.live, 0);
}

static void cavities_and_neighbours_are_told_apart(void **state) {
  (void)state;
  if (!gmsh_is_here()) SKIP("gmsh is not installed");
  syn_trimesh *cube = make_cube(NULL, 1), *outer = moved_copy(cube, 4, 0), *cavity = moved_copy(cube, -2, 1);
  syn_trimesh *island = moved_copy(cube, 0.5, 1.5), *beside = moved_copy(cube, 1, 9);
  syn_trimesh *hollow = merged(cavity, outer), *filled = merged(hollow, island), *all = merged(beside, filled);
  check_filling(hollow, 0);
  check_filling(filled, 0);
  check_filling(all, 0);
  syn_trimesh *meshes[] = {cube, outer, cavity, island, beside, hollow, filled, all};
  for (size_t i = 0; i < sizeof meshes / sizeof *meshes; ++i) syn_trimesh_destroy(meshes[i]);
}

static void an_unfit_surface_is_refused_with_the_reason(void **state) {
  (void)state;
  syn_error error;
  syn_tetmesh *mesh;
  syn_trimesh *cube = make_cube(NULL, 1), *other, *both;
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, cube->triangles, 11, &other, &error));
  ASSERT_FAILS(syn_trimesh_tetrahedralize(other, NULL, &mesh, &error), SYN_BAD_MESH, "open: it has 3 boundary edges");
  syn_trimesh_destroy(other);
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &other, &error));
  ASSERT_FAILS(syn_trimesh_tetrahedralize(other, NULL, &mesh, &error), SYN_BAD_MESH, "no triangles");
  syn_trimesh_destroy(other);
  syn_triangle faces[14];
  memcpy(faces, cube->triangles, 12 * sizeof *faces);
  faces[0] = (syn_triangle){{0, 1, 2}};
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, faces, 12, &other, &error));
  ASSERT_FAILS(syn_trimesh_tetrahedralize(other, NULL, &mesh, &error), SYN_BAD_MESH, "do not all face the same side");
  syn_trimesh_destroy(other);
  faces[0] = cube->triangles[0];
  faces[12] = cube->triangles[0];
  faces[13] = (syn_triangle){{0, 1, 2}};
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, faces, 14, &other, &error));
  ASSERT_FAILS(syn_trimesh_tetrahedralize(other, NULL, &mesh, &error), SYN_BAD_MESH, "not manifold");
  syn_trimesh_destroy(other);
  other = moved_copy(cube, -1, 0);
  ASSERT_FAILS(syn_trimesh_tetrahedralize(other, NULL, &mesh, &error), SYN_BAD_MESH, "faces inward");
  syn_trimesh_destroy(other);
  other = moved_copy(cube, 0.5, 0.25);
  both = merged(cube, other);
  ASSERT_FAILS(syn_trimesh_tetrahedralize(both, NULL, &mesh, &error), SYN_BAD_MESH, "faces outward");
  assert_null(mesh);
  syn_trimesh_destroy(both);
  syn_trimesh_destroy(other);
  syn_trimesh_destroy(cube);
}

static void bad_options_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_tetmesh *mesh;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_tetrahedralize_options options = syn_default_tetrahedralize_options();
  options.edge_mm = -1;
  ASSERT_FAILS(syn_trimesh_tetrahedralize(cube, &options, &mesh, &error), SYN_BAD_ARGUMENT, "edge length");
  options.edge_mm = 0;
  options.timeout_s = NAN;
  ASSERT_FAILS(syn_trimesh_tetrahedralize(cube, &options, &mesh, &error), SYN_BAD_ARGUMENT, "timeout");
  syn_trimesh_destroy(cube);
}

/* ---- programs that misbehave; each leaves the folder of temporary files empty
 * ---------------------------------------- */

static void use_empty_folder(char *folder) {
  strcpy(folder, temporary_path("tmp"));
  mkdir(folder, 0700);
  setenv("TMPDIR", folder, 1);
}

static const char *make_script(const char *name, const char *text) {
  const char *path = temporary_path(name);
  write_text_file(path, text);
  chmod(path, 0700);
  return path;
}

static syn_status try_program(const syn_context *context, const char *program, double timeout_s, syn_error *error) {
  char folder[512];
  syn_trimesh *cube = make_cube(context, 1);
  syn_tetmesh *mesh;
  syn_tetrahedralize_options options = syn_default_tetrahedralize_options();
  options.program = program;
  options.timeout_s = timeout_s;
  use_empty_folder(folder);
  const syn_status status = syn_trimesh_tetrahedralize(cube, &options, &mesh, error);
  assert_int_equal(rmdir(folder), 0); /* only an empty folder can be removed */
  syn_tetmesh_destroy(mesh);
  syn_trimesh_destroy(cube);
  return status;
}

static void a_missing_program_is_named(void **state) {
  (void)state;
  syn_error error;
  ASSERT_FAILS(try_program(NULL, "no-such-gmsh", 5, &error), SYN_NO_PROGRAM, "no-such-gmsh");
  check_message(&error, SYN_NO_PROGRAM, "install the package gmsh");
}

static void a_failing_program_is_quoted(void **state) {
  (void)state;
  syn_error error;
  ASSERT_FAILS(try_program(NULL, "/bin/false", 5, &error), SYN_NO_PROGRAM, "failed with code 1: (it said nothing)");
  const char *script = make_script("fails", "#!/bin/sh\necho begin\necho 'Error : no room' >&2\necho end\nexit 3\n");
  ASSERT_FAILS(try_program(NULL, script, 5, &error), SYN_NO_PROGRAM, "failed with code 3: Error : no room");
  script = make_script("silent", "#!/bin/sh\necho all is well\n");
  ASSERT_FAILS(try_program(NULL, script, 5, &error), SYN_NO_PROGRAM, "without writing a mesh: all is well");
  script = make_script("killed", "#!/bin/sh\nkill -9 $$\n");
  ASSERT_FAILS(try_program(NULL, script, 5, &error), SYN_NO_PROGRAM, "failed with code 137");
}

/* Eight nodes back and nothing else; garbage back; a single tet back. */
static void an_answer_that_is_no_filling_is_refused(void **state) {
  (void)state;
  syn_error error;
  const char *script = make_script("empty", "#!/bin/sh\ncp \"$(dirname \"$1\")/surface.msh\" \"$8\"\n");
  ASSERT_FAILS(try_program(NULL, script, 5, &error), SYN_NO_PROGRAM, "made no tetrahedra");
  script = make_script("garbage", "#!/bin/sh\necho garbage > \"$8\"\n");
  ASSERT_FAILS(try_program(NULL, script, 5, &error), SYN_BAD_FORMAT, "garbage");
  script =
      make_script("one", "#!/bin/sh\nprintf '$MeshFormat\\n2.2 0 8\\n$EndMeshFormat\\n$Nodes\\n4\\n1 0 0 0\\n2 1 0 0\\n"
                         "3 1 1 0\\n4 0 0 1\\n$EndNodes\\n$Elements\\n1\\n1 4 0 1 2 3 4\\n$EndElements\\n' > \"$8\"\n");
  ASSERT_FAILS(try_program(NULL, script, 5, &error), SYN_NO_PROGRAM, "12 triangles were given, 4 bound");
}

static void a_hanging_program_is_ended_with_its_children(void **state) {
  (void)state;
  syn_error error;
  char text[1024];
  const char *mark = temporary_path("still-alive");
  snprintf(text, sizeof text, "#!/bin/sh\n(sleep 1; touch %s) &\nwait\n", mark);
  ASSERT_FAILS(try_program(NULL, make_script("hangs", text), 0.2, &error), SYN_NO_PROGRAM, "within 0.2 seconds");
  usleep(1300000);
  assert_int_not_equal(access(mark, F_OK), 0);
}

static bool stop_after_a_while(void *user, const char *what, double fraction) {
  (void)what;
  assert_true(fraction >= 0 && fraction <= 1);
  return ++*(int *)user < 4;
}

static void the_caller_can_stop_it(void **state) {
  (void)state;
  int calls = 0;
  syn_error error;
  syn_context context = syn_default_context();
  context.progress = stop_after_a_while;
  context.user = &calls;
  ASSERT_FAILS(try_program(&context, make_script("slow", "#!/bin/sh\nexec sleep 20\n"), 30, &error), SYN_CANCELLED,
               "stopped");
  assert_int_equal(calls, 4);
}

static void a_folder_that_cannot_be_written_is_named(void **state) {
  (void)state;
  syn_error error;
  syn_tetmesh *mesh;
  syn_trimesh *cube = make_cube(NULL, 1);
  setenv("TMPDIR", "/no/such/folder", 1);
  ASSERT_FAILS(syn_trimesh_tetrahedralize(cube, NULL, &mesh, &error), SYN_IO_ERROR, "temporary folder");
  assert_string_equal(error.file, "/no/such/folder");
  unsetenv("TMPDIR");
  syn_trimesh_destroy(cube);
}

static syn_status fill_a_cube(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *given = user;
  syn_trimesh *surface = NULL;
  syn_tetmesh *mesh = NULL;
  syn_status status = syn_trimesh_create(context, given->vertices, given->vertex_count, given->triangles,
                                         given->triangle_count, &surface, error);
  syn_tetrahedralize_options options = syn_default_tetrahedralize_options();
  options.program = temporary_path("copies");
  if (status == SYN_OK) status = syn_trimesh_tetrahedralize(surface, &options, &mesh, error);
  syn_tetmesh_destroy(mesh);
  syn_trimesh_destroy(surface);
  return status;
}

/* A script that hands out a finished filling stands in for gmsh, which would take too long to run so often. */
static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  const syn_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const syn_triangle faces[4] = {{{1, 2, 3}}, {{0, 3, 2}}, {{0, 1, 3}}, {{0, 2, 1}}};
  const syn_tet tet = {{0, 2, 1, 3}}; /* the wrong way round: to be turned */
  const syn_geometry answer = {.points = points, .point_count = 4, .tets = &tet, .tet_count = 1};
  syn_error error;
  syn_trimesh *surface;
  char text[1024];
  const char *file = temporary_path("answer.msh");
  ASSERT_OK(syn_geometry_write(NULL, &answer, file, NULL, &error));
  snprintf(text, sizeof text, "#!/bin/sh\ncp %s \"$8\"\n", file);
  make_script("copies", text);
  ASSERT_OK(syn_trimesh_create(NULL, points, 4, faces, 4, &surface, &error));
  check_every_allocation(fill_a_cube, surface);
  syn_trimesh_destroy(surface);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_and_a_blob_are_filled),
      cmocka_unit_test(cavities_and_neighbours_are_told_apart),
      cmocka_unit_test(an_unfit_surface_is_refused_with_the_reason),
      cmocka_unit_test(bad_options_are_refused),
      cmocka_unit_test(a_missing_program_is_named),
      cmocka_unit_test(a_failing_program_is_quoted),
      cmocka_unit_test(an_answer_that_is_no_filling_is_refused),
      cmocka_unit_test(a_hanging_program_is_ended_with_its_children),
      cmocka_unit_test(the_caller_can_stop_it),
      cmocka_unit_test(a_folder_that_cannot_be_written_is_named),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

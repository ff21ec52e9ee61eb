/* A mesh's health in words: what is wrong, and what to do about it. */
#include "support.h"

static void a_sound_mesh_is_fit_and_has_no_problems(void **state) {
  (void)state;
  syn_error error;
  syn_health health;
  syn_health_problems problems;
  syn_trimesh *cube = make_cube(NULL, 2);
  ASSERT_OK(syn_trimesh_check(cube, NULL, &health, &error));
  syn_health_explain(&health, false, &problems);
  assert_true(syn_health_fit(&health));
  assert_int_equal(problems.count, 0);
  syn_trimesh_destroy(cube);
}

/* Every single fault makes a fit mesh unfit, or is reported as a blemish. */
static void every_fault_is_named(void **state) {
  (void)state;
  const syn_health sound = {.closed = true, .manifold = true, .oriented = true, .outward = true, .components = 1};
  static const char *const expected[] = {
      "not closed: 1 boundary edge in 1 hole; `synovia mesh repair --fill N` fills holes of up to N edges",
      "there are no triangles",
      "1,234,567 edges with more than two triangles; `synovia mesh repair` cuts the sheets apart",
      "1 vertex where separate sheets touch in a point; `synovia mesh repair` gives each sheet its own",
      "2 edges along which neighbouring triangles face opposite ways; `synovia mesh repair` turns them",
      "inside out: the faces point inward; `synovia mesh repair` turns them",
      "3 pairs of triangles cut through each other; `synovia mesh smooth` may help, else edit the mesh there",
      "so many triangles lie over one another that not all pairs were looked at; drop the doubled ones",
      "1 triangle without area; `synovia mesh repair` drops them",
      "4 triangles present twice; `synovia mesh repair` drops them",
      "5 vertices at the very place of another; `synovia mesh repair` joins them",
      "6 vertices in no triangle; `synovia mesh repair` drops them",
      "2 vertices with a coordinate of more than 1e+12 mm, which cannot be computed; remove them if they are damaged, "
      "or "
      "scale the mesh if its unit is not mm",
      "less than 1e-12 mm across, which cannot be computed; scale the mesh if its unit is not mm",
  };
  enum { FAULTS = sizeof expected / sizeof *expected };
  for (size_t i = 0; i < FAULTS; ++i) {
    syn_health h = sound;
    if (i < 2) h.closed = h.outward = false;
    if (i == 0) h.boundary_edges = h.boundary_loops = 1;
    if (i == 2) h.nonmanifold_edges = 1234567;
    if (i == 3) h.nonmanifold_vertices = 1;
    if (i == 4) h.flipped_edges = 2;
    if (i == 5) h.outward = false;
    if (i == 6) h.self_intersections = 3;
    h.self_intersections_stopped = i == 7;
    if (i == 8) h.degenerate_triangles = 1;
    if (i == 9) h.duplicate_triangles = 4;
    if (i == 10) h.duplicate_vertices = 5;
    if (i == 11) h.unreferenced_vertices = 6;
    if (i == 12) h.far_vertices = 2;
    h.too_small = i == 13;
    syn_health_problems problems;
    syn_health_explain(&h, false, &problems);
    assert_int_equal(problems.count, 1);
    assert_string_equal(problems.texts[0], expected[i]);
    assert_int_equal(syn_health_fit(&h),
                     (i >= 8 && i < 12) || (i >= 2 && i <= 4)); /* 2 to 4 come with flags, which say it */
  }
}

static void everything_at_once_fits_and_a_repair_is_not_advised_twice(void **state) {
  (void)state;
  syn_health h = {.boundary_edges = 40, .boundary_loops = 2, .nonmanifold_edges = 1, .nonmanifold_vertices = 1};
  h.flipped_edges = h.degenerate_triangles = h.duplicate_triangles = h.duplicate_vertices = h.unreferenced_vertices = 1;
  h.self_intersections = UINT64_MAX;
  h.self_intersections_stopped = true;
  syn_health_problems problems;
  syn_health_explain(&h, true, &problems);
  assert_true(problems.count == 10 && problems.count <= SYN_HEALTH_PROBLEMS);
  assert_non_null(strstr(problems.texts[0], "a larger --fill closes large holes"));
  assert_string_equal(problems.texts[6], "1 triangle without area");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sound_mesh_is_fit_and_has_no_problems),
      cmocka_unit_test(every_fault_is_named),
      cmocka_unit_test(everything_at_once_fits_and_a_repair_is_not_advised_twice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

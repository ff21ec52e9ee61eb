/* Smaller triangles in a part of a mesh: the surface stays, and no triangle becomes a needle. */
#include "mesh/remesh/refine_mesh.h"

#include "base/status.h"
#include "base/vec.h"
#include "support.h"

static bool is_near(const void *user, syn_vec3 point) { return vec3_distance(*(const syn_vec3 *)user, point) < 0.6; }
static bool is_anywhere(const void *user, syn_vec3 point) { return (void)user, (void)point, true; }
static bool is_nowhere(const void *user, syn_vec3 point) { return (void)user, (void)point, false; }

static double smallest_angle(const syn_trimesh *mesh) {
  double least = SYN_PI;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t *v = mesh->triangles[t].v;
      const syn_vec3 a = vec3_sub(mesh->vertices[v[(c + 1) % 3]], mesh->vertices[v[c]]),
                     b = vec3_sub(mesh->vertices[v[(c + 2) % 3]], mesh->vertices[v[c]]);
      least = fmin(least, atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)));
    }
  return least;
}

static void check_edges(const syn_trimesh *mesh, const syn_vec3 *middle, double edge) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 a = mesh->vertices[mesh->triangles[t].v[c]], b = mesh->vertices[mesh->triangles[t].v[(c + 1) % 3]];
      if (is_near(middle, a) || is_near(middle, b)) assert_true(vec3_distance(a, b) <= edge);
    }
}

static void a_region_is_refined_and_the_surface_stays(void **state) {
  test_random random = {7};
  (void)state;
  for (int trial = 0; trial < 10; ++trial) {
    syn_error error = {0};
    syn_health health;
    syn_trimesh *blob = make_blob(NULL, &random, 9, 12, 0.2), *finer;
    const syn_vec3 middle = blob->vertices[random_below(&random, blob->vertex_count)];
    ASSERT_OK(syn_trimesh_refine_where(blob, is_near, &middle, 0.05, &finer, &error));
    assert_true(finer->triangle_count > 2 * blob->triangle_count);
    assert_memory_equal(finer->vertices, blob->vertices, blob->vertex_count * sizeof *blob->vertices);
    ASSERT_OK(syn_trimesh_check(finer, NULL, &health, &error));
    assert_true(syn_health_fit(&health));
    ASSERT_NEAR(syn_trimesh_mass(finer).volume_mm3, syn_trimesh_mass(blob).volume_mm3, 1e-12);
    ASSERT_NEAR(syn_trimesh_mass(finer).area_mm2, syn_trimesh_mass(blob).area_mm2, 1e-12);
    check_edges(finer, &middle, 0.05);
    /* Bisecting the longest edge halves the smallest angle at most (Rosenberg and Stenger 1975). */
    assert_true(smallest_angle(finer) >= 0.5 * smallest_angle(blob) - 1e-9);
    syn_trimesh_destroy(finer);
    syn_trimesh_destroy(blob);
  }
}

static void nothing_to_split_changes_nothing(void **state) {
  syn_error error = {0};
  syn_trimesh *cube = make_cube(NULL, 1), *finer;
  (void)state;
  ASSERT_OK(syn_trimesh_refine_where(cube, is_nowhere, NULL, 0.01, &finer, &error));
  assert_int_equal(finer->triangle_count, cube->triangle_count);
  syn_trimesh_destroy(finer);
  ASSERT_OK(syn_trimesh_refine_where(cube, is_anywhere, NULL, 2, &finer, &error));
  assert_int_equal(finer->triangle_count, cube->triangle_count);
  syn_trimesh_destroy(finer);
  syn_trimesh_destroy(cube);
}

static syn_status refine_with(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh cube = with_context(user, context);
  syn_trimesh *finer;
  SYN_TRY(syn_trimesh_refine_where(&cube, is_anywhere, NULL, 0.4, &finer, error));
  syn_trimesh_destroy(finer);
  return SYN_OK;
}

static void any_allocation_may_be_refused(void **state) {
  syn_trimesh *cube = make_cube(NULL, 1);
  (void)state;
  check_every_allocation(refine_with, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_region_is_refined_and_the_surface_stays),
      cmocka_unit_test(nothing_to_split_changes_nothing),
      cmocka_unit_test(any_allocation_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

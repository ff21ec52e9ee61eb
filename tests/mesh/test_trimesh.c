#include "support.h"

#include "base/vec.h"

static void promises_are_checked(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *mesh;
  const syn_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const syn_vec3 infinite[3] = {{0, 0, 0}, {1, 0, 0}, {0, (double)INFINITY, 0}};
  const syn_triangle good = {{0, 1, 2}}, bad = {{0, 1, 3}};
  ASSERT_FAILS(syn_trimesh_create(NULL, points, 3, &bad, 1, &mesh, &error), SYN_BAD_MESH,
               "triangle 0 refers to vertex 3");
  assert_null(mesh);
  ASSERT_FAILS(syn_trimesh_create(NULL, infinite, 3, &good, 1, &mesh, &error), SYN_BAD_MESH, "vertex 2 is not finite");
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &mesh, &error));
  assert_int_equal(mesh->vertex_count, 0);
  syn_trimesh_destroy(mesh);
  syn_trimesh_destroy(NULL);
}

static void moving_and_mirroring_keep_the_volume(void **state) {
  (void)state;
  syn_error error;
  test_random random = {4};
  syn_trimesh *blob = make_blob(NULL, &random, 8, 12, 0.3), *moved, *mirrored;
  const double volume = syn_trimesh_mass(blob).volume_mm3;
  for (int round = 0; round < 50; ++round) {
    const syn_pose pose = random_pose(&random, 100);
    ASSERT_OK(syn_trimesh_transform(blob, &pose, &moved, &error));
    ASSERT_OK(syn_trimesh_mirror(moved, &mirrored, &error));
    ASSERT_NEAR(syn_trimesh_mass(moved).volume_mm3, volume, 1e-10);
    ASSERT_NEAR(syn_trimesh_mass(mirrored).volume_mm3, volume, 1e-10);
    assert_true(mirrored->vertices[3].x == -moved->vertices[3].x);
    syn_trimesh_destroy(moved);
    syn_trimesh_destroy(mirrored);
  }
  syn_trimesh_destroy(blob);
}

static void merging_keeps_all_and_shares_nothing(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *small = make_cube(NULL, 1), *large = make_cube(NULL, 2), *both;
  const syn_trimesh *parts[2] = {small, large};
  ASSERT_OK(syn_trimesh_merge(NULL, parts, 2, &both, &error));
  assert_int_equal(both->vertex_count, 16);
  assert_int_equal(both->triangle_count, 24);
  assert_int_equal(both->triangles[12].v[0], large->triangles[0].v[0] + 8);
  ASSERT_NEAR(syn_trimesh_mass(both).volume_mm3, 9, 1e-12);
  syn_trimesh_destroy(both);
  ASSERT_OK(syn_trimesh_merge(NULL, NULL, 0, &both, &error));
  assert_int_equal(both->triangle_count, 0);
  syn_trimesh_destroy(both);
  syn_trimesh_destroy(small);
  syn_trimesh_destroy(large);
}

static syn_status change_everything(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *given = user;
  const syn_pose pose = syn_pose_identity();
  syn_trimesh *mesh = NULL, *moved = NULL, *mirrored = NULL, *merged = NULL;
  syn_status status = syn_trimesh_create(context, given->vertices, given->vertex_count, given->triangles,
                                         given->triangle_count, &mesh, error);
  if (status == SYN_OK) status = syn_trimesh_transform(mesh, &pose, &moved, error);
  if (status == SYN_OK) status = syn_trimesh_mirror(moved, &mirrored, error);
  const syn_trimesh *parts[2] = {mesh, mirrored};
  if (status == SYN_OK) status = syn_trimesh_merge(context, parts, 2, &merged, error);
  syn_trimesh_destroy(mesh);
  syn_trimesh_destroy(moved);
  syn_trimesh_destroy(mirrored);
  syn_trimesh_destroy(merged);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(change_everything, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(promises_are_checked),
      cmocka_unit_test(moving_and_mirroring_keep_the_volume),
      cmocka_unit_test(merging_keeps_all_and_shares_nothing),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

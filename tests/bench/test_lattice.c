/* Bodies filled with a lattice: closed, face to face, of the right volume and number. */
#include "support.h"

#include "base/vec.h"
#include "lattice.h"

static void check_fill(const syn_trimesh *const *surfaces, size_t count, uint32_t wanted, double volume,
                       double within) {
  syn_error error;
  syn_tetmesh *mesh;
  syn_trimesh *surface;
  ASSERT_OK(bench_fill_lattice(NULL, surfaces, count, wanted, &mesh, &error));
  if (wanted > 1000) assert_int_equal(mesh->tet_count, wanted);
  ASSERT_NEAR(mesh->tet_count, wanted, 0.1 * wanted); /* few cells come and go in layers */
  const syn_tet_quality quality = syn_tetmesh_quality(mesh);
  assert_int_equal(quality.inverted, 0);
  ASSERT_NEAR(quality.volume_mm3 / volume, 1, wanted < 2000 ? 0.25 : within);
  /* No face belongs to more than two, and those of one alone close the body. */
  syn_tet_topology *topology;
  syn_health health;
  ASSERT_OK(syn_tet_topology_create(mesh, &topology, &error));
  assert_int_equal(topology->nonmanifold_faces, 0);
  ASSERT_OK(syn_tetmesh_surface(mesh, &surface, NULL, &error));
  ASSERT_OK(syn_trimesh_check(surface, NULL, &health, &error));
  assert_true(health.closed && health.oriented && health.outward);
  syn_trimesh_destroy(surface);
  syn_tet_topology_destroy(topology);
  syn_tetmesh_destroy(mesh);
}

static void a_body_is_filled_to_the_number_that_is_wanted(void **state) {
  (void)state;
  test_random random = {61};
  syn_trimesh *cube = make_cube(NULL, 3), *blob = make_blob(NULL, &random, 10, 12, 0.2);
  for (uint32_t wanted = 400; wanted <= 26000; wanted = 4 * wanted + 1) { /* and two, and none more than by threes */
    check_fill((const syn_trimesh *const[]){cube}, 1, wanted, 27, 0.06);
    check_fill((const syn_trimesh *const[]){blob}, 1, wanted, syn_trimesh_mass(blob).volume_mm3, 0.06);
  }
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(blob);
}

/* Two bodies that overlap are filled as one, which gmsh refuses. */
static void bodies_that_overlap_are_filled_together(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 2), *other;
  const syn_pose moved = {syn_pose_identity().rotation, vec3(1.1, 0.9, 0.7)};
  ASSERT_OK(syn_trimesh_transform(cube, &moved, &other, &error));
  check_fill((const syn_trimesh *const[]){cube, other}, 2, 8000, 16 - 0.9 * 1.1 * 1.3, 0.05);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_is_filled_to_the_number_that_is_wanted),
      cmocka_unit_test(bodies_that_overlap_are_filled_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

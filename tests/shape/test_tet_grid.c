/* Grids of tetrahedra, wrapped and mirrored in every way. */
#include "surfaces.h"

#include "base/vec.h"
#include "shape/tet_shapes.h"

/* A box, or a thick ring when j wraps. */
static syn_vec3 place(const void *user, const uint32_t at[3]) {
  const syn_tet_grid *grid = user;
  if (!grid->wraps) return vec3(at[0], 2.0 * at[1], 3.0 * at[2]);
  const double angle = 2 * SYN_PI * at[1] / grid->cells[1], r = 1.0 + at[0];
  return vec3(r * cos(angle), r * sin(angle), at[2]);
}

static void every_wrap_and_mirror_conforms(void **state) {
  (void)state;
  test_random random = {5};
  syn_error error;
  for (int round = 0; round < 200; ++round) {
    syn_tet_grid grid = {.wraps = random_below(&random, 2), .place = place, .user = &grid};
    for (int axis = 0; axis < 3; ++axis) {
      grid.cells[axis] = 1 + random_below(&random, 5) + (axis == 1 && grid.wraps ? 2 : 0);
      grid.mirrored[axis] = random_below(&random, 2);
    }
    syn_tetmesh *mesh;
    syn_trimesh *surface;
    ASSERT_OK(syn_tet_grid_mesh(NULL, &grid, &mesh, &error));
    ASSERT_OK(syn_tetmesh_surface(mesh, &surface, NULL, &error));
    assert_int_equal(mesh->tet_count, 6 * grid.cells[0] * grid.cells[1] * grid.cells[2]);
    check_surface(surface, "grid", grid.wraps);
    check_volume(mesh, surface, "grid");
    if (!grid.wraps)
      ASSERT_NEAR(syn_tetmesh_quality(mesh).volume_mm3, 6.0 * grid.cells[0] * grid.cells[1] * grid.cells[2], 1e-9);
    syn_trimesh_destroy(surface);
    syn_tetmesh_destroy(mesh);
  }
}

/* Along a mirrored direction an even grid is its own mirror image, tetrahedron by tetrahedron. */
static void a_mirrored_grid_is_its_own_mirror_image(void **state) {
  (void)state;
  syn_error error;
  syn_tet_grid grid = {.cells = {4, 1, 1}, .mirrored = {true, false, false}, .place = place, .user = &grid};
  syn_tetmesh *mesh;
  ASSERT_OK(syn_tet_grid_mesh(NULL, &grid, &mesh, &error));
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    uint32_t images = 0;
    for (uint32_t u = 0; u < mesh->tet_count; ++u) {
      uint32_t shared = 0;
      for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k) {
          const syn_vec3 p = mesh->vertices[mesh->tets[t].v[i]], q = mesh->vertices[mesh->tets[u].v[k]];
          shared += p.x == 4 - q.x && p.y == q.y && p.z == q.z;
        }
      images += shared == 4;
    }
    assert_int_equal(images, 1);
  }
  syn_tetmesh_destroy(mesh);
}

static void too_many_cells_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_tet_grid grid = {.cells = {UINT32_MAX, UINT32_MAX, 1}, .place = place, .user = &grid};
  syn_tetmesh *mesh;
  ASSERT_FAILS(syn_tet_grid_mesh(NULL, &grid, &mesh, &error), SYN_TOO_LARGE, "fewer cells");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_wrap_and_mirror_conforms),
      cmocka_unit_test(a_mirrored_grid_is_its_own_mirror_image),
      cmocka_unit_test(too_many_cells_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

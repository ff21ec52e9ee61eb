/* The tangent of one spring across its length: its tension by its length, and none of a spring that pushes where the
 * tangent is to be definite. */
#include "lattice_body.h"

#include "base/vec.h"
#include "tissue/molecule/molecule.h"

/* 10 mm and 100 mm2 along x: 2 N/mm for 0.2 MPa. */
static syn_soft *make_spring(void) {
  static const syn_vec3 centers[2] = {{0, 0, 0}, {10, 0, 0}};
  static const double radii[2] = {5, 5};
  static const uint32_t connection[1][2] = {{0, 1}};
  const syn_soft_options options = soft_options(0.2, 0.3, SYN_SPRINGS_LINEAR);
  syn_molecules m = {0};
  syn_soft *soft;
  syn_error error;
  m.count = 2;
  m.centers = centers;
  m.radii_mm = radii;
  m.connections = connection;
  m.connection_count = 1;
  m.spring_area_mm2 = 100;
  m.bare = true;
  ASSERT_OK(syn_molecules_create(NULL, &m, &options, &soft, &error));
  return soft;
}

static void a_definite_tangent_leaves_out_springs_that_push(void **state) {
  (void)state;
  static const syn_vec3 u[2] = {{1, 1, 0}, {0, 0, 0}};
  syn_soft *soft = make_spring();
  const molecules *m = soft->state;
  for (double longer = -0.4; longer < 0.5; longer += 0.2)
    for (int definite = 0; definite < 2; ++definite) {
      const syn_vec3 x[2] = {{0, 0, 0}, {10 + longer, 0, 0}};
      const double tension = 2 * longer, across = (definite ? fmax(tension, 0) : tension) / (10 + longer);
      slot_tangent tangents[8];
      syn_vec3 product[2] = {{0, 0, 0}, {0, 0, 0}};
      double blocks[4][9];
      assert_true(m->slot_count <= 8);
      syn_molecule_tangents(m, x, definite, tangents);
      syn_molecule_apply(m, tangents, definite, u, product);
      ASSERT_NEAR(vec3_distance(product[0], vec3(2, across, 0)), 0, 1e-12);
      ASSERT_NEAR(vec3_distance(product[1], vec3(-2, -across, 0)), 0, 1e-12);
      memset(blocks, 0, sizeof blocks);
      soft->model->stiffness(soft->state, x, 0, definite, blocks);
      ASSERT_NEAR(blocks[0][0], 2, 1e-12);
      ASSERT_NEAR(blocks[0][4], across, 1e-12);
    }
  syn_soft_destroy(soft);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_definite_tangent_leaves_out_springs_that_push)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

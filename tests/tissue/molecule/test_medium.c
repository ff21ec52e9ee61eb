/* The drag of a surrounding medium: the cross-section of a molecule times density and the square of the speed. */
#include "lattice_body.h"

#include "base/vec.h"
#include "tissue/molecule/molecule.h"

static void drag_goes_with_the_square_of_the_radius(void **state) {
  (void)state;
  static const syn_vec3 centers[2] = {{0, 0, 0}, {10, 0, 0}};
  static const double radii[2] = {5, 2}, density = 900;
  static const uint32_t connection[1][2] = {{0, 1}};
  syn_molecules m = {0};
  syn_soft_options options = soft_options(0.2, 0.3, SYN_SPRINGS_LINEAR);
  syn_soft *soft;
  syn_error error;
  m.count = 2;
  m.centers = centers;
  m.radii_mm = radii;
  m.connections = connection;
  m.connection_count = 1;
  m.spring_area_mm2 = 100;
  m.bare = true;
  options.medium_kg_m3 = density;
  ASSERT_OK(syn_molecules_create(NULL, &m, &options, &soft, &error));
  /* both go the same way as they are: their spring is at rest */
  const syn_vec3 one = vec3(300, -400, 1200), v[2] = {one, one};
  syn_vec3 f[2] = {{0, 0, 0}, {0, 0, 0}};
  syn_soft_forces(soft, centers, v, f);
  for (int i = 0; i < 2; ++i) {
    const double drag = SYN_PI * radii[i] * radii[i] * density * 1e-12 * 1300; /* kg/m3 are 1e-12 t/mm3 */
    ASSERT_NEAR(vec3_distance(f[i], vec3_scale(one, -drag)), 0, 1e-9);
    assert_true(vec3_length(f[i]) > 1e-3);
  }
  syn_soft_destroy(soft);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drag_goes_with_the_square_of_the_radius)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

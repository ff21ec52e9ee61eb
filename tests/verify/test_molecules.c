/* Bodies of molecules against finite elements on a fine grid, and a filled bar against its closed form. */
#include "block_hip.h"
#include "hex_twin.h"
#include "lattice_body.h"

#include "base/vec.h"
#include "tissue/molecule/molecule.h"

/* The cube of Maciel 2005, Fig. 3.40, with more and more molecules: its shear comes within a hundredth of finite
 * elements that have converged. */
static void shear_converges_to_that_of_finite_elements(void **state) {
  (void)state;
  double coarse[2];
  for (int k = 0; k < 2; ++k) {
    const uint32_t n = k ? 28 : 14;
    const hex_box box = {{1000, 1000, 1000}, {n, n, n}, 0.1, 0.3};
    coarse[k] = hex_end_motion(&box, vec3(5, 0, 0), false).x;
  }
  const double converged = coarse[1] + (coarse[1] - coarse[0]) / 2; /* corners of held sides: less than second order */
  double off = 1;
  for (uint32_t n = 6; n <= 18; n += 6) {
    syn_error error;
    syn_soft *soft;
    const double step = 1000.0 / (n - 1);
    lattice_body b = make_lattice(n, n, n, vec3(step, step, step), LATTICE_EDGES | LATTICE_FACES);
    const syn_soft_options options = soft_options(0.1, 0.3, SYN_SPRINGS_MODULI);
    ASSERT_OK(syn_molecules_create(NULL, &b.molecules, &options, &soft, &error));
    const double sheared = lattice_end_motion(soft, 1000, vec3(5, 0, 0)).x, left = fabs(sheared / converged - 1);
    print_message("%u^3 molecules: shear %.5f mm, finite elements %.5f, %.2f %% off\n", n, sheared, converged,
                  100 * left);
    assert_true(left < off);
    off = left;
    syn_soft_destroy(soft);
    drop_lattice(&b);
  }
  assert_true(off < 0.012);
}

/* A long bar filled with molecules that fit its sides, and that do not: Young's modulus by pulling. */
static void filled_bars_show_their_modulus(void **state) {
  (void)state;
  syn_trimesh *bar = make_block(NULL, vec3(0, 0, 0), vec3(10, 8, 60));
  syn_pose turn = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 0, 1), 0.5);
  syn_trimesh *turned;
  syn_error error;
  ASSERT_OK(syn_trimesh_transform(bar, &turn, &turned, &error));
  for (int k = 0; k < 6; ++k) {
    syn_soft *soft;
    double young, elongation;
    syn_soft_options options = soft_options(1, 0.3, k % 2 ? SYN_SPRINGS_MODULI : SYN_SPRINGS_ITERATIVE);
    options.spacing_mm = k / 2 == 0 ? 2 : 1.7;
    const syn_body body = {.name = "bar", .surface = k / 2 == 2 ? turned : bar, .material = syn_material_unknown()};
    ASSERT_OK(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error));
    ASSERT_OK(syn_molecules_pull(soft, vec3(0, 0, 1), 0, 80, &young, &elongation, &error));
    print_message("%s, spacing %.1f mm%s: %u molecules, %.4f MPa\n", syn_spring_rule_name(options.springs),
                  options.spacing_mm, k / 2 == 2 ? ", turned" : "", syn_soft_node_count(soft), young);
    ASSERT_NEAR(young, 1, k % 2 ? 0.05 : 0.001);
    syn_soft_destroy(soft);
  }
  syn_trimesh_destroy(bar);
  syn_trimesh_destroy(turned);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shear_converges_to_that_of_finite_elements),
      cmocka_unit_test(filled_bars_show_their_modulus),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The patch test of contact: a uniform pressure goes through surfaces whose meshes do not match. */
#include "block_pair.h"

#include "base/vec.h"

static double confined(const syn_material *m) {
  return m->young_mpa * (1 - m->poisson) / ((1 + m->poisson) * (1 - 2 * m->poisson));
}

static const syn_material soft_one = {10, 0.3, 1000}, stiff_one = {25, 0.4, 1000};

static syn_contact_problem *make_contact_problem(const block_pair *pair) {
  syn_error error;
  syn_contact_options options = syn_default_contact_options();
  options.tolerance = 1e-9;
  options.overlap = 1e-8;
  syn_contact_problem *problem;
  ASSERT_OK(syn_contact_problem_create(NULL, &pair->bodies[0], &pair->bodies[1], &options, &problem, &error));
  return problem;
}

/* The largest difference from the pressure that is expected, as a part of it, at the corners of the faces. */
static double worst_pressure(const syn_contact_problem *problem, const block_pair *pair, double expected) {
  double worst = 0;
  for (int k = 0; k < 2; ++k) {
    const uint32_t each = pair->bodies[k].face_nodes, corners = each == 6 ? 3 : each;
    const double *pressure = syn_contact_problem_solution(problem).pressure_mpa[k];
    for (uint32_t f = 0; f < pair->bodies[k].face_count; ++f)
      for (uint32_t a = 0; a < corners; ++a)
        worst = fmax(worst, fabs(pressure[pair->faces[k][each * f + a]] / expected - 1));
  }
  return worst;
}

static double worst_stress(const syn_contact_problem *problem, const block_pair *pair, double expected) {
  double worst = 0;
  for (int k = 0; k < 2; ++k) {
    const uint32_t n = pair->boxes[k].mesh.node_count;
    syn_sym3 *stress = malloc(n * sizeof *stress);
    syn_contact_problem_stress(problem, k, stress);
    for (uint32_t i = 0; i < n; ++i) worst = fmax(worst, fabs(-stress[i].zz / expected - 1));
    free(stress);
  }
  return worst;
}

static void check_driven(syn_element element, double shake) {
  const uint32_t lower[3] = {3, 3, 2}, upper[3] = {4, 5, 2};
  const syn_material materials[2] = {soft_one, stiff_one};
  block_pair pair = make_block_pair(element, lower, upper, 0.8, materials, SYN_LAW_LINEAR, shake, 0);
  syn_contact_problem *problem = make_contact_problem(&pair);
  const double down = 0.01, expected = down / (0.8 / confined(&soft_one) + 0.8 / confined(&stiff_one));
  syn_load_step load = {.pose = syn_pose_identity(), .driven = 7};
  load.pose.translation.z = -down;
  syn_error error;
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  const double pressure = worst_pressure(problem, &pair, expected), stress = worst_stress(problem, &pair, expected);
  print_message("%s: pressure %.2e, stress %.2e, %u iterations\n", syn_element_name(element), pressure, stress,
                syn_contact_problem_solution(problem).iterations);
  assert_true(pressure < 1e-6);
  assert_true(stress < 1e-6);
  ASSERT_NEAR(syn_contact_problem_solution(problem).force.z, expected, 1e-6 * expected);
  syn_contact_problem_destroy(problem);
  drop_block_pair(&pair);
}

static void a_uniform_pressure_goes_through_any_two_meshes(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element) check_driven((syn_element)element, 0);
}

/* The same by a force, from a gap that must be closed first; whatever the law, the pressure is the force. */
static void a_force_becomes_that_pressure(void **state) {
  (void)state;
  const uint32_t lower[3] = {4, 3, 2}, upper[3] = {3, 2, 3};
  const syn_material materials[2] = {soft_one, stiff_one};
  for (int law = 0; law < SYN_LAWS; ++law) {
    if (law == SYN_LAW_FIBRES) continue;
    block_pair pair = make_block_pair(SYN_ELEMENT_HEX8, lower, upper, 0.8, materials, (syn_law)law, 0, 0.3);
    syn_contact_problem *problem = make_contact_problem(&pair);
    const syn_load_step load = {.pose = syn_pose_identity(), .driven = 3, .force = {0, 0, -3}};
    syn_error error;
    ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
    print_message("%s: pressure %.2e, shift %g, %u iterations\n", syn_law_name((syn_law)law),
                  worst_pressure(problem, &pair, 3), syn_contact_problem_solution(problem).shift.z,
                  syn_contact_problem_solution(problem).iterations);
    assert_true(worst_pressure(problem, &pair, 3) < 1e-6);
    assert_true(worst_stress(problem, &pair, 3) < 1e-6);
    ASSERT_NEAR(syn_contact_problem_solution(problem).force.z, 3, 3e-6);
    syn_contact_problem_destroy(problem);
    drop_block_pair(&pair);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_uniform_pressure_goes_through_any_two_meshes),
      cmocka_unit_test(a_force_becomes_that_pressure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

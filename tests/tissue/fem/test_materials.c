/* Elements of several materials in one body: it acts as the bodies of one material each do together. */
#include "element_box.h"

#include "base/vec.h"
#include "tissue/fem/fem.h"

enum { CELLS = 3 };

static const syn_material soft_one = {2, 0.3, 1000}, stiff_one = {30, 0.45, 1200};

/* The elements whose number leaves this rest, as a body of their own with all nodes of the box that they use. */
static double energy_of_half(const element_box *box, syn_law law, uint32_t rest, const syn_vec3 *x, syn_vec3 *forces,
                             double *masses) {
  const uint32_t each = syn_element_nodes[box->mesh.element], n = box->mesh.node_count;
  uint32_t *new_of = malloc(n * sizeof *new_of), *old_of = malloc(n * sizeof *old_of), used = 0, count = 0;
  uint32_t *elements = malloc((size_t)each * box->mesh.element_count * sizeof *elements);
  for (uint32_t i = 0; i < n; ++i) new_of[i] = SYN_NONE;
  for (uint32_t e = rest; e < box->mesh.element_count; e += 2, ++count)
    for (uint32_t a = 0; a < each; ++a) {
      const uint32_t node = box->elements[each * e + a];
      if (new_of[node] == SYN_NONE) old_of[new_of[node] = used++] = node;
      elements[each * count + a] = new_of[node];
    }
  syn_vec3 *nodes = malloc(used * sizeof *nodes), *moved = malloc(used * sizeof *moved), *f = malloc(used * sizeof *f);
  for (uint32_t i = 0; i < used; ++i) nodes[i] = box->nodes[old_of[i]], moved[i] = x[old_of[i]];
  syn_fem_mesh mesh = box->mesh;
  mesh.node_count = used, mesh.element_count = count, mesh.nodes = nodes, mesh.elements = elements;
  syn_soft_options options = elastic_options(1, 0.3, law);
  options.material = rest ? stiff_one : soft_one;
  syn_soft *soft;
  syn_error error;
  ASSERT_OK(syn_soft_fem_create(NULL, &mesh, &options, &soft, &error));
  syn_soft_forces(soft, moved, NULL, f);
  for (uint32_t i = 0; i < used; ++i) {
    forces[old_of[i]] = vec3_add(forces[old_of[i]], f[i]);
    masses[old_of[i]] += syn_soft_masses(soft)[i];
  }
  const double energy = syn_soft_energy(soft, moved);
  syn_soft_destroy(soft);
  free(new_of), free(old_of), free(elements), free(nodes), free(moved), free(f);
  return energy;
}

static void check_kind(syn_element element, syn_law law) {
  element_box box = make_element_box(element, CELLS, CELLS, CELLS, vec3(1, 1.2, 0.9));
  test_random random = {7};
  shake_element_box(&box, &random, 0.2);
  const uint32_t n = box.mesh.node_count;
  syn_material *materials = malloc(box.mesh.element_count * sizeof *materials);
  for (uint32_t e = 0; e < box.mesh.element_count; ++e) materials[e] = e % 2 ? stiff_one : soft_one;
  box.mesh.materials = materials;
  const syn_soft_options options = elastic_options(1, 0.3, law);
  syn_soft *soft;
  syn_error error;
  ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
  box.mesh.materials = NULL;
  syn_vec3 *x = malloc(n * sizeof *x), *f = malloc(n * sizeof *f), *expected = calloc(n, sizeof *expected);
  double *masses = calloc(n, sizeof *masses);
  for (uint32_t i = 0; i < n; ++i)
    x[i] = vec3_add(box.nodes[i], vec3(random_between(&random, -0.03, 0.03), random_between(&random, -0.03, 0.03),
                                       random_between(&random, -0.03, 0.03)));
  double energy = 0;
  for (uint32_t rest = 0; rest < 2; ++rest) energy += energy_of_half(&box, law, rest, x, expected, masses);
  syn_soft_forces(soft, x, NULL, f);
  ASSERT_NEAR(syn_soft_energy(soft, x), energy, 1e-12 * energy);
  for (uint32_t i = 0; i < n; ++i) {
    ASSERT_NEAR(vec3_distance(f[i], expected[i]), 0, 1e-12);
    ASSERT_NEAR(syn_soft_masses(soft)[i], masses[i], 1e-12 * masses[i]);
  }
  syn_soft_destroy(soft);
  free(x), free(f), free(expected), free(masses), free(materials);
  drop_element_box(&box);
}

static void every_element_may_have_its_own_material(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element)
    for (int law = 0; law < SYN_LAWS; ++law)
      if (law != SYN_LAW_FIBRES) check_kind((syn_element)element, (syn_law)law);
}

static void an_element_without_modulus_is_named(void **state) {
  (void)state;
  element_box box = make_element_box(SYN_ELEMENT_HEX8, 2, 1, 1, vec3(1, 1, 1));
  const syn_material materials[2] = {soft_one, {0, 0.3, 1000}};
  box.mesh.materials = materials;
  const syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_LINEAR);
  syn_soft *soft;
  syn_error error;
  assert_int_equal(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error), SYN_BAD_ARGUMENT);
  assert_non_null(strstr(error.message, "element 1"));
  drop_element_box(&box);
}

/* The barrier of squeezed tissue: stress and tangent are slopes of the energy, it does nothing before it begins, and
 * flat or inverted tissue is pushed back. */
static void squeezed_tissue_resists_more(void **state) {
  (void)state;
  test_random random = {21};
  const fem_material plain = {.mu = 4, .lambda = 30, .bulk = 33},
                     with = {.mu = 4, .lambda = 30, .bulk = 33, .barrier = 4000};
  for (int round = 0; round < 40; ++round) {
    double f[9] = {0};
    const double thin = round % 4 == 0 ? 0.6 : random_between(&random, -0.3, 0.35);
    for (int i = 0; i < 9; ++i) f[i] = (i % 4 == 0) + random_between(&random, -0.05, 0.05);
    for (int i = 6; i < 9; ++i) f[i] *= thin;
    fem_response at, low, high, bare;
    syn_fem_neo_hookean(&with, f, FEM_TANGENT, &at);
    syn_fem_neo_hookean(&plain, f, FEM_TANGENT, &bare);
    if (thin == 0.6)
      assert_memory_equal(at.stress, bare.stress, sizeof at.stress);
    else
      assert_true(at.energy > bare.energy && m9_dot(at.stress, at.gradient) < m9_dot(bare.stress, at.gradient));
    for (int i = 0; i < 9; ++i) {
      const double here = f[i], h = 1e-5;
      f[i] = here + h;
      syn_fem_neo_hookean(&with, f, FEM_TANGENT, &high);
      f[i] = here - h;
      syn_fem_neo_hookean(&with, f, FEM_TANGENT, &low);
      f[i] = here;
      ASSERT_NEAR(at.stress[i], (high.energy - low.energy) / (2 * h), 1e-5);
      for (int k = 0; k < 9; ++k) ASSERT_NEAR(at.tangent[k][i], (high.stress[k] - low.stress[k]) / (2 * h), 1e-4);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_element_may_have_its_own_material),
      cmocka_unit_test(an_element_without_modulus_is_named),
      cmocka_unit_test(squeezed_tissue_resists_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

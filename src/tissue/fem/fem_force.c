/* Computes forces and energy, element by element. Linear tetrahedra without memory or viscous stress use the loop of
 * tets.c, four at a time. */
#include <math.h>

#include "base/vec.h"
#include "tissue/fem/fem.h"

static void subtract_element_force(const fem_state *fem, uint32_t element, const fem_work *work, bool moving,
                                   syn_vec3 *f) {
  const uint32_t *nodes = fem_nodes_of(fem, element);
  double sum[FEM_NODES][3] = {{0}};
  for (int q = 0; q < fem->element->point_count; ++q) {
    const double(*gradients)[3] = fem_gradients_at(fem, element, q);
    const double weight = fem->weights[fem_point(fem, element, q)];
    double stress[9];
    syn_fem_whole_stress(fem, work, element, q, moving, stress);
    for (int a = 0; a < fem->element->node_count; ++a)
      for (int i = 0; i < 3; ++i)
        sum[a][i] += weight * (stress[3 * i] * gradients[a][0] + stress[3 * i + 1] * gradients[a][1] +
                               stress[3 * i + 2] * gradients[a][2]);
  }
  for (int a = 0; a < fem->element->node_count; ++a)
    f[nodes[a]] = vec3_sub(f[nodes[a]], vec3(sum[a][0], sum[a][1], sum[a][2]));
}

void syn_fem_force(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  const fem_state *fem = state;
  const bool viscous = v && fem->damping_s > 0;
  if (v && fem->damping_per_s > 0) syn_soft_add_inertia(fem->soft, -fem->damping_per_s, v, f);
  if (fem->tets && !fem->relaxed && !viscous) {
    syn_fem_tets_force(fem, x, f);
    return;
  }
  for (uint32_t n = 0; n < fem_counted(fem); ++n) {
    const uint32_t e = fem_counted_at(fem, n);
    fem_work work;
    syn_fem_evaluate(fem, e, x, viscous ? v : NULL, FEM_STRESS, &work);
    subtract_element_force(fem, e, &work, viscous, f);
  }
}

/* Work of the relaxed stress: times Green's strain, or times the small one. */
static double relaxed_energy(const double q[6], const double f[9], bool small) {
  double c[9];
  m9_transposed_multiply(f, f, c);
  const double e[6] = {small ? f[0] - 1 : (c[0] - 1) / 2, small ? f[4] - 1 : (c[4] - 1) / 2,
                       small ? f[8] - 1 : (c[8] - 1) / 2, small ? f[1] + f[3] : c[1],
                       small ? f[5] + f[7] : c[5],        small ? f[2] + f[6] : c[2]};
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += q[i] * e[i];
  return sum;
}

double syn_fem_energy(const void *state, const syn_vec3 *x) {
  const fem_state *fem = state;
  double total = 0;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    syn_fem_evaluate(fem, e, x, NULL, FEM_ENERGY, &work);
    for (int q = 0; q < fem->element->point_count; ++q) {
      const size_t at = fem_point(fem, e, q);
      const double here = work.at[q].dilatation, mean = work.mean;
      const fem_material *m = work.material;
      double energy = work.at[q].energy + (m->bulk_here * here * here + m->bulk_mean * mean * mean) / 2;
      if (fem->relaxed) energy -= relaxed_energy(fem->relaxed + 6 * at, work.f[q], work.at[q].small);
      total += fem->weights[at] * energy;
    }
  }
  return total;
}

/* Computes stress and strain at the nodes: each element extends the values of its points to its nodes (a constant in
 * linear tetrahedra, a linear function in quadratic ones, a trilinear one in hexahedra), and a node takes the mean of
 * its elements weighted by their volumes at rest.
 *
 * Stress is Cauchy's, viscous and relaxed parts included. Strain is that of small displacements for the linear law, and
 * V - 1 for all others, V being the left stretch: engineering strain along the principal directions, in the present
 * configuration. */
#include <math.h>
#include <string.h>

#include "tissue/fem/fem.h"
#include "tissue/fem/polar.h"

/* weights[q]: weight of the value at point q for a node of the element. */
static void extension(const fem_element *kind, int node, double weights[FEM_POINTS]) {
  const double *at = kind->corners[node];
  if (kind->point_count == 1) {
    weights[0] = 1;
  } else if (kind->point_count == 4) { /* points at barycentric coordinates b, a, a, a */
    const double a = kind->points[0].at[0], b = 1 - 3 * a;
    const double local[4] = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int q = 0; q < 4; ++q) weights[q] = (local[q] - a) / (b - a);
  } else { /* the points are the corners of a smaller cube */
    const double out = 1 / kind->points[6].at[0], scaled[3] = {out * at[0], out * at[1], out * at[2]};
    kind->shape(scaled, weights, NULL);
  }
}

static void cauchy(const double f[9], const double piola[9], bool small, double out[6]) {
  double s[9], c[9];
  m9_cofactor(f, c);
  const double determinant = f[0] * c[0] + f[1] * c[1] + f[2] * c[2];
  m9_multiply_transposed(piola, f, s);
  const double divisor = fabs(determinant) > 1e-9 ? determinant : copysign(1e-9, determinant);
  for (int i = 0; i < 9; ++i) s[i] = small ? piola[i] : s[i] / divisor;
  const double six[6] = {s[0], s[4], s[8], (s[1] + s[3]) / 2, (s[5] + s[7]) / 2, (s[2] + s[6]) / 2};
  memcpy(out, six, sizeof six);
}

static void strain_of(const double f[9], bool small, double out[6]) {
  double r[9], v[9];
  if (small)
    memcpy(v, f, sizeof v);
  else {
    syn_fem_polar(f, r);
    m9_multiply_transposed(f, r, v);
  }
  const double six[6] = {v[0] - 1, v[4] - 1, v[8] - 1, (v[1] + v[3]) / 2, (v[5] + v[7]) / 2, (v[2] + v[6]) / 2};
  memcpy(out, six, sizeof six);
}

static void add_six(syn_sym3 *sum, double weight, const double six[6]) {
  sum->xx += weight * six[0], sum->yy += weight * six[1], sum->zz += weight * six[2];
  sum->xy += weight * six[3], sum->yz += weight * six[4], sum->zx += weight * six[5];
}

void syn_fem_stress(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress, syn_sym3 *strain) {
  const fem_state *fem = state;
  const fem_element *kind = fem->element;
  const bool viscous = v && fem->damping_s > 0;
  if (stress) memset(stress, 0, fem->node_count * sizeof *stress);
  if (strain) memset(strain, 0, fem->node_count * sizeof *strain);
  double share[FEM_NODES][FEM_POINTS];
  for (int a = 0; a < kind->node_count; ++a) extension(kind, a, share[a]);
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    const uint32_t *nodes = fem_nodes_of(fem, e);
    syn_fem_evaluate(fem, e, x, viscous ? v : NULL, FEM_STRESS, &work);
    for (int q = 0; q < kind->point_count; ++q) {
      double piola[9], stresses[6], strains[6] = {0};
      syn_fem_whole_stress(fem, &work, e, q, viscous, piola);
      cauchy(work.f[q], piola, work.at[q].small, stresses);
      if (strain) strain_of(work.f[q], work.at[q].small, strains);
      for (int a = 0; a < kind->node_count; ++a) {
        const double weight = share[a][q] * work.volume / fem->node_volume[nodes[a]];
        if (stress) add_six(&stress[nodes[a]], weight, stresses);
        if (strain) add_six(&strain[nodes[a]], weight, strains);
      }
    }
  }
}

/* Materials with memory: a standard linear solid. Of the elastic second Piola-Kirchhoff stress S, a part g relaxes
 * in the time tau. Stress is S - Q, and Q, the relaxed stress, obeys dQ/dt = (g S - Q) / tau, so that the full
 * stiffness resists a sudden strain, and 1 - g of it remains after a long time. Q is constant within a step and is
 * updated, exactly for a constant strain, when the step is accepted. */
#include <math.h>

#include "tissue/fem/fem.h"

/* S = F^-1 P as six numbers; returns false if F is singular: then no stress relaxes. */
static bool second_stress(const double f[9], const double piola[9], bool small, double out[6]) {
  double c[9], s[9];
  m9_cofactor(f, c);
  const double determinant = f[0] * c[0] + f[1] * c[1] + f[2] * c[2];
  if (!small && !(fabs(determinant) > 1e-6)) return false;
  m9_transposed_multiply(c, piola, s);
  for (int i = 0; i < 9; ++i) s[i] = small ? piola[i] : s[i] / determinant;
  const double six[6] = {s[0], s[4], s[8], (s[1] + s[3]) / 2, (s[5] + s[7]) / 2, (s[2] + s[6]) / 2};
  for (int i = 0; i < 6; ++i) out[i] = six[i];
  return true;
}

void syn_fem_advance(void *state, const syn_vec3 *x, double step_s) {
  const fem_state *fem = state;
  if (!fem->relaxed || !(step_s > 0)) return;
  const double kept = exp(-step_s / fem->relaxing_s);
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    syn_fem_evaluate(fem, e, x, NULL, FEM_STRESS, &work);
    for (int q = 0; q < fem->element->point_count; ++q) {
      double piola[9], second[6], *relaxed = fem->relaxed + 6 * fem_point(fem, e, q);
      syn_fem_elastic_stress(&work, q, piola);
      if (!second_stress(work.f[q], piola, work.at[q].small, second)) continue;
      for (int i = 0; i < 6; ++i) relaxed[i] = kept * relaxed[i] + (1 - kept) * fem->relaxing_part * second[i];
    }
  }
}

double *syn_fem_history(void *state, size_t *count) {
  const fem_state *fem = state;
  *count = fem->relaxed ? 6 * fem_point(fem, fem->element_count, 0) : 0;
  return fem->relaxed;
}

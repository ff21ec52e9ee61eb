/* Transversely isotropic tissue: a neo-Hookean ground substance with fibres along the unit direction a at rest,
 *   psi = neo-Hookean + k / 2 <e>^2,  e = (|F a|^2 - 1) / 2,
 * where <e> is e in stretch and 0 in compression: fibres buckle. k is what the fibres add to Young's modulus along
 * them. At rest exactly they count as taut. */
#include <stddef.h>

#include "tissue/fem/law.h"

double syn_fem_fibre_strain(const fem_material *m, const double f[9], double slope[9]) {
  const double *a = m->fibre;
  double along[3]; /* F a */
  for (int i = 0; i < 3; ++i) along[i] = f[3 * i] * a[0] + f[3 * i + 1] * a[1] + f[3 * i + 2] * a[2];
  for (int i = 0; i < 9; ++i) slope[i] = along[i / 3] * a[i % 3];
  return (along[0] * along[0] + along[1] * along[1] + along[2] * along[2] - 1) / 2;
}

void syn_fem_fibres(const fem_material *m, const double f[9], fem_depth depth, fem_response *out) {
  double slope[9];
  const double *a = m->fibre, k = m->fibre_mpa;
  syn_fem_neo_hookean(m, f, depth, out);
  const double strain = syn_fem_fibre_strain(m, f, slope);
  if (!(strain >= 0)) return;
  out->energy += k / 2 * strain * strain;
  if (depth == FEM_ENERGY) return;
  for (int i = 0; i < 9; ++i) out->stress[i] += k * strain * slope[i];
  if (depth == FEM_STRESS) return;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j)
      out->tangent[i][j] += k * (slope[i] * slope[j] + (i / 3 == j / 3) * strain * a[i % 3] * a[j % 3]);
}

fem_law *syn_fem_law_of(syn_law law) {
  static fem_law *const laws[SYN_LAWS] = {[SYN_LAW_COROTATIONAL] = syn_fem_corotational,
                                          [SYN_LAW_LINEAR] = syn_fem_linear,
                                          [SYN_LAW_NEO_HOOKEAN] = syn_fem_neo_hookean,
                                          [SYN_LAW_FIBRES] = syn_fem_fibres};
  return (unsigned)law < SYN_LAWS ? laws[law] : NULL;
}

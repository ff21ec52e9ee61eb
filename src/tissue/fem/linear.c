/* Hooke's law for small displacements: strain e = sym(F) - 1. It strains a body that rotates; corotational.c does
 * not. */
#include "tissue/fem/law.h"

void syn_fem_linear(const fem_material *m, const double f[9], fem_depth depth, fem_response *out) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double strain[9];
  out->small = true;
  out->dilatation = f[0] + f[4] + f[8] - 3;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      strain[3 * i + j] = (f[3 * i + j] + f[3 * j + i]) / 2 - (i == j) * (1 + out->dilatation / 3);
  out->energy = m->mu * m9_dot(strain, strain);
  if (depth == FEM_ENERGY) return;
  for (int i = 0; i < 9; ++i) {
    out->stress[i] = 2 * m->mu * strain[i];
    out->gradient[i] = unit[i];
  }
  if (depth == FEM_STRESS) return;
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < 9; ++b) {
      const int mirrored = b % 3 * 3 + b / 3;
      out->tangent[a][b] = m->mu * ((a == b) + (a == mirrored) - 2.0 / 3 * unit[a] * unit[b]);
      out->hessian[a][b] = 0;
    }
}

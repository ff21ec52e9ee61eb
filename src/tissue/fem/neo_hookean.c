/* Compressible neo-Hookean material for large strains, without a logarithm:
 *   psi = mu / 2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu) / 2 (J - 1)^2,  J = det F
 * (Smith et al. 2018 without their regularising term; Macklin and Mueller 2021). It is a polynomial of F: forces exist
 * for flat and inverted elements too, and push them back. But a pressure of the bulk modulus compresses tissue
 * completely; a barrier b adds the energy b / 3 (0.4 - J)^3 where J is below 0.4. */
#include "tissue/fem/law.h"

/* Adds scale * d(cof F) / dF: entry (ij, kl) is e_ikm e_jln F_mn. */
static void add_cofactor_derivative(const double f[9], double scale, double a[9][9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int ii = 1; ii < 3; ++ii)
        for (int jj = 1; jj < 3; ++jj) {
          const int k = (i + ii) % 3, l = (j + jj) % 3, m = 3 - i - k, n = 3 - j - l;
          a[3 * i + j][3 * k + l] += (ii == jj ? scale : -scale) * f[3 * m + n];
        }
}

void syn_fem_neo_hookean(const fem_material *m, const double f[9], fem_depth depth, fem_response *out) {
  double *cofactor = out->gradient;
  m9_cofactor(f, cofactor);
  const double theta = f[0] * cofactor[0] + f[1] * cofactor[1] + f[2] * cofactor[2] - 1;
  /* Of lambda + mu the bulk modulus lambda + 2/3 mu belongs to the dilatation. */
  const double lost = m->barrier > 0 && theta < FEM_SQUEEZED - 1 ? FEM_SQUEEZED - 1 - theta : 0;
  const double pressure = m->mu * (theta / 3 - 1) - m->barrier * lost * lost;
  out->small = false;
  out->dilatation = theta;
  out->energy = m->mu * ((m9_dot(f, f) - 3) / 2 - theta + theta * theta / 6);
  if (lost > 0) out->energy += m->barrier * lost * lost * lost / 3;
  if (depth == FEM_ENERGY) return;
  for (int i = 0; i < 9; ++i) out->stress[i] = m->mu * f[i] + pressure * cofactor[i];
  if (depth == FEM_STRESS) return;
  const double steeper = 2 * m->barrier * lost;
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < 9; ++b) {
      out->tangent[a][b] = m->mu * ((a == b) + cofactor[a] * cofactor[b] / 3) + steeper * cofactor[a] * cofactor[b];
      out->hessian[a][b] = 0;
    }
  add_cofactor_derivative(f, pressure, out->tangent);
  add_cofactor_derivative(f, 1, out->hessian);
}

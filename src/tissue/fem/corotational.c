/* Hooke's law in a frame that turns with the material: F = R S, strain S - 1, and
 *   psi = mu |S - 1|^2 + lambda / 2 (t - 3)^2 with t = trace S.
 * |S - 1|^2 = |F|^2 - 2 t + 3, and R is the derivative of t by F, so that stress and tangent are exact derivatives; no
 * term of the turning frame is left out. */
#include <math.h>

#include "tissue/fem/law.h"
#include "tissue/fem/polar.h"

/* inverse = (t 1 - S)^-1 with S = R^T F. Its eigenvalues are the inverse sums of two principal stretches; sums near
 * zero, where the rotation is discontinuous, are bounded away from it. */
static void inverse_of_sums(const double f[9], const double r[9], double t, double inverse[9]) {
  double s[9], g[9], c[9];
  m9_transposed_multiply(r, f, s);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) g[3 * i + j] = (i == j) * t - (s[3 * i + j] + s[3 * j + i]) / 2;
  m9_cofactor(g, c);
  const double determinant = g[0] * c[0] + g[1] * c[1] + g[2] * c[2], size = sqrt(m9_dot(g, g));
  const double least = 1e-9 * size * size * size;
  const double divisor = determinant > least ? determinant : least > 0 ? least : 1;
  for (int i = 0; i < 9; ++i) inverse[i] = c[i] / divisor;
}

/* Derivative of the rotation. dR = R W with W skew and W S + S W = R^T dF - dF^T R; for the vectors of the skew
 * matrices that is (t 1 - S) w = m with m_k = (R [e_k]x) : dF. */
static void rotation_derivative(const double f[9], const double r[9], double t, double h[9][9]) {
  double inverse[9], turns[3][9], weighted[3][9];
  inverse_of_sums(f, r, t, inverse);
  for (int i = 0; i < 3; ++i) {
    const double *row = &r[3 * i];
    const double x[3] = {0, row[2], -row[1]}, y[3] = {-row[2], 0, row[0]}, z[3] = {row[1], -row[0], 0};
    for (int j = 0; j < 3; ++j) turns[0][3 * i + j] = x[j], turns[1][3 * i + j] = y[j], turns[2][3 * i + j] = z[j];
  }
  for (int k = 0; k < 3; ++k)
    for (int b = 0; b < 9; ++b)
      weighted[k][b] =
          inverse[3 * k] * turns[0][b] + inverse[3 * k + 1] * turns[1][b] + inverse[3 * k + 2] * turns[2][b];
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < 9; ++b)
      h[a][b] = turns[0][a] * weighted[0][b] + turns[1][a] * weighted[1][b] + turns[2][a] * weighted[2][b];
}

void syn_fem_corotational(const fem_material *m, const double f[9], fem_depth depth, fem_response *out) {
  double *r = out->gradient;
  const double t = syn_fem_polar(f, r), theta = t - 3;
  out->small = false;
  out->dilatation = theta;
  out->energy = m->mu * (m9_dot(f, f) - 2 * t + 3 - theta * theta / 3);
  if (depth == FEM_ENERGY) return;
  for (int i = 0; i < 9; ++i) out->stress[i] = 2 * m->mu * (f[i] - (1 + theta / 3) * r[i]);
  if (depth == FEM_STRESS) return;
  rotation_derivative(f, r, t, out->hessian);
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < 9; ++b)
      out->tangent[a][b] = 2 * m->mu * ((a == b) - (1 + theta / 3) * out->hessian[a][b] - r[a] * r[b] / 3);
}

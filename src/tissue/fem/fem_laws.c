/* The material laws at one point of an element. */
#include <math.h>
#include <stddef.h>

#include "geometry/small_matrix.h"
#include "tissue/fem/fem.h"

/* ==== the rotation of a deformation gradient ====================================================================== */

/* The sum t of the principal stretches is the largest root of
 *   p(t) = (t^2 - |F|^2)^2 - 8 t det F - 4 |cof F|^2,
 * Horn's quartic for the nearest rotation (1987) in invariants of F. sqrt(3) |F| is never below it, and Halley's
 * steps decrease from there without overshooting, as all roots are real; after a step below 1e-5 it has converged.
 * The rotation is the derivative of t by F, from p(t(F), F) = 0:
 *   R = ((t^2 + |F|^2) F + 2 t cof F - 2 F F^T F) / (t (t^2 - |F|^2) - 2 det F).
 * With principal stretches a, b, c the denominator is 2 (a + b) (b + c) (c + a): zero only where R is not unique. */

double syn_fem_polar_by_eigenvectors(const double f[9], double r[9]) {
  double n[4][4] = {{f[0] + f[4] + f[8], f[7] - f[5], f[2] - f[6], f[3] - f[1]},
                    {f[7] - f[5], f[0] - f[4] - f[8], f[1] + f[3], f[2] + f[6]},
                    {f[2] - f[6], f[1] + f[3], f[4] - f[0] - f[8], f[5] + f[7]},
                    {f[3] - f[1], f[2] + f[6], f[5] + f[7], f[8] - f[0] - f[4]}};
  double values[4], vectors[4][4];
  syn_symmetric_eigen(n, 4, values, vectors);
  const double *q = vectors[3], w = q[0], x = q[1], y = q[2], z = q[3];
  const double turn[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
                          2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                          2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  for (int i = 0; i < 9; ++i) r[i] = turn[i];
  return m9_dot(r, f);
}

static double largest_root(double norm2, double determinant, double cofactor2) {
  double t = sqrt(3 * norm2);
  for (int i = 0; i < 40; ++i) {
    const double square = t * t - norm2;
    const double value = square * square - 8 * t * determinant - 4 * cofactor2;
    const double slope = 4 * t * square - 8 * determinant;
    const double step = 2 * value * slope / (2 * slope * slope - value * (12 * t * t - 4 * norm2));
    t -= step;
    if (!(step > 1e-5 * t)) break;
  }
  return t;
}

double syn_fem_polar(const double f[9], double r[9]) {
  double cofactor[9], right[9], cubic[9];
  m9_cofactor(f, cofactor);
  const double norm2 = m9_dot(f, f), determinant = f[0] * cofactor[0] + f[1] * cofactor[1] + f[2] * cofactor[2];
  const double t = largest_root(norm2, determinant, m9_dot(cofactor, cofactor));
  const double denominator = t * (t * t - norm2) - 2 * determinant;
  if (!(denominator > FEM_POLAR_LEAST * norm2 * sqrt(norm2))) return syn_fem_polar_by_eigenvectors(f, r);
  m9_transposed_multiply(f, f, right);
  m9_multiply(f, right, cubic);
  for (int i = 0; i < 9; ++i) r[i] = ((t * t + norm2) * f[i] + 2 * t * cofactor[i] - 2 * cubic[i]) / denominator;
  return t;
}

/* ==== linear ====================================================================================================== */

/* Hooke's law for small displacements: strain e = sym(F) - 1. It strains a body that rotates; the corotational law
 * does not. */

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

/* ==== corotational ================================================================================================ */

/* Hooke's law in a frame that turns with the material: F = R S, strain S - 1, and
 *   psi = mu |S - 1|^2 + lambda / 2 (t - 3)^2 with t = trace S.
 * |S - 1|^2 = |F|^2 - 2 t + 3, and R is the derivative of t by F, so that stress and tangent are exact derivatives; no
 * term of the turning frame is left out. */

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

/* ==== neo-Hookean ================================================================================================= */

/* Compressible neo-Hookean material for large strains, without a logarithm:
 *   psi = mu / 2 (|F|^2 - 3) - mu (J - 1) + (lambda + mu) / 2 (J - 1)^2,  J = det F
 * (Smith et al. 2018 without their regularising term; Macklin and Mueller 2021). It is a polynomial of F: forces exist
 * for flat and inverted elements too, and push them back. But a pressure of the bulk modulus compresses tissue
 * completely; a barrier b adds the energy b / 3 (0.4 - J)^3 where J is below 0.4. */

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

/* ==== fibres ====================================================================================================== */

/* Transversely isotropic tissue: a neo-Hookean ground substance with fibres along the unit direction a at rest,
 *   psi = neo-Hookean + k / 2 <e>^2,  e = (|F a|^2 - 1) / 2,
 * where <e> is e in stretch and 0 in compression: fibres buckle. k is what the fibres add to Young's modulus along
 * them. At rest exactly they count as taut. */

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

/* The sum t of the principal stretches is the largest root of
 *   p(t) = (t^2 - |F|^2)^2 - 8 t det F - 4 |cof F|^2,
 * Horn's quartic for the nearest rotation (1987) in invariants of F. sqrt(3) |F| is never below it, and Halley's
 * steps decrease from there without overshooting, as all roots are real; after a step below 1e-5 it has converged.
 * The rotation is the derivative of t by F, from p(t(F), F) = 0:
 *   R = ((t^2 + |F|^2) F + 2 t cof F - 2 F F^T F) / (t (t^2 - |F|^2) - 2 det F).
 * With principal stretches a, b, c the denominator is 2 (a + b) (b + c) (c + a): zero only where R is not unique. */
#include "tissue/fem/polar.h"

#include <math.h>

#include "geometry/small_matrix.h"
#include "tissue/fem/law.h"

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

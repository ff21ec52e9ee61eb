/* Projects a symmetric matrix to a positive semidefinite one: eigenvalues by Jacobi's rotations, negative ones
 * replaced by their absolute values. That leaves no direction without stiffness, as zeros would where many elements
 * are alike, and takes shorter steps along those directions (Chen et al. 2024). Most tangents need no projection,
 * which a factorisation tests first. */
#include <math.h>
#include <string.h>

#include "geometry/small_matrix.h"
#include "tissue/fem/fem.h"

enum { N = 9, SWEEPS = 12 };

/* Tests whether matrix + tiny 1 is positive definite, by Cholesky factorisation. */
static bool is_definite(double matrix[N][N], double tiny) {
  double lower[N][N];
  for (int j = 0; j < N; ++j) {
    double pivot = matrix[j][j] + tiny;
    for (int k = 0; k < j; ++k) pivot -= lower[j][k] * lower[j][k];
    if (!(pivot > 0)) return false;
    lower[j][j] = sqrt(pivot);
    for (int i = j + 1; i < N; ++i) {
      double sum = matrix[i][j];
      for (int k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = sum / lower[j][j];
    }
  }
  return true;
}

static double off_diagonal(double matrix[N][N]) {
  double sum = 0;
  for (int p = 0; p < N; ++p)
    for (int q = p + 1; q < N; ++q) sum += fabs(matrix[p][q]);
  return sum;
}

void syn_fem_make_definite(double matrix[N][N]) {
  double size = 0, vectors[N][N] = {{0}}, work[N][N];
  for (int i = 0; i < N; ++i) size += fabs(matrix[i][i]);
  if (!isfinite(size) || is_definite(matrix, 1e-12 * size)) return;
  memcpy(work, matrix, sizeof work);
  for (int i = 0; i < N; ++i) vectors[i][i] = 1;
  for (int sweep = 0; sweep < SWEEPS && off_diagonal(work) > 1e-15 * size; ++sweep)
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) jacobi_turn(&work[0][0], &vectors[0][0], N, N, p, q);
  memset(matrix, 0, sizeof work);
  for (int k = 0; k < N; ++k) {
    const double value = fabs(work[k][k]);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) matrix[i][j] += value * vectors[k][i] * vectors[k][j];
  }
}

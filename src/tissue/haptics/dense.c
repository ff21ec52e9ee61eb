/* Cholesky factorisation of small dense matrices, without allocation. */
#include <math.h>

#include "tissue/haptics/haptics.h"

/* Sums in four independent parts, for instruction-level parallelism. */
static double product(const double *a, const double *b, uint32_t n) {
  double sum[4] = {0, 0, 0, 0};
  uint32_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (uint32_t c = 0; c < 4; ++c) sum[c] += a[k + c] * b[k + c];
  for (; k < n; ++k) sum[0] += a[k] * b[k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void syn_dense_factor(double *a, uint32_t n, uint32_t stride) {
  for (uint32_t i = 0; i < n; ++i) {
    double *row = a + (size_t)i * stride;
    for (uint32_t j = 0; j < i; ++j) {
      const double *other = a + (size_t)j * stride;
      row[j] = (row[j] - product(row, other, j)) / other[j];
    }
    const double rest = row[i] - product(row, row, i);
    row[i] = rest > 1e-14 * row[i] ? sqrt(rest) : (double)INFINITY; /* its unknown becomes 0 */
  }
}

void syn_dense_solve(const double *factor, uint32_t n, uint32_t stride, double *x) {
  for (uint32_t i = 0; i < n; ++i) {
    const double *row = factor + (size_t)i * stride;
    x[i] = (x[i] - product(row, x, i)) / row[i];
  }
  for (uint32_t i = n; i-- > 0;) {
    const double *row = factor + (size_t)i * stride;
    x[i] /= row[i];
    for (uint32_t j = 0; j < i; ++j) x[j] -= row[j] * x[i];
  }
}

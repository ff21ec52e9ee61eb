#include "geometry/solve.h"

#include <math.h>

#include "base/vec.h"

static bool factor(double *a, int n, double least) {
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i)
      for (int k = 0; k < j; ++k) a[i * n + j] -= a[i * n + k] * a[j * n + k];
    if (!(a[j * n + j] > least)) return false;
    const double root = sqrt(a[j * n + j]);
    for (int i = j; i < n; ++i) a[i * n + j] /= root;
  }
  return true;
}

bool syn_solve_symmetric(double *a, double *b, int n, double rank) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = max2(largest, a[i * n + i]);
  if (!factor(a, n, rank * largest)) return false;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (int i = n; i-- > 0;) {
    for (int k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
  return true;
}

static void swap_rows(double *a, double *b, int n, int i, int j) {
  for (int c = 0; c < n; ++c) {
    const double kept = a[i * n + c];
    a[i * n + c] = a[j * n + c];
    a[j * n + c] = kept;
  }
  const double kept = b[i];
  b[i] = b[j];
  b[j] = kept;
}

bool syn_solve_pivoted(double *a, double *b, int n, double least) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int r = k + 1; r < n; ++r)
      if (fabs(a[r * n + k]) > fabs(a[best * n + k])) best = r;
    if (!(fabs(a[best * n + k]) > least)) return false;
    swap_rows(a, b, n, k, best);
    for (int r = 0; r < n; ++r) {
      if (r == k) continue;
      const double factor = a[r * n + k] / a[k * n + k];
      for (int c = k; c < n; ++c) a[r * n + c] -= factor * a[k * n + c];
      b[r] -= factor * b[k];
    }
  }
  for (int k = 0; k < n; ++k) b[k] /= a[k * n + k];
  return true;
}

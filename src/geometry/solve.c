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

/* Small dense problems: linear systems, eigenvectors, rotations. */
#include "geometry/small_matrix.h"

#include <math.h>

#include "base/vec.h"

/* ---- linear systems ---------------------------------------------------------------------------------------------- */

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

/* ---- eigenvectors ------------------------------------------------------------------------------------------------ */

void syn_symmetric_eigen(double matrix[4][4], int size, double values[4], double vectors[4][4]) {
  enum { SWEEPS = 24 };
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) vectors[i][j] = i == j;
  for (int sweep = 0; sweep < SWEEPS; ++sweep)
    for (int p = 0; p < size; ++p)
      for (int q = p + 1; q < size; ++q) jacobi_turn(&matrix[0][0], &vectors[0][0], 4, size, p, q);
  for (int i = 0; i < size; ++i) values[i] = matrix[i][i];
  for (int i = 0; i < size; ++i)
    for (int j = i + 1; j < size; ++j)
      if (values[j] < values[i]) {
        const double value = values[i];
        values[i] = values[j];
        values[j] = value;
        for (int k = 0; k < size; ++k) {
          const double component = vectors[i][k];
          vectors[i][k] = vectors[j][k];
          vectors[j][k] = component;
        }
      }
}

/* Power iteration by repeated squaring: the 256th power of the matrix, dominated by the largest eigenvalue. */
syn_vec3 syn_main_direction(const syn_tensor *tensor) {
  enum { SQUARINGS = 8 };
  const double *e = tensor->e;
  syn_vec3 x = {e[0], e[3], e[5]}, y = {e[3], e[1], e[4]}, z = {e[5], e[4], e[2]};
  for (int i = 0; i < SQUARINGS; ++i) {
    const double trace = x.x + y.y + z.z, scale = trace > 0 ? 1 / trace : 0;
    x = vec3_scale(x, scale);
    y = vec3_scale(y, scale);
    z = vec3_scale(z, scale);
    const double xy = vec3_dot(x, y), yz = vec3_dot(y, z), zx = vec3_dot(z, x);
    const syn_vec3 next[3] = {{vec3_dot(x, x), xy, zx}, {xy, vec3_dot(y, y), yz}, {zx, yz, vec3_dot(z, z)}};
    x = next[0];
    y = next[1];
    z = next[2];
  }
  syn_vec3 longest = x;
  if (vec3_length2(y) > vec3_length2(longest)) longest = y;
  if (vec3_length2(z) > vec3_length2(longest)) longest = z;
  return vec3_unit(longest);
}

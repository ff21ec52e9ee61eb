/* Computes principal components from the inner products of the shapes. There are far fewer shapes than features, so
 * the eigenvectors of the products, one number for each shape, contain the same information as those of the
 * covariance, one number for each feature; and a shape's scores need only its products with the others. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "geometry/eigen.h"
#include "pressure/estimate/estimate.h"

/* The mean is subtracted first: the products of whole shapes would be nearly equal. */
syn_status syn_shape_products(syn_arena *arena, const double *const *shapes, size_t count, double **products,
                              syn_error *error) {
  double *less_mean;
  SYN_TRY(SYN_TAKE(arena, products, count * count, error));
  SYN_TRY(SYN_TAKE(arena, &less_mean, count * SYN_PRESSURE_FEATURES, error));
  for (size_t f = 0; f < SYN_PRESSURE_FEATURES; ++f) {
    double mean = 0;
    for (size_t i = 0; i < count; ++i) mean += shapes[i][f] / (double)count;
    for (size_t i = 0; i < count; ++i) less_mean[i * SYN_PRESSURE_FEATURES + f] = shapes[i][f] - mean;
  }
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j <= i; ++j) {
      const double *a = less_mean + i * SYN_PRESSURE_FEATURES, *b = less_mean + j * SYN_PRESSURE_FEATURES;
      double sum = 0;
      for (size_t f = 0; f < SYN_PRESSURE_FEATURES; ++f) sum += a[f] * b[f];
      (*products)[i * count + j] = (*products)[j * count + i] = sum;
    }
  return SYN_OK;
}

/* Products about the mean of the trained shapes only. Of the target only its row, the last. */
static void center(const double *products, size_t size, const size_t *trained, size_t count, size_t target,
                   double *means, double *centered) {
  double mean = 0;
  for (size_t i = 0; i <= count; ++i) {
    const double *row = products + (i < count ? trained[i] : target) * size;
    means[i] = 0;
    for (size_t j = 0; j < count; ++j) means[i] += row[trained[j]] / (double)count;
    if (i < count) mean += means[i] / (double)count;
  }
  for (size_t i = 0; i <= count; ++i) {
    const double *row = products + (i < count ? trained[i] : target) * size;
    for (size_t j = 0; j < count; ++j) centered[i * count + j] = row[trained[j]] - means[i] - means[j] + mean;
  }
}

/* Jacobi's method until the off-diagonal entries are rounding errors. */
static void diagonalise(double *matrix, double *vectors, size_t size) {
  enum { SWEEPS = 40 };
  const int n = (int)size;
  memset(vectors, 0, size * size * sizeof *vectors);
  for (size_t i = 0; i < size; ++i) vectors[i * size + i] = 1;
  for (int sweep = 0; sweep < SWEEPS; ++sweep) {
    double largest = 0, beside = 0;
    for (size_t i = 0; i < size * size; ++i) {
      double *kind = i % (size + 1) == 0 ? &largest : &beside;
      *kind = fmax(*kind, fabs(matrix[i]));
    }
    if (beside <= DBL_EPSILON * DBL_EPSILON * largest) return;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) jacobi_turn(matrix, vectors, n, n, p, q);
  }
}

/* Returns the row of the largest remaining eigenvalue; `size` if none remains. */
static size_t next_largest(const double *matrix, size_t size, const bool *taken) {
  size_t best = size;
  for (size_t i = 0; i < size; ++i)
    if (!taken[i] && (best == size || matrix[i * (size + 1)] > matrix[best * (size + 1)])) best = i;
  return best;
}

/* Components with less than a hundred-thousandth of the displacement of the first one are rounding errors. */
static const double least_part_of_variance = 1e-10;

syn_status syn_shape_components_find(syn_arena *arena, const double *products, size_t size, const size_t *trained,
                                     size_t count, size_t target, syn_shape_components *components, syn_error *error) {
  double *matrix, *vectors, *means, first = 0;
  bool *taken;
  *components = (syn_shape_components){0};
  SYN_TRY(SYN_TAKE(arena, &components->scores, SYN_PRESSURE_COMPONENTS * count, error));
  SYN_TRY(SYN_TAKE(arena, &means, count + 1, error));
  SYN_TRY(SYN_TAKE(arena, &matrix, (count + 1) * count, error));
  SYN_TRY(SYN_TAKE(arena, &vectors, count * count, error));
  SYN_TRY(SYN_TAKE(arena, &taken, count, error));
  memset(taken, 0, count * sizeof *taken);
  center(products, size, trained, count, target, means, matrix);
  diagonalise(matrix, vectors, count);
  const double *target_row = matrix + count * count;
  while (components->found < SYN_PRESSURE_COMPONENTS) {
    const size_t row = next_largest(matrix, count, taken);
    const double variance = row < count ? matrix[row * (count + 1)] : 0;
    if (components->found == 0) first = variance;
    if (!(variance > least_part_of_variance * first)) break;
    const double *vector = vectors + row * count, length = sqrt(variance);
    double along = 0;
    for (size_t i = 0; i < count; ++i) {
      components->scores[components->found * count + i] = length * vector[i];
      along += vector[i] * target_row[i];
    }
    components->target[components->found++] = along / length;
    taken[row] = true;
  }
  return SYN_OK;
}

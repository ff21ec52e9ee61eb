/* Computes the estimate (Arbabi 2009, §4.5.2.2 and 4.5.2.3). Each principal component selects the trained hip nearest
 * to the target; the pressure is the mean of theirs, weighted by how well the component correlates with it.
 *
 * Absolute correlations are used: the sign of a component is arbitrary, and weights of both signs in the quotient of
 * Eq. 23 could cancel. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/statistics.h"
#include "geometry/small_matrix.h"
#include "pressure/estimate/estimate.h"

/* ---- components ------------------------------------------------------------------------------------------------ */
/* Computes principal components from the inner products of the shapes. There are far fewer shapes than features, so
 * the eigenvectors of the products, one number for each shape, contain the same information as those of the
 * covariance, one number for each feature; and a shape's scores need only its products with the others. */

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

/* Finds the components of `count` shapes, whose indices in `products` (of `size` shapes) are `trained`; `target` is
 * the index of one more. */
static syn_status shape_components_find(syn_arena *arena, const double *products, size_t size, const size_t *trained,
                                        size_t count, size_t target, syn_shape_components *components,
                                        syn_error *error) {
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

/* ---- vote ------------------------------------------------------------------------------------------------------ */

enum { NEAREST = 4 }; /* "chosen by trial" there */

typedef enum quantity { PEAK, MEAN, AREA, QUANTITIES } quantity;

static double value_of(const syn_pressure_part *value, quantity which) {
  return which == PEAK ? value->peak_mpa : which == MEAN ? value->mean_mpa : value->area_mm2;
}

/* Input of an estimate. */
typedef struct estimate {
  const syn_pressure_model *model;
  const size_t *trained; /* numbers of hips in the model */
  size_t count;
  syn_shape_components shapes;
  size_t closest[SYN_PRESSURE_COMPONENTS]; /* for each component, one of the trained */
  double *column;                          /* buffer for each trained hip */
} estimate;

/* ---- the closest hip for each component -----------------------------------------------------------------------------
 */

/* Squares of DIST1, over all components but k, and of DIST2, along k alone. */
typedef struct distances {
  double others, own;
} distances;

static distances distances_to(const estimate *e, size_t hip, size_t k) {
  distances d = {0, 0};
  for (size_t c = 0; c < e->shapes.found; ++c) {
    const double off = e->shapes.target[c] - e->shapes.scores[c * e->count + hip];
    *(c == k ? &d.own : &d.others) += off * off;
  }
  return d;
}

/* With a single component the distance over the others is the same for all: the nearest along it are first. */
static bool is_nearer(distances a, distances b) { return a.others != b.others ? a.others < b.others : a.own < b.own; }

static size_t find_closest(const estimate *e, size_t k) {
  distances kept[NEAREST];
  size_t hips[NEAREST] = {0}, count = 0;
  for (size_t hip = 0; hip < e->count; ++hip) {
    const distances d = distances_to(e, hip, k);
    size_t at = count < NEAREST ? count++ : NEAREST;
    for (; at > 0 && is_nearer(d, kept[at - 1]); --at)
      if (at < NEAREST) {
        kept[at] = kept[at - 1];
        hips[at] = hips[at - 1];
      }
    if (at == NEAREST) continue;
    kept[at] = d;
    hips[at] = hip;
  }
  size_t best = 0;
  for (size_t i = 1; i < count; ++i)
    if (kept[i].own < kept[best].own) best = i;
  return hips[best];
}

/* ---- the weighted mean ----------------------------------------------------------------------------------------------
 */

/* Returns the component with the largest weight that has not voted yet. */
static size_t next_best(const double *weights, const bool *voted, size_t count) {
  size_t best = count;
  for (size_t k = 0; k < count; ++k)
    if (!voted[k] && (best == count || weights[k] > weights[best])) best = k;
  return best;
}

/* If nothing correlates, for example because all pressures are the same, the votes have equal weights. */
static double vote(const estimate *e, size_t step, quantity which, size_t used) {
  const syn_pressure_model *model = e->model;
  double weights[SYN_PRESSURE_COMPONENTS], sum = 0, weight = 0, plain = 0;
  bool voted[SYN_PRESSURE_COMPONENTS] = {false};
  for (size_t i = 0; i < e->count; ++i)
    e->column[i] = value_of(&model->values[e->trained[i] * model->step_count + step], which);
  for (size_t k = 0; k < e->shapes.found; ++k) {
    const double r = fabs(syn_correlation(e->shapes.scores + k * e->count, e->column, e->count));
    weights[k] = isnan(r) ? 0 : r;
  }
  for (size_t n = 0; n < used; ++n) {
    const size_t k = next_best(weights, voted, e->shapes.found);
    const double value = e->column[e->closest[k]];
    voted[k] = true;
    sum += weights[k] * value;
    weight += weights[k];
    plain += value / (double)used;
  }
  return weight > 0 ? sum / weight : plain;
}

static syn_status run(estimate *e, syn_arena *arena, const double *products, size_t size, size_t target, int used,
                      syn_pressure_part *values, syn_error *error) {
  SYN_TRY(shape_components_find(arena, products, size, e->trained, e->count, target, &e->shapes, error));
  SYN_TRY(SYN_TAKE(arena, &e->column, e->count, error));
  if (e->shapes.found == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the hips that are left have the same shape: there is nothing to learn from");
  for (size_t k = 0; k < e->shapes.found; ++k) e->closest[k] = find_closest(e, k);
  const size_t votes = (size_t)used < e->shapes.found ? (size_t)used : e->shapes.found;
  for (size_t j = 0; j < e->model->step_count; ++j)
    values[j] = (syn_pressure_part){
        .peak_mpa = vote(e, j, PEAK, votes), .mean_mpa = vote(e, j, MEAN, votes), .area_mm2 = vote(e, j, AREA, votes)};
  return SYN_OK;
}

static syn_status check_used(int used, syn_error *error) {
  if (used >= 1 && used <= SYN_PRESSURE_COMPONENTS) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "%d components cannot be used; take 1 to %d", used, SYN_PRESSURE_COMPONENTS);
}

/* ---- one hip
 * ---------------------------------------------------------------------------------------------------------
 */

static syn_status estimate_one(const syn_pressure_model *model, const double *features, int used, syn_arena *arena,
                               syn_pressure_part *values, syn_error *error) {
  const size_t count = model->hip_count;
  const double **shapes;
  double *products;
  size_t *trained;
  SYN_TRY(SYN_TAKE(arena, &shapes, count + 1, error));
  SYN_TRY(SYN_TAKE(arena, &trained, count, error));
  for (size_t i = 0; i < count; ++i) {
    shapes[i] = model->features + i * SYN_PRESSURE_FEATURES;
    trained[i] = i;
  }
  shapes[count] = features;
  SYN_TRY(syn_shape_products(arena, shapes, count + 1, &products, error));
  estimate e = {.model = model, .trained = trained, .count = count};
  return run(&e, arena, products, count + 1, count, used, values, error);
}

syn_status syn_pressure_model_estimate(const syn_pressure_model *model, const double features[SYN_PRESSURE_FEATURES],
                                       int used, syn_pressure_part *values, syn_pressure_trust *trust,
                                       syn_error *error) {
  SYN_TRY(check_used(used, error));
  for (size_t f = 0; f < SYN_PRESSURE_FEATURES; ++f)
    if (!isfinite(features[f]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "feature %zu of the hip is not a finite number", f + 1);
  if (trust) SYN_TRY(syn_pressure_model_trust(model, features, trust, error));
  if (!values) return SYN_OK;
  syn_arena arena = {.context = model->context};
  const syn_status status = estimate_one(model, features, used, &arena, values, error);
  syn_arena_release(&arena);
  return status;
}

/* ---- each hip from all others
 * ----------------------------------------------------------------------------------------
 */

double syn_pressure_error_percent(const syn_pressure_part *found, const syn_pressure_part *known, size_t count) {
  double sum = 0;
  size_t counted = 0;
  for (size_t j = 0; j < count; ++j) {
    if (!(known[j].peak_mpa > 0)) continue;
    sum += 100 * fabs(found[j].peak_mpa - known[j].peak_mpa) / known[j].peak_mpa;
    ++counted;
  }
  return counted ? sum / (double)counted : (double)NAN;
}

syn_status syn_pressure_leave_out(const syn_pressure_model *model, size_t target, const bool *left_out,
                                  const double *products, int used, const syn_context *context,
                                  syn_pressure_part *values, syn_error *error) {
  syn_arena arena = {.context = context};
  size_t *trained, count = 0;
  syn_status status = SYN_TAKE(&arena, &trained, model->hip_count, error);
  for (size_t i = 0; status == SYN_OK && i < model->hip_count; ++i)
    if (i != target && !(left_out && left_out[i])) trained[count++] = i;
  if (status == SYN_OK) {
    estimate e = {.model = model, .trained = trained, .count = count};
    status = run(&e, &arena, products, model->hip_count, target, used, values, error);
  }
  syn_arena_release(&arena);
  return status;
}

static syn_status leave_each_out(const syn_pressure_model *model, int used, syn_arena *arena, syn_pressure_part *values,
                                 double *errors_percent, syn_error *error) {
  const size_t count = model->hip_count, steps = model->step_count;
  const double **shapes;
  double *products;
  syn_pressure_part *found;
  SYN_TRY(SYN_TAKE(arena, &shapes, count, error));
  SYN_TRY(SYN_TAKE(arena, &found, steps, error));
  for (size_t i = 0; i < count; ++i) shapes[i] = model->features + i * SYN_PRESSURE_FEATURES;
  SYN_TRY(syn_shape_products(arena, shapes, count, &products, error));
  for (size_t i = 0; i < count; ++i) {
    syn_pressure_part *to = values ? values + i * steps : found;
    SYN_TRY(syn_pressure_leave_out(model, i, NULL, products, used, arena->context, to, error));
    errors_percent[i] = syn_pressure_error_percent(to, model->values + i * steps, steps);
  }
  return SYN_OK;
}

syn_status syn_pressure_model_leave_one_out(const syn_pressure_model *model, int used, syn_pressure_part *values,
                                            double *errors_percent, syn_error *error) {
  SYN_TRY(check_used(used, error));
  syn_arena arena = {.context = model->context};
  const syn_status status = leave_each_out(model, used, &arena, values, errors_percent, error);
  syn_arena_release(&arena);
  return status;
}

syn_status syn_pressure_model_test(const syn_pressure_model *model, syn_pressure_training *training, syn_error *error) {
  double *sorted;
  size_t count = 0;
  *training = (syn_pressure_training){.model = model};
  SYN_TRY(SYN_NEW(model->context, &training->errors_percent, 2 * model->hip_count, error));
  const double *errors = training->errors_percent;
  sorted = training->errors_percent + model->hip_count;
  const syn_status status =
      syn_pressure_model_leave_one_out(model, SYN_PRESSURE_COMPONENTS, NULL, training->errors_percent, error);
  if (status != SYN_OK) {
    syn_free(model->context, training->errors_percent);
    training->errors_percent = NULL;
    return status;
  }
  for (size_t i = 0; i < model->hip_count; ++i)
    if (!isnan(errors[i])) sorted[count++] = errors[i];
  training->mean_percent = syn_mean(sorted, count);
  training->sd_percent = syn_standard_deviation(sorted, count);
  training->median_percent = syn_median(sorted, count);
  return SYN_OK;
}

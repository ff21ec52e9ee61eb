/* Assesses how far an estimate can be trusted: the distance of the shape from those of the model, and the model's
 * errors on hips that were left out. Leaving out a single hip underestimates them if shapes are a grid: a hip that
 * differs only in what does not change the pressure would remain. So all hips that share a tissue with it are left
 * out as well. */
#include <float.h>
#include <math.h>

#include "base/vec.h"
#include "pressure/estimate/estimate.h"

enum { TISSUES = 3, PER_TISSUE = SYN_PRESSURE_FEATURES / TISSUES, FEWEST = 3, NEAREST = 4 };

/* Radii that differ by less are those of one shape in another mesh. */
#define SAME_RADIUS 1e-6
/* A hip nearer than this part of the spacing is the same as one of the model's. */
#define KNOWN_PART 0.01
/* Limits of the distance from the nearest hip, and beyond the range of the radii, both relative to the spacing. Of
 * eleven hips of a grid of 25 those between its nodes were beyond the range by 0.003 at most, and those half a step
 * outside by 0.66 at least: any limit between gives the same answer. */
#define BEYOND_SPACING 1.0
#define BEYOND_RANGE 0.1

static const double *shape_of(const syn_pressure_model *model, size_t hip) {
  return model->features + hip * SYN_PRESSURE_FEATURES;
}

static bool share_tissue(const syn_pressure_model *model, size_t a, size_t b, int tissue) {
  const double *of_a = shape_of(model, a) + (size_t)tissue * PER_TISSUE,
               *of_b = shape_of(model, b) + (size_t)tissue * PER_TISSUE;
  for (int f = 0; f < PER_TISSUE; ++f)
    if (fabs(of_a[f] - of_b[f]) > SAME_RADIUS) return false;
  return true;
}

static double distance_of(const double *a, const double *b) {
  double sum = 0;
  for (int f = 0; f < SYN_PRESSURE_FEATURES; ++f) sum += (a[f] - b[f]) * (a[f] - b[f]);
  return sqrt(sum / SYN_PRESSURE_FEATURES);
}

/* ---- errors of the model's hips -----------------------------------------------------------------------------------
 */

/* Marks the hips that share the tissue; false if too few or only equal shapes remain. */
static bool choose_left_out(const syn_pressure_model *model, size_t hip, int tissue, bool *left_out) {
  size_t count = 0, first = SYN_NONE;
  bool differ = false;
  for (size_t i = 0; i < model->hip_count; ++i) {
    left_out[i] = share_tissue(model, hip, i, tissue);
    if (left_out[i]) continue;
    if (count++ == 0) first = i;
    differ |= distance_of(shape_of(model, i), shape_of(model, first)) > 0;
  }
  return count >= FEWEST && differ;
}

static syn_status error_of_hip(const syn_pressure_model *model, size_t hip, const double *products, bool *left_out,
                               syn_pressure_part *values, double *percent, syn_error *error) {
  *percent = NAN;
  for (int tissue = 0; tissue < TISSUES; ++tissue) {
    if (!choose_left_out(model, hip, tissue, left_out)) continue;
    SYN_TRY(
        syn_pressure_leave_out(model, hip, left_out, products, SYN_PRESSURE_COMPONENTS, model->context, values, error));
    const double off = syn_pressure_error_percent(values, model->values + hip * model->step_count, model->step_count);
    if (!(*percent >= off)) *percent = off;
  }
  return SYN_OK;
}

static syn_status find_errors(const syn_pressure_model *model, syn_arena *arena, double *errors_percent,
                              syn_error *error) {
  const double **shapes;
  double *products;
  bool *left_out;
  syn_pressure_part *values;
  SYN_TRY(SYN_TAKE(arena, &shapes, model->hip_count, error));
  SYN_TRY(SYN_TAKE(arena, &left_out, model->hip_count, error));
  SYN_TRY(SYN_TAKE(arena, &values, model->step_count, error));
  for (size_t i = 0; i < model->hip_count; ++i) shapes[i] = shape_of(model, i);
  SYN_TRY(syn_shape_products(arena, shapes, model->hip_count, &products, error));
  for (size_t i = 0; i < model->hip_count; ++i)
    SYN_TRY(error_of_hip(model, i, products, left_out, values, &errors_percent[i], error));
  return SYN_OK;
}

syn_status syn_pressure_model_errors(const syn_pressure_model *model, double *errors_percent, syn_error *error) {
  syn_arena arena = {.context = model->context};
  const syn_status status = find_errors(model, &arena, errors_percent, error);
  syn_arena_release(&arena);
  return status;
}

/* ---- one more hip -------------------------------------------------------------------------------------------------
 */

/* The spacing: largest distance from a hip to the nearest with another shape of a tissue, along each row of a grid. */
static double find_spacing(const syn_pressure_model *model) {
  double spacing = 0;
  for (size_t i = 0; i < model->hip_count; ++i)
    for (int tissue = 0; tissue < TISSUES; ++tissue) {
      double least = INFINITY;
      for (size_t j = 0; j < model->hip_count; ++j)
        if (!share_tissue(model, i, j, tissue))
          least = min2(least, distance_of(shape_of(model, i), shape_of(model, j)));
      if (isfinite(least)) spacing = max2(spacing, least);
    }
  return spacing;
}

/* Root mean square by which the radii are outside the range of the model's hips, relative to the joint's radius.
 * Principal components would not show it: where a tissue covers a direction or not, a shape beyond the last one of a
 * row is no farther along any of them. */
static double distance_beyond(const syn_pressure_model *model, const double *features) {
  double sum = 0;
  for (size_t f = 0; f < SYN_PRESSURE_FEATURES; ++f) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < model->hip_count; ++i) {
      least = min2(least, shape_of(model, i)[f]);
      most = max2(most, shape_of(model, i)[f]);
    }
    const double off = max2(0, max2(least - features[f], features[f] - most));
    sum += off * off;
  }
  return sqrt(sum / SYN_PRESSURE_FEATURES);
}

/* Spread of the peaks of hips, mean over the steps, in percent of the minimum: an estimate is one of them or a mean,
 * and the hip between them may be like any of them. */
static double spread_of(const syn_pressure_model *model, const size_t *hips, int count) {
  double sum = 0;
  size_t counted = 0;
  for (size_t j = 0; j < model->step_count; ++j) {
    double least = INFINITY, most = 0;
    for (int n = 0; n < count; ++n) {
      const double peak = model->values[hips[n] * model->step_count + j].peak_mpa;
      least = min2(least, peak);
      most = max2(most, peak);
    }
    if (!(least > 0)) continue;
    sum += 100 * (most / least - 1);
    ++counted;
  }
  return counted ? sum / (double)counted : (double)NAN;
}

/* Returns twice the largest error of the nearest hips, or their spread: twice as for a 95 % interval. */
static double error_near(const syn_pressure_model *model, const double *features, const double *errors) {
  size_t nearest[NEAREST];
  int count = 0;
  while (count < NEAREST && (size_t)count < model->hip_count) {
    double least = INFINITY;
    for (size_t i = 0; i < model->hip_count; ++i) {
      const double d = distance_of(features, shape_of(model, i));
      bool taken = false;
      for (int n = 0; n < count; ++n) taken |= nearest[n] == i;
      if (taken || !(d < least)) continue;
      least = d;
      nearest[count] = i;
    }
    ++count;
  }
  double most = spread_of(model, nearest, count);
  for (int n = 0; n < count; ++n)
    if (!(most >= errors[nearest[n]])) most = errors[nearest[n]];
  return 2 * most;
}

static syn_status find_trust(const syn_pressure_model *model, const double *features, syn_arena *arena,
                             syn_pressure_trust *trust, syn_error *error) {
  const double *errors = model->errors_percent;
  double *found;
  trust->distance = INFINITY;
  for (size_t i = 0; i < model->hip_count; ++i) {
    const double d = distance_of(features, shape_of(model, i));
    if (d >= trust->distance) continue;
    trust->distance = d;
    trust->nearest = i;
  }
  trust->spacing = find_spacing(model);
  if (trust->distance <= KNOWN_PART * trust->spacing) return SYN_OK;
  const double beyond = distance_beyond(model, features);
  trust->outside = trust->distance > BEYOND_SPACING * trust->spacing || beyond > BEYOND_RANGE * trust->spacing;
  if (!errors) {
    SYN_TRY(SYN_TAKE(arena, &found, model->hip_count, error));
    SYN_TRY(syn_pressure_model_errors(model, found, error));
    errors = found;
  }
  trust->error_percent = error_near(model, features, errors);
  return SYN_OK;
}

syn_status syn_pressure_model_trust(const syn_pressure_model *model, const double features[SYN_PRESSURE_FEATURES],
                                    syn_pressure_trust *trust, syn_error *error) {
  *trust = (syn_pressure_trust){0};
  SYN_TRY(syn_pressure_model_check(model, error));
  syn_arena arena = {.context = syn_context_or_default(model->context)};
  const syn_status status = find_trust(model, features, &arena, trust, error);
  syn_arena_release(&arena);
  return status;
}

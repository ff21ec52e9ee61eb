/* Checks, copies and releases models: hips with known pressures. */
#include <math.h>
#include <string.h>

#include "pressure/estimate/estimate.h"

enum { FEWEST_HIPS = 3 };

/* ---- checks --------------------------------------------------------------------------------------------------------
 */

static syn_status check_steps(const syn_pressure_model *model, syn_error *error) {
  if (model->step_count == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "the hips have pressures at no step");
  for (size_t j = 0; j < model->step_count; ++j) {
    const bool grows = j == 0 || model->at[j] > model->at[j - 1];
    if (!(model->at[j] >= 0 && model->at[j] <= 1 && grows))
      return syn_fail(error, SYN_BAD_ARGUMENT, "step %zu is at %g of the motion: steps must grow from 0 to 1", j + 1,
                      model->at[j]);
  }
  return SYN_OK;
}

static syn_status check_name(const syn_pressure_model *model, size_t hip, syn_error *error) {
  const char *name = model->names[hip];
  if (!name || !name[0]) return syn_fail(error, SYN_BAD_ARGUMENT, "hip %zu has no name", hip + 1);
  for (size_t i = 0; i < hip; ++i)
    if (strcmp(model->names[i], name) == 0)
      return syn_fail(error, SYN_BAD_ARGUMENT, "two hips have the name '%s'", name);
  return SYN_OK;
}

static bool is_valid(double value) { return isfinite(value) && value >= 0; }

/* Mean and area are known in all values, as in the first one, or in none. */
static bool fits(double value, double first) { return isnan(first) ? isnan(value) : is_valid(value); }

static syn_status check_hip(const syn_pressure_model *model, size_t hip, syn_error *error) {
  const double *features = model->features + hip * SYN_PRESSURE_FEATURES;
  const syn_pressure_value *values = model->values + hip * model->step_count, *first = model->values;
  SYN_TRY(check_name(model, hip, error));
  for (size_t f = 0; f < SYN_PRESSURE_FEATURES; ++f)
    if (!is_valid(features[f]) || features[f] > 1e6)
      return syn_fail(error, SYN_BAD_ARGUMENT, "feature %zu of hip '%s' is %g, not a radius over that of the joint",
                      f + 1, model->names[hip], features[f]);
  for (size_t j = 0; j < model->step_count; ++j) {
    if (!is_valid(values[j].peak_mpa))
      return syn_fail(error, SYN_BAD_ARGUMENT,
                      "the peak pressure of hip '%s' at step %zu is %g MPa; leave the hip out, "
                      "or the steps from there",
                      model->names[hip], j + 1, values[j].peak_mpa);
    if (!fits(values[j].mean_mpa, first->mean_mpa) || !fits(values[j].area_mm2, first->area_mm2))
      return syn_fail(error, SYN_BAD_ARGUMENT,
                      "mean pressure or area of hip '%s' at step %zu is not valid: they must be "
                      "known at all steps of all hips, or at none",
                      model->names[hip], j + 1);
  }
  return SYN_OK;
}

static bool same_shape(const syn_pressure_model *model, size_t a, size_t b) {
  return memcmp(model->features + a * SYN_PRESSURE_FEATURES, model->features + b * SYN_PRESSURE_FEATURES,
                SYN_PRESSURE_FEATURES * sizeof *model->features) == 0;
}

syn_status syn_pressure_model_check(const syn_pressure_model *model, syn_error *error) {
  if (model->hip_count < FEWEST_HIPS)
    return syn_fail(error, SYN_BAD_ARGUMENT, "pressure cannot be learnt from %zu hips; it takes at least %d",
                    model->hip_count, FEWEST_HIPS);
  SYN_TRY(check_steps(model, error));
  bool differ = false;
  for (size_t i = 0; i < model->hip_count; ++i) {
    SYN_TRY(check_hip(model, i, error));
    differ |= i && !same_shape(model, 0, i);
  }
  if (differ) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "all %zu hips have the same shape: there is nothing to learn from",
                  model->hip_count);
}

/* ---- copies --------------------------------------------------------------------------------------------------------
 */

void syn_pressure_model_destroy(syn_pressure_model *model) {
  if (!model) return;
  const syn_context *context = model->context;
  syn_arena_release(model->store);
  syn_free(context, model->store);
  syn_free(context, model);
}

static syn_status copy_text(syn_arena *arena, const char *text, const char **copy, syn_error *error) {
  char *made;
  SYN_TRY(syn_arena_text(arena, text ? text : "", text ? strlen(text) : 0, &made, error));
  *copy = made;
  return SYN_OK;
}

/* Other hips or steps would have other errors. */
static syn_status copy_errors(syn_pressure_model *to, const syn_pressure_model *from, syn_error *error) {
  double *errors;
  if (!from->errors_percent) return SYN_OK;
  SYN_TRY(SYN_TAKE(to->store, &errors, from->hip_count, error));
  memcpy(errors, from->errors_percent, from->hip_count * sizeof *errors);
  to->errors_percent = errors;
  return SYN_OK;
}

/* Copies the hips that are kept, and their first `steps` steps. */
static syn_status fill(syn_pressure_model *to, const syn_pressure_model *from, const bool *left_out, size_t steps,
                       syn_error *error) {
  syn_arena *arena = to->store;
  double *at, *features;
  const char **names;
  syn_pressure_value *values;
  SYN_TRY(copy_text(arena, from->motion, &to->motion, error));
  SYN_TRY(copy_text(arena, from->pressure_by, &to->pressure_by, error));
  SYN_TRY(SYN_TAKE(arena, &at, steps, error));
  SYN_TRY(SYN_TAKE(arena, &names, from->hip_count, error));
  SYN_TRY(SYN_TAKE(arena, &features, from->hip_count * SYN_PRESSURE_FEATURES, error));
  SYN_TRY(SYN_TAKE(arena, &values, from->hip_count * steps, error));
  for (size_t j = 0; j < steps; ++j) at[j] = from->at[j];
  for (size_t i = 0; i < from->hip_count; ++i) {
    if (left_out && left_out[i]) continue;
    const size_t n = to->hip_count++;
    SYN_TRY(copy_text(arena, from->names[i], &names[n], error));
    memcpy(features + n * SYN_PRESSURE_FEATURES, from->features + i * SYN_PRESSURE_FEATURES,
           SYN_PRESSURE_FEATURES * sizeof *features);
    for (size_t j = 0; j < steps; ++j) values[n * steps + j] = from->values[i * from->step_count + j];
  }
  to->step_count = steps;
  to->at = at;
  to->names = names;
  to->features = features;
  to->values = values;
  return left_out || steps < from->step_count ? SYN_OK : copy_errors(to, from, error);
}

static syn_status copy(const syn_context *context, const syn_pressure_model *from, const bool *left_out, size_t steps,
                       syn_pressure_model **model, syn_error *error) {
  *model = NULL;
  context = syn_context_or_default(context);
  syn_pressure_model *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  syn_status status = SYN_NEW_ZEROED(context, &made->store, 1, error);
  if (status != SYN_OK) {
    syn_free(context, made);
    return status;
  }
  made->store->context = context;
  status = fill(made, from, left_out, steps, error);
  if (status == SYN_OK) status = syn_pressure_model_check(made, error);
  if (status == SYN_OK)
    *model = made;
  else
    syn_pressure_model_destroy(made);
  return status;
}

syn_status syn_pressure_model_train(const syn_context *context, const syn_pressure_model *given,
                                    syn_pressure_model **model, syn_error *error) {
  return copy(context, given, NULL, given->step_count, model, error);
}

syn_status syn_pressure_model_part(const syn_pressure_model *model, double until, const bool *left_out,
                                   syn_pressure_model **part, syn_error *error) {
  size_t steps = 0;
  while (steps < model->step_count && model->at[steps] <= until) ++steps;
  return copy(model->context, model, left_out, steps, part, error);
}

/* Checks, copies and releases models: hips with known pressures. */

#include <math.h>
#include <string.h>

#include "base/json.h"
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
  const syn_pressure_part *values = model->values + hip * model->step_count, *first = model->values;
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
  syn_pressure_part *values;
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

/* ---- model file ------------------------------------------------------------------------------------------------ */
/* Writes and reads a trained model. The file has the training data, not what follows from it: the components are
 * computed again in a millisecond, and cannot contradict the hips. */

static const char version_key[] = "synovia_pressure_model", error_key[] = "error_percent";
enum { VERSION = 2, QUANTITIES = 3 };

static const struct {
  const char *key;
  size_t offset;
  bool optional;
} quantities[QUANTITIES] = {{"peak_mpa", offsetof(syn_pressure_part, peak_mpa), false},
                            {"mean_mpa", offsetof(syn_pressure_part, mean_mpa), true},
                            {"area_mm2", offsetof(syn_pressure_part, area_mm2), true}};

static double *number_in(syn_pressure_part *value, int which) {
  return (double *)(void *)((char *)value + quantities[which].offset);
}
static double value_in(const syn_pressure_part *value, int which) {
  return *(const double *)(const void *)((const char *)value + quantities[which].offset);
}

/* ---- writing -------------------------------------------------------------------------------------------------------
 */

static json_t *numbers(const double *values, size_t count, bool *failed) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; ++i) syn_json_append(array, json_real(values[i]), failed);
  return array;
}

static json_t *syn_hip_value(const syn_pressure_model *model, size_t hip, double error_percent, bool *failed) {
  const syn_pressure_part *values = model->values + hip * model->step_count;
  json_t *object = json_object();
  syn_json_put(object, "name", json_string(model->names[hip]), failed);
  for (int q = 0; q < QUANTITIES; ++q) {
    if (isnan(value_in(values, q))) continue;
    json_t *array = json_array();
    for (size_t j = 0; j < model->step_count; ++j) syn_json_append(array, json_real(value_in(&values[j], q)), failed);
    syn_json_put(object, quantities[q].key, array, failed);
  }
  syn_json_put(object, error_key, isnan(error_percent) ? json_null() : json_real(error_percent), failed);
  const double *features = model->features + hip * SYN_PRESSURE_FEATURES;
  syn_json_put(object, "features", numbers(features, SYN_PRESSURE_FEATURES, failed), failed);
  return object;
}

static syn_status write_model(const syn_context *context, const syn_pressure_model *model, const double *errors,
                              const char *path, syn_error *error) {
  bool failed = false;
  json_t *root = json_object(), *hips = json_array();
  syn_json_put(root, version_key, json_integer(VERSION), &failed);
  syn_json_put(root, "motion", json_string(model->motion ? model->motion : ""), &failed);
  syn_json_put(root, "pressure_by", json_string(model->pressure_by ? model->pressure_by : ""), &failed);
  syn_json_put(root, "at", numbers(model->at, model->step_count, &failed), &failed);
  for (size_t i = 0; i < model->hip_count; ++i)
    syn_json_append(hips, syn_hip_value(model, i, errors[i], &failed), &failed);
  syn_json_put(root, "hips", hips, &failed);
  const syn_status status = failed ? syn_fail(error, SYN_NO_MEMORY, "no memory left for the model's text")
                                   : syn_json_write(context, root, path, error);
  json_decref(root);
  return status;
}

syn_status syn_pressure_model_write(const syn_context *context, const syn_pressure_model *model, const char *path,
                                    syn_error *error) {
  double *errors;
  SYN_TRY(syn_pressure_model_check(model, error));
  if (model->errors_percent) return write_model(context, model, model->errors_percent, path, error);
  SYN_TRY(SYN_NEW(context, &errors, model->hip_count, error));
  syn_status status = syn_pressure_model_errors(model, errors, error);
  if (status == SYN_OK) status = write_model(context, model, errors, path, error);
  syn_free(context, errors);
  return status;
}

/* ---- reading -------------------------------------------------------------------------------------------------------
 */

static syn_status take_numbers(const syn_json *array, size_t count, double *first, size_t stride, syn_error *error) {
  size_t found;
  SYN_TRY(syn_json_expect_array(array, &found, error));
  if (found != count) return syn_json_fail(array, error, "expected %zu numbers, found %zu", count, found);
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(array, i);
    SYN_TRY(syn_json_double(&item, first + i * stride, error));
  }
  return SYN_OK;
}

static syn_status take_hip(const syn_json *hip, syn_arena *arena, size_t steps, const char **name, double *features,
                           syn_pressure_part *values, double *error_percent, syn_error *error) {
  static const char *const keys[] = {"name", "peak_mpa", "mean_mpa", "area_mm2", error_key, "features", NULL};
  const syn_json off = syn_json_member(hip, error_key);
  SYN_TRY(syn_json_only_keys(hip, keys, error));
  SYN_TRY(syn_json_member_text(hip, "name", arena, name, error));
  *error_percent = NAN;
  if (!off.value || !json_is_null(off.value)) {
    SYN_TRY(syn_json_double(&off, error_percent, error));
    if (!(*error_percent >= 0)) return syn_json_fail(&off, error, "an error in percent is at least 0");
  }
  const syn_json shape = syn_json_member(hip, "features");
  SYN_TRY(take_numbers(&shape, SYN_PRESSURE_FEATURES, features, 1, error));
  for (size_t j = 0; j < steps; ++j) values[j] = (syn_pressure_part){.peak_mpa = NAN, .mean_mpa = NAN, .area_mm2 = NAN};
  for (int q = 0; q < QUANTITIES; ++q) {
    const syn_json series = syn_json_member(hip, quantities[q].key);
    if (!series.value && quantities[q].optional) continue;
    SYN_TRY(take_numbers(&series, steps, number_in(values, q), sizeof *values / sizeof(double), error));
  }
  return SYN_OK;
}

static syn_status take_model(const syn_json *root, syn_arena *arena, syn_pressure_model *model, syn_error *error) {
  static const char *const keys[] = {version_key, "motion", "pressure_by", "at", "hips", NULL};
  double *at, *features, *errors;
  const char **names;
  syn_pressure_part *values;
  const syn_json version = syn_json_member(root, version_key), steps = syn_json_member(root, "at"),
                 hips = syn_json_member(root, "hips");
  if (json_is_integer(version.value) && json_integer_value(version.value) == 1)
    return syn_json_fail(&version, error,
                         "an earlier version of Synovia wrote this model, without how far its estimates can be "
                         "trusted: train it again with --train");
  if (!json_is_integer(version.value) || json_integer_value(version.value) != VERSION)
    return syn_json_fail(&version, error, "expected %d: this is not a pressure model, or one of a later version",
                         VERSION);
  SYN_TRY(syn_json_only_keys(root, keys, error));
  SYN_TRY(syn_json_member_text(root, "motion", arena, &model->motion, error));
  SYN_TRY(syn_json_member_text(root, "pressure_by", arena, &model->pressure_by, error));
  SYN_TRY(syn_json_expect_array(&steps, &model->step_count, error));
  SYN_TRY(syn_json_expect_array(&hips, &model->hip_count, error));
  SYN_TRY(SYN_TAKE(arena, &at, model->step_count, error));
  SYN_TRY(SYN_TAKE(arena, &errors, model->hip_count, error));
  SYN_TRY(SYN_TAKE(arena, &names, model->hip_count, error));
  SYN_TRY(SYN_TAKE(arena, &features, model->hip_count * SYN_PRESSURE_FEATURES, error));
  SYN_TRY(SYN_TAKE(arena, &values, model->hip_count * model->step_count, error));
  SYN_TRY(take_numbers(&steps, model->step_count, at, 1, error));
  for (size_t i = 0; i < model->hip_count; ++i) {
    const syn_json hip = syn_json_item(&hips, i);
    SYN_TRY(take_hip(&hip, arena, model->step_count, &names[i], features + i * SYN_PRESSURE_FEATURES,
                     values + i * model->step_count, &errors[i], error));
  }
  model->at = at;
  model->names = names;
  model->features = features;
  model->values = values;
  model->errors_percent = errors;
  return SYN_OK;
}

syn_status syn_pressure_model_read(const syn_context *context, const char *path, syn_pressure_model **model,
                                   syn_error *error) {
  *model = NULL;
  json_t *value;
  SYN_TRY(syn_json_read(context, path, &value, error));
  syn_arena arena = {.context = context};
  syn_pressure_model taken = {0};
  syn_error why;
  const syn_json root = syn_json_root(value, path);
  syn_status status = syn_json_expect_object(&root, error);
  if (status == SYN_OK) status = take_model(&root, &arena, &taken, error);
  if (status == SYN_OK) {
    status = syn_pressure_model_train(context, &taken, model, &why);
    if (status == SYN_BAD_ARGUMENT)
      status = syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "%s", why.message);
    else if (status != SYN_OK && error)
      *error = why;
  }
  syn_arena_release(&arena);
  json_decref(value);
  return status;
}

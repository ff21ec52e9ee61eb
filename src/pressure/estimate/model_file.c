/* Writes and reads a trained model. The file has the training data, not what follows from it: the components are
 * computed again in a millisecond, and cannot contradict the hips. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "pressure/estimate/estimate.h"

static const char version_key[] = "synovia_pressure_model", error_key[] = "error_percent";
enum { VERSION = 2, QUANTITIES = 3 };

static const struct {
  const char *key;
  size_t offset;
  bool optional;
} quantities[QUANTITIES] = {{"peak_mpa", offsetof(syn_pressure_value, peak_mpa), false},
                            {"mean_mpa", offsetof(syn_pressure_value, mean_mpa), true},
                            {"area_mm2", offsetof(syn_pressure_value, area_mm2), true}};

static double *number_in(syn_pressure_value *value, int which) {
  return (double *)(void *)((char *)value + quantities[which].offset);
}
static double value_in(const syn_pressure_value *value, int which) {
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
  const syn_pressure_value *values = model->values + hip * model->step_count;
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
                           syn_pressure_value *values, double *error_percent, syn_error *error) {
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
  for (size_t j = 0; j < steps; ++j) values[j] = (syn_pressure_value){NAN, NAN, NAN};
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
  syn_pressure_value *values;
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

/* Runs the estimate of pressure from hips with known pressures. */
#include <stdio.h>
#include <string.h>

#include "pressure/run/run.h"

/* Takes the poses of the model, whose hips were all computed for the same motion. */
static syn_status take_motion(syn_pressure *p, const syn_pressure_model *model, const char *path, syn_error *error) {
  const syn_hip *hip = &p->hip_case->hip;
  const syn_motion_series *series = syn_motion_series_named(model->motion);
  const char *slash = strrchr(path, '/');
  syn_loads_release(&p->loads);
  p->loads = (syn_loads){.context = p->context, .count = model->step_count, .body_weight_n = NAN};
  snprintf(p->loads.label, sizeof p->loads.label, "%s", series ? series->label : model->motion);
  snprintf(p->loads.source, sizeof p->loads.source, "that of the %zu hips of the model %s, whose pressures are by %s",
           model->hip_count, slash ? slash + 1 : path, model->pressure_by);
  SYN_TRY(SYN_NEW_ZEROED(p->context, &p->loads.poses, model->step_count, error));
  for (size_t i = 0; i < model->step_count; ++i) {
    syn_loaded_pose *at = &p->loads.poses[i];
    at->at = model->at[i];
    at->pose = series ? series->pose(hip, model->at[i]) : syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
    const syn_hip_angles angles = syn_hip_angles_of(hip, &at->pose);
    at->angles[0] = angles.flexion;
    at->angles[1] = angles.adduction;
    at->angles[2] = angles.rotation;
    at->force = vec3(NAN, NAN, NAN);
  }
  return SYN_OK;
}

static void keep(syn_pressure *p, const syn_pressure_value *values) {
  const syn_vec3 unknown = vec3(NAN, NAN, NAN);
  const syn_pressure_part none = {NAN, NAN, NAN, NAN, unknown, NAN, NAN};
  for (size_t i = 0; i < p->loads.count; ++i) {
    syn_pressure_step *s = &p->steps[i];
    *s = (syn_pressure_step){.loaded = p->loads.poses[i], .shift = unknown, .contact_force = unknown, .total = none};
    for (int r = 0; r < 4; ++r) s->regions[r] = none;
    s->total.peak_mpa = values[i].peak_mpa;
    s->total.mean_mpa = values[i].mean_mpa;
    s->total.area_mm2 = values[i].area_mm2;
  }
  p->step_count = p->loads.count;
}

/* Rejects shapes outside the range of the model: the answer would be that of its nearest edge, whatever the hip is
 * like. */
static syn_status check_trust(syn_pressure *p, const syn_pressure_model *model, const double *features,
                              syn_error *error) {
  syn_pressure_trust *trust = &p->trust;
  SYN_TRY(syn_pressure_model_trust(model, features, trust, error));
  const char *nearest = model->names[trust->nearest];
  snprintf(p->nearest_hip, sizeof p->nearest_hip, "%s", nearest);
  if (trust->outside)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the hip lies outside the shapes of the model: its radii differ by %.2g %% from the nearest hip "
                    "'%s' (hips of the model from each other by %.2g %%). Train the model with hips on both sides of "
                    "it, or take --method foundation",
                    100 * trust->distance, nearest, 100 * trust->spacing);
  if (trust->error_percent > 0 || isnan(trust->error_percent))
    syn_warn(p->context,
             "the pressure is estimated between hips of the model: the nearest, '%s', differs by %.2g %% of the radius "
             "(hips of the model from each other by %.2g %%); expect the peak to be off by %.0f %%",
             nearest, 100 * trust->distance, 100 * trust->spacing, trust->error_percent);
  return SYN_OK;
}

static syn_status estimate(syn_pressure *p, const syn_pressure_model *model, const char *path, syn_arena *arena,
                           syn_error *error) {
  double *features;
  syn_pressure_value *values;
  SYN_TRY(SYN_TAKE(arena, &features, SYN_PRESSURE_FEATURES, error));
  SYN_TRY(SYN_TAKE(arena, &values, model->step_count, error));
  SYN_TRY(syn_pressure_features(p->context, &p->hip_case->hip, features, error));
  SYN_TRY(check_trust(p, model, features, error));
  SYN_TRY(syn_pressure_model_estimate(model, features, SYN_PRESSURE_COMPONENTS, values, error));
  SYN_TRY(take_motion(p, model, path, error));
  syn_free(p->context, p->steps);
  p->steps = NULL;
  SYN_TRY(SYN_NEW_ZEROED(p->context, &p->steps, model->step_count, error));
  keep(p, values);
  return SYN_OK;
}

static syn_status run_estimate(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  syn_arena arena = {.context = p->context};
  syn_pressure_model *model;
  if (!options->model)
    return syn_fail(error, SYN_BAD_ARGUMENT, "an estimate needs a model: a file of hips whose pressures are known");
  SYN_TRY(syn_pressure_model_read(p->context, options->model, &model, error));
  const syn_status status = estimate(p, model, options->model, &arena, error);
  syn_arena_release(&arena);
  syn_pressure_model_destroy(model);
  return status;
}

const pressure_method syn_pressure_by_estimate = {
    .about = {"estimate", "by comparison of the shape with those of hips whose pressures are known"},
    .run = run_estimate};

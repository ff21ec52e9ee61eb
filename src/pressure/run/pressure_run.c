/* Computes contact pressure in a hip through a motion: one call for every method. */

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "clinic/hip.h"
#include "pressure/run/pressure_run.h"

/* ---- pressure surface ------------------------------------------------------------------------------------------ */
/* Makes triangles of the articular surface of a layer, for files and pages. */

typedef struct surface_arrays {
  uint32_t *number; /* of each node: its vertex; SYN_NONE: not on the surface */
  syn_vec3 *vertices;
  syn_triangle *triangles;
} surface_arrays;

static uint32_t number_nodes(const syn_layer *layer, uint32_t *number) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < layer->node_count; ++i) number[i] = SYN_NONE;
  for (uint32_t f = 0; f < layer->face_count; ++f)
    for (int c = 0; c < 4; ++c)
      if (number[layer->faces[f][c]] == SYN_NONE) number[layer->faces[f][c]] = count++;
  return count;
}

/* Quadrilaterals are split along their shorter diagonal; a repeated corner leaves one triangle. */
static size_t cut_face(const syn_layer *layer, const uint32_t *number, uint32_t f, syn_triangle out[2]) {
  const uint32_t *v = layer->faces[f];
  const bool other =
      vec3_distance(layer->nodes[v[1]], layer->nodes[v[3]]) < vec3_distance(layer->nodes[v[0]], layer->nodes[v[2]]);
  const uint32_t corners[2][2][3] = {{{v[0], v[1], v[2]}, {v[0], v[2], v[3]}},
                                     {{v[0], v[1], v[3]}, {v[1], v[2], v[3]}}};
  size_t count = 0;
  for (int half = 0; half < 2; ++half) {
    const uint32_t *c = corners[other][half];
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    out[count++] = (syn_triangle){{number[c[0]], number[c[1]], number[c[2]]}};
  }
  return count;
}

static syn_status fill(const syn_context *context, const syn_layer *layer, surface_arrays *a,
                       syn_pressure_surface *surface, syn_error *error) {
  const uint32_t count = number_nodes(layer, a->number);
  size_t triangles = 0;
  SYN_TRY(SYN_NEW(context, &surface->nodes, count, error));
  SYN_TRY(SYN_NEW(context, &surface->thickness_mm, count, error));
  for (uint32_t i = 0; i < layer->node_count; ++i) {
    const uint32_t at = a->number[i];
    if (at == SYN_NONE) continue;
    a->vertices[at] = layer->nodes[i];
    surface->nodes[at] = i;
    surface->thickness_mm[at] = layer->thickness_mm[i] > 0 ? layer->thickness_mm[i] : 0;
  }
  for (uint32_t f = 0; f < layer->face_count; ++f) triangles += cut_face(layer, a->number, f, &a->triangles[triangles]);
  return syn_trimesh_create(context, a->vertices, count, a->triangles, triangles, &surface->mesh, error);
}

static syn_status make_fields(const syn_context *context, size_t steps, bool with_stress, syn_pressure_surface *surface,
                              syn_error *error) {
  const size_t vertices = surface->mesh->vertex_count;
  SYN_TRY(SYN_NEW_ZEROED(context, &surface->pressure_mpa, steps * vertices, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &surface->gap_mm, steps * vertices, error));
  return with_stress ? SYN_NEW_ZEROED(context, &surface->von_mises_mpa, steps * vertices, error) : SYN_OK;
}

/* Makes triangles of the articular faces of a layer, and allocates `steps` fields on them. */
static syn_status pressure_make_surface(const syn_context *context, const syn_layer *layer, size_t steps,
                                        bool with_stress, syn_pressure_surface *surface, syn_error *error) {
  syn_arena arena = {.context = context};
  surface_arrays a;
  syn_status status = SYN_TAKE(&arena, &a.number, layer->node_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &a.vertices, layer->node_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &a.triangles, 2 * (size_t)layer->face_count, error);
  if (status == SYN_OK) status = fill(context, layer, &a, surface, error);
  if (status == SYN_OK) status = make_fields(context, steps, with_stress, surface, error);
  syn_arena_release(&arena);
  return status;
}

static void pressure_release_surface(const syn_context *context, syn_pressure_surface *surface) {
  syn_trimesh_destroy(surface->mesh);
  syn_free(context, surface->nodes);
  syn_free(context, surface->thickness_mm);
  syn_free(context, surface->pressure_mpa);
  syn_free(context, surface->gap_mm);
  syn_free(context, surface->von_mises_mpa);
  syn_free(context, surface->foundation_mpa);
  *surface = (syn_pressure_surface){0};
}

void syn_pressure_keep_field(const syn_pressure_surface *surface, const double *values, size_t step, double *kept) {
  const size_t count = surface->mesh->vertex_count;
  for (size_t i = 0; i < count; ++i) kept[step * count + i] = values[surface->nodes[i]];
}

/* ---- foundation run -------------------------------------------------------------------------------------------- */
/* Runs the elastic foundation and stores its steps. */

typedef struct foundation_run {
  syn_pressure *pressure;
  syn_foundation *foundation;
  void *scratch;
  double *values[2]; /* for the nodes of the larger layer: pressure and gap */
} foundation_run;

static void keep_fields(const foundation_run *run, size_t step) {
  syn_pressure_surface *socket = &run->pressure->surfaces[0], *head = &run->pressure->surfaces[1];
  syn_foundation_fields(run->foundation, run->scratch, false, run->values[0], run->values[1]);
  syn_pressure_keep_field(socket, run->values[0], step, socket->pressure_mpa);
  syn_pressure_keep_field(socket, run->values[1], step, socket->gap_mm);
  syn_foundation_fields(run->foundation, run->scratch, true, run->values[0], run->values[1]);
  syn_pressure_keep_field(head, run->values[0], step, head->pressure_mpa);
  syn_pressure_keep_field(head, run->values[1], step, head->gap_mm);
}

static syn_status go(const foundation_run *run, syn_error *error) {
  syn_pressure *p = run->pressure;
  const syn_vec3 *start = NULL;
  for (size_t i = 0; i < p->loads.count; ++i) {
    SYN_TRY(syn_foundation_solve(run->foundation, &p->loads.poses[i], start, run->scratch, &p->steps[i], error));
    start = &p->steps[i].shift;
    keep_fields(run, i);
    p->step_count = i + 1;
    SYN_TRY(syn_pressure_report_progress(p, error));
  }
  return SYN_OK;
}

static syn_status run_foundation(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error) {
  const syn_context *context = pressure->context;
  foundation_run run = {.pressure = pressure};
  syn_arena arena = {.context = context};
  const size_t nodes =
      pressure->socket.node_count > pressure->head.node_count ? pressure->socket.node_count : pressure->head.node_count;
  SYN_TRY(syn_foundation_create(context, &pressure->socket, &pressure->head, NULL, pressure->hip_case->hip.center,
                                &options->foundation, &run.foundation, error));
  syn_status status = syn_arena_take(&arena, 1, syn_foundation_scratch(run.foundation), &run.scratch, error);
  for (int k = 0; k < 2 && status == SYN_OK; ++k) status = SYN_TAKE(&arena, &run.values[k], nodes, error);
  if (status == SYN_OK) status = go(&run, error);
  syn_arena_release(&arena);
  syn_foundation_destroy(run.foundation);
  return status;
}

const pressure_method syn_pressure_by_foundation = {.name = "foundation", .needs_layers = true, .run = run_foundation};

/* ---- estimate -------------------------------------------------------------------------------------------------- */
/* Runs the estimate of pressure from hips with known pressures. */

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
    syn_load_step *at = &p->loads.poses[i];
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

static void keep(syn_pressure *p, const syn_pressure_part *values) {
  const syn_vec3 unknown = vec3(NAN, NAN, NAN);
  const syn_pressure_part none = {NAN, NAN, NAN, NAN, unknown, NAN, NAN, SYN_TISSUE_CARTILAGE};
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
  SYN_TRY(syn_pressure_model_estimate(model, features, SYN_PRESSURE_COMPONENTS, NULL, trust, error));
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
  syn_pressure_part *values;
  SYN_TRY(SYN_TAKE(arena, &features, SYN_PRESSURE_FEATURES, error));
  SYN_TRY(SYN_TAKE(arena, &values, model->step_count, error));
  SYN_TRY(syn_pressure_features(p->context, &p->hip_case->hip, features, error));
  SYN_TRY(check_trust(p, model, features, error));
  SYN_TRY(syn_pressure_model_estimate(model, features, SYN_PRESSURE_COMPONENTS, values, NULL, error));
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

const pressure_method syn_pressure_by_estimate = {.name = "estimate", .run = run_estimate};

/* ---- pressure run ---------------------------------------------------------------------------------------------- */

const char *const syn_pressure_methods[SYN_PRESSURE_METHODS] = {"fem", "foundation", "estimate"};
static const pressure_method *const methods[SYN_PRESSURE_METHODS] = {&syn_pressure_by_fem, &syn_pressure_by_foundation,
                                                                     &syn_pressure_by_estimate};

syn_pressure_options syn_default_pressure_options(void) {
  return (syn_pressure_options){.method = "foundation",
                                .load = syn_default_load_options(),
                                .layers = syn_default_layer_options(),
                                .foundation = syn_default_foundation_options(),
                                .fem = syn_default_pressure_fem_options(),
                                .cookie = SYN_COOKIE};
}

void syn_pressure_destroy(syn_pressure *p) {
  if (!p) return;
  for (int i = 0; i < 2; ++i) pressure_release_surface(p->context, &p->surfaces[i]);
  syn_layer_release(&p->socket);
  syn_layer_release(&p->head);
  syn_loads_release(&p->loads);
  syn_free(p->context, p->steps);
  syn_free(p->context, p->by_foundation);
  syn_free(p->context, p->checkpoint);
  syn_free(p->context, p);
}

syn_status syn_pressure_report_progress(const syn_pressure *p, syn_error *error) {
  const double part = (double)p->step_count / (double)p->loads.count;
  if (syn_progress(p->context, "finding the pressure", part)) return SYN_OK;
  return syn_fail(error, SYN_CANCELLED, "stopped after step %zu of %zu", p->step_count, p->loads.count);
}

/* ---- the run ------------------------------------------------------------------------------------------------------
 */

static const char *method_name_at(const void *user, size_t index) {
  (void)user;
  return methods[index]->name;
}

static const pressure_method *find_method(const char *name) {
  for (size_t i = 0; i < SYN_PRESSURE_METHODS; ++i)
    if (strcmp(methods[i]->name, name) == 0) return methods[i];
  return NULL;
}

static syn_status no_method(const char *name, syn_error *error) {
  char hint[96];
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no method '%s'.%s", name,
                  syn_did_you_mean(name, method_name_at, NULL, SYN_PRESSURE_METHODS, hint));
}

static syn_status make_layers(syn_pressure *p, const syn_pressure_options *options, bool with_stress,
                              syn_error *error) {
  if (options->closed)
    SYN_TRY(syn_pressure_closed_layers(p, error));
  else
    SYN_TRY(syn_hip_layers_create(p->context, p->hip_case, &options->layers, &p->socket, &p->head, error));
  SYN_TRY(pressure_make_surface(p->context, &p->socket, p->loads.count, with_stress, &p->surfaces[0], error));
  return pressure_make_surface(p->context, &p->head, p->loads.count, with_stress, &p->surfaces[1], error);
}

/* Runs the elastic foundation first, on the layers before they are changed, and stores its results separately. A
 * step without equilibrium ends it, but not the run. */
static syn_status run_beside(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  const syn_status status = syn_pressure_by_foundation.run(p, options, error);
  if (status != SYN_OK && status != SYN_NOT_CONVERGED) return status;
  if (status != SYN_OK) syn_warn(p->context, "the elastic foundation ends after step %zu", p->step_count);
  p->by_foundation = p->steps;
  p->by_foundation_count = p->step_count;
  p->steps = NULL;
  p->step_count = 0;
  for (int k = 0; k < 2; ++k) {
    syn_pressure_surface *s = &p->surfaces[k];
    s->foundation_mpa = s->pressure_mpa;
    s->pressure_mpa = NULL;
    SYN_TRY(SYN_NEW_ZEROED(p->context, &s->pressure_mpa, p->loads.count * s->mesh->vertex_count, error));
  }
  return SYN_NEW_ZEROED(p->context, &p->steps, p->loads.count, error);
}

/* Only finite elements support tetrahedra. */
static syn_status check_closed(const pressure_method *method, const syn_pressure_options *options, syn_error *error) {
  if (!options->closed) return SYN_OK;
  if (method != &syn_pressure_by_fem || options->beside_foundation)
    return syn_fail(error, SYN_BAD_ARGUMENT, "closed bodies are filled for the method fem alone, not for %s",
                    method == &syn_pressure_by_fem ? "the elastic foundation beside it" : method->name);
  return SYN_OK;
}

static syn_status run(syn_pressure *p, const pressure_method *method, const syn_pressure_options *options,
                      syn_error *error) {
  const syn_hip_case *c = p->hip_case;
  SYN_TRY(syn_loads_create(p->context, &c->hip, c->anatomy, &options->load, &p->loads, error));
  SYN_TRY(SYN_NEW_ZEROED(p->context, &p->steps, p->loads.count, error));
  if (method->needs_layers) SYN_TRY(make_layers(p, options, method->knows_stress, error));
  if (options->beside_foundation && method == &syn_pressure_by_fem) SYN_TRY(run_beside(p, options, error));
  return method->run(p, options, error);
}

static bool counts_more(const syn_pressure_step *a, const syn_pressure_step *b) {
  const bool valid = is_valid_step(a);
  return valid != is_valid_step(b) ? valid : a->total.peak_mpa > b->total.peak_mpa;
}

/* Completes the steps: names of regions, the foundation beside them, and which has the peak. */
static void complete_steps(syn_pressure *p) {
  for (size_t i = 0; i < p->step_count; ++i) {
    syn_pressure_step *s = &p->steps[i];
    s->region_count = p->socket.region_count;
    for (uint32_t r = 0; r < s->region_count; ++r) s->regions[r].tissue = p->socket.tissues[r];
    s->foundation = i < p->by_foundation_count ? &p->by_foundation[i].total : NULL;
    if (i && counts_more(s, &p->steps[p->peak_index])) p->peak_index = i;
  }
  p->peak = &p->steps[p->peak_index];
}

/* Checks and summarises the steps. */
static syn_status finish(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  SYN_TRY(syn_pressure_check_validity(p, options, error));
  complete_steps(p);
  return syn_pressure_vary_assumed(p, options, error);
}

syn_status syn_pressure_run(const syn_context *context, const syn_hip_case *hip_case,
                            const syn_pressure_options *options, syn_pressure **pressure, syn_error *error) {
  const syn_pressure_options standard = syn_default_pressure_options();
  syn_pressure *p;
  syn_error why = {0};
  *pressure = NULL;
  if (!options) options = &standard;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_pressure_options, error));
  const pressure_method *method = find_method(options->method);
  if (!method) return no_method(options->method, error);
  SYN_TRY(check_closed(method, options, error));
  if (!hip_case->hip.parts[SYN_HIP_PELVIS] || !hip_case->hip.parts[SYN_HIP_FEMUR])
    return syn_fail(error, SYN_BAD_ARGUMENT, "pressure needs both bones: a pelvis and a femur");
  SYN_TRY(SYN_NEW_ZEROED(context, &p, 1, error));
  p->context = context;
  p->hip_case = hip_case;
  p->method = method->name;
  const syn_status status = run(p, method, options, &why);
  if (status == SYN_OK || (status == SYN_NOT_CONVERGED && p->step_count > 0)) {
    const syn_status checked = finish(p, options, error);
    if (checked != SYN_OK) {
      syn_pressure_destroy(p);
      return checked;
    }
  }
  if (status != SYN_OK && error) *error = why;
  if (status == SYN_OK || (status == SYN_NOT_CONVERGED && p->step_count > 0)) {
    if (status != SYN_OK) snprintf(p->stopped, sizeof p->stopped, "%s", why.message);
    *pressure = p;
    return status;
  }
  syn_pressure_destroy(p);
  return status;
}

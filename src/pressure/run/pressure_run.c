/* Computes contact pressure in a hip through a motion: one call for every method. */
#include "pressure/run/run.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const pressure_method *const methods[] = {&syn_pressure_by_fem, &syn_pressure_by_foundation,
                                                 &syn_pressure_by_estimate};

size_t syn_pressure_method_count(void) { return sizeof methods / sizeof *methods; }

syn_pressure_method syn_pressure_method_at(size_t index) { return methods[index]->about; }

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
  for (int i = 0; i < 2; ++i) syn_pressure_release_surface(p->context, &p->surfaces[i]);
  syn_layer_release(&p->socket);
  syn_layer_release(&p->head);
  syn_loads_release(&p->loads);
  syn_free(p->context, p->steps);
  syn_free(p->context, p->foundation);
  syn_free(p->context, p->checkpoint);
  syn_free(p->context, p);
}

syn_status syn_pressure_tell(const syn_pressure *p, syn_error *error) {
  const double part = (double)p->step_count / (double)p->loads.count;
  if (syn_progress(p->context, "finding the pressure", part)) return SYN_OK;
  return syn_fail(error, SYN_CANCELLED, "stopped after step %zu of %zu", p->step_count, p->loads.count);
}

/* ---- the run ------------------------------------------------------------------------------------------------------
 */

static const char *method_name_at(const void *user, size_t index) {
  (void)user;
  return methods[index]->about.name;
}

static const pressure_method *find_method(const char *name) {
  for (size_t i = 0; i < syn_pressure_method_count(); ++i)
    if (strcmp(methods[i]->about.name, name) == 0) return methods[i];
  return NULL;
}

static syn_status no_method(const char *name, syn_error *error) {
  char hint[96];
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no method '%s'.%s", name,
                  syn_did_you_mean(name, method_name_at, NULL, syn_pressure_method_count(), hint));
}

static syn_status make_layers(syn_pressure *p, const syn_pressure_options *options, bool with_stress,
                              syn_error *error) {
  if (options->closed)
    SYN_TRY(syn_pressure_closed_layers(p, error));
  else
    SYN_TRY(syn_hip_layers_create(p->context, p->hip_case, &options->layers, &p->socket, &p->head, error));
  SYN_TRY(syn_pressure_make_surface(p->context, &p->socket, p->loads.count, with_stress, &p->surfaces[0], error));
  return syn_pressure_make_surface(p->context, &p->head, p->loads.count, with_stress, &p->surfaces[1], error);
}

/* Runs the elastic foundation first, on the layers before they are changed, and stores its results separately. A
 * step without equilibrium ends it, but not the run. */
static syn_status run_beside(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  const syn_status status = syn_pressure_by_foundation.run(p, options, error);
  if (status != SYN_OK && status != SYN_NOT_CONVERGED) return status;
  if (status != SYN_OK) syn_warn(p->context, "the elastic foundation ends after step %zu", p->step_count);
  p->foundation = p->steps;
  p->foundation_count = p->step_count;
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
                    method == &syn_pressure_by_fem ? "the elastic foundation beside it" : method->about.name);
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
  const bool valid = syn_pressure_step_is_valid(a);
  return valid != syn_pressure_step_is_valid(b) ? valid : a->total.peak_mpa > b->total.peak_mpa;
}

static void find_worst(syn_pressure *p) {
  for (size_t i = 1; i < p->step_count; ++i)
    if (counts_more(&p->steps[i], &p->steps[p->worst])) p->worst = i;
}

/* Checks and summarises the steps. */
static syn_status finish(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  SYN_TRY(syn_pressure_check_validity(p, options, error));
  find_worst(p);
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
  p->method = method->about.name;
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

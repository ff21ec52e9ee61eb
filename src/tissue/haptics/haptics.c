/* Creates and destroys a haptic loop, and computes one frame or force at a time. */
#include "tissue/haptics/haptics.h"

#include <string.h>

#include "base/vec.h"

enum { MOST_POINTS = 256 };

syn_haptics_options syn_default_haptics_options(void) {
  return (syn_haptics_options){.probe_radius_mm = 15,
                               .probe_length_mm = 100,
                               .probe_axis = {0, 0, 1},
                               .simulation_hz = 30,
                               .force_hz = 1000,
                               .max_points = 48,
                               .realtime = true,
                               .cookie = SYN_COOKIE};
}

static syn_status check_options(const syn_haptics_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_haptics_options, error));
  if (!(o->simulation_hz >= 0 && o->simulation_hz <= 1e5))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the rate of the simulation must be 0 to 100000 Hz (simulation_hz)");
  if (!(o->force_hz >= 1 && o->force_hz <= 1e5))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the rate of the force must be 1 to 100000 Hz (force_hz)");
  if (!(o->reach_mm >= 0) || isinf(o->reach_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the reach of the probe must be 0 mm or more (reach_mm)");
  if (o->max_points < 1 || o->max_points > MOST_POINTS)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the probe feels 1 to %d points, not %u (max_points)", MOST_POINTS,
                    o->max_points);
  return SYN_OK;
}

static syn_status fill(syn_haptics *h, syn_error *error) {
  const syn_haptics_options *o = &h->options;
  const syn_probe probe = {o->probe_radius_mm, o->probe_length_mm, o->probe_axis};
  SYN_TRY(syn_probe_prepare(&probe, &h->probe, error));
  if (h->options.reach_mm == 0) h->options.reach_mm = 2 * h->probe.radius_mm;
  h->is_vdm = h->soft->model == &syn_model_vdm;
  for (int i = 0; i < 3; ++i)
    SYN_TRY(syn_local_alloc(h->context, h->options.max_points, h->is_vdm, &h->locals[i], error));
  SYN_TRY(syn_touching_alloc(h->context, h->options.max_points, &h->sim_work, error));
  SYN_TRY(syn_touching_alloc(h->context, h->options.max_points, &h->force_work, error));
  syn_triple_start(&h->triple);
  return h->is_vdm ? syn_buffer_create(h, error) : syn_region_create(h, error);
}

syn_status syn_haptics_create(const syn_context *context, syn_simulation *simulation, uint32_t body,
                              const syn_haptics_options *options, syn_haptics **haptics, syn_error *error) {
  *haptics = NULL;
  const syn_haptics_options defaults = syn_default_haptics_options();
  if (!options) options = &defaults;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(check_options(options, error));
  if (body >= simulation->body_count || !simulation->bodies[body].soft)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%s is not a soft body: there is nothing to feel",
                    syn_sim_body_words(simulation, body).text);
  syn_haptics *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->options = *options;
  made->simulation = simulation;
  made->body = body;
  made->soft = simulation->bodies[body].soft;
  const syn_status status = fill(made, error);
  if (status) {
    syn_haptics_destroy(made);
    return status;
  }
  *haptics = made;
  return SYN_OK;
}

void syn_haptics_destroy(syn_haptics *h) {
  if (!h) return;
  syn_region_destroy(h);
  syn_buffer_destroy(h);
  for (int i = 0; i < 3; ++i) syn_local_free(h->context, &h->locals[i]);
  syn_touching_free(h->context, &h->sim_work);
  syn_touching_free(h->context, &h->force_work);
  syn_free(h->context, h->samples);
  syn_free(h->context, h);
}

/* ---- one of each ----------------------------------------------------------------------------------------------------
 */

syn_status syn_haptics_update(syn_haptics *h, syn_vec3 tip, syn_vec3 *frame_force, syn_error *error) {
  if (!vec3_finite(tip)) return syn_fail(error, SYN_BAD_ARGUMENT, "the probe's tip is not at a finite place");
  syn_local *local = &h->locals[h->triple.back];
  SYN_TRY(h->is_vdm ? syn_buffer_frame(h, tip, local, error) : syn_region_frame(h, tip, local, error));
  h->points = local->count;
  h->left_off = local->left_off;
  if (frame_force) *frame_force = h->frame_force;
  syn_triple_publish(&h->triple);
  return SYN_OK;
}

syn_vec3 syn_haptics_force(syn_haptics *h, syn_vec3 tip) {
  syn_triple_take(&h->triple);
  const syn_local *local = &h->locals[h->triple.front];
  h->force_work.touching = 0;
  if (local->frame == 0 || !vec3_finite(tip)) return vec3(0, 0, 0);
  return h->is_vdm ? syn_buffer_solve(local, &h->probe, tip, &h->force_work, NULL)
                   : syn_local_solve(local, &h->probe, tip, &h->force_work);
}

/* Computes the envelope of a joint: the free rotation about its third axis at every angle about the first and the
 * second. */
#include <math.h>

#include "base/vec.h"
#include "motion/rom/rom.h"

static const double degrees = SYN_PI / 180;

syn_envelope_options syn_default_envelope_options(void) {
  return (syn_envelope_options){.flexion_from = -30 * degrees,
                                .flexion_to = 130 * degrees,
                                .adduction_from = -60 * degrees,
                                .adduction_to = 40 * degrees,
                                .step = 5 * degrees,
                                .cookie = SYN_COOKIE};
}

typedef struct filling {
  syn_envelope *envelope;
  const rom_observer *observer; /* NULL: none */
} filling;

/* If the start collides, the limit may belong to free poses further on, which cannot be reached: the rotation followed
 * counts instead. */
static double reached(const syn_limit *limit) {
  return limit->state == SYN_LIMIT_NO_FREE_POSE ? (double)NAN : limit->followed;
}

/* For the same reason such a limit names no bodies. */
static syn_body_pair bodies_of(const syn_limit *limit) {
  const bool known = isnan(syn_limit_free_again_deg(limit));
  return (syn_body_pair){known ? limit->fixed : SYN_NONE, known ? limit->mobile : SYN_NONE};
}

static void store_cell(void *user, size_t cell, const syn_limit *inward, const syn_limit *outward) {
  const filling *f = user;
  const syn_envelope *envelope = f->envelope;
  envelope->internal[cell] = reached(inward);
  envelope->external[cell] = reached(outward);
  envelope->internal_states[cell] = inward->state;
  envelope->external_states[cell] = outward->state;
  envelope->limited_by[cell] = bodies_of(inward);
  envelope->external_limited_by[cell] = bodies_of(outward);
  if (f->observer) f->observer->observe(f->observer->user, cell, inward, outward);
}

static syn_status fill_envelope(const syn_context *context, const syn_rom *rom, const rom_grid *grid,
                                const rom_observer *observer, syn_envelope *envelope, syn_error *error) {
  filling f = {envelope, observer};
  const size_t count = (size_t)grid->flexion_count * grid->adduction_count;
  SYN_TRY(SYN_NEW(context, &envelope->internal, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->external, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->internal_states, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->external_states, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->limited_by, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->external_limited_by, count, error));
  return syn_rom_grid_run(context, rom, grid, "envelope of motion", store_cell, &f, error);
}

syn_status syn_envelope_grid(const syn_envelope_options *options, rom_grid *grid, syn_error *error) {
  const syn_envelope_options standard = syn_default_envelope_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_envelope_options, error));
  return syn_rom_grid_make(options->flexion_from, options->flexion_to, options->adduction_from, options->adduction_to,
                           options->step, grid, error);
}

syn_status syn_envelope_observed(const syn_context *context, const syn_rom *rom, const rom_grid *grid,
                                 const rom_observer *observer, syn_envelope **envelope, syn_error *error) {
  syn_envelope *made;
  *envelope = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (syn_envelope){.context = context,
                         .flexion_count = grid->flexion_count,
                         .adduction_count = grid->adduction_count,
                         .flexion_from = grid->flexion_from,
                         .adduction_from = grid->adduction_from,
                         .step = grid->step};
  const syn_status status = fill_envelope(context, rom, grid, observer, made, error);
  if (status == SYN_OK)
    *envelope = made;
  else
    syn_envelope_destroy(made);
  return status;
}

syn_status syn_envelope_create(const syn_context *context, const syn_rom *rom, const syn_envelope_options *options,
                               syn_envelope **envelope, syn_error *error) {
  rom_grid grid;
  *envelope = NULL;
  SYN_TRY(syn_envelope_grid(options, &grid, error));
  return syn_envelope_observed(context, rom, &grid, NULL, envelope, error);
}

void syn_envelope_destroy(syn_envelope *envelope) {
  if (!envelope) return;
  syn_free(envelope->context, envelope->internal);
  syn_free(envelope->context, envelope->external);
  syn_free(envelope->context, envelope->internal_states);
  syn_free(envelope->context, envelope->external_states);
  syn_free(envelope->context, envelope->limited_by);
  syn_free(envelope->context, envelope->external_limited_by);
  syn_free(envelope->context, envelope->places);
  syn_free(envelope->context, envelope->external_places);
  syn_free(envelope->context, envelope);
}

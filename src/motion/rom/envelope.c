/* Computes the envelope of a joint: the free rotation about its third axis at every angle about the first and the
 * second, on several threads. Cells are independent, so the result depends neither on the number of threads nor on the
 * order. */
#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "motion/rom/limit_text.h"
#include "motion/rom/rom.h"

/* ---- a grid of poses --------------------------------------------------------------------------------------------- */

enum { CELLS_PER_REPORT = 16 }; /* per thread, between two reports of progress */

static bool count_steps(double from, double to, double step, uint32_t *count) {
  const double steps = floor((to - from) / step + 1e-9); /* so that 0.1 * 3 reaches 0.3 */
  if (!(steps >= 0) || !(steps < 1e7)) return false;
  *count = (uint32_t)steps + 1;
  return true;
}

syn_status syn_rom_grid_make(double flexion_from, double flexion_to, double adduction_from, double adduction_to,
                             double step, rom_grid *grid, syn_error *error) {
  if (!isfinite(flexion_from) || !isfinite(adduction_from) || !(flexion_to >= flexion_from) ||
      !(adduction_to >= adduction_from) || !(step > 0) || !isfinite(step))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the angles of a grid must be finite and rise in steps greater than 0 (step %g)", step);
  *grid =
      (rom_grid){.flexion_from = flexion_from, .adduction_from = adduction_from, .step = step, .max_angle = SYN_PI / 2};
  if (!count_steps(flexion_from, flexion_to, step, &grid->flexion_count) ||
      !count_steps(adduction_from, adduction_to, step, &grid->adduction_count) ||
      (uint64_t)grid->flexion_count * grid->adduction_count > 10000000)
    return syn_fail(error, SYN_TOO_LARGE, "a grid in steps of %g radians has more than ten million poses", step);
  return SYN_OK;
}

typedef struct batch {
  const syn_rom *rom;
  const rom_grid *grid;
  size_t begin, end, workers;
  char *scratch; /* one buffer after the other, one per worker */
  size_t scratch_size;
  void (*store)(void *user, size_t cell, const syn_limit *inward, const syn_limit *outward);
  void *user;
} batch;

static void limit_cell(const batch *b, size_t cell, void *scratch) {
  const rom_grid *grid = b->grid;
  const size_t flexion = cell / grid->adduction_count, adduction = cell % grid->adduction_count;
  const syn_joint_angles start = {.flexion = grid->flexion_from + (double)flexion * grid->step,
                                  .adduction = grid->adduction_from + (double)adduction * grid->step};
  const syn_pose pose = syn_joint_pose(&b->rom->joint, start);
  syn_limit inward, outward;
  syn_rom_turn(b->rom, &pose, syn_joint_axis_at(&b->rom->joint, start, 2), scratch, &inward, &outward);
  syn_limit_bound(&inward, grid->max_angle);
  syn_limit_bound(&outward, grid->max_angle);
  b->store(b->user, cell, &inward, &outward);
}

/* Worker i of n takes every n-th cell. */
static void run_workers(void *user, size_t first, size_t last) {
  const batch *b = user;
  for (size_t worker = first; worker < last; ++worker)
    for (size_t cell = b->begin + worker; cell < b->end; cell += b->workers)
      limit_cell(b, cell, b->scratch + worker * b->scratch_size);
}

static syn_status run_batches(const syn_context *context, batch *b, size_t count, const char *what, syn_error *error) {
  while (b->end < count) {
    if (!syn_progress(context, what, (double)b->end / (double)count))
      return syn_fail(error, SYN_CANCELLED, "%s was cancelled", what);
    b->begin = b->end;
    b->end += CELLS_PER_REPORT * b->workers;
    if (b->end > count) b->end = count;
    syn_parallel_for(context, b->workers, 1, run_workers, b);
  }
  return SYN_OK;
}

syn_status syn_rom_grid_run(const syn_context *context, const syn_rom *rom, const rom_grid *grid, const char *what,
                            void (*store)(void *user, size_t cell, const syn_limit *inward, const syn_limit *outward),
                            void *user, syn_error *error) {
  const size_t align = 64, count = (size_t)grid->flexion_count * grid->adduction_count;
  const size_t threads = (size_t)syn_thread_count(context);
  batch b = {.rom = rom,
             .grid = grid,
             .workers = threads < count ? threads : count,
             .scratch_size = (syn_rom_scratch(rom) + align - 1) / align * align,
             .store = store,
             .user = user};
  SYN_TRY(syn_allocate(context, b.workers, b.scratch_size, (void **)&b.scratch, error));
  const syn_status status = run_batches(context, &b, count, what, error);
  syn_free(context, b.scratch);
  return status;
}

/* ---- the envelope ------------------------------------------------------------------------------------------------ */

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

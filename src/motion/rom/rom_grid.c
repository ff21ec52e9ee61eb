/* Computes limits of rotation at many flexions and adductions, on several threads. Cells are independent, so the result
 * depends neither on the number of threads nor on the order. */
#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "motion/rom/rom.h"

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

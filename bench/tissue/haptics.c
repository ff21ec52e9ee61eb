/* The haptic loop of a body of 5,000 nodes for a minute: how long a force takes, alone and while every core is busy
 * with something else. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <synovia/shape.h>
#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/tissue.h"

static const double seconds = 60;

/* ---- something else -------------------------------------------------------------------------------------------------
 */

enum { MOST_LOADS = 64, LOAD_WORDS = 1 << 20 };

typedef struct load {
  pthread_t threads[MOST_LOADS];
  int count;
  atomic_bool stop;
} load;

/* Arithmetic over more memory than the caches of a core have. */
static void *be_busy(void *user) {
  load *l = user;
  double *words = calloc(LOAD_WORDS, sizeof *words), sum = 0;
  while (words && !atomic_load_explicit(&l->stop, memory_order_relaxed))
    for (size_t i = 0; i < LOAD_WORDS; ++i) sum += words[i] = sqrt(words[i] + sum * 1e-9 + (double)i);
  free(words);
  return NULL;
}

/* Two threads per core. */
static void start_load(load *l) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  atomic_init(&l->stop, false);
  for (l->count = 0; l->count < 2 * cores && l->count < MOST_LOADS; ++l->count)
    if (pthread_create(&l->threads[l->count], NULL, be_busy, l) != 0) break;
}

static void stop_load(load *l) {
  atomic_store_explicit(&l->stop, true, memory_order_relaxed);
  for (int i = 0; i < l->count; ++i) pthread_join(l->threads[i], NULL);
}

/* ---- the loop -------------------------------------------------------------------------------------------------------
 */

/* A block of 100 x 100 x 50 mm, 18 x 18 x 13 bricks: 5,054 nodes; its bottom is held. */
static syn_status make_body(const syn_context *context, syn_soft **soft, syn_error *error) {
  const syn_shape_value values[] = {{"length", 100}, {"width", 100},  {"height", 50},
                                    {"cells-x", 18}, {"cells-y", 18}, {"cells-z", 13}};
  syn_joint *shape;
  SYN_TRY(syn_shape_create(context, "beam", values, sizeof values / sizeof *values, &shape, error));
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){.young_mpa = 0.01, .poisson = 0.45, .density_kg_m3 = 1050};
  const syn_status status = syn_soft_create(context, "fem", &shape->bodies[0], &options, soft, error);
  syn_joint_destroy(shape);
  return status;
}

static syn_status feel(const syn_context *context, syn_simulation *simulation, syn_soft *soft,
                       syn_haptics_report *report, syn_error *error) {
  uint32_t body;
  SYN_TRY(syn_simulation_add_soft(simulation, soft, NULL, &body, error));
  for (uint32_t i = 0; i < syn_soft_node_count(soft); ++i)
    if (syn_soft_rest(soft)[i].z < -25 + 1e-6)
      SYN_TRY(syn_simulation_prescribe(simulation, body, i, 7, SYN_NONE, error));
  syn_haptics_options options = syn_default_haptics_options();
  options.probe_radius_mm = 12;
  syn_haptics_push push = syn_default_haptics_push();
  push.from = vec3(50, 0, 26);
  push.depth_mm = 9;
  syn_haptics *haptics;
  syn_haptics_device device;
  SYN_TRY(syn_haptics_create(context, simulation, body, &options, &haptics, error));
  syn_status status = syn_haptics_push_device(context, &push, &device, error);
  if (!status) status = syn_haptics_run(haptics, &device, seconds, report, error);
  syn_haptics_device_release(&device);
  syn_haptics_destroy(haptics);
  return status;
}

static syn_status measure(bench_run *run, bool loaded, syn_error *error) {
  syn_simulation_options how = syn_default_simulation_options();
  how.integrator = SYN_INTEGRATOR_STATIC;
  syn_soft *soft = NULL;
  syn_simulation *simulation = NULL;
  syn_haptics_report report;
  load l = {.count = 0};
  syn_status status = make_body(run->context, &soft, error);
  if (!status) status = syn_simulation_create(run->context, &how, &simulation, error);
  if (loaded) start_load(&l);
  if (!status) status = feel(run->context, simulation, soft, &report, error);
  if (loaded) stop_load(&l);
  if (!status) {
    bench_row row = bench_empty_row(loaded ? "cores busy" : "alone", "haptics-5000");
    snprintf(row.ours, sizeof row.ours, "synovia");
    row.ours_ms = report.computing.p50_us / 1e3;
    row.p999_us = report.computing.p999_us;
    row.per_second = report.rate_hz;
    row.ours_answer.count = syn_soft_node_count(soft);
    bench_add_row(run, &row);
  }
  syn_simulation_destroy(simulation);
  syn_soft_destroy(soft);
  return status;
}

syn_status bench_tissue_haptics(bench_run *run, syn_error *error) {
  if (!bench_wants(run, "haptics-5000")) return SYN_OK;
  SYN_TRY(measure(run, false, error));
  return measure(run, true, error);
}

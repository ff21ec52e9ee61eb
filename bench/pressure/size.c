/* Time and memory against size: the parametric hip that stands on one leg, on finer and finer layers. The largest takes
 * half an hour and most of 20 GB, so that this query is measured only by its name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/process.h"
#include "pressure/pressure.h"

enum { SIZES = 7 };
static const struct {
  double edge_mm;
  uint32_t layers;
} sizes[SIZES] = {{2, 3}, {1.4, 3}, {1, 4}, {0.7, 5}, {0.55, 6}, {0.42, 7}, {0.39, 7}};
static const double most_mb = 20000;

typedef struct outcome {
  double unknowns, seconds, memory_mb, peak_mpa, mean_mpa;
} outcome;

static double free_nodes(const syn_layer *layer) {
  double count = 0;
  for (uint32_t i = 0; i < layer->node_count; ++i) count += !layer->on_bone[i];
  return count;
}

/* Processor time, and the most memory that the program has had so far: sizes ascend. */
static void take_measures(clock_t start, outcome *o) {
  struct rusage usage;
  o->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  o->memory_mb = getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : (double)NAN;
}

static syn_status measure(bench_run *run, const syn_hip_case *hip_case, size_t i, outcome *o, syn_error *error) {
  syn_pressure_options options = syn_default_pressure_options();
  syn_pressure *p;
  options.method = "fem";
  options.load.load = "standing";
  options.layers.edge_mm = sizes[i].edge_mm;
  options.layers.layers = sizes[i].layers;
  const clock_t start = clock();
  SYN_TRY(syn_pressure_run(run->context, hip_case, &options, &p, error));
  take_measures(start, o);
  o->unknowns = 3 * (free_nodes(&p->socket) + free_nodes(&p->head) + 1);
  o->peak_mpa = p->steps[0].total.peak_mpa;
  o->mean_mpa = p->steps[0].total.mean_mpa;
  syn_pressure_destroy(p);
  return SYN_OK;
}

/* Its error is how far the peak is from that of the coarser mesh before. */
static void add_row(bench_run *run, size_t i, const outcome *all) {
  char scene[48];
  snprintf(scene, sizeof scene, "hip, %.2g mm, %u layers", sizes[i].edge_mm, sizes[i].layers);
  bench_row row = bench_empty_row(scene, "size");
  snprintf(row.ours, sizeof row.ours, "fem");
  row.ours_ms = 1e3 * all[i].seconds;
  row.memory_mb = all[i].memory_mb;
  row.ours_answer.count = (size_t)all[i].unknowns;
  if (i > 0) row.error_percent = 100 * fabs(all[i].peak_mpa / all[i - 1].peak_mpa - 1);
  bench_add_row(run, &row);
}

static syn_status draw(const bench_run *run, const outcome *all, size_t count, syn_error *error) {
  double x[SIZES], seconds[SIZES], memory[SIZES];
  for (size_t i = 0; i < count; ++i) x[i] = all[i].unknowns, seconds[i] = all[i].seconds, memory[i] = all[i].memory_mb;
  const bench_series series[2] = {{"processor time, s", x, seconds, count, false, 0},
                                  {"memory, MB", x, memory, count, false, 1}};
  const bench_plot plot = {"A hip by finite elements", "unknowns", "s, MB", series, 2, false};
  return bench_draw(run, &plot, "pressure_size", error);
}

/* Memory grows with about the power 1.15 of the unknowns, these with 1 / edge^2 times the layers. */
static bool would_fit(size_t i, const outcome *last) {
  const double finer = sizes[i - 1].edge_mm / sizes[i].edge_mm;
  const double growth = finer * finer * sizes[i].layers / sizes[i - 1].layers;
  return last->memory_mb * pow(growth, 1.15) <= most_mb;
}

static syn_status measure_all(bench_run *run, const syn_hip_case *hip_case, syn_error *error) {
  outcome all[SIZES];
  size_t count = 0;
  for (; count < SIZES && (count == 0 || would_fit(count, &all[count - 1])); ++count) {
    SYN_TRY(measure(run, hip_case, count, &all[count], error));
    add_row(run, count, all);
  }
  return draw(run, all, count, error);
}

static syn_status open_case(const bench_run *run, const char *folder, syn_hip_case **hip_case, syn_error *error) {
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 50}, {"cartilage-edge", 82}, {"resolution", 2}};
  syn_hip_input input = syn_default_hip_input();
  syn_joint *joint;
  char path[SYN_FOLDER_ROOM + 20];
  SYN_TRY(syn_shape_create(run->context, "hip", values, 4, &joint, error));
  const syn_status status = syn_joint_save(run->context, joint, folder, NULL, error);
  syn_joint_destroy(joint);
  SYN_TRY(status);
  snprintf(path, sizeof path, "%s/joint.json", folder);
  input.joint = path;
  return syn_hip_case_create(run->context, &input, hip_case, error);
}

syn_status bench_pressure_size(bench_run *run, syn_error *error) {
  char folder[SYN_FOLDER_ROOM], command[SYN_FOLDER_ROOM + 20];
  syn_hip_case *hip_case;
  if (!run->query || strcmp(run->query, "size") != 0) return SYN_OK;
  SYN_TRY(syn_temporary_folder(folder, error));
  SYN_TRY(open_case(run, folder, &hip_case, error));
  const syn_status status = measure_all(run, hip_case, error);
  syn_hip_case_destroy(hip_case);
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  if (system(command) != 0) syn_warn(run->context, "%s could not be removed", folder);
  return status;
}

/* A hip from standing to sitting under load, by the elastic foundation: poses in balance per second on one thread. */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "pressure/pressure.h"
#include "scenes.h"

enum { STEPS = 30 };

typedef struct loaded_hip {
  const bench_scene *scene;
  syn_hip_case *hip_case;
  syn_layer socket, head;
  syn_loads loads;
  syn_foundation *foundation;
  void *scratch;
  syn_vec3 shift;
  bool started;
} loaded_hip;

static void close_hip(void *state) {
  loaded_hip *hip = state;
  free(hip->scratch);
  syn_foundation_destroy(hip->foundation);
  syn_loads_release(&hip->loads);
  syn_layer_release(&hip->socket);
  syn_layer_release(&hip->head);
  free(hip);
}

static syn_status prepare(loaded_hip *hip, bool nonlinear, const syn_context *context, syn_error *error) {
  syn_foundation_options options = syn_default_foundation_options();
  options.nonlinear = nonlinear;
  SYN_TRY(syn_loads_create(context, &hip->hip_case->hip, hip->hip_case->anatomy, NULL, &hip->loads, error));
  SYN_TRY(syn_hip_layers_create(context, hip->hip_case, NULL, &hip->socket, &hip->head, error));
  return syn_foundation_create(context, &hip->socket, &hip->head, NULL, hip->hip_case->hip.center, &options,
                               &hip->foundation, error);
}

static void *open_hip(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  loaded_hip *hip = calloc(1, sizeof *hip);
  if (!hip) abort();
  hip->scene = scene;
  hip->hip_case = (syn_hip_case *)(uintptr_t)self->data;
  if (prepare(hip, self->variant == 1, scene->context, error) != SYN_OK) {
    close_hip(hip);
    return NULL;
  }
  hip->scratch = malloc(syn_foundation_scratch(hip->foundation));
  if (!hip->scratch) abort();
  return hip;
}

/* The pose is the number of a step of the motion; each begins where the one before has ended. */
static void ask_hip(void *state, const syn_pose *pose, bench_answer *answer) {
  loaded_hip *hip = state;
  const size_t number = (size_t)(pose - hip->scene->poses) % hip->loads.count;
  syn_pressure_step step;
  if (syn_foundation_solve(hip->foundation, &hip->loads.poses[number], hip->started ? &hip->shift : NULL, hip->scratch,
                           &step, NULL) != SYN_OK)
    abort();
  hip->started = true;
  hip->shift = step.shift;
  answer->depth_mm = NAN;
  answer->count = 1;
}

static void race(bench_run *run, const char *name, const syn_hip_case *hip_case, bool nonlinear) {
  syn_pose numbers[STEPS + 1];
  for (size_t i = 0; i <= STEPS; ++i) numbers[i] = syn_pose_identity();
  const bench_scene scene = {.name = name, .context = run->context, .poses = numbers, .pose_count = STEPS + 1};
  const bench_contender ours = {.name = "synovia",
                                .detail = nonlinear ? "nonlinear" : "linear",
                                .query = "foundation",
                                .variant = nonlinear,
                                .open = open_hip,
                                .ask = ask_hip,
                                .close = close_hip,
                                .data = hip_case};
  bench_row *row = bench_compare(run, &scene, &ours, 1);
  if (row) row->per_second = 1e3 / row->ours_ms;
}

static syn_status open_case(bench_run *run, syn_hip_case **hip_case, syn_error *error) {
  syn_hip_input input = syn_default_hip_input();
  char pelvis[512];
  const char *found = bench_data("vsd_NC/z013/Hip_R.ply");
  if (!found) return syn_fail(error, SYN_NOT_FOUND, "foundation needs the hip z013: $SYNOVIA_DATA names its folder");
  snprintf(pelvis, sizeof pelvis, "%s", found);
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = bench_data("vsd_NC/z013/Femur_R.ply");
  return syn_hip_case_create(run->context, &input, hip_case, error);
}

syn_status bench_pressure_foundation(bench_run *run, syn_error *error) {
  syn_hip_case *hip_case;
  if (!bench_wants(run, "foundation")) return SYN_OK;
  SYN_TRY(open_case(run, &hip_case, error));
  race(run, "z013 linear", hip_case, false);
  race(run, "z013 nonlinear", hip_case, true);
  syn_hip_case_destroy(hip_case);
  return SYN_OK;
}

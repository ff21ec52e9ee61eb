/* Range of motion of a hip about the three axes, both ways: exact events against a rival that steps and bisects; and
 * the envelope of all rotations. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ours.h"
#include "scenes.h"
#include "stepper.h"

/* Any rival that can decide whether two meshes collide. */
static const bench_contender *boolean_rival(void) {
  for (size_t i = 0; i < bench_rival_count(); ++i)
    if (strcmp(bench_rival_at(i)->query, "boolean") == 0) return bench_rival_at(i);
  return NULL;
}

/* ---- the envelope -------------------------------------------------------------------------------------------------
 */

/* 129 flexions by 81 adductions, the rotation exact both ways at each: the defaults of `synovia hip`, four times as
 * fine. As the bones were scanned is the easier question: the head soon meets its socket. */
static const double envelope_step = 1.25 * SYN_PI / 180;

typedef struct envelope_state {
  const syn_context *context;
  syn_hip_case *hip_case;
  syn_rom *rom;
} envelope_state;

static void close_envelope(void *state) {
  envelope_state *e = state;
  syn_rom_destroy(e->rom);
  syn_hip_case_destroy(e->hip_case);
  free(e);
}

/* As `synovia hip` opens it: with the anatomy, the centre and the seat. */
static syn_status open_real_hip(const syn_context *context, bool as_scanned, syn_hip_case **hip_case,
                                syn_error *error) {
  char pelvis[4096] = "";
  syn_hip_input input = syn_default_hip_input();
  const char *found = bench_data("vsd_NC/z013/Hip_R.ply");
  if (found) snprintf(pelvis, sizeof pelvis, "%s", found);
  input.as_scanned = as_scanned;
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = bench_data("vsd_NC/z013/Femur_R.ply");
  if (!found || !input.parts[SYN_HIP_FEMUR]) return syn_fail(error, SYN_NOT_FOUND, "the real hip z013 is not here");
  return syn_hip_case_create(context, &input, hip_case, error);
}

static void *open_envelope(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  envelope_state *e = calloc(1, sizeof *e);
  if (!e) abort();
  e->context = scene->context;
  if (open_real_hip(e->context, self->variant != 0, &e->hip_case, error) == SYN_OK &&
      syn_hip_rom_create(e->context, &e->hip_case->hip, &e->rom, error) == SYN_OK)
    return e;
  close_envelope(e);
  return NULL;
}

static void ask_envelope(void *state, const syn_pose *pose, bench_answer *answer) {
  (void)pose; /* the grid has all of them */
  const envelope_state *e = state;
  syn_envelope_options options = syn_default_envelope_options();
  options.step = envelope_step;
  syn_envelope *envelope;
  if (syn_envelope_create(e->context, e->rom, &options, &envelope, NULL) != SYN_OK) abort();
  answer->count = (size_t)envelope->flexion_count * envelope->adduction_count;
  syn_envelope_destroy(envelope);
}

/* Ours alone: no rival has one. The row has the time of one pose, and how many there are in a second. */
static void run_envelope(bench_run *run, bool as_scanned) {
  const syn_pose start = syn_pose_identity();
  const bench_contender ours = {.name = "synovia",
                                .detail = "rotation events",
                                .query = "envelope",
                                .variant = as_scanned,
                                .open = open_envelope,
                                .ask = ask_envelope,
                                .close = close_envelope};
  const bench_scene scene = {.name = "z013", .context = run->context, .poses = &start, .pose_count = 1};
  bench_entry entry = {.contender = &ours};
  bench_race(&scene, &run->pace, &entry, 1);
  if (!entry.took_part) {
    syn_warn(run->context, "the row of the envelope is left out: %s", entry.error.message);
    return;
  }
  bench_row row = bench_empty_row("z013", as_scanned ? "envelope as scanned, per pose" : "envelope, per pose");
  row.ours_ms = bench_median(&entry.ask) / (double)entry.answer.count;
  row.ours_build_ms = bench_median(&entry.build);
  row.ours_answer.count = entry.answer.count;
  snprintf(row.ours, sizeof row.ours, "%.0f poses per second", 1000 / row.ours_ms);
  bench_add_row(run, &row);
}

/* ---- the suite ----------------------------------------------------------------------------------------------------
 */

static void run_axis(bench_run *run, const bench_hip *hip, int axis) {
  const syn_pose start = syn_pose_identity();
  char name[32];
  snprintf(name, sizeof name, "%s %c", hip->name, "xyz"[axis]);
  const bench_scene scene = {.name = name,
                             .context = run->context,
                             .fixed = {.surface = hip->pelvis},
                             .mobile = {.surface = hip->femur},
                             .center = hip->center,
                             .axis = vec3(axis == 0, axis == 1, axis == 2),
                             .poses = &start,
                             .pose_count = 1};
  const bench_contender *rival = boolean_rival();
  const bench_stepping stepping = {rival, 0.5, 1e-5};
  const bench_contender contenders[] = {bench_rotation_events,
                                        bench_stepper(&stepping, rival ? rival->name : "", "steps of 0.5 deg")};
  bench_compare(run, &scene, contenders, run->peers && rival ? 2 : 1);
}

static syn_status run_suite(bench_run *run, syn_error *error) {
  bench_hip hip;
  SYN_TRY(bench_load_hip(run, &hip, error));
  for (int axis = 0; axis < 3; ++axis) run_axis(run, &hip, axis);
  bench_release_hip(&hip);
  run_envelope(run, false);
  run_envelope(run, true);
  return SYN_OK;
}

const bench_suite bench_rom = {"rom", run_suite};

/* Range of motion of a hip about the three axes, both ways: exact events against a rival that steps and bisects; and
 * the envelope of all rotations. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ours.h"
#include "scenes.h"

/* ---- stepping -----------------------------------------------------------------------------------------------------
 */

static const double step_deg = 0.5, precision_deg = 1e-5;

/* Any rival that can decide whether two meshes collide. */
typedef struct stepper {
  const bench_contender *rival;
  void *state;
  syn_vec3 center, axis;
} stepper;

static const bench_contender *boolean_rival(void) {
  for (size_t i = 0; i < bench_rival_count(); ++i)
    if (strcmp(bench_rival_at(i)->query, "boolean") == 0) return bench_rival_at(i);
  return NULL;
}

static void *open_stepper(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self;
  const bench_contender *rival = boolean_rival();
  void *state = rival->open(rival, scene, error);
  if (!state) return NULL;
  stepper *s = malloc(sizeof *s);
  if (!s) abort();
  *s = (stepper){rival, state, scene->center, scene->axis};
  return s;
}

static void close_stepper(void *state) {
  stepper *s = state;
  s->rival->close(s->state);
  free(s);
}

static bool collides_at(const stepper *s, double degrees) {
  bench_answer answer = {0};
  const syn_pose pose = syn_pose_about_axis(s->center, s->axis, degrees * SYN_PI / 180);
  s->rival->ask(s->state, &pose, &answer);
  return answer.count > 0;
}

/* Degrees of free turning one way (sign +1 or -1). */
static double free_turn(const stepper *s, double sign) {
  double hit = step_deg;
  while (hit < 360 && !collides_at(s, sign * hit)) hit += step_deg;
  if (hit >= 360) return 360;
  double low = hit - step_deg;
  while (hit - low > precision_deg) {
    const double middle = (low + hit) / 2;
    *(collides_at(s, sign * middle) ? &hit : &low) = middle;
  }
  return low;
}

static void ask_stepper(void *state, const syn_pose *pose, bench_answer *answer) {
  (void)pose; /* sets off from where the meshes are */
  answer->turn_deg[0] = free_turn(state, 1);
  answer->turn_deg[1] = free_turn(state, -1);
}

/* ---- the envelope -------------------------------------------------------------------------------------------------
 */

/* 129 flexions by 81 adductions, the rotation exact both ways at each: the defaults of `synovia hip`, four times as
 * fine. */
static const double envelope_step = 1.25 * SYN_PI / 180;

typedef struct envelope_state {
  const syn_context *context;
  syn_hip_case *hip_case;
  syn_hip_rom *rom;
} envelope_state;

static void close_envelope(void *state) {
  envelope_state *e = state;
  syn_hip_rom_destroy(e->rom);
  syn_hip_case_destroy(e->hip_case);
  free(e);
}

/* As `synovia hip` opens it: with the anatomy, the centre and the seat. */
static syn_status open_real_hip(const syn_context *context, syn_hip_case **hip_case, syn_error *error) {
  char pelvis[4096] = "";
  syn_hip_input input = syn_default_hip_input();
  const char *found = bench_data("vsd_NC/z013/Hip_R.ply");
  if (found) snprintf(pelvis, sizeof pelvis, "%s", found);
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = bench_data("vsd_NC/z013/Femur_R.ply");
  if (!found || !input.parts[SYN_HIP_FEMUR]) return syn_fail(error, SYN_NOT_FOUND, "the real hip z013 is not here");
  return syn_hip_case_create(context, &input, hip_case, error);
}

static void *open_envelope(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self;
  envelope_state *e = calloc(1, sizeof *e);
  if (!e) abort();
  e->context = scene->context;
  if (open_real_hip(e->context, &e->hip_case, error) == SYN_OK &&
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
static void run_envelope(bench_run *run) {
  const syn_pose start = syn_pose_identity();
  const bench_contender ours = {.name = "synovia",
                                .detail = "rotation events",
                                .query = "envelope",
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
  bench_row row = bench_empty_row("z013", "envelope, per pose");
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
  const bench_contender contenders[] = {bench_rotation_events,
                                        {.name = rival ? rival->name : "",
                                         .detail = "steps of 0.5 deg",
                                         .query = "rotation",
                                         .open = open_stepper,
                                         .ask = ask_stepper,
                                         .close = close_stepper}};
  bench_compare(run, &scene, contenders, run->peers && rival ? 2 : 1);
}

static syn_status run_suite(bench_run *run, syn_error *error) {
  bench_hip hip;
  SYN_TRY(bench_load_hip(run, &hip, error));
  for (int axis = 0; axis < 3; ++axis) run_axis(run, &hip, axis);
  bench_release_hip(&hip);
  run_envelope(run);
  return SYN_OK;
}

const bench_suite bench_rom = {"rom", run_suite};

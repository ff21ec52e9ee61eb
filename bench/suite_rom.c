/* Range of motion of a hip about the three axes, both ways: exact events against a rival that steps and bisects. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "ours.h"
#include "scenes.h"

/* ---- stepping -----------------------------------------------------------------------------------------------------
 */

static const double step_deg = 0.5, precision_deg = 1e-5;

/* Any rival that tells whether two meshes collide. */
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
  return SYN_OK;
}

const bench_suite bench_rom = {"rom", run_suite};

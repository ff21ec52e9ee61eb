/* The examples of Arbabi 2009, §3.7.2, that are no joints: lever and stone, wrench and screw, a robot arm with an
 * object, a torus on rough ground; beside the published times (Figures 49 to 52, Xeon 3.4 GHz). */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "ours.h"
#include "published.h"
#include "scenes.h"

/* One body that turns, or lies, against another. */
typedef struct mechanism {
  const char *name, *method;
  const char *fixed_shape, *fixed, *mobile_shape, *mobile;
  syn_vec3 center, axis, pivot; /* of the method; the turn is about `axis` through `pivot` */
  double turn_deg;
  syn_vec3 shift;
} mechanism;

/* The arm's shoulder is lowered by 14 degrees; each level is asked about its own hinge, as that then lies. */
static const mechanism mechanisms[] = {
    {"lever", "cylindrical", "lever", "stone", "lever", "lever", {0, 0, 0}, {0, 1, 0}, {0, 0, 0}, 8, {0, 0, 0}},
    {"wrench", "cylindrical", "wrench", "screw", "wrench", "wrench", {0, 0, 2.5}, {0, 0, 1}, {0, 0, 2.5}, 3, {0, 0, 0}},
    {"arm: shoulder",
     "cylindrical",
     "arm",
     "object",
     "arm",
     "upper-arm",
     {0, 0, 120},
     {0, 1, 0},
     {0, 0, 120},
     14,
     {0, 0, 0}},
    {"arm: elbow",
     "cylindrical",
     "arm",
     "object",
     "arm",
     "forearm",
     {96.418, 0, 234.907},
     {0, 1, 0},
     {0, 0, 120},
     14,
     {0, 0, 0}},
    {"arm: wrist",
     "cylindrical",
     "arm",
     "object",
     "arm",
     "hand",
     {196.004, 0, 151.344},
     {0, 1, 0},
     {0, 0, 120},
     14,
     {0, 0, 0}},
    {"torus", "radial", "ground", "ground", "torus", "torus", {0, 0, 200}, {0, 0, 1}, {0, 0, 0}, 0, {0, 0, 14}},
};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

/* Milliseconds of preparation, of one question, and of both. */
static const struct {
  const char *name;
  bench_times times;
} published[] = {{"lever", {2.72, 0.024, 2.75}},
                 {"wrench", {35.48, 0.038, 35.52}},
                 {"arm", {3.87, 0.035, 3.91}},
                 {"torus", {2.36, 0.76, 3.12}}};

static bench_times published_of(const char *name) {
  for (size_t i = 0; i < sizeof published / sizeof *published; ++i)
    if (strcmp(published[i].name, name) == 0) return published[i].times;
  return (bench_times){NAN, NAN, NAN};
}

static void add_row(bench_run *run, const char *name, const char *method, const bench_times *ours,
                    const bench_answer *answer) {
  const bench_times theirs = published_of(name);
  bench_row row = bench_empty_row(name, method);
  snprintf(row.ours, sizeof row.ours, "%s", method);
  snprintf(row.peer, sizeof row.peer, "%s", isnan(theirs.main) ? "" : "published");
  row.ours_ms = ours->main, row.ours_build_ms = ours->pre;
  row.peer_ms = theirs.main, row.peer_build_ms = theirs.pre;
  row.ours_answer = *answer;
  if (bench_wants(run, method)) bench_add_row(run, &row);
}

static syn_status body_of(const bench_run *run, const char *shape, const char *body, syn_trimesh **mesh,
                          syn_error *error) {
  syn_joint *made;
  SYN_TRY(syn_shape_create(run->context, shape, NULL, 0, &made, error));
  const syn_status status = bench_copy_body(made, body, mesh, error);
  syn_joint_destroy(made);
  return status;
}

static void race(bench_run *run, const mechanism *m, const syn_trimesh *fixed, const syn_trimesh *mobile,
                 bench_times *ours, bench_answer *answer) {
  syn_pose pose = syn_pose_about_axis(m->pivot, m->axis, m->turn_deg * SYN_DEGREE);
  pose.translation = vec3_add(pose.translation, m->shift);
  const bench_scene scene = {.name = m->name,
                             .context = run->context,
                             .fixed = {.surface = fixed},
                             .mobile = {.surface = mobile},
                             .center = syn_pose_point(&pose, vec3_sub(m->center, m->shift)),
                             .axis = m->axis,
                             .poses = &pose,
                             .pose_count = 1};
  const bench_contender contender = bench_collider(m->method, m->method, BENCH_FIELD);
  bench_entry entry = {.contender = &contender};
  bench_race(&scene, &run->pace, &entry, 1);
  if (!entry.took_part) syn_warn(run->context, "case %s: left out: %s", m->name, entry.error.message);
  *ours = (bench_times){bench_median(&entry.build), bench_median(&entry.ask), NAN};
  *answer = entry.answer;
}

static syn_status run_one(bench_run *run, const mechanism *m, bench_times *ours, bench_answer *answer,
                          syn_error *error) {
  syn_trimesh *fixed, *mobile;
  SYN_TRY(body_of(run, m->fixed_shape, m->fixed, &fixed, error));
  const syn_status status = body_of(run, m->mobile_shape, m->mobile, &mobile, error);
  if (status == SYN_OK) {
    race(run, m, fixed, mobile, ours, answer);
    syn_trimesh_destroy(mobile);
  }
  syn_trimesh_destroy(fixed);
  return status;
}

/* The levels of the arm are rows of their own; together they are what the thesis times. */
static syn_status run_suite(bench_run *run, syn_error *error) {
  bench_times arm = {0, 0, NAN};
  bench_answer deepest = {.depth_mm = -INFINITY, .turn_deg = {NAN, NAN}};
  for (size_t i = 0; i < MECHANISMS; ++i) {
    bench_times ours;
    bench_answer answer;
    SYN_TRY(run_one(run, &mechanisms[i], &ours, &answer, error));
    add_row(run, mechanisms[i].name, mechanisms[i].method, &ours, &answer);
    if (strncmp(mechanisms[i].name, "arm", 3) != 0) continue;
    arm.pre += ours.pre;
    arm.main += ours.main;
    deepest.count += answer.count;
    deepest.depth_mm = fmax(deepest.depth_mm, answer.depth_mm);
  }
  add_row(run, "arm", "cylindrical", &arm, &deepest);
  return SYN_OK;
}

const bench_suite bench_mechanisms = {"mechanisms", run_suite};

/* The ball in its cup: A overlaps all round, B is clear, C turns a cam into the rim. Each query against the rival that
 * does it best. */
#include "base/parallel.h"
#include "base/vec.h"
#include "ours.h"
#include "scenes.h"

enum { CAM_POSES = 90 };

typedef struct ball_case {
  const char *name;
  double radius, cam_height;
  size_t poses;      /* turns of 0, 1, 2 … degrees about y, which bring the cam into the rim */
  bool always_clear; /* a rival's distance means something */
} ball_case;

static const ball_case cases[] = {
    {"A", 24.5, 0, 1, false},
    {"B", 23.8, 0, 1, true},
    {"C", 23.8, 1.5, CAM_POSES, false},
};

/* Boxes of either kind answer the same; the better one of ours counts, as the better variant of a rival does. */
static void ask_pairs(bench_run *run, const bench_scene *scene) {
  const bench_contender any[] = {bench_collider("aabb", "boolean", BENCH_ANY),
                                 bench_collider("obb", "boolean", BENCH_ANY)};
  const bench_contender all[] = {bench_collider("aabb", "all-pairs", BENCH_PAIRS),
                                 bench_collider("obb", "all-pairs", BENCH_PAIRS)};
  bench_compare(run, scene, any, 2);
  bench_compare(run, scene, all, 2);
}

/* The trees of ours prune with shells about the joint's centre, and these bodies are exactly concentric: where they are
 * clear, the roots already come apart. A rival gets no centre. So the query is repeated with a useless centre, as a
 * case of its own; that compares one tree with another. */
static void ask_pairs_both_ways(bench_run *run, const bench_scene *scene) {
  char name[32];
  bench_scene blind = *scene;
  snprintf(name, sizeof name, "%s blind", scene->name);
  blind.name = name;
  blind.center = vec3(1000, 0, 0);
  ask_pairs(run, scene);
  ask_pairs(run, &blind);
}

static void check_bits(const bench_run *run, const bench_scene *scene, const bench_contender both[2]) {
  size_t differ;
  syn_error error = {0};
  if (bench_compare_fields(scene, &both[0], &both[1], &differ, &error) != SYN_OK)
    syn_warn(run->context, "case %s, %s: the fields cannot be compared: %s", scene->name, both->query, error.message);
  else if (differ > 0)
    syn_warn(run->context, "case %s, %s: %zu depths are not the same bits on one thread", scene->name, both->query,
             differ);
}

/* With several threads ours on one is a rival, too; it must give the same field to the bit. */
static void ask_field(bench_run *run, const bench_scene *scene, const char *method, const char *query) {
  bench_contender ours[] = {bench_collider(method, query, BENCH_FIELD),
                            bench_collider(method, query, BENCH_FIELD | BENCH_ONE_THREAD)};
  const bool threads = syn_thread_count(run->context) > 1;
  ours[1].name = "one thread";
  if (bench_compare(run, scene, ours, threads ? 2 : 1) && threads) check_bits(run, scene, ours);
}

static void ask_fields(bench_run *run, const bench_scene *scene) {
  ask_field(run, scene, "radial", "radial-field");
  ask_field(run, scene, "distance", "signed-distance-field");
}

/* Also the deepest point on faces and edges. */
static void ask_between(bench_run *run, const bench_scene *scene) {
  const bench_contender ours = bench_collider("distance", "deepest-point", BENCH_FIELD | BENCH_BETWEEN);
  bench_compare(run, scene, &ours, 1);
}

/* Does it pay to start from the last pose? The cam turns in smaller and larger steps. */
static void ask_from_pose_to_pose(bench_run *run, const bench_scene *turning) {
  static const double steps_deg[] = {0.1, 1, 5};
  bench_contender both[] = {bench_collider("proximity", "pose-to-pose-field", BENCH_FIELD),
                            bench_collider("distance", "pose-to-pose-field", BENCH_FIELD)};
  both[1].name = "every pose afresh";
  for (size_t k = 0; k < sizeof steps_deg / sizeof *steps_deg; ++k) {
    enum { POSES = 18 };
    syn_pose poses[POSES];
    char name[32];
    bench_scene scene = *turning;
    snprintf(name, sizeof name, "%s by %g°", turning->name, steps_deg[k]);
    for (size_t i = 0; i < POSES; ++i)
      poses[i] = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 1, 0), (double)i * steps_deg[k] * SYN_PI / 180);
    scene.name = name;
    scene.poses = poses;
    scene.pose_count = POSES;
    bench_compare(run, &scene, both, 2);
  }
}

/* In overlap a rival's distance is 0 and its time that of the first touch: nothing to compare with. */
static void ask_clearance(bench_run *run, const bench_scene *scene, bool always_clear) {
  const bool peers = run->peers;
  run->peers = peers && always_clear;
  bench_compare(run, scene, &bench_clearance, 1);
  run->peers = peers;
}

static syn_status run_case(bench_run *run, const ball_case *c, const syn_trimesh *cup, syn_error *error) {
  const syn_shape_value values[] = {{"radius", c->radius}, {"cam-height", c->cam_height}};
  syn_trimesh *ball;
  SYN_TRY(bench_shape_surface(run, "ball", values, 2, &ball, error));
  syn_pose poses[CAM_POSES];
  for (size_t i = 0; i < c->poses; ++i)
    poses[i] = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 1, 0), (double)i * SYN_PI / 180);
  const bench_scene scene = {.name = c->name,
                             .context = run->context,
                             .fixed = {.surface = cup},
                             .mobile = {.surface = ball},
                             .axis = {0, 1, 0},
                             .poses = poses,
                             .pose_count = c->poses};
  ask_fields(run, &scene);
  ask_between(run, &scene);
  if (c->poses > 1) ask_from_pose_to_pose(run, &scene);
  ask_clearance(run, &scene, c->always_clear);
  ask_pairs_both_ways(run, &scene);
  syn_trimesh_destroy(ball);
  return SYN_OK;
}

static syn_status run_suite(bench_run *run, syn_error *error) {
  syn_trimesh *cup;
  SYN_TRY(bench_shape_surface(run, "cup", NULL, 0, &cup, error));
  syn_status status = SYN_OK;
  for (size_t i = 0; i < sizeof cases / sizeof *cases && status == SYN_OK; ++i)
    status = run_case(run, &cases[i], cup, error);
  syn_trimesh_destroy(cup);
  return status;
}

const bench_suite bench_ball_cup = {"ball-cup", run_suite};

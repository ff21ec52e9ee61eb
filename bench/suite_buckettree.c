/* Volumes that cut each other and themselves: Erleben & Sporring 2005, Fig. 1.5.4 to 1.5.7 (V shapes of varying size
 * and with a varying number of intersections), then on to a million tetrahedra. Every method that works on volumes
 * takes part. A query is that of a simulation step: take the current vertices, then report all contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "scenes.h"
#include "walk.h"

enum { MAX_POINTS = 12, MAX_METHODS = 8 };

/* ---- the contender ------------------------------------------------------------------------------------------------
 */

typedef struct volume_state {
  syn_collider *collider;
  const syn_tetmesh *fixed, *mobile;
  void *scratch;
} volume_state;

static void *open_volumes(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  syn_collider *collider;
  if (syn_collider_create(scene->context, self->detail, &scene->fixed, &scene->mobile, NULL, &collider, error) !=
      SYN_OK)
    return NULL;
  volume_state *s = malloc(sizeof *s);
  if (!s) abort();
  *s = (volume_state){collider, scene->fixed.volume, scene->mobile.volume, malloc(syn_collider_scratch(collider) + 1)};
  if (!s->scratch) abort();
  return s;
}

static void ask_volumes(void *state, const syn_pose *pose, bench_answer *answer) {
  volume_state *s = state;
  syn_contacts contacts = {0};
  if (syn_collider_update(s->collider, s->fixed->vertices, s->mobile->vertices, NULL) != SYN_OK) abort();
  syn_collider_query(s->collider, pose, s->scratch, &contacts);
  answer->depth_mm = contacts.max_depth_mm;
  answer->count = contacts.count;
}

static void close_volumes(void *state) {
  volume_state *s = state;
  syn_collider_destroy(s->collider);
  free(s->scratch);
  free(s);
}

static bench_contender contender_of(const char *method, const char *query) {
  return (bench_contender){.name = "synovia",
                           .detail = method,
                           .query = query,
                           .open = open_volumes,
                           .ask = ask_volumes,
                           .close = close_volumes};
}

/* ---- the shapes ---------------------------------------------------------------------------------------------------
 */

static const double leg_mm = 60, width_mm = 10;

static syn_status make_v(const bench_run *run, int cells, int along, syn_tetmesh **mesh, syn_error *error) {
  const syn_shape_value values[] = {{"leg", leg_mm}, {"width", width_mm}, {"cells", cells}, {"along", along}};
  syn_joint *shape;
  SYN_TRY(syn_shape_create(run->context, "v", values, 4, &shape, error));
  const syn_tetmesh *v = shape->bodies[0].volume;
  const syn_status status =
      syn_tetmesh_create(run->context, v->vertices, v->vertex_count, v->tets, v->tet_count, mesh, error);
  syn_joint_destroy(shape);
  return status;
}

/* Two Vs in planes at right angles, one dragged out of the other: part 1 is wholly in, 0 is out. */
static syn_pose dragged(double part) {
  syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 0, 0), SYN_PI / 2);
  pose.translation.x = (1 - part) * 3 * width_mm;
  return pose;
}

/* One V whose legs close, the tips first, until they cut each other: part 0 is before they touch. */
static syn_vec3 closed(syn_vec3 p, double part) {
  /* a little more on one side, so that the tips touch with a corner and the contacts grow from none */
  const double reach = fmin(1, hypot(p.x, p.y) / leg_mm) * (1 + 0.05 * p.z / width_mm);
  const double angle = (25 + 25 * part) * SYN_PI / 180 * reach * reach * (p.y > 0 ? -1 : 1);
  return vec3(p.x * cos(angle) - p.y * sin(angle), p.x * sin(angle) + p.y * cos(angle), p.z);
}

/* ---- finding the number of intersections --------------------------------------------------------------------------
 */

/* What is measured: one V with itself, or two of them. The meshes share their tetrahedra with the V that was made; the
 * vertices of the first are ours to move. */
typedef struct v_scene {
  const syn_tetmesh *v;
  bool self;
  syn_tetmesh first, second;
  syn_vec3 *vertices; /* of the first */
  syn_pose pose;
  bench_scene scene;
} v_scene;

/* Must stay where it is: the scene points into it. */
static syn_status open_scene(const bench_run *run, const syn_tetmesh *v, bool self, v_scene *s, syn_error *error) {
  *s = (v_scene){.v = v, .self = self, .first = *v, .second = *v, .pose = syn_pose_identity()};
  SYN_TRY(SYN_NEW(run->context, &s->vertices, v->vertex_count, error));
  memcpy(s->vertices, v->vertices, v->vertex_count * sizeof *s->vertices);
  s->first.vertices = s->vertices;
  s->scene = (bench_scene){.context = run->context,
                           .fixed = {.volume = &s->first},
                           .mobile = {.volume = self ? &s->first : &s->second}, /* the same mesh: with itself */
                           .poses = &s->pose,
                           .pose_count = 1};
  return SYN_OK;
}

static void set_part(v_scene *s, double part) {
  if (s->self)
    for (size_t i = 0; i < s->v->vertex_count; ++i) s->vertices[i] = closed(s->v->vertices[i], part);
  else
    s->pose = dragged(part);
}

/* How many contacts there are; `state` was opened on the scene at some other part. */
static size_t count_contacts(const v_scene *s, void *state) {
  bench_answer answer = {0};
  ask_volumes(state, &s->pose, &answer);
  return answer.count;
}

/* Sets the part that gives about `wanted` contacts; returns how many it gives. */
static size_t seek_contacts(v_scene *s, void *state, size_t wanted) {
  double low = 0, high = 1;
  size_t found = 0;
  for (int i = 0; i < 20; ++i) {
    const double middle = (low + high) / 2;
    set_part(s, middle);
    found = count_contacts(s, state);
    if (found >= wanted * 4 / 5 && found <= wanted * 6 / 5) break;
    *(found < wanted ? &low : &high) = middle;
  }
  return found;
}

/* ---- the figures --------------------------------------------------------------------------------------------------
 */

typedef struct figure {
  const char *name, *title;
  bool self;
  size_t contacts; /* of each size; 0: one size, varying contacts */
} figure;

static const figure figures[] = {
    {"1.5.4a", "Two Vs, about 1000 contacts (Erleben, Figure 1.5.4 A)", false, 1000},
    {"1.5.4b", "Two Vs, about 4000 contacts (Erleben, Figure 1.5.4 B)", false, 4000},
    {"1.5.5", "Two Vs of about 1000 tetrahedra (Erleben, Figure 1.5.5)", false, 0},
    {"1.5.6", "A V that cuts itself, about 1000 contacts (Erleben, Figure 1.5.6)", true, 1000},
    {"1.5.7", "A V of about 1000 tetrahedra that cuts itself (Erleben, Figure 1.5.7)", true, 0},
};

/* 600 to 1400 as in the figures, then on to a million: 12 cells^2 along. */
static const int sizes[][2] = {{2, 13}, {2, 21}, {2, 29},  {3, 18},  {4, 24},
                               {6, 36}, {8, 48}, {12, 72}, {16, 96}, {24, 144}};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct curve {
  double x[MAX_POINTS], ms[MAX_POINTS];
  size_t count;
} curve;

static void measure(bench_run *run, v_scene *s, const bench_contender *contender, double x, curve *to) {
  char name[48];
  snprintf(name, sizeof name, "%u", s->v->tet_count);
  s->scene.name = name;
  bench_row *row = bench_compare(run, &s->scene, contender, 1);
  if (!row) return;
  row->tetrahedra = s->v->tet_count * (s->self ? (size_t)1 : 2);
  to->x[to->count] = x;
  to->ms[to->count++] = row->ours_ms;
}

/* One size, about f->contacts contacts. */
static void run_size(bench_run *run, const figure *f, const bench_contender *contender, v_scene *s, void *state,
                     curve *to) {
  const size_t found = seek_contacts(s, state, f->contacts);
  if (found >= f->contacts / 2 && found <= f->contacts * 2)
    measure(run, s, contender, s->v->tet_count, to);
  else
    syn_warn(run->context, "%s, %s: %u tetrahedra have no place with about %zu contacts, the nearest has %zu", f->name,
             contender->detail, s->v->tet_count, f->contacts, found);
}

/* One size, more and more contacts. */
static void run_counts(bench_run *run, const bench_contender *contender, v_scene *s, void *state, curve *to) {
  for (int step = 1; step <= 10; ++step) {
    set_part(s, step / 10.0);
    const size_t found = count_contacts(s, state);
    if (found > 0) measure(run, s, contender, (double)found, to);
  }
}

static syn_status run_mesh(bench_run *run, const figure *f, const char *method, const int size[2], curve *to,
                           syn_error *error) {
  const bench_contender contender = contender_of(method, f->name);
  syn_tetmesh *v;
  v_scene s;
  SYN_TRY(make_v(run, size[0], size[1], &v, error));
  syn_status status = open_scene(run, v, f->self, &s, error);
  void *state = status == SYN_OK ? open_volumes(&contender, &s.scene, error) : NULL;
  if (state) {
    if (f->contacts)
      run_size(run, f, &contender, &s, state, to);
    else
      run_counts(run, &contender, &s, state, to);
    close_volumes(state);
  } else if (status == SYN_OK)
    status = error->code;
  syn_free(run->context, s.vertices);
  syn_tetmesh_destroy(v);
  return status;
}

static syn_status run_method(bench_run *run, const figure *f, const char *method, curve *to, syn_error *error) {
  static const int about_1000[2] = {2, 21};
  if (!f->contacts) return run_mesh(run, f, method, about_1000, to, error);
  for (size_t i = 0; i < SIZES; ++i) SYN_TRY(run_mesh(run, f, method, sizes[i], to, error));
  return SYN_OK;
}

static syn_status run_figure(bench_run *run, const figure *f, const syn_method_info *methods, size_t count,
                             syn_error *error) {
  curve curves[MAX_METHODS] = {0};
  bench_series series[MAX_METHODS];
  for (size_t i = 0; i < count; ++i) {
    SYN_TRY(run_method(run, f, methods[i].name, &curves[i], error));
    series[i] = (bench_series){methods[i].name, curves[i].x, curves[i].ms, curves[i].count, false, i};
  }
  char name[32];
  snprintf(name, sizeof name, "buckettree-%s", f->name);
  const bench_plot plot = {f->title, f->contacts ? "tetrahedra" : "contacts", "ms", series, count, false};
  return bench_draw(run, &plot, name, error);
}

/* ---- continuation -------------------------------------------------------------------------------------------------
 */

/* About 1000 contacts, then small steps out and back: followed through neighbours against a search at every step. */
static void race_walk(bench_run *run, v_scene *s) {
  enum { STEPS = 10 };
  static const double step_mm = 0.05;
  const bench_contender search = contender_of("buckettree", "continuation");
  bench_contender both[] = {bench_walk("continuation"), search};
  both[1].name = "search";
  syn_pose poses[STEPS];
  for (int i = 0; i < STEPS; ++i) {
    poses[i] = s->pose;
    poses[i].translation.x += step_mm * (i < STEPS / 2 ? i : STEPS - i);
  }
  char name[48];
  snprintf(name, sizeof name, "%u", s->v->tet_count);
  s->scene.name = name;
  s->scene.poses = poses;
  s->scene.pose_count = STEPS;
  bench_row *row = bench_compare(run, &s->scene, both, 2);
  if (row) row->tetrahedra = 2 * (size_t)s->v->tet_count;
  s->scene.poses = &s->pose;
  s->scene.pose_count = 1;
}

/* From 1008 to a million tetrahedra of both. */
static syn_status run_continuation(bench_run *run, syn_error *error) {
  static const size_t chosen[] = {1, 5, 7, 9};
  const bench_contender search = contender_of("buckettree", "continuation");
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen; ++i) {
    syn_tetmesh *v;
    v_scene s;
    SYN_TRY(make_v(run, sizes[chosen[i]][0], sizes[chosen[i]][1], &v, error));
    syn_status status = open_scene(run, v, false, &s, error);
    void *state = status == SYN_OK ? open_volumes(&search, &s.scene, error) : NULL;
    if (state) {
      seek_contacts(&s, state, 1000);
      close_volumes(state);
      race_walk(run, &s);
    } else if (status == SYN_OK)
      status = error->code;
    syn_free(run->context, s.vertices);
    syn_tetmesh_destroy(v);
    SYN_TRY(status);
  }
  return SYN_OK;
}

static syn_status run_suite(bench_run *run, syn_error *error) {
  syn_method_info methods[MAX_METHODS];
  size_t count = 0;
  for (size_t i = 0; i < syn_method_count() && count < MAX_METHODS; ++i)
    if (syn_method_at(i).needs_volume) methods[count++] = syn_method_at(i);
  if (count == 0) {
    syn_warn(run->context, "nothing is measured: this library has no method for volumes");
    return SYN_OK;
  }
  run->pace.repeats = 5;
  run->pace.budget_ms = 1500;
  for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i)
    if (bench_wants(run, figures[i].name)) SYN_TRY(run_figure(run, &figures[i], methods, count, error));
  return bench_wants(run, "continuation") ? run_continuation(run, error) : SYN_OK;
}

const bench_suite bench_buckettree = {"buckettree", run_suite};

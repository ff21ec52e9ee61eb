/* Computes the depths of two bodies along poses, several poses at a time, in both roles.
 *
 * Curvilinear depths are also computed between the vertices, which costs a hundred times as much, so only if a vertex
 * is inside the other body or surfaces cross; no contact is missed. Radial depths are computed at the vertices. A
 * femur that has passed the thin labrum is free again, so its deepest points are just below the back of the labrum,
 * where rounding would decide on which side a point between vertices is. There the vertices of the labrum give the
 * depth. */
#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "motion/path_depths.h"

/* Working data of one thread. Poses are independent of each other and fields keep maxima, so the result does not depend
 * on the number of threads. */
typedef struct worker {
  void *scratch;
  syn_contact *contacts;
  double *fixed_field, *mobile_field;
} worker;

enum { VERTICES, CROSSING, BETWEEN, COLLIDERS };

typedef struct walk {
  syn_collider *colliders[COLLIDERS]; /* NULL from CROSSING on: vertices only */
  const syn_path_pair *pair;
  const syn_pose *poses;
  const syn_path_turn *turns; /* NULL: unknown direction of approach; depths are not limited */
  syn_path_step *steps;
  size_t count, grain, capacity;
  worker *workers;
} walk;

/* Limits a curvilinear depth to the rotation since the start of the motion: whatever is inside the other body from the
 * start was carried along and did not strike it. */
static double depth_along(const syn_path_turn *turn, const syn_contact *contact) {
  const syn_vec3 arm = vec3_cross(turn->axis, vec3_sub(contact->point, turn->center));
  return min2(contact->depth_mm, turn->angle * vec3_length(arm));
}

static void deepen(double *field, uint32_t vertex, double depth) { field[vertex] = max2(field[vertex], depth); }

/* Collects the depths of the vertices at one pose; each pose belongs to one thread. */
static void take_at_pose(const syn_path_pair *pair, size_t pose, const syn_contact *contact, double depth) {
  if (contact->of == SYN_OF_VERTEX_TRIANGLE && pair->mobile_steps)
    deepen(pair->mobile_steps + pose * pair->mobile->vertex_count, contact->mobile_element, depth);
  if (contact->of == SYN_OF_TRIANGLE_VERTEX && pair->fixed_steps)
    deepen(pair->fixed_steps + pose * pair->fixed->vertex_count, contact->fixed_element, depth);
}

static void take_contact(const worker *w, const syn_contact *contact, double depth, syn_path_step *step) {
  const int role = contact->of == SYN_OF_TRIANGLE_VERTEX;
  if (contact->of == SYN_OF_VERTEX_TRIANGLE && w->mobile_field) deepen(w->mobile_field, contact->mobile_element, depth);
  if (role == 1 && w->fixed_field) deepen(w->fixed_field, contact->fixed_element, depth);
  if (!(depth > step->depth_mm[role])) return;
  step->depth_mm[role] = depth;
  step->point[role] = contact->point;
}

static bool surfaces_cross(const walk *job, const worker *w, const syn_pose *pose) {
  syn_contacts crossing = {.first_only = true};
  syn_collider_query(job->colliders[CROSSING], pose, w->scratch, &crossing);
  return crossing.count > 0;
}

static syn_contacts contacts_at(const walk *job, const worker *w, const syn_pose *pose) {
  syn_contacts found = {.contacts = w->contacts, .capacity = job->capacity};
  syn_collider_query(job->colliders[VERTICES], pose, w->scratch, &found);
  if (job->colliders[BETWEEN] && (found.count > 0 || surfaces_cross(job, w, pose)))
    syn_collider_query(job->colliders[BETWEEN], pose, w->scratch, &found);
  return found;
}

static void walk_poses(void *user, size_t begin, size_t end) {
  const walk *job = user;
  const worker *w = &job->workers[begin / job->grain];
  for (size_t i = begin; i < end; ++i) {
    const syn_contacts found = contacts_at(job, w, &job->poses[i]);
    for (size_t c = 0; c < found.count; ++c) {
      const syn_contact *contact = &found.contacts[c];
      const double depth = job->turns ? depth_along(&job->turns[i], contact) : contact->depth_mm;
      take_contact(w, contact, depth, &job->steps[i]);
      take_at_pose(job->pair, i, contact, depth);
    }
  }
}

static syn_status take_field(syn_arena *arena, const double *wanted, uint32_t count, double **field, syn_error *error) {
  *field = NULL;
  if (!wanted) return SYN_OK;
  SYN_TRY(SYN_TAKE(arena, field, count, error));
  for (uint32_t v = 0; v < count; ++v) (*field)[v] = 0;
  return SYN_OK;
}

static syn_status take_worker(syn_arena *arena, const walk *job, worker *w, syn_error *error) {
  const syn_path_pair *pair = job->pair;
  size_t scratch = 0;
  for (int i = 0; i < COLLIDERS; ++i) {
    const size_t its = job->colliders[i] ? syn_collider_scratch(job->colliders[i]) : 0;
    if (its > scratch) scratch = its;
  }
  SYN_TRY(syn_arena_take(arena, scratch, 1, &w->scratch, error));
  SYN_TRY(SYN_TAKE(arena, &w->contacts, job->capacity, error));
  SYN_TRY(take_field(arena, pair->fixed_field, pair->fixed->vertex_count, &w->fixed_field, error));
  return take_field(arena, pair->mobile_field, pair->mobile->vertex_count, &w->mobile_field, error);
}

static void merge_field(double *field, const double *its, uint32_t count) {
  for (uint32_t v = 0; field && v < count; ++v) deepen(field, v, its[v]);
}

static syn_status walk_with(syn_arena *arena, walk *job, syn_error *error) {
  const syn_path_pair *pair = job->pair;
  const size_t threads = (size_t)syn_thread_count(arena->context);
  const size_t workers = threads < job->count ? threads : job->count;
  job->grain = (job->count + workers - 1) / workers;
  /* Each vertex of either body and each edge of the mobile one make at most one contact. */
  job->capacity =
      (size_t)pair->mobile->vertex_count + pair->fixed->vertex_count + (size_t)3 * pair->mobile->triangle_count;
  SYN_TRY(SYN_TAKE(arena, &job->workers, workers, error));
  for (size_t i = 0; i < workers; ++i) SYN_TRY(take_worker(arena, job, &job->workers[i], error));
  syn_parallel_for(arena->context, job->count, job->grain, walk_poses, job);
  for (size_t i = 0; i < workers; ++i) {
    merge_field(pair->fixed_field, job->workers[i].fixed_field, pair->fixed->vertex_count);
    merge_field(pair->mobile_field, job->workers[i].mobile_field, pair->mobile->vertex_count);
  }
  return SYN_OK;
}

static syn_status make_colliders(const syn_context *context, const char *method, const syn_collide_options *options,
                                 walk *job, syn_error *error) {
  const syn_body fixed = {.surface = job->pair->fixed}, mobile = {.surface = job->pair->mobile};
  syn_collide_options vertices = *options;
  vertices.between_vertices = false;
  SYN_TRY(syn_collider_create(context, method, &fixed, &mobile, &vertices, &job->colliders[VERTICES], error));
  if (!options->between_vertices) return SYN_OK;
  SYN_TRY(syn_collider_create(context, "aabb", &fixed, &mobile, NULL, &job->colliders[CROSSING], error));
  return syn_collider_create(context, method, &fixed, &mobile, options, &job->colliders[BETWEEN], error);
}

static syn_status run(const syn_context *context, const char *method, const syn_collide_options *options, walk *job,
                      syn_error *error) {
  syn_arena arena = {.context = context};
  syn_status status = make_colliders(context, method, options, job, error);
  if (status == SYN_OK) status = walk_with(&arena, job, error);
  syn_arena_release(&arena);
  for (int i = 0; i < COLLIDERS; ++i) syn_collider_destroy(job->colliders[i]);
  return status;
}

static syn_collide_options options_about(syn_vec3 center) {
  syn_collide_options options = syn_default_collide_options();
  options.center = center;
  options.both_roles = true;
  return options;
}

syn_status syn_path_radial(const syn_context *context, const syn_path_pair *pair, syn_vec3 center,
                           const syn_pose *poses, size_t count, syn_path_step *steps, syn_error *error) {
  const syn_collide_options options = options_about(center);
  walk job = {.pair = pair, .poses = poses, .steps = steps, .count = count};
  return run(context, "radial", &options, &job, error);
}

syn_status syn_path_curvilinear(const syn_context *context, const syn_path_pair *pair, const syn_pose *poses,
                                const syn_path_turn *turns, size_t count, syn_path_step *steps, syn_error *error) {
  const syn_path_turn *widest = turns; /* the widest rotation determines the axis best */
  for (size_t i = 1; i < count; ++i)
    if (turns[i].angle > widest->angle) widest = &turns[i];
  syn_collide_options options = options_about(widest->center);
  options.axis = widest->axis;
  options.angle = widest->angle;
  options.between_vertices = pair->between_vertices;
  walk job = {.pair = pair, .poses = poses, .steps = steps, .count = count};
  job.turns = widest->angle > 0 ? turns : NULL;
  return run(context, "cylindrical", &options, &job, error);
}

/* Takes a step in parts: prescribed motions and, in equilibrium, loads are interpolated between their values at the
 * start of the step and at its end. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

/* Start and end of a step. */
typedef struct step_way {
  syn_simulation *s;
  syn_pose *from, *to;      /* of bodies */
  syn_vec3 *place, *target; /* of nodes; only prescribed axes are used */
  syn_vec3 *before, *load;  /* loads of the last step, and of this one */
  double *state;            /* complete state at the start */
  double step_s, time_s;
  syn_vec3 gravity;
} step_way;

static void release_way(step_way *w) {
  void *const blocks[] = {w->from, w->to, w->place, w->target, w->before, w->load, w->state};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(w->s->context, blocks[i]);
}

static syn_status allocate_way(step_way *w, syn_error *error) {
  const syn_simulation *s = w->s;
  syn_vec3 **const vectors[] = {&w->place, &w->target, &w->before, &w->load};
  SYN_TRY(SYN_NEW(s->context, &w->from, s->body_count, error));
  SYN_TRY(SYN_NEW(s->context, &w->to, s->body_count, error));
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    SYN_TRY(SYN_NEW(s->context, vectors[i], s->node_count, error));
  return SYN_NEW(s->context, &w->state, syn_simulation_state_count(s), error);
}

static void record_way(step_way *w) {
  syn_simulation *s = w->s;
  const size_t bytes = s->node_count * sizeof(syn_vec3);
  for (size_t b = 0; b < s->body_count; ++b) {
    w->from[b] = s->bodies[b].pose;
    w->to[b] = s->bodies[b].next;
  }
  memcpy(w->place, s->x, bytes);
  memcpy(w->target, s->target, bytes);
  memcpy(w->before, s->last_load, bytes);
  memcpy(w->load, s->load, bytes);
  w->step_s = s->options.step_s;
  w->time_s = s->time_s;
  w->gravity = s->options.gravity;
  syn_sim_pass_state(s, w->state, false);
}

/* Interpolates poses: even rotation, and the middle of the surface moves along a straight line. */
static syn_pose pose_between(const syn_trimesh *surface, const syn_pose *from, const syn_pose *to, double part) {
  if (part == 0 || memcmp(from, to, sizeof *from) == 0) return *from;
  if (part == 1) return *to;
  syn_box box = box_empty();
  for (uint32_t i = 0; i < surface->vertex_count; ++i) box_add(&box, surface->vertices[i]);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5);
  const syn_quat a = syn_pose_quat(from), b = syn_pose_quat(to);
  const double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, angle = acos(min2(1, fabs(cosine)));
  const double small = sin(angle), p = small > 1e-9 ? sin((1 - part) * angle) / small : 1 - part;
  const double q = (small > 1e-9 ? sin(part * angle) / small : part) * (cosine < 0 ? -1 : 1);
  const syn_quat mix = {p * a.w + q * b.w, p * a.x + q * b.x, p * a.y + q * b.y, p * a.z + q * b.z};
  const double length = sqrt(mix.w * mix.w + mix.x * mix.x + mix.y * mix.y + mix.z * mix.z);
  const syn_quat unit = {mix.w / length, mix.x / length, mix.y / length, mix.z / length};
  syn_pose pose = syn_pose_from_quat(unit, vec3(0, 0, 0));
  const syn_vec3 goal = vec3_lerp(syn_pose_point(from, middle), syn_pose_point(to, middle), part);
  pose.translation = vec3_sub(goal, syn_pose_point(&pose, middle));
  return pose;
}

/* Sets the simulation to move from the fraction `begin` to `end` of the step. */
static void set_part(const step_way *w, double begin, double end) {
  syn_simulation *s = w->s;
  const bool still = s->options.integrator == SYN_INTEGRATOR_STATIC;
  for (size_t b = 0; b < s->body_count; ++b) {
    syn_sim_body *body = &s->bodies[b];
    if (body->soft) continue;
    body->pose = pose_between(body->surface, &w->from[b], &w->to[b], begin);
    body->next = pose_between(body->surface, &w->from[b], &w->to[b], end);
  }
  for (uint32_t i = 0; i < s->node_count; ++i) {
    if (s->held[i]) s->target[i] = end < 1 ? vec3_lerp(w->place[i], w->target[i], end) : w->target[i];
    if (still) s->load[i] = end < 1 ? vec3_lerp(w->before[i], w->load[i], end) : w->load[i];
  }
  if (still && s->steps == 0) s->options.gravity = vec3_scale(w->gravity, end);
  s->options.step_s = (end - begin) * w->step_s;
}

/* Restores the values that belong to the step as a whole. */
static void end_way(const step_way *w) {
  syn_simulation *s = w->s;
  for (size_t b = 0; b < s->body_count; ++b) s->bodies[b].next = w->to[b];
  memcpy(s->target, w->target, s->node_count * sizeof *s->target);
  memcpy(s->load, w->load, s->node_count * sizeof *s->load);
  s->options.gravity = w->gravity;
  s->options.step_s = w->step_s;
  s->time_s = w->time_s;
}

/* ---- parts that are as long as they can be ------------------------------------------------------------------------
 */

static uint32_t most_halvings(const syn_simulation *s) { return s->options.halvings < 30 ? s->options.halvings : 30; }

static syn_status fail_in_parts(const syn_simulation *s, uint32_t total, syn_error *error) {
  if (!error) return SYN_NOT_CONVERGED;
  const syn_error why = *error;
  return syn_fail(error, SYN_NOT_CONVERGED, "%.380s (nor by parts of 1/%u of the step, %.3g s)", why.message, total,
                  s->options.step_s / total);
}

/* Starts with `s->cut` halvings: doubles the part after each success, halves it after each failure. */
static syn_status go_by_halves(const step_way *w, uint32_t *iterations, syn_error *error) {
  syn_simulation *s = w->s;
  const uint32_t most = most_halvings(s), total = 1u << most;
  uint32_t at = 0, size = total >> (s->cut < most ? s->cut : most);
  while (at < total) {
    set_part(w, (double)at / total, (double)(at + size) / total);
    const syn_status status = syn_sim_take_part(s, error);
    /* Halve the part after a failure. */
    if (status == SYN_NOT_CONVERGED && size > 1) {
      size /= 2;
      continue;
    }
    SYN_TRY(status);
    *iterations += s->iterations;
    at += size;
    if (size < total && at % (2 * size) == 0) size *= 2;
  }
  for (s->cut = 0; total >> s->cut > size; ++s->cut) {
  }
  return SYN_OK;
}

static syn_status go_evenly(const step_way *w, uint32_t parts, uint32_t *iterations, syn_error *error) {
  for (uint32_t i = 0; i < parts; ++i) {
    set_part(w, (double)i / parts, (double)(i + 1) / parts);
    SYN_TRY(syn_sim_take_part(w->s, error));
    *iterations += w->s->iterations;
  }
  return SYN_OK;
}

static syn_status go(step_way *w, uint32_t parts, syn_error *error) {
  syn_simulation *s = w->s;
  SYN_TRY(allocate_way(w, error));
  record_way(w);
  uint32_t iterations = 0;
  const syn_status status = parts ? go_evenly(w, parts, &iterations, error) : go_by_halves(w, &iterations, error);
  end_way(w);
  if (!status) {
    s->iterations = iterations;
    return SYN_OK;
  }
  syn_sim_pass_state(s, w->state, true);
  if (parts || status != SYN_NOT_CONVERGED) return status;
  return fail_in_parts(s, 1u << most_halvings(s), error);
}

syn_status syn_sim_go_in_parts(syn_simulation *s, uint32_t parts, syn_error *error) {
  step_way w = {.s = s};
  const uint32_t iterations = s->iterations;
  const syn_status status = go(&w, parts, error);
  if (status) s->iterations = iterations;
  release_way(&w);
  return status;
}

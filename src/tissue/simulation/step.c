/* Computes one step, in substeps where it has no solution. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/contact/contact.h"
#include "tissue/simulation/simulation.h"

/* ==== messages of failures ======================================================================================== */

/* Error messages of a failed step: which step, which node, and the body's name. */

syn_sim_words syn_sim_body_words(const syn_simulation *s, uint32_t body) {
  syn_sim_words words;
  const char *name = body < s->body_count ? s->bodies[body].name : NULL;
  if (name)
    snprintf(words.text, sizeof words.text, "'%.200s'", name);
  else
    snprintf(words.text, sizeof words.text, "body %u", body);
  return words;
}

syn_sim_words syn_sim_node_words(const syn_simulation *s, uint32_t node) {
  uint32_t body = (uint32_t)s->body_count - 1;
  while (!s->bodies[body].soft || s->bodies[body].first_node > node) --body;
  const syn_sim_words of = syn_sim_body_words(s, body);
  syn_sim_words words;
  snprintf(words.text, sizeof words.text, "node %u of %.210s", node - s->bodies[body].first_node, of.text);
  return words;
}

/* Returns SYN_NOT_CONVERGED: the present step diverges at this node; with the bound of explicit steps. */
static syn_status sim_diverges(syn_simulation *s, uint32_t node, syn_error *error) {
  const syn_integrator integrator = s->options.integrator;
  const char *name = syn_integrator_name(integrator);
  const bool bounded = integrator == SYN_INTEGRATOR_SYMPLECTIC || integrator == SYN_INTEGRATOR_RK4 ||
                       integrator == SYN_INTEGRATOR_EXPLICIT;
  double limit = (double)INFINITY;
  char why[200];
  if (!bounded || syn_sim_stable_step(s, &limit, NULL) != SYN_OK)
    snprintf(why, sizeof why, ", or a stable integrator");
  else if (limit == 0)
    snprintf(why, sizeof why, ", or a stable integrator (%s steps gain energy at any length without damping)", name);
  else if (s->options.step_s > limit)
    snprintf(why, sizeof why, ", or a stable integrator (%s steps of these bodies are stable below about %.3g s)", name,
             limit);
  else
    snprintf(why, sizeof why,
             ", or a stable integrator (at rest these bodies are stable up to about %.3g s: what moves or pushes them "
             "is too much for the step)",
             limit);
  return syn_fail(error, SYN_NOT_CONVERGED, "step %llu diverges at %s: take a shorter step than %g s%s",
                  (unsigned long long)s->steps + 1, syn_sim_node_words(s, node).text, s->options.step_s, why);
}

/* Counts the rigid motions, of six, that the prescribed axes of a body's nodes prevent: the rank of these axes, as
 * rows of direction and moment, by Gram and Schmidt. */
static int held_ways(const syn_simulation *s, const syn_sim_body *body) {
  double basis[6][6];
  int rank = 0;
  for (uint32_t k = 0; k < body->soft->node_count && rank < 6; ++k) {
    const uint32_t i = body->first_node + k;
    const syn_vec3 p = vec3_scale(vec3_sub(s->x[i], s->x[body->first_node]), 1 / body->size_mm);
    for (int axis = 0; axis < 3 && rank < 6; ++axis) {
      if (!(s->held[i] >> axis & 1)) continue;
      const syn_vec3 e = vec3(axis == 0, axis == 1, axis == 2), m = vec3_cross(p, e);
      double row[6] = {e.x, e.y, e.z, m.x, m.y, m.z}, square = 0;
      for (int b = 0; b < rank; ++b) {
        double along = 0;
        for (int c = 0; c < 6; ++c) along += basis[b][c] * row[c];
        for (int c = 0; c < 6; ++c) row[c] -= along * basis[b][c];
      }
      for (int c = 0; c < 6; ++c) square += row[c] * row[c];
      if (!(square > 1e-8)) continue;
      for (int c = 0; c < 6; ++c) basis[rank][c] = row[c] / sqrt(square);
      ++rank;
    }
  }
  return rank;
}

/* After a failed step: the actual cause in *error if a body in equilibrium is not constrained. Returns `status`. */
static syn_status sim_name_free_body(const syn_simulation *s, syn_status status, syn_error *error) {
  if (status != SYN_NOT_CONVERGED || s->options.integrator != SYN_INTEGRATOR_STATIC) return status;
  for (uint32_t b = 0; b < s->body_count; ++b) {
    const int ways = s->bodies[b].soft ? held_ways(s, &s->bodies[b]) : 6;
    if (ways == 6) continue;
    const char *touching = s->touch_count ? "; contacts have no friction and hold nothing along the surface" : "";
    const syn_sim_words body = syn_sim_body_words(s, b);
    if (ways == 0)
      return syn_fail(error, status,
                      "step %llu has no equilibrium: nothing holds %s (hold nodes of it, or take the implicit "
                      "integrator%s)",
                      (unsigned long long)s->steps + 1, body.text, touching);
    return syn_fail(error, status,
                    "step %llu has no equilibrium: %s can still move as a whole, since what holds it stops only %d of "
                    "6 ways (hold more nodes or axes, or take the implicit integrator%s)",
                    (unsigned long long)s->steps + 1, body.text, ways, touching);
  }
  return status;
}

/* Returns the node with the largest weight in a vertex of the skin. */
static uint32_t node_behind(const syn_sim_body *body, uint32_t vertex) {
  const syn_soft *soft = body->soft;
  uint32_t best = soft->skin_start[vertex];
  for (uint32_t k = best + 1; k < soft->skin_start[vertex + 1]; ++k)
    if (soft->skin_weights[k] > soft->skin_weights[best]) best = k;
  return body->first_node + soft->skin_nodes[best];
}

/* Returns the node behind the point of a skin that is farthest from rest, or not finite, at the last search for
 * contacts. */
static uint32_t sim_farthest_node(const syn_simulation *s) {
  uint32_t farthest = 0;
  double most = -1;
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    for (uint32_t i = 0; body->soft && i < body->surface->vertex_count; ++i) {
      const double way = vec3_distance(s->points[body->first_point + i], body->surface->vertices[i]);
      if (way <= most) continue;
      farthest = node_behind(body, i);
      if (!isfinite(way)) return farthest;
      most = way;
    }
  }
  return farthest;
}

/* ==== one step ==================================================================================================== */

/* Takes one step with any integrator: sets targets before it; checks divergence and updates forces and time after
 * it. */

typedef syn_status syn_take_step(syn_simulation *s, syn_error *error);

static syn_take_step *const steps[] = {
    [SYN_INTEGRATOR_IMPLICIT] = syn_step_newton,
    [SYN_INTEGRATOR_STATIC] = syn_step_newton,
    [SYN_INTEGRATOR_POSITIONS] = syn_step_positions,
    [SYN_INTEGRATOR_SYMPLECTIC] = syn_step_explicit,
    [SYN_INTEGRATOR_RK4] = syn_step_rk4,
    [SYN_INTEGRATOR_EXPLICIT] = syn_step_explicit,
};
_Static_assert(sizeof steps / sizeof *steps == SYN_INTEGRATORS, "a step for every integrator");

/* Sets the targets of nodes that follow a body to its next pose. */
static void set_targets(syn_simulation *s) {
  for (uint32_t i = 0; i < s->node_count; ++i)
    if (s->follows[i] != SYN_NONE) s->target[i] = syn_pose_point(&s->bodies[s->follows[i]].next, s->home[i]);
}

/* Detects that the step was too long: a node is not finite, or has moved by more than a thousand times the size of
 * the scene. */
static uint32_t runaway(const syn_simulation *s) {
  const double far = 1e3 * s->size_mm;
  for (uint32_t i = 0; i < s->node_count; ++i)
    if (!(vec3_distance(s->x[i], s->home[i]) < far + vec3_distance(s->target[i], s->home[i]))) return i;
  return SYN_NONE;
}

/* Detects divergence of a body: a part of it has moved by ten times its size relative to its mean displacement. The
 * numbers are finite, but no tissue moves like that. Nodes that are prescribed to move further allow it. */
static uint32_t torn_off(const syn_simulation *s, const syn_sim_body *body) {
  const uint32_t first = body->first_node, end = first + body->soft->node_count;
  syn_vec3 mean = vec3(0, 0, 0);
  double pulled2 = 0;
  for (uint32_t i = first; i < end; ++i) {
    mean = vec3_add(mean, vec3_sub(s->x[i], s->home[i]));
    pulled2 = max2(pulled2, vec3_length2(vec3_sub(s->target[i], s->home[i])));
  }
  mean = vec3_scale(mean, 1.0 / body->soft->node_count);
  /* Node with the largest displacement, if any deviates too far from the mean */
  const double far = 10 * body->size_mm + sqrt(pulled2);
  uint32_t farthest = first;
  bool torn = false;
  for (uint32_t i = first; i < end; ++i) {
    const syn_vec3 way = vec3_sub(s->x[i], s->home[i]);
    torn |= vec3_length2(vec3_sub(way, mean)) > far * far;
    if (vec3_length2(way) > vec3_length2(vec3_sub(s->x[farthest], s->home[farthest]))) farthest = i;
  }
  return torn ? farthest : SYN_NONE;
}

static syn_status check_divergence(syn_simulation *s, syn_error *error) {
  uint32_t node = runaway(s);
  for (size_t b = 0; node == SYN_NONE && b < s->body_count; ++b)
    if (s->bodies[b].soft) node = torn_off(s, &s->bodies[b]);
  return node == SYN_NONE ? SYN_OK : sim_diverges(s, node, error);
}

/* Reactions of prescribed nodes balance all other forces: inertia is small in comparison and not included. */
static void measure_forces(syn_simulation *s) {
  const size_t bytes = s->node_count * sizeof(syn_vec3);
  memcpy(s->contact_force, s->step_force, bytes);
  if (s->options.integrator != SYN_INTEGRATOR_POSITIONS)
    syn_gaps_force(s, s->contact_force);
  else /* XPBD has no forces of gaps */
    for (uint32_t i = 0; i < s->node_count; ++i)
      s->contact_force[i] = vec3_add(s->contact_force[i], s->work[SYN_WORK_PARTING][i]);
  syn_vec3 *f = s->work[0];
  syn_sim_forces(s, s->x, s->options.integrator == SYN_INTEGRATOR_STATIC ? NULL : s->v, f);
  for (uint32_t i = 0; i < s->node_count; ++i) {
    const syn_vec3 rest = vec3_neg(vec3_add(f[i], vec3_sub(s->contact_force[i], s->step_force[i])));
    s->hold_force[i] = syn_mix_held(s->held[i], vec3(0, 0, 0), rest);
  }
}

/* ---- as it was ------------------------------------------------------------------------------------------------------
 */

static void remember(syn_simulation *s) {
  const size_t bytes = s->node_count * sizeof(syn_vec3);
  memcpy(s->work[SYN_WORK_BEFORE_X], s->x, bytes);
  memcpy(s->work[SYN_WORK_BEFORE_V], s->v, bytes);
  memcpy(s->work[SYN_WORK_BEFORE_FORCE], s->step_force, bytes);
  for (size_t i = 0; i < s->touch_count; ++i) s->touches[i].overlap_before_mm3 = s->touches[i].overlap_mm3;
}

static void restore(syn_simulation *s) {
  const size_t bytes = s->node_count * sizeof(syn_vec3);
  memcpy(s->x, s->work[SYN_WORK_BEFORE_X], bytes);
  memcpy(s->v, s->work[SYN_WORK_BEFORE_V], bytes);
  memcpy(s->step_force, s->work[SYN_WORK_BEFORE_FORCE], bytes);
  for (size_t i = 0; i < s->touch_count; ++i) s->touches[i].overlap_mm3 = s->touches[i].overlap_before_mm3;
}

/* Finds contacts again, so that a report describes the scene and not the failed step. */
static void find_contacts_again(syn_simulation *s) {
  s->gaps.count = 0;
  syn_sim_points(s, s->x, 0, s->points);
  if (s->steps > 0 && syn_sim_find_gaps(s, s->points, 0, true, NULL) != SYN_OK) s->gaps.count = 0;
}

static syn_status take(syn_simulation *s, syn_error *error) {
  if (s->options.integrator != SYN_INTEGRATOR_POSITIONS) SYN_TRY(syn_sim_push_overlaps(s, error));
  SYN_TRY(steps[s->options.integrator](s, error));
  SYN_TRY(check_divergence(s, error));
  SYN_TRY(syn_sim_correct(s, error));
  return check_divergence(s, error);
}

/* Advances by options.step_s with the poses of rigid bodies and the targets of held nodes, without counting it as a
 * step. After a failure the state is unchanged. */
static syn_status sim_take_part(syn_simulation *s, syn_error *error) {
  remember(s);
  set_targets(s);
  syn_status status = take(s, error);
  if (status == SYN_BAD_MESH) /* within the step, a surface moved to where nothing can be detected */
    status = sim_diverges(s, sim_farthest_node(s), error);
  if (status) {
    restore(s);
    return status;
  }
  for (size_t b = 0; b < s->body_count; ++b) {
    syn_sim_body *body = &s->bodies[b];
    body->pose = body->next;
    if (body->soft && body->soft->model->advance)
      body->soft->model->advance(body->soft->state, s->x + body->first_node, s->options.step_s);
  }
  return SYN_OK;
}

/* ==== substeps ==================================================================================================== */

/* Takes a step in parts: prescribed motions and, in equilibrium, loads are interpolated between their values at the
 * start of the step and at its end. */

/* Start and end of a step. */
typedef struct step_way {
  syn_simulation *s;
  syn_pose *from, *to;      /* of bodies */
  syn_vec3 *place, *target; /* of nodes; only prescribed axes are used */
  syn_vec3 *before, *load;  /* loads of the last step, and of this one */
  double step_s, time_s;
  syn_vec3 gravity;
} step_way;

static void release_way(step_way *w) {
  void *const blocks[] = {w->from, w->to, w->place, w->target, w->before, w->load};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(w->s->context, blocks[i]);
}

static syn_status allocate_way(step_way *w, syn_error *error) {
  const syn_simulation *s = w->s;
  syn_vec3 **const vectors[] = {&w->place, &w->target, &w->before, &w->load};
  SYN_TRY(SYN_NEW(s->context, &w->from, s->body_count, error));
  SYN_TRY(SYN_NEW(s->context, &w->to, s->body_count, error));
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; ++i)
    SYN_TRY(SYN_NEW(s->context, vectors[i], s->node_count, error));
  return SYN_OK;
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
    const syn_status status = sim_take_part(s, error);
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
    SYN_TRY(sim_take_part(w->s, error));
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
  if (!status) s->iterations = iterations;
  if (parts || status != SYN_NOT_CONVERGED) return status;
  return fail_in_parts(s, 1u << most_halvings(s), error);
}

/* Takes the whole step in `parts` equal parts; 0: by halving as far as needed. */
static syn_status sim_go_in_parts(syn_simulation *s, uint32_t parts, syn_error *error) {
  step_way w = {.s = s};
  const syn_status status = go(&w, parts, error);
  release_way(&w);
  return status;
}

/* ==== the whole step ===============================================================================================
 */

/* XPBD always divides its steps. Implicit steps and equilibria do if the whole step has no solution, or the last one
 * had none. Explicit steps diverge long after they were too long: shorter ones would come too late. */
static syn_status take_whole(syn_simulation *s, syn_error *error) {
  const syn_integrator integrator = s->options.integrator;
  const bool solves = integrator == SYN_INTEGRATOR_IMPLICIT || integrator == SYN_INTEGRATOR_STATIC;
  uint32_t parts = 0;
  if (integrator == SYN_INTEGRATOR_POSITIONS) {
    SYN_TRY(syn_positions_parts(s, &parts, error));
    SYN_TRY(
        syn_sim_push_overlaps(s, error)); /* for all parts: finding the overlap takes longer than a hundred of them */
  }
  if (parts > 1) return sim_go_in_parts(s, parts, error);
  const bool whole = !solves || s->cut == 0 || s->options.halvings == 0;
  const syn_status status = whole ? sim_take_part(s, error) : SYN_NOT_CONVERGED;
  if (status != SYN_NOT_CONVERGED || !solves || s->options.halvings == 0) return status;
  return sim_go_in_parts(s, 0, error);
}

/* Contacts and forces at the end of the step. */
static syn_status finish_step(syn_simulation *s, syn_error *error) {
  syn_sim_points(s, s->x, 0, s->points);
  const syn_status status = syn_sim_find_gaps(s, s->points, 1, true, error);
  if (status == SYN_BAD_MESH) return sim_diverges(s, sim_farthest_node(s), error);
  SYN_TRY(status);
  measure_forces(s);
  ++s->steps;
  s->time_s += s->options.step_s;
  memcpy(s->last_load, s->load, s->node_count * sizeof *s->load);
  return SYN_OK;
}

syn_status syn_simulation_step(syn_simulation *s, syn_error *error) {
  if (s->node_count == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no soft body to move");
  const uint32_t iterations = s->iterations;
  SYN_TRY(SYN_RESERVE(s->context, &s->state_before, 0, syn_simulation_get_state(s, NULL), &s->state_capacity, error));
  syn_sim_pass_state(s, s->state_before, false);
  s->whole_step_s = s->options.step_s;
  memset(s->work[SYN_WORK_PARTING], 0, s->node_count * sizeof(syn_vec3));
  syn_status status = take_whole(s, error);
  if (!status) status = finish_step(s, error);
  if (!status) return SYN_OK;
  /* On failure restore the scene, find its contacts again, and name the cause. */
  syn_sim_pass_state(s, s->state_before, true);
  s->iterations = iterations;
  find_contacts_again(s);
  return sim_name_free_body(s, status, error);
}

void syn_simulation_report(const syn_simulation *s, syn_tissue_step *step) {
  *step = (syn_tissue_step){.step = s->steps,
                            .time_s = s->time_s,
                            .elastic_nmm = syn_sim_energy(s, s->x),
                            .depth_mm = (double)NAN,
                            .touching = (uint32_t)s->gaps.count,
                            .iterations = s->iterations,
                            .contact_n = (double)NAN,
                            .von_mises_mpa = (double)NAN,
                            .displacement_mm = (double)NAN};
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    if (!body->soft) continue;
    step->kinetic_nmm += syn_soft_kinetic(body->soft, s->v + body->first_node);
    step->volume_mm3 += syn_soft_volume(body->soft, s->x + body->first_node);
  }
  for (size_t i = 0; i < s->gaps.count; ++i) {
    const double depth_mm = -s->gaps.gaps[i].gap_mm;
    step->contact_nmm += syn_gap_evaluate(s, &s->gaps.gaps[i]).energy;
    step->depth_mm = i == 0 ? depth_mm : max2(step->depth_mm, depth_mm);
  }
}

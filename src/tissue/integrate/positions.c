/* XPBD (Macklin et al. 2016) in small steps (Macklin et al. 2019): nodes move freely, then one sweep over the
 * constraints of the bodies and over contacts corrects them. Compliances are those of elements by their volume, so
 * that a finer mesh is not stiffer. */
#include <string.h>

#include "base/vec.h"
#include "tissue/contact/contact.h"
#include "tissue/simulation/simulation.h"

/* Maximum part of a step, times the highest frequency: with it a single sweep follows an implicit step, also where
 * compressed elements vibrate faster than at rest. */
static const double PART_RAD = 0.5;
/* Maximum motion in a part, relative to the thinnest body. */
static const double PART_OF_SIZE = 0.02;
static const double MOST_PARTS = 1e6;

/* Nodes of a gap with their coefficients, and the sum of inverse mass times squared coefficient. */
typedef struct gap_nodes {
  uint32_t count, nodes[SYN_GAP_NODES];
  double coefficients[SYN_GAP_NODES], sum;
} gap_nodes;

static bool find_nodes(const syn_simulation *s, const syn_gap *gap, const double *inverse_mass, gap_nodes *n) {
  n->count = syn_gap_nodes(s, gap, n->nodes, n->coefficients);
  n->sum = 0;
  for (uint32_t k = 0; k < n->count; ++k) n->sum += inverse_mass[n->nodes[k]] * n->coefficients[k] * n->coefficients[k];
  return n->sum > 0;
}

/* Moves the points of a gap until they no longer penetrate, lighter nodes further. The equivalent force is the mean
 * over the parts of the step, for reports. */
static void part_gap(const syn_simulation *s, const syn_gap *gap, const double *inverse_mass) {
  gap_nodes n;
  if (!find_nodes(s, gap, inverse_mass, &n)) return;
  const double way = -gap->gap_mm / n.sum, per_s2 = 1 / (s->options.step_s * s->whole_step_s);
  syn_vec3 *force = s->work[SYN_WORK_PARTING];
  for (uint32_t k = 0; k < n.count; ++k) {
    const uint32_t i = n.nodes[k];
    s->x[i] = vec3_madd(s->x[i], way * inverse_mass[i] * n.coefficients[k], gap->normal);
    force[i] = vec3_madd(force[i], way * n.coefficients[k] * per_s2, gap->normal);
  }
}

static syn_status part_contacts(syn_simulation *s, const double *inverse_mass, syn_error *error) {
  if (s->touch_count == 0) return SYN_OK;
  syn_sim_points(s, s->x, 1, s->points);
  SYN_TRY(syn_sim_find_gaps(s, s->points, 1, false, error));
  for (size_t i = 0; i < s->gaps.count; ++i)
    if (s->gaps.gaps[i].gap_mm < 0) part_gap(s, &s->gaps.gaps[i], inverse_mass);
  return SYN_OK;
}

/* Returns the opening velocity of a gap; vertices of rigid bodies move along straight lines. */
static double opening(const syn_simulation *s, const syn_gap *gap, const gap_nodes *n) {
  double speed = 0;
  for (uint32_t k = 0; k < n->count; ++k) speed += n->coefficients[k] * vec3_dot(gap->normal, s->v[n->nodes[k]]);
  for (int p = 0; p < 4; ++p) {
    const syn_sim_body *body = &s->bodies[syn_sim_body_of_point(s, gap->points[p])];
    if (body->soft || gap->weight[p] == 0) continue;
    const syn_vec3 at = body->surface->vertices[gap->points[p] - body->first_point];
    const syn_vec3 way = vec3_sub(syn_pose_point(&body->next, at), syn_pose_point(&body->pose, at));
    speed += gap->weight[p] * vec3_dot(gap->normal, way) / s->options.step_s;
  }
  return speed;
}

/* Removes the opening velocity of separated gaps: the correction of a penetration is no velocity (Mueller et al.
 * 2020, §3.6, without restitution), or every depth would become speed. Bodies rebound by their stored energy. */
static void stop_opening(const syn_simulation *s, const double *inverse_mass) {
  for (size_t i = 0; i < s->gaps.count; ++i) {
    const syn_gap *gap = &s->gaps.gaps[i];
    gap_nodes n;
    if (!(gap->gap_mm < 0) || !find_nodes(s, gap, inverse_mass, &n)) continue;
    const double speed = opening(s, gap, &n);
    for (uint32_t k = 0; speed > 0 && k < n.count; ++k) {
      const uint32_t node = n.nodes[k];
      const double change = -speed / n.sum * inverse_mass[node] * n.coefficients[k];
      s->v[node] = syn_mix_held(s->held[node], vec3_madd(s->v[node], change, gap->normal), s->v[node]);
    }
  }
}

static void project_bodies(syn_simulation *s, const double *inverse_mass) {
  double *lambda = s->lambda;
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    if (!body->soft) continue;
    body->soft->model->project(body->soft->state, s->options.step_s, inverse_mass + body->first_node,
                               s->x + body->first_node, lambda);
    lambda += body->soft->constraint_count;
  }
}

static syn_status check_bodies(const syn_simulation *s, syn_error *error) {
  for (size_t b = 0; b < s->body_count; ++b)
    if (s->bodies[b].soft && !s->bodies[b].soft->model->project)
      return syn_fail(error, SYN_BAD_ARGUMENT, "the model %s has no constraints for the integrator by positions",
                      s->bodies[b].soft->model->info.name);
  return SYN_OK;
}

static double least_size(const syn_simulation *s) {
  double least = s->size_mm;
  for (size_t b = 0; b < s->body_count; ++b) least = min2(least, s->bodies[b].size_mm);
  return least;
}

syn_status syn_positions_parts(syn_simulation *s, uint32_t *parts, syn_error *error) {
  const double h = s->options.step_s;
  double fastest, damping, speed2 = 0;
  SYN_TRY(check_bodies(s, error));
  SYN_TRY(syn_sim_fastest(s, &fastest, &damping, error));
  for (uint32_t i = 0; i < s->node_count; ++i)
    speed2 = max2(speed2, vec3_length2(vec3_madd(s->v[i], h, s->options.gravity)));
  const double far = s->touch_count ? PART_OF_SIZE * least_size(s) : s->size_mm;
  const double wanted = ceil(max2(h * fastest / PART_RAD, h * sqrt(speed2) / far));
  if (!(wanted <= MOST_PARTS))
    return syn_fail(error, SYN_TOO_LARGE,
                    "a step of %g s would take positions %.3g parts of %.3g s, as fast as the stiffest body vibrates: "
                    "take the implicit integrator, or a shorter step",
                    h, wanted, h / wanted);
  *parts = wanted < 1 ? 1 : (uint32_t)wanted;
  return SYN_OK;
}

/* A node prescribed in some axes is set to its position at the end; one prescribed in all axes has no inverse mass. */
syn_status syn_step_positions(syn_simulation *s, syn_error *error) {
  const double h = s->options.step_s;
  const uint32_t sweeps = s->options.iterations ? s->options.iterations : 1;
  const syn_vec3 *start = s->work[SYN_WORK_BEFORE_X];
  double *inverse_mass = &s->work[0][0].x; /* a third of that vector */
  for (uint32_t i = 0; i < s->node_count; ++i) {
    inverse_mass[i] = s->held[i] == SYN_XYZ ? 0 : 1 / s->mass[i];
    const syn_vec3 gain = vec3_madd(s->options.gravity, 1 / s->mass[i], vec3_add(s->load[i], s->step_force[i]));
    const syn_vec3 free = vec3_madd(vec3_madd(s->x[i], h, s->v[i]), h * h, gain);
    s->x[i] = syn_mix_held(s->held[i], free, s->target[i]);
  }
  memset(s->lambda, 0, s->lambda_count * sizeof *s->lambda);
  /* Project elastic constraints, then contacts */
  for (s->iterations = 0; s->iterations < sweeps; ++s->iterations) {
    project_bodies(s, inverse_mass);
    SYN_TRY(part_contacts(s, inverse_mass, error));
    for (uint32_t i = 0; i < s->node_count; ++i)
      if (s->held[i]) s->x[i] = syn_mix_held(s->held[i], s->x[i], s->target[i]);
  }
  /* Velocities from the change of position */
  for (uint32_t i = 0; i < s->node_count; ++i) s->v[i] = vec3_scale(vec3_sub(s->x[i], start[i]), 1 / h);
  stop_opening(s, inverse_mass);
  return SYN_OK;
}

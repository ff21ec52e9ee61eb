/* XPBD (Macklin et al. 2016): nodes fly freely, then sweeps over the constraints of the bodies pull them back. */
#include <string.h>

#include "base/vec.h"
#include "tissue/contact/contact.h"
#include "tissue/simulation/simulation.h"

/* Puts the points of a gap where they no longer penetrate, lighter nodes farther. What that takes is a force of the
 * step, for reports. */
static void part_gap(const syn_simulation *s, const syn_gap *gap, const double *inverse_mass) {
  uint32_t nodes[SYN_GAP_NODES];
  double coefficients[SYN_GAP_NODES], sum = 0;
  const uint32_t count = syn_gap_nodes(s, gap, nodes, coefficients);
  for (uint32_t k = 0; k < count; ++k) sum += inverse_mass[nodes[k]] * coefficients[k] * coefficients[k];
  if (!(sum > 0)) return;
  const double way = -gap->gap_mm / sum, h = s->options.step_s;
  syn_vec3 *force = s->work[SYN_WORK_PARTING];
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = nodes[k];
    s->x[i] = vec3_madd(s->x[i], way * inverse_mass[i] * coefficients[k], gap->normal);
    force[i] = vec3_madd(force[i], way * coefficients[k] / (h * h), gap->normal);
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

/* A node that is held in one axis is held by its place at the end; one held in all of them does not give way at all. */
syn_status syn_step_positions(syn_simulation *s, syn_error *error) {
  const double h = s->options.step_s;
  const uint32_t sweeps = s->options.iterations ? s->options.iterations : 20;
  const syn_vec3 *start = s->work[SYN_WORK_BEFORE_X];
  double *inverse_mass = &s->work[0][0].x; /* a third of that vector */
  SYN_TRY(check_bodies(s, error));
  for (uint32_t i = 0; i < s->node_count; ++i) {
    inverse_mass[i] = s->held[i] == SYN_HELD ? 0 : 1 / s->mass[i];
    const syn_vec3 gain = vec3_madd(s->options.gravity, 1 / s->mass[i], vec3_add(s->load[i], s->step_force[i]));
    const syn_vec3 free = vec3_madd(vec3_madd(s->x[i], h, s->v[i]), h * h, gain);
    s->x[i] = syn_mix_held(s->held[i], free, s->target[i]);
  }
  memset(s->lambda, 0, s->lambda_count * sizeof *s->lambda);
  memset(s->work[SYN_WORK_PARTING], 0, s->node_count * sizeof(syn_vec3));
  for (s->iterations = 0; s->iterations < sweeps; ++s->iterations) {
    project_bodies(s, inverse_mass);
    SYN_TRY(part_contacts(s, inverse_mass, error));
    for (uint32_t i = 0; i < s->node_count; ++i)
      if (s->held[i]) s->x[i] = syn_mix_held(s->held[i], s->x[i], s->target[i]);
  }
  for (uint32_t i = 0; i < s->node_count; ++i) s->v[i] = vec3_scale(vec3_sub(s->x[i], start[i]), 1 / h);
  return SYN_OK;
}

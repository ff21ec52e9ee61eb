/* Error messages of a failed step: which step, which node, and the body's name. */
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

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

syn_status syn_sim_diverges(syn_simulation *s, uint32_t node, syn_error *error) {
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

syn_status syn_sim_name_free_body(const syn_simulation *s, syn_status status, syn_error *error) {
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

uint32_t syn_sim_farthest_node(const syn_simulation *s) {
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

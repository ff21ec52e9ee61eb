/* What a failing step says: which step, which node, and the body by the name that it was given. */
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

syn_status syn_sim_diverges(const syn_simulation *s, uint32_t node, syn_error *error) {
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "step %llu diverges at %s: take a shorter step than %g s, or a stable integrator",
                  (unsigned long long)s->steps + 1, syn_sim_node_words(s, node).text, s->options.step_s);
}

/* The node with the greatest part in a vertex of the skin. */
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

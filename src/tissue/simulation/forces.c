/* Computes forces, energies and surfaces of all bodies. */
#include <string.h>

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

void syn_sim_forces(const syn_simulation *s, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  for (uint32_t i = 0; i < s->node_count; ++i)
    f[i] = vec3_madd(vec3_add(s->load[i], s->step_force[i]), s->mass[i], s->options.gravity);
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    const uint32_t first = body->first_node;
    if (body->soft && body->soft->model->force)
      body->soft->model->force(body->soft->state, x + first, v ? v + first : NULL, f + first);
  }
}

double syn_sim_energy(const syn_simulation *s, const syn_vec3 *x) {
  double sum = 0;
  for (size_t b = 0; b < s->body_count; ++b)
    if (s->bodies[b].soft) sum += syn_soft_energy(s->bodies[b].soft, x + s->bodies[b].first_node);
  return sum;
}

/* Vertices of a rigid body move along straight lines within a step. */
static void rigid_points(const syn_sim_body *body, double part, syn_vec3 *points) {
  const syn_trimesh *mesh = body->surface;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 now = syn_pose_point(&body->pose, mesh->vertices[i]);
    points[i] = part > 0 ? vec3_lerp(now, syn_pose_point(&body->next, mesh->vertices[i]), part) : now;
  }
}

void syn_sim_points(const syn_simulation *s, const syn_vec3 *x, double part, syn_vec3 *points) {
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    if (body->soft)
      syn_soft_skin_points(body->soft, x + body->first_node, points + body->first_point);
    else
      rigid_points(body, part, points + body->first_point);
  }
}

uint32_t syn_sim_body_of_point(const syn_simulation *s, uint32_t point) {
  uint32_t body = (uint32_t)s->body_count - 1;
  while (s->bodies[body].first_point > point) --body;
  return body;
}

void syn_sim_point_force(const syn_simulation *s, uint32_t point, syn_vec3 force, syn_vec3 *f) {
  const syn_sim_body *body = &s->bodies[syn_sim_body_of_point(s, point)];
  if (!body->soft) return;
  const uint32_t vertex = point - body->first_point;
  for (uint32_t k = body->soft->skin_start[vertex]; k < body->soft->skin_start[vertex + 1]; ++k) {
    const uint32_t node = body->first_node + body->soft->skin_nodes[k];
    f[node] = vec3_madd(f[node], body->soft->skin_weights[k], force);
  }
}

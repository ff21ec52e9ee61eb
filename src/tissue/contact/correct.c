/* Responses that change positions instead of forces: penetrating vertices are moved onto the surface (Maciel 2005,
 * Eq. 4.34 and 4.35), and velocities that would make vertices penetrate in the next step are removed (Algorithm 7).
 * Both act on the skin, which its nodes move: a node gets the mean of the corrections of its vertices, by the
 * weights with which it moves them. */
#include <string.h>

#include "base/vec.h"
#include "tissue/contact/contact.h"

/* Corrections requested from each node by the vertices of the skin: the sum of weight times change, and of the
 * weights. */
typedef struct wishes {
  syn_vec3 *sum;
  double *weight;
} wishes;

static wishes no_wishes(const syn_simulation *s) {
  const wishes w = {s->work[0], &s->work[1][0].x}; /* weights take a third of the second vector */
  memset(w.sum, 0, s->node_count * sizeof *w.sum);
  memset(w.weight, 0, s->node_count * sizeof *w.weight);
  return w;
}

static void wish(const syn_simulation *s, const wishes *w, uint32_t point, double weight, syn_vec3 change) {
  const syn_sim_body *body = &s->bodies[syn_sim_body_of_point(s, point)];
  if (!body->soft || weight == 0) return;
  const uint32_t vertex = point - body->first_point;
  for (uint32_t k = body->soft->skin_start[vertex]; k < body->soft->skin_start[vertex + 1]; ++k) {
    const uint32_t node = body->first_node + body->soft->skin_nodes[k];
    const double part = weight * body->soft->skin_weights[k];
    w->sum[node] = vec3_madd(w->sum[node], part, change);
    w->weight[node] += part;
  }
}

static syn_vec3 granted(const syn_simulation *s, const wishes *w, uint32_t node) {
  if (!(w->weight[node] > 0)) return vec3(0, 0, 0);
  return syn_mix_held(s->held[node], vec3_scale(w->sum[node], 1 / w->weight[node]), vec3(0, 0, 0));
}

/* Returns the displacement of a point of a surface while the nodes move from `before` to `after`. */
static syn_vec3 way_of_point(const syn_simulation *s, uint32_t point, const syn_vec3 *before, const syn_vec3 *after) {
  const syn_sim_body *body = &s->bodies[syn_sim_body_of_point(s, point)];
  const uint32_t vertex = point - body->first_point;
  syn_vec3 way = vec3(0, 0, 0);
  if (!body->soft) return way;
  for (uint32_t k = body->soft->skin_start[vertex]; k < body->soft->skin_start[vertex + 1]; ++k) {
    const uint32_t node = body->first_node + body->soft->skin_nodes[k];
    way = vec3_madd(way, body->soft->skin_weights[k], vec3_sub(after[node], before[node]));
  }
  return way;
}

/* Returns by how much the gap has closed in the step. */
static double closed_by(const syn_simulation *s, const syn_gap *gap, const syn_vec3 *before, const syn_vec3 *after) {
  double sum = 0;
  for (int c = 0; c < 4; ++c)
    sum -= gap->weight[c] * vec3_dot(gap->normal, way_of_point(s, gap->points[c], before, after));
  return max2(0, sum);
}

/* Collects the corrections of one pair of bodies: each side moves by half of the depth if both are soft, else the
 * soft one by all of it. `scale` converts a displacement to the corrected quantity. Methods that report only pairs
 * may miss a vertex at first and find it at any depth: correcting the whole depth in one step would throw it, so
 * only the closing of this step is corrected. */
static syn_status collect(syn_simulation *s, uint32_t number, const syn_vec3 *points, const syn_vec3 *before,
                          const syn_vec3 *after, double scale, const wishes *w, syn_error *error) {
  syn_touch *touch = &s->touches[number];
  syn_contacts found;
  syn_pose frame;
  SYN_TRY(syn_detect_contacts(s, touch, points, 1, &found, &frame, error));
  const bool both = s->bodies[touch->fixed].soft && s->bodies[touch->mobile].soft;
  for (size_t i = 0; i < found.count; ++i) {
    syn_gap gap;
    if (!syn_detect_gap(s, number, &found.contacts[i], &frame, points, &gap)) continue;
    /* Displacement of the vertex along the normal, and the opposite one of the triangle */
    const double depth = touch->only_pairs ? min2(-gap.gap_mm, closed_by(s, &gap, before, after)) : -gap.gap_mm;
    const syn_vec3 way = vec3_scale(gap.normal, depth * scale * (both ? 0.5 : 1));
    wish(s, w, gap.points[0], 1, way);
    for (int c = 1; c < 4; ++c) wish(s, w, gap.points[c], -gap.weight[c], vec3_neg(way));
  }
  return SYN_OK;
}

/* `turn_back` reverses the velocity against the direction of the correction. Algorithm 7 reverses the whole
 * velocity, also its tangential part: that tore cartilage off the bone that carries it. */
static syn_status correct_positions(syn_simulation *s, uint32_t number, bool turn_back, syn_error *error) {
  const wishes w = no_wishes(s);
  syn_sim_points(s, s->x, 1, s->points);
  SYN_TRY(collect(s, number, s->points, s->work[SYN_WORK_BEFORE_X], s->x, 1, &w, error));
  for (uint32_t i = 0; i < s->node_count; ++i) {
    const syn_vec3 way = granted(s, &w, i), out = vec3_unit(way);
    s->x[i] = vec3_add(s->x[i], way);
    if (turn_back) s->v[i] = vec3_madd(s->v[i], -2 * min2(0, vec3_dot(s->v[i], out)), out);
  }
  return SYN_OK;
}

/* The second test of Algorithm 7 is printed with the wrong sign: velocities change if the next step would penetrate. */
static syn_status correct_velocities(syn_simulation *s, uint32_t number, syn_error *error) {
  const double h = s->options.step_s;
  syn_vec3 *next = s->work[2];
  for (uint32_t i = 0; i < s->node_count; ++i) next[i] = vec3_madd(s->x[i], h, s->v[i]);
  /* Corrections at the predicted positions, as velocities */
  const wishes w = no_wishes(s);
  syn_sim_points(s, next, 1, s->points);
  SYN_TRY(collect(s, number, s->points, s->x, next, 1 / h, &w, error));
  for (uint32_t i = 0; i < s->node_count; ++i) s->v[i] = vec3_add(s->v[i], granted(s, &w, i));
  return SYN_OK;
}

syn_status syn_sim_correct(syn_simulation *s, syn_error *error) {
  for (uint32_t i = 0; i < s->touch_count; ++i) {
    const syn_response response = s->touches[i].options.response;
    const bool looks_ahead = response == SYN_RESPONSE_LOOK_AHEAD;
    if (!looks_ahead && response != SYN_RESPONSE_CORRECTION) continue;
    SYN_TRY(correct_positions(s, i, looks_ahead, error));
    if (looks_ahead) SYN_TRY(correct_velocities(s, i, error));
  }
  return SYN_OK;
}

/* The contact responses of the cited works that are no gap with an energy. */
#include <string.h>

#include "base/vec.h"
#include "geometry/small_matrix.h"
#include "tissue/contact/contact.h"

/* ==== correction and look-ahead (Maciel 2005) ===================================================================== */

/* Responses that change positions instead of forces: penetrating vertices are moved onto the surface (Maciel 2005,
 * Eq. 4.34 and 4.35), and velocities that would make vertices penetrate in the next step are removed (Algorithm 7).
 * Both act on the skin, which its nodes move: a node gets the mean of the corrections of its vertices, by the
 * weights with which it moves them. */

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

/* ==== one force for the overlap (Sundaraj 2004) =================================================================== */

/* One force for a whole contact, proportional to the volume of the overlap (Sundaraj 2004, Eq. 5.11). It acts along
 * the mean normal of the fixed surface in the overlap, through the overlap's centre. */

static syn_status mesh_now(const syn_simulation *s, const syn_sim_body *body, syn_trimesh **mesh, syn_error *error) {
  return syn_trimesh_create(s->context, s->points + body->first_point, body->surface->vertex_count,
                            body->surface->triangles, body->surface->triangle_count, mesh, error);
}

/* Contact elements are triangles that are not wholly outside. */
static bool is_contact(uint8_t zone) {
  return zone == SYN_ZONE_CUT || zone == SYN_ZONE_INNER || zone == SYN_ZONE_INSIDE;
}

static syn_vec3 mean_normal(const syn_trimesh *mesh, const uint8_t *zones) {
  syn_vec3 sum = {0};
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    if (!is_contact(zones[t])) continue;
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 a = mesh->vertices[v[0]];
    sum = vec3_add(sum, vec3_cross(vec3_sub(mesh->vertices[v[1]], a), vec3_sub(mesh->vertices[v[2]], a)));
  }
  return vec3_unit(sum);
}

/* Distribution of the force over the vertices of contact elements, by area, tilted so that the resultant passes
 * through `centre`: share = area (1 + b . q), q being the vertex's position across the force, relative to their
 * mean. */
typedef struct sharing {
  double area;      /* total */
  syn_vec3 mean, b; /* b: perpendicular to the direction */
} sharing;

static syn_vec3 across(syn_vec3 p, syn_vec3 direction) { return vec3_madd(p, -vec3_dot(p, direction), direction); }

/* Solves moments b = off, where moments are the mean of q q^T; zero along the direction, and if all vertices are
 * collinear. */
static syn_vec3 find_tilt(const double moments[9], syn_vec3 direction, syn_vec3 off) {
  const double d[3] = {direction.x, direction.y, direction.z}, size = moments[0] + moments[4] + moments[8];
  double a[9], b[3] = {off.x, off.y, off.z};
  for (int k = 0; k < 9; ++k) a[k] = moments[k] + size * d[k / 3] * d[k % 3];
  return size > 0 && syn_solve_symmetric(a, b, 3, 1e-9) ? vec3(b[0], b[1], b[2]) : vec3(0, 0, 0);
}

static sharing find_sharing(const double *area, const syn_trimesh *mesh, const bool *taking, syn_vec3 direction,
                            syn_vec3 centre) {
  sharing h = {0};
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    if (taking[i]) {
      h.area += area[i];
      h.mean = vec3_madd(h.mean, area[i], mesh->vertices[i]);
    }
  if (!(h.area > 0)) return h;
  h.mean = vec3_scale(h.mean, 1 / h.area);
  double moments[9] = {0};
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    if (!taking[i]) continue;
    const syn_vec3 p = across(vec3_sub(mesh->vertices[i], h.mean), direction);
    const double q[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 9; ++k) moments[k] += area[i] / h.area * q[k / 3] * q[k % 3];
  }
  h.b = find_tilt(moments, direction, across(vec3_sub(centre, h.mean), direction));
  return h;
}

static syn_status push_body(syn_simulation *s, const syn_sim_body *body, const syn_trimesh *mesh, const uint8_t *zones,
                            syn_vec3 force, syn_vec3 centre, syn_error *error) {
  if (!body->soft) return SYN_OK;
  bool *taking;
  SYN_TRY(SYN_NEW_ZEROED(s->context, &taking, mesh->vertex_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3 && is_contact(zones[t]); ++c) taking[mesh->triangles[t].v[c]] = true;
  const syn_vec3 direction = vec3_unit(force);
  const double *area = s->point_area + body->first_point;
  const sharing h = find_sharing(area, mesh, taking, direction, centre);
  for (uint32_t i = 0; i < mesh->vertex_count && h.area > 0; ++i) {
    if (!taking[i]) continue;
    const syn_vec3 q = across(vec3_sub(mesh->vertices[i], h.mean), direction);
    const double share = area[i] / h.area * (1 + vec3_dot(h.b, q));
    syn_sim_point_force(s, body->first_point + i, vec3_scale(force, share), s->step_force);
  }
  syn_free(s->context, taking);
  return SYN_OK;
}

static syn_status push(syn_simulation *s, syn_touch *touch, const syn_overlap *overlap, const syn_trimesh *fixed,
                       const syn_trimesh *mobile, syn_error *error) {
  const syn_touch_options *o = &touch->options;
  const double volume = overlap->volume_mm3;
  const double rate = isnan(touch->overlap_mm3) ? 0 : (volume - touch->overlap_mm3) / s->options.step_s;
  touch->overlap_mm3 = volume;
  const double size = max2(0, o->pressure_mpa_mm * (volume + o->damping_s * rate)); /* never tensile */
  if (!(volume > 0) || size == 0) return SYN_OK;
  const syn_vec3 force = vec3_scale(mean_normal(fixed, overlap->fixed_zones), size);
  SYN_TRY(push_body(s, &s->bodies[touch->mobile], mobile, overlap->mobile_zones, force, overlap->centroid, error));
  return push_body(s, &s->bodies[touch->fixed], fixed, overlap->fixed_zones, vec3_neg(force), overlap->centroid, error);
}

static syn_status push_overlap(syn_simulation *s, syn_touch *touch, syn_error *error) {
  syn_trimesh *fixed = NULL, *mobile = NULL;
  syn_overlap *overlap = NULL;
  syn_status status = mesh_now(s, &s->bodies[touch->fixed], &fixed, error);
  if (!status) status = mesh_now(s, &s->bodies[touch->mobile], &mobile, error);
  if (!status) status = syn_overlap_create(fixed, mobile, NULL, &overlap, error);
  if (!status) status = push(s, touch, overlap, fixed, mobile, error);
  syn_overlap_destroy(overlap);
  syn_trimesh_destroy(mobile);
  syn_trimesh_destroy(fixed);
  return status;
}

syn_status syn_sim_push_overlaps(syn_simulation *s, syn_error *error) {
  bool found = false;
  for (size_t i = 0; i < s->touch_count; ++i) {
    if (s->touches[i].options.response != SYN_RESPONSE_VOLUME) continue;
    if (!found) {
      memset(s->step_force, 0, s->node_count * sizeof *s->step_force);
      syn_sim_points(s, s->x, 0, s->points);
    }
    found = true;
    SYN_TRY(push_overlap(s, &s->touches[i], error));
  }
  return SYN_OK;
}

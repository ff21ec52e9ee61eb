/* Integrates force, area and stiffness of the pressures at the nodes. A face is a fan of triangles about its middle,
 * in each of which the pressure is linear; the part where it is above 0 is cut out exactly. */

#include <string.h>

#include "pressure/foundation/foundation.h"

typedef struct point {
  syn_vec3 place, gradient;
  double pressure, slope;
} point;

static point mix(const point *a, const point *b, double t) {
  return (point){vec3_lerp(a->place, b->place, t), vec3_lerp(a->gradient, b->gradient, t),
                 a->pressure + t * (b->pressure - a->pressure), a->slope + t * (b->slope - a->slope)};
}

/* ---- one triangle -------------------------------------------------------------------------------------------------
 */

typedef struct integrals {
  foundation_sum sum;
  double stiffness[6];
} integrals;

/* Adds `sign` times the integrals over a whole triangle: of products of two linear functions they are
 * area / 12 * (sum f sum g + sum f g). */
static void add_whole(integrals *to, const point *const c[3], double area) {
  const double p = c[0]->pressure + c[1]->pressure + c[2]->pressure;
  const syn_vec3 g = vec3_add(vec3_add(c[0]->gradient, c[1]->gradient), c[2]->gradient);
  const syn_vec3 x = vec3_add(vec3_add(c[0]->place, c[1]->place), c[2]->place);
  const double slope = (c[0]->slope + c[1]->slope + c[2]->slope) / 3 * area / 12;
  double gg[6] = {g.x * g.x, g.x * g.y, g.x * g.z, g.y * g.y, g.y * g.z, g.z * g.z};
  syn_vec3 force = vec3_scale(g, p), moment = vec3_scale(x, p);
  for (int i = 0; i < 3; ++i) {
    const syn_vec3 v = c[i]->gradient;
    const double products[6] = {v.x * v.x, v.x * v.y, v.x * v.z, v.y * v.y, v.y * v.z, v.z * v.z};
    for (int k = 0; k < 6; ++k) gg[k] += products[k];
    force = vec3_madd(force, c[i]->pressure, v);
    moment = vec3_madd(moment, c[i]->pressure, c[i]->place);
  }
  to->sum.force = vec3_madd(to->sum.force, area / 12, force);
  to->sum.moment = vec3_madd(to->sum.moment, area / 12, moment);
  to->sum.load += area / 3 * p;
  to->sum.area += area;
  for (int k = 0; k < 6; ++k) to->stiffness[k] += slope * gg[k];
}

/* Adds the corner `c[0]` of a triangle, up to the line where the pressure is 0; `area` is that of the whole
 * triangle, negative to subtract. */
static void add_corner(integrals *to, const point *const c[3], double area) {
  const double s = c[0]->pressure / (c[0]->pressure - c[1]->pressure),
               t = c[0]->pressure / (c[0]->pressure - c[2]->pressure);
  const point a = mix(c[0], c[1], s), b = mix(c[0], c[2], t);
  const point *const cut[3] = {c[0], &a, &b};
  add_whole(to, cut, area * s * t);
}

static void add_triangle(integrals *to, const point *a, const point *b, const point *c) {
  const double area = 0.5 * vec3_length(vec3_cross(vec3_sub(b->place, a->place), vec3_sub(c->place, a->place)));
  const point *const corners[5] = {a, b, c, a, b};
  int above = 0, odd = 0;
  for (int i = 0; i < 3; ++i) above += corners[i]->pressure > 0;
  if (above == 0) return;
  if (above == 3) {
    add_whole(to, corners, area);
    return;
  }
  while ((corners[odd]->pressure > 0) != (above == 1)) ++odd;
  if (above == 2) add_whole(to, corners, area);
  add_corner(to, &corners[odd], above == 1 ? area : -area);
}

/* ---- all faces ----------------------------------------------------------------------------------------------------
 */

static void add_face(const foundation_side *side, const uint32_t face[4], const foundation_node *nodes, integrals *to) {
  const int corners = face[3] == face[2] ? 3 : 4;
  point c[4], middle = {{0, 0, 0}, {0, 0, 0}, 0, 0};
  for (int i = 0; i < corners; ++i) {
    const foundation_node *n = &nodes[face[i]];
    c[i] = (point){side->nodes[face[i]], n->gradient, n->pressure, n->slope};
    middle.place = vec3_madd(middle.place, 1.0 / corners, c[i].place);
    middle.gradient = vec3_madd(middle.gradient, 1.0 / corners, c[i].gradient);
    middle.pressure += c[i].pressure / corners;
    middle.slope += c[i].slope / corners;
  }
  if (corners == 3)
    add_triangle(to, &c[0], &c[1], &c[2]);
  else
    for (int i = 0; i < 4; ++i) add_triangle(to, &c[i], &c[(i + 1) % 4], &middle);
}

static void add_sum(foundation_sum *to, const foundation_sum *more) {
  to->force = vec3_add(to->force, more->force);
  to->moment = vec3_add(to->moment, more->moment);
  to->load += more->load;
  to->area += more->area;
  to->peak = max2(to->peak, more->peak);
}

/* Integrates the pressures of the nodes. */
static void foundation_integrate(const foundation_side *side, foundation_state *state) {
  state->total = (foundation_sum){0};
  memset(state->regions, 0, sizeof state->regions);
  memset(state->stiffness, 0, sizeof state->stiffness);
  for (uint32_t f = 0; f < side->face_count; ++f) {
    const uint32_t *face = side->faces[f];
    double most = -INFINITY, least = INFINITY;
    for (int c = 0; c < 4; ++c) {
      most = max2(most, state->nodes[face[c]].pressure);
      least = min2(least, state->nodes[face[c]].pressure);
    }
    if (!(most > 0) || !isfinite(least)) continue; /* without contact, or beyond the edge of the head */
    integrals of_face = {.sum = {.peak = most}};
    add_face(side, face, state->nodes, &of_face);
    add_sum(&state->regions[side->regions[f]], &of_face.sum);
    for (int k = 0; k < 6; ++k) state->stiffness[k] += of_face.stiffness[k];
  }
  for (int r = 0; r < 4; ++r) add_sum(&state->total, &state->regions[r]);
}

/* ---- press ----------------------------------------------------------------------------------------------------- */
/* Computes depth and pressure at every node of the socket, for a pose and a shift of the head. */

/* ---- the law ------------------------------------------------------------------------------------------------------
 */

/* Beyond this strain of the softer layer the nonlinear law is continued linearly. */
#define MOST_STRAIN 0.9

/* Solves d = sum of h (1 - exp(-p / K)) + give p for p by Newton's method: from below, since the sum is concave. */
static double nonlinear_pressure(double depth, const double h[2], const double k[2], double give, double *slope) {
  double softest = INFINITY;
  for (int i = 0; i < 2; ++i)
    if (h[i] > 0) softest = min2(softest, k[i]);
  const double most = -softest * log(1 - MOST_STRAIN);
  double p = depth / (h[0] / k[0] + h[1] / k[1] + give);
  for (int step = 0; step < 50; ++step) {
    const double at = min2(p, most), e0 = exp(-at / k[0]), e1 = exp(-at / k[1]);
    const double rate = h[0] / k[0] * e0 + h[1] / k[1] * e1 + give;
    const double off = depth - h[0] * (1 - e0) - h[1] * (1 - e1) - give * at - (p - at) * rate;
    p += off / rate;
    *slope = 1 / rate;
    if (fabs(off) <= 1e-13 * depth) break;
  }
  return p;
}

/* Two rigid surfaces resist as a layer of this compliance: hard, but with a finite stiffness. */
#define LEAST_COMPLIANCE 1e-4 /* mm/MPa */

double syn_foundation_law(bool nonlinear, double depth, const double thickness[2], const double modulus[2], double give,
                          double *slope) {
  const double compliance = thickness[0] / modulus[0] + thickness[1] / modulus[1] + give;
  if (nonlinear && depth > 0 && compliance > LEAST_COMPLIANCE)
    return nonlinear_pressure(depth, thickness, modulus, give, slope);
  *slope = 1 / max2(compliance, LEAST_COMPLIANCE);
  return depth * *slope;
}

/* ---- along the normal ---------------------------------------------------------------------------------------------
 */

enum { WAY_STEPS = 2 }; /* of Newton's method: depths and shifts are small compared with the radii */

/* Returns the distance of the shifted head from a point of the socket, along the normal; `gradient` is its
 * derivative with the shift. All in the frame of the head. */
static double way_to_head(const foundation_table *table, syn_vec3 from, syn_vec3 along, syn_vec3 *gradient) {
  double way = 0, facing = 1;
  syn_vec3 normal = along;
  for (int step = 0; step <= WAY_STEPS; ++step) {
    const syn_vec3 p = vec3_madd(from, way, along);
    const double length = vec3_length(p);
    const double off = length - syn_foundation_radius(table, p, &normal);
    normal = vec3_sub(vec3_scale(p, 1 / length), normal);
    facing = vec3_dot(normal, along);
    if (step < WAY_STEPS) way -= off / facing;
  }
  *gradient = vec3_scale(normal, 1 / facing);
  return way;
}

/* As way_to_head, to the shifted socket around one of its nodes, whose radius changes linearly with the direction. */
static double way_to_socket(double radius, syn_vec3 unit, syn_vec3 normal, syn_vec3 shift, syn_vec3 *gradient) {
  const double straight = vec3_dot(normal, unit);
  const syn_vec3 slope = vec3_scale(vec3_sub(vec3_scale(unit, straight), normal), radius / straight);
  const syn_vec3 from = vec3_sub(vec3_scale(unit, radius), shift);
  double way = vec3_dot(shift, normal), facing = 1;
  for (int step = 0; step <= WAY_STEPS; ++step) {
    const syn_vec3 p = vec3_madd(from, way, normal);
    const double length = vec3_length(p);
    const syn_vec3 v = vec3_scale(p, 1 / length);
    const double tilt = vec3_dot(slope, v), off = length - radius - tilt;
    *gradient = vec3_sub(v, vec3_scale(vec3_madd(slope, -tilt, v), 1 / length));
    facing = vec3_dot(*gradient, normal);
    if (step < WAY_STEPS) way -= off / facing;
  }
  *gradient = vec3_scale(*gradient, 1 / facing);
  return way;
}

/* ---- nodes --------------------------------------------------------------------------------------------------------
 */

/* The point opposite to a node depends on the rotation only: pressures then change smoothly with the shift. */
void syn_foundation_take_pose(const syn_foundation *f, const syn_load_step *loaded, foundation_state *state) {
  const syn_mat3 turn_back = mat3_transpose(&loaded->pose.rotation);
  state->loaded = *loaded;
  for (uint32_t i = 0; i < f->socket.node_count; ++i) {
    const syn_vec3 p = f->socket.nodes[i], along = mat3_apply(&turn_back, p);
    foundation_node *node = &state->nodes[i];
    node->opposite =
        vec3_dot(p, f->socket.normals[i]) > 0.1 * vec3_length(p) && syn_foundation_is_covered(&f->table, along);
    if (!node->opposite) continue;
    const foundation_below below = syn_foundation_below_at(&f->table, along);
    node->head_thickness_mm = below.thickness_mm;
    node->head_modulus_mpa = below.modulus_mpa;
  }
}

static void press_node(const syn_foundation *f, uint32_t i, const syn_mat3 *turn, const syn_mat3 *turn_back,
                       syn_vec3 shift, foundation_node *node) {
  const syn_vec3 place = f->socket.nodes[i], normal = f->socket.normals[i], half = vec3_scale(shift, 0.5);
  const double radius = vec3_length(place);
  syn_vec3 of_head, of_socket;
  const double head =
      way_to_head(&f->table, mat3_apply(turn_back, vec3_sub(place, half)), mat3_apply(turn_back, normal), &of_head);
  const double socket = way_to_socket(radius, vec3_scale(place, 1 / radius), normal, vec3_neg(half), &of_socket);
  node->depth = head - socket;
  node->gradient = vec3_scale(vec3_add(mat3_apply(turn, of_head), of_socket), 0.5);
  const double thickness[2] = {f->socket.thickness_mm[i], node->head_thickness_mm},
               modulus[2] = {f->socket.modulus_mpa[i], node->head_modulus_mpa};
  node->pressure = syn_foundation_law(f->options.nonlinear, node->depth, thickness, modulus,
                                      f->socket.give_mm_per_mpa[i], &node->slope);
}

static const foundation_node apart = {.depth = NAN, .pressure = -INFINITY};

void syn_foundation_press_at(const syn_foundation *f, syn_vec3 shift, foundation_state *state) {
  const syn_pose *pose = &state->loaded.pose;
  const syn_mat3 turn_back = mat3_transpose(&pose->rotation);
  const syn_vec3 whole = vec3_add(shift, vec3_sub(pose_point(pose, f->center), f->center));
  state->shift = shift;
  for (uint32_t i = 0; i < f->socket.node_count; ++i) {
    foundation_node *node = &state->nodes[i];
    if (node->opposite) press_node(f, i, &pose->rotation, &turn_back, whole, node);
    if (!node->opposite || !isfinite(node->pressure)) {
      node->depth = apart.depth;
      node->pressure = apart.pressure;
    }
  }
  foundation_integrate(&f->socket, state);
}

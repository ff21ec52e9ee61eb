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

void syn_foundation_integrate(const foundation_side *side, foundation_state *state) {
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

#include "collide/radial/radial_wall.h"

#include <math.h>

#include "base/vec.h"
#include "geometry/closest.h"
#include "geometry/predicates.h"

/* ---- a ray and a triangle ---------------------------------------------------------------------------------------- */

/* Computes the plane's normal over its product with a corner: dotted with a direction it gives 1 / distance of the
 * plane. False if the plane is too slanted, or the triangle too thin, for a precise result. */
static bool scaled_normal(const syn_vec3 v[3], syn_vec3 *normal) {
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]), n = vec3_cross(ab, ac);
  const double height = vec3_dot(n, v[0]);
  if (!(fabs(height) > 1e-4 * vec3_length(ab) * vec3_length(ac) * vec3_length(v[0]))) return false;
  *normal = vec3_scale(n, 1 / height);
  return true;
}

double syn_radial_toward(const syn_vec3 v[3], syn_vec3 unit) {
  syn_vec3 normal;
  if (scaled_normal(v, &normal)) return vec3_dot(normal, unit);
  /* A mean of the corners, weighted by the areas opposite to them as seen along the ray: always between them. Areas are
   * taken about a point of the ray close by, where less is lost. */
  const syn_vec3 near = vec3_scale(unit, vec3_dot(unit, vec3_scale(vec3_add(v[0], vec3_add(v[1], v[2])), 1.0 / 3)));
  syn_vec3 sum = {0, 0, 0};
  double weights = 0;
  for (int c = 0; c < 3; ++c) {
    const double w = fabs(vec3_dot(vec3_cross(vec3_sub(v[(c + 1) % 3], near), vec3_sub(v[(c + 2) % 3], near)), unit));
    sum = vec3_madd(sum, w, v[c]);
    weights += w;
  }
  /* a centre within rounding of the triangle is met at once: a finite number, which takes part as any other */
  return weights > 0 ? weights / max2(vec3_length(sum), RADIAL_NEAREST * weights) : 1 / vec3_length(v[0]);
}

bool syn_radial_inside_edge(const syn_vec3 v[3], int edge, syn_vec3 point) {
  const syn_vec3 center = {0, 0, 0};
  const int side = syn_orient3d(center, v[edge], v[(edge + 1) % 3], point);
  return side == 0 || side == syn_orient3d(center, v[0], v[1], v[2]);
}

bool syn_radial_sees(const syn_vec3 v[3], syn_vec3 point) {
  if (syn_orient3d(vec3(0, 0, 0), v[0], v[1], v[2]) == 0) return false;
  return syn_radial_inside_edge(v, 0, point) && syn_radial_inside_edge(v, 1, point) &&
         syn_radial_inside_edge(v, 2, point);
}

/* ---- the triangles of a table ------------------------------------------------------------------------------------ */

void syn_radial_corners(const radial_table *table, uint32_t triangle, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) corners[c] = table->points[table->triangles[triangle].v[c]];
}

void syn_radial_directions(const radial_table *table, uint32_t triangle, syn_vec3 units[3]) {
  for (int c = 0; c < 3; ++c) units[c] = table->directions[table->triangles[triangle].v[c]];
}

radial_cone syn_radial_cone_of_triangle(const radial_table *table, uint32_t triangle) {
  syn_vec3 units[3];
  syn_radial_directions(table, triangle, units);
  return syn_radial_cone_of(units, 3);
}

static radial_kind kind_of(const radial_table *table, const syn_vec3 v[3]) {
  const int turn = syn_orient3d(vec3(0, 0, 0), v[0], v[1], v[2]); /* > 0: the normal points away from the centre */
  if (turn == 0) return RADIAL_NEVER;
  return !table->use_normals || (turn < 0) == table->outside ? RADIAL_WALL : RADIAL_BACK;
}

radial_kind syn_radial_kind(const radial_table *table, uint32_t triangle) {
  syn_vec3 corners[3];
  syn_radial_corners(table, triangle, corners);
  return kind_of(table, corners);
}

void syn_radial_fill_kinds(radial_table *table) {
  for (uint32_t t = 0; t < table->count; ++t) table->kinds[t] = (uint8_t)syn_radial_kind(table, t);
}

static radial_planes planes_of(const syn_vec3 v[3]) {
  radial_planes planes = {0};
  const double turn = syn_orient3d(vec3(0, 0, 0), v[0], v[1], v[2]);
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 plane = vec3_cross(v[c], v[(c + 1) % 3]);
    const double length2 = vec3_length2(plane);
    /* two corners in one direction: the plane could be any */
    if (length2 < 1e-16 * vec3_length2(v[c]) * vec3_length2(v[(c + 1) % 3])) continue;
    const double scale = turn / sqrt(length2);
    for (int k = 0; k < 3; ++k) planes.plane[k][c] = (float)(vec3_at(plane, k) * scale);
  }
  return planes;
}

/* Returns how near to the centre (mobile outside: how far from it) a point must be to have this back behind it. */
static double reach_of_back(const radial_table *table, const syn_vec3 v[3]) {
  const double farthest = max2(vec3_length(v[0]), max2(vec3_length(v[1]), vec3_length(v[2])));
  const double bound = table->outside ? vec3_length(closest_on_triangle(vec3(0, 0, 0), v)) : -farthest;
  return bound - 1e-9 * fabs(bound);
}

bool syn_radial_would_be_precise(const radial_table *table, uint32_t triangle) {
  syn_vec3 corners[3], normal;
  syn_radial_corners(table, triangle, corners);
  return table->kinds[triangle] != RADIAL_NEVER && scaled_normal(corners, &normal);
}

void syn_radial_fill_plane(radial_table *table, uint32_t triangle) {
  const double sign = table->outside ? 1 : -1;
  syn_vec3 corners[3], normal = {0, 0, 0};
  table->planes[triangle] = (radial_planes){0};
  if (table->kinds[triangle] != RADIAL_NEVER) {
    syn_radial_corners(table, triangle, corners);
    if (!scaled_normal(corners, &normal)) normal = vec3(0, 0, 0);
    table->planes[triangle] = planes_of(corners);
  }
  for (int k = 0; k < 3; ++k) table->toward[triangle][k] = sign * vec3_at(normal, k);
  if (table->kinds[triangle] == RADIAL_BACK) table->first_back = min2(table->first_back, reach_of_back(table, corners));
}

void syn_radial_fill_planes(radial_table *table) {
  table->first_back = INFINITY;
  for (uint32_t t = 0; t < table->count; ++t) syn_radial_fill_plane(table, t);
  radial_planes *none = &table->planes[table->count];
  for (int k = 0; k < 3; ++k)
    table->toward[table->count][k] = none->plane[k][0] = none->plane[k][1] = none->plane[k][2] = NAN;
}

/* ---- neighbours -------------------------------------------------------------------------------------------------- */

bool syn_radial_share_edge(const radial_table *table, uint32_t a, uint32_t edge_a, uint32_t b, uint32_t edge_b) {
  const uint32_t *va = table->triangles[a].v, *vb = table->triangles[b].v;
  const uint32_t a0 = va[edge_a], a1 = va[(edge_a + 1) % 3], b0 = vb[edge_b], b1 = vb[(edge_b + 1) % 3];
  if (!((a0 == b1 && a1 == b0) || (a0 == b0 && a1 == b1))) return false;
  /* then the planes are the same but for the sign */
  for (int k = 0; k < 3; ++k)
    if (table->planes[a].plane[k][edge_a] != -table->planes[b].plane[k][edge_b]) return false;
  return true;
}

/* Returns how much smaller the plane of `a` is than that of `b` at b's corner opposite to their edge. There b is exact,
 * and as the difference of both planes is zero all along the edge, it has one sign on all of b's side. */
static double bend_at(const radial_table *table, uint32_t a, uint32_t b) {
  for (int c = 0; c < 3; ++c) {
    const uint32_t v = table->triangles[b].v[c];
    if (radial_corner_at(table, a, v) == 3) return (table->outside ? 1 : -1) - radial_ratio(table, a, table->points[v]);
  }
  return 0;
}

double syn_radial_bend(const radial_table *table, uint32_t a, uint32_t b) {
  return table->names[a] < table->names[b] ? bend_at(table, a, b)
                                           : bend_at(table, b, a); /* independent of their order */
}

/* Returns whether the plane of a triangle is reliable beyond its neighbours; that of a thin one is not. */
static bool is_well_shaped(const radial_table *table, uint32_t triangle) {
  syn_vec3 v[3];
  syn_radial_corners(table, triangle, v);
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]), bc = vec3_sub(v[2], v[1]);
  const double longest2 = max2(vec3_length2(ab), max2(vec3_length2(ac), vec3_length2(bc)));
  return fabs(vec3_dot(vec3_cross(ab, ac), v[0])) > 1e-2 * longest2 * vec3_length(v[0]);
}

uint32_t syn_radial_ring_rule(const radial_table *table, const uint32_t *list) {
  const uint32_t count = list[0] & RADIAL_OFFSET, *ring = list + 1;
  bool peak = true, pit = true;
  for (uint32_t i = 0; i < count; ++i) {
    const double bend = syn_radial_bend(table, ring[i], ring[(i + 1) % count]), flat = 1e-13;
    peak = peak && bend > -flat;
    pit = pit && bend < flat;
    if (!is_well_shaped(table, ring[i])) return RADIAL_EACH;
  }
  return peak ? 0 : pit ? RADIAL_LEAST : RADIAL_EACH;
}

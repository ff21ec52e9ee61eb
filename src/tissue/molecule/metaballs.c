/* Makes the surface of metaballs (Maciel 2005, §3.4.5), each of which adds (1 - d^2 / R^2)^2 within R = 2 r
 * (Murakami and Ichihara 1987). By marching tetrahedra: every cube of a grid is divided into six, in the same way,
 * so that the surface is closed and manifold without ambiguous cases. */
#include <string.h>

#include "tissue/molecule/molecule.h"

enum { EDGES = 7 }; /* edges from a point of the grid: along x, y, xy, z, xz, yz, xyz, by bits */

typedef struct field {
  const syn_context *context;
  syn_arena arena;
  syn_vec3 origin;
  double cell;
  size_t size[3], point_count;
  double *value;          /* above the surface's value: inside */
  uint32_t (*cut)[EDGES]; /* the vertex on each edge; SYN_NONE: not yet made */
  syn_vec3 *vertices;     /* of the surface */
  syn_triangle *triangles;
  size_t vertex_count, vertex_capacity, triangle_count, triangle_capacity;
} field;

static const double SURFACE = 0.5625, CLOSEST_CUT = 1e-3;

static size_t point_at(const field *g, size_t x, size_t y, size_t z) { return (z * g->size[1] + y) * g->size[0] + x; }

static syn_vec3 place_of(const field *g, size_t point) {
  const size_t x = point % g->size[0], y = point / g->size[0] % g->size[1], z = point / g->size[0] / g->size[1];
  return vec3_madd(g->origin, g->cell, vec3((double)x, (double)y, (double)z));
}

/* ---- the field ------------------------------------------------------------------------------------------------------
 */

static syn_status open_field(const syn_vec3 *centers, const double *radii, uint32_t count, field *g, syn_error *error) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < count; ++i) {
    const double reach = 2 * radii[i];
    if (!vec3_finite(centers[i])) return syn_fail(error, SYN_BAD_ARGUMENT, "molecule %u is not at a finite place", i);
    box_add(&box, vec3_sub(centers[i], vec3(reach, reach, reach)));
    box_add(&box, vec3_add(centers[i], vec3(reach, reach, reach)));
  }
  g->origin = vec3_sub(box.min, vec3(g->cell, g->cell, g->cell));
  double total = 1;
  for (int k = 0; k < 3; ++k) {
    const double cells = ceil((vec3_at(box.max, k) - vec3_at(box.min, k)) / g->cell) + 3;
    total *= cells;
    if (!(total < 3e8))
      return syn_fail(error, SYN_TOO_LARGE, "a grid of %g mm around the molecules has too many cells: take wider ones",
                      g->cell);
    g->size[k] = (size_t)cells;
  }
  g->point_count = g->size[0] * g->size[1] * g->size[2];
  SYN_TRY(SYN_TAKE(&g->arena, &g->value, g->point_count, error));
  SYN_TRY(SYN_TAKE(&g->arena, &g->cut, g->point_count, error));
  for (size_t p = 0; p < g->point_count; ++p) g->value[p] = -SURFACE;
  memset(g->cut, 0xff, g->point_count * sizeof *g->cut);
  return SYN_OK;
}

static void add_ball(field *g, syn_vec3 center, double radius) {
  const double reach = 2 * radius;
  size_t low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    const double middle = vec3_at(center, k) - vec3_at(g->origin, k);
    low[k] = (size_t)ceil((middle - reach) / g->cell);
    high[k] = (size_t)floor((middle + reach) / g->cell);
  }
  for (size_t z = low[2]; z <= high[2]; ++z)
    for (size_t y = low[1]; y <= high[1]; ++y)
      for (size_t x = low[0]; x <= high[0]; ++x) {
        const size_t p = point_at(g, x, y, z);
        const double left = 1 - vec3_length2(vec3_sub(place_of(g, p), center)) / (reach * reach);
        if (left > 0) g->value[p] += left * left;
      }
}

/* ---- the surface ----------------------------------------------------------------------------------------------------
 */

/* Returns the vertex between two points of the grid, a before b: b - a is an edge of the six tetrahedra. */
static syn_status cut_edge(field *g, size_t a, size_t b, int edge, uint32_t *vertex, syn_error *error) {
  uint32_t *known = &g->cut[a][edge];
  if (*known == SYN_NONE) {
    if (g->vertex_count >= SYN_NONE - 1) return syn_fail(error, SYN_TOO_LARGE, "the skin has too many vertices");
    SYN_TRY(SYN_RESERVE(g->context, &g->vertices, g->vertex_count, 1, &g->vertex_capacity, error));
    const double t = g->value[a] / (g->value[a] - g->value[b]);
    g->vertices[g->vertex_count] =
        vec3_lerp(place_of(g, a), place_of(g, b), min2(max2(t, CLOSEST_CUT), 1 - CLOSEST_CUT));
    *known = (uint32_t)g->vertex_count++;
  }
  *vertex = *known;
  return SYN_OK;
}

/* Adds a triangle with its normal away from a point inside. */
static syn_status add_triangle(field *g, uint32_t a, uint32_t b, uint32_t c, syn_vec3 inside, syn_error *error) {
  SYN_TRY(SYN_RESERVE(g->context, &g->triangles, g->triangle_count, 1, &g->triangle_capacity, error));
  const syn_vec3 *v = g->vertices;
  const syn_vec3 normal = vec3_cross(vec3_sub(v[b], v[a]), vec3_sub(v[c], v[a]));
  const bool outward = vec3_dot(normal, vec3_sub(v[a], inside)) > 0;
  g->triangles[g->triangle_count++] = (syn_triangle){{a, outward ? b : c, outward ? c : b}};
  return SYN_OK;
}

typedef struct corner {
  size_t point;
  int bits; /* position within the cube */
} corner;

static syn_status cut_between(field *g, corner a, corner b, uint32_t *vertex, syn_error *error) {
  return a.bits < b.bits ? cut_edge(g, a.point, b.point, (a.bits ^ b.bits) - 1, vertex, error)
                         : cut_edge(g, b.point, a.point, (a.bits ^ b.bits) - 1, vertex, error);
}

/* Adds one or two triangles between the corners inside and those outside. */
static syn_status cut_tet(field *g, const corner tet[4], syn_error *error) {
  corner sorted[4];
  int inside = 0, outside = 0;
  for (int k = 0; k < 4; ++k)
    if (g->value[tet[k].point] > 0)
      sorted[inside++] = tet[k];
    else
      sorted[3 - outside++] = tet[k];
  if (inside == 0 || outside == 0) return SYN_OK;
  uint32_t v[4];
  syn_vec3 middle = {0, 0, 0};
  for (int k = 0; k < inside; ++k) middle = vec3_madd(middle, 1.0 / inside, place_of(g, sorted[k].point));
  if (inside == 2) {
    SYN_TRY(cut_between(g, sorted[0], sorted[2], &v[0], error));
    SYN_TRY(cut_between(g, sorted[0], sorted[3], &v[1], error));
    SYN_TRY(cut_between(g, sorted[1], sorted[3], &v[2], error));
    SYN_TRY(cut_between(g, sorted[1], sorted[2], &v[3], error));
    SYN_TRY(add_triangle(g, v[0], v[1], v[2], middle, error));
    return add_triangle(g, v[0], v[2], v[3], middle, error);
  }
  const corner alone = inside == 1 ? sorted[0] : sorted[3];
  for (int k = 0; k < 3; ++k) SYN_TRY(cut_between(g, alone, inside == 1 ? sorted[k + 1] : sorted[k], &v[k], error));
  return add_triangle(g, v[0], v[1], v[2], middle, error);
}

/* Divides a cube into six tetrahedra around its diagonal: the paths from its first corner to its last along the
 * axes. */
static syn_status cut_cube(field *g, size_t x, size_t y, size_t z, syn_error *error) {
  static const int ways[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  corner corners[8];
  int inside = 0;
  for (int k = 0; k < 8; ++k) {
    corners[k] = (corner){point_at(g, x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)), k};
    inside += g->value[corners[k].point] > 0;
  }
  if (inside == 0 || inside == 8) return SYN_OK;
  for (int w = 0; w < 6; ++w)
    SYN_TRY(cut_tet(g, (const corner[4]){corners[0], corners[ways[w][0]], corners[ways[w][1]], corners[7]}, error));
  return SYN_OK;
}

static syn_status march(field *g, syn_error *error) {
  for (size_t z = 0; z + 1 < g->size[2]; ++z)
    for (size_t y = 0; y + 1 < g->size[1]; ++y)
      for (size_t x = 0; x + 1 < g->size[0]; ++x) SYN_TRY(cut_cube(g, x, y, z, error));
  return SYN_OK;
}

syn_status syn_molecule_metaballs(const syn_context *context, const syn_vec3 *centers, const double *radii,
                                  uint32_t count, double cell_mm, syn_trimesh **skin, syn_error *error) {
  *skin = NULL;
  if (!(cell_mm >= 0) || isinf(cell_mm)) return syn_fail(error, SYN_BAD_ARGUMENT, "cells must be 0 mm or wider");
  double least = INFINITY;
  for (uint32_t i = 0; i < count; ++i) least = min2(least, radii[i]);
  field g = {.context = context, .arena = {context, NULL, false}, .cell = cell_mm > 0 ? cell_mm : least / 2};
  syn_status status = open_field(centers, radii, count, &g, error);
  for (uint32_t i = 0; !status && i < count; ++i) add_ball(&g, centers[i], radii[i]);
  if (!status) status = march(&g, error);
  if (!status)
    status = syn_trimesh_create(context, g.vertices, g.vertex_count, g.triangles, g.triangle_count, skin, error);
  syn_free(context, g.vertices);
  syn_free(context, g.triangles);
  syn_arena_release(&g.arena);
  return status;
}

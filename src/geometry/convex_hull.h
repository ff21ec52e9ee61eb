/* Computes the triangles of the convex hull of points. */
#ifndef SYN_GEOMETRY_CONVEX_HULL_H
#define SYN_GEOMETRY_CONVEX_HULL_H

#include <synovia/base.h>

#include "base/status.h"

typedef struct convex_hull {
  uint32_t dimension;      /* that the points span */
  uint32_t corners[4];     /* dimension + 1 corners that span it */
  uint32_t triangle_count; /* none below two dimensions */
  syn_triangle *triangles; /* over the points' numbers; syn_free */
} convex_hull;

/* Exact for coordinates that are 0 or of magnitude 1e-80 to 1e90. Only extreme points are used: no point inside an edge
 * or a flat face. At least one point. On failure nothing is allocated. */
syn_status syn_convex_hull(const syn_context *context, const syn_vec3 *points, uint32_t count, convex_hull *result,
                           syn_error *error);

/* ---- the surface of a growing hull ------------------------------------------------------------------------------- */

/* Incremental convex hull. All predicates are exact, so that the surface stays closed and convex for any coordinates,
 * however flat. All memory is the caller's. */
typedef struct hull_face {
  uint32_t v[3];      /* counter-clockwise seen from outside */
  uint32_t across[3]; /* face beyond the edge v[c] -> v[(c+1)%3] */
  uint32_t stamp;     /* incremented when the slot is reused */
  uint32_t visible;   /* from the point that is being added */
} hull_face;

typedef struct hull_edge {
  uint32_t from, to; /* as the visible face runs along it */
  uint32_t beyond;   /* the hidden face across */
  uint32_t face;     /* the new face, once the point is covered */
} hull_edge;

typedef struct hull_surface {
  const syn_vec3 *points;
  hull_face *faces; /* dead ones have v[0] == SYN_NONE */
  uint32_t face_count, free_face;
  uint32_t *visible; /* faces seen from the last point, seed first */
  uint32_t visible_count;
  hull_edge *horizon; /* around them */
  uint32_t horizon_count;
  uint32_t *start_of; /* per point: the horizon edge that starts there */
} hull_surface;

/* Returns the bytes for a hull of up to `points` points, and lays them out in memory aligned for any type. */
size_t syn_hull_bytes(size_t points);
void syn_hull_place(hull_surface *hull, void *memory, size_t points);

/* Returns whether the point lies in the affine span of the first 1, 2 or 3 points (point, line, plane). Exact. */
bool syn_hull_in_span(const syn_vec3 *points, const uint32_t *corners, uint32_t count, syn_vec3 point);
/* Returns the distance from that span, up to a factor. */
double syn_hull_off_span(const syn_vec3 *points, const uint32_t *corners, uint32_t count, syn_vec3 point);

/* Starts the hull with a tetrahedron of four points that are not coplanar. Faces 0 to 3. */
void syn_hull_start(hull_surface *hull, const syn_vec3 *points, const uint32_t corners[4]);
/* Returns whether the point is strictly outside the face's plane. */
bool syn_hull_sees(const hull_surface *hull, uint32_t face, syn_vec3 point);
/* Finds the visible faces and the horizon of the point, which sees the face `seed`. */
void syn_hull_look(hull_surface *hull, uint32_t point, uint32_t seed);
/* Afterwards, replaces the visible faces by a fan from the horizon to the point, horizon[i].face. */
void syn_hull_cover(hull_surface *hull, uint32_t point);

#endif

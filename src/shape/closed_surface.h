/* Creates closed surfaces from rules: lofts over rings, surfaces of revolution, capsules, geodesic balls, plates. */
#ifndef SYN_SHAPE_CLOSED_SURFACE_H
#define SYN_SHAPE_CLOSED_SURFACE_H

#include <synovia/mesh.h>

#include "base/status.h"

/* ---- lofts: rings of points, each joined to the next by a band of triangles -------------------------------------- */

typedef enum syn_loft_ends {
  SYN_LOFT_POLES, /* the first and the last ring are one point each: their column 0 */
  SYN_LOFT_TORUS, /* the last ring is joined to the first */
  SYN_LOFT_FOLDED /* the first and the last ring are closed by joining column c with column columns-1-c: the ends of a
                     strip-like section whose columns run along one side and come back along the other (even count) */
} syn_loft_ends;

typedef struct syn_loft {
  uint32_t rings, columns; /* at least 3 each */
  syn_loft_ends ends;
  /* A sheet that goes out to ring `fold` and comes back in the same directions is cut along the same diagonals both
   * ways: two sheets whose points lie above each other, seen from a centre, then never cross. `rings` where nothing
   * comes back. */
  uint32_t fold;
  syn_vec3 (*place)(const void *user, uint32_t ring, uint32_t column); /* column c is next to (c+1) % columns */
  const void *user;
} syn_loft;

/* Creates the surface, oriented outward as a whole. Release with syn_trimesh_destroy. */
syn_status syn_loft_make(const syn_context *context, const syn_loft *loft, syn_trimesh **mesh, syn_error *error);

/* ---- surfaces of revolution ----------------------------------------------------------------------------------------
 */

typedef struct syn_profile_point {
  double r, z;
} syn_profile_point;
/* Revolves a profile of at least 3 points about the z axis of `pose` (NULL: of the world). The profile never crosses
 * itself. It either starts and ends on the axis (r = 0, nowhere else) or is a loop off the axis whose last point joins
 * the first. Vertices are numbered along the profile, and around the axis where it is off it; `sectors` of them, at
 * least 3. */
syn_status syn_revolve(const syn_context *context, const syn_profile_point *profile, uint32_t count, uint32_t sectors,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error);

/* ---- capsules: round bars with hemispherical ends ---------------------------------------------------------------- */

enum { SYN_CAPSULE_RINGS = 64 }; /* at most */

/* A bar about the segment from `a` to `b` with radii `radius_a` and `radius_b` there, and a dome of that radius beyond
 * either end. `rings` is 4 or more. 2 + rings sectors vertices. */
syn_status syn_capsule(const syn_context *context, syn_vec3 a, syn_vec3 b, double radius_a, double radius_b,
                       uint32_t rings, uint32_t sectors, syn_trimesh **mesh, syn_error *error);

/* ---- geodesic balls: an icosahedron whose edges are cut into equal parts ----------------------------------------- */

/* Radius of the surface in the given unit direction; positive. */
typedef double (*syn_radius_function)(const void *user, syn_vec3 direction);

/* 10 f^2 + 2 vertices and 20 f^2 triangles for a frequency f >= 1, each vertex at `center` + radius(direction) *
 * direction. Such a surface never meets itself, because every direction from the centre crosses it once. */
syn_status syn_geodesic(const syn_context *context, uint32_t frequency, syn_vec3 center, syn_radius_function radius,
                        const void *user, syn_trimesh **mesh, syn_error *error);

/* ---- plates: a plane outline with a thickness -------------------------------------------------------------------- */

typedef struct syn_point2 {
  double x, y;
} syn_point2;

/* A simple polygon under construction in the caller's array, counter-clockwise, the last point joined to the first. */
typedef struct syn_outline {
  syn_point2 *points;
  uint32_t count, capacity;
} syn_outline;

void syn_outline_add(syn_outline *outline, double x, double y);
/* `steps` + 1 points on an arc about (x, y) from angle `from` to angle `to` (radians, either way round). */
void syn_outline_arc(syn_outline *outline, double x, double y, double radius, double from, double to, uint32_t steps);
/* Halves the longest edge until the outline has `count` points. */
void syn_outline_refine(syn_outline *outline, uint32_t count);

/* The plate between z = low and z = high of `pose` (NULL: of the world), its wall cut into `layers`: (layers + 1) count
 * vertices and 2 (layers + 1) count - 4 triangles. The two faces are triangulated with the outline's points alone; cost
 * grows with the cube of their number. */
syn_status syn_extrude(const syn_context *context, const syn_outline *outline, double low, double high, uint32_t layers,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error);

#endif

/* Closed surfaces over a grid: rings of points, each joined to the next by a band of triangles. */
#ifndef SYN_SHAPE_LOFT_H
#define SYN_SHAPE_LOFT_H

#include <synovia/mesh.h>

#include "base/status.h"

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

#endif

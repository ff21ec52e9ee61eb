/* The magnitudes that can be computed. Every public function of this folder checks bodies and poses here.
 *
 * A coordinate may be up to 1e12 mm, and a body that has triangles at least 1e-12 mm across, or a single point:
 * - A double at 1e12 mm is rounded to 1e-4 mm. Beyond that an answer in mm would mean less and less.
 * - Filters keep lengths and their squares as floats. Bodies and a pose at these bounds are less than 1e14 mm apart:
 * the square is 1e28, and a float goes up to 3e38. The square of 1e-12 is 1e-24, and normal floats begin at 1e-38.
 * - The exact predicates (geometry/predicates.h) need magnitudes of 1e-80 to 1e95, which is far wider.
 * A pose may shift by up to 4e12 mm: a turn about a centre at the bound shifts the origin by up to 3.5e12.
 * Bodies with both a far vertex and fine detail need no separate bound: margins are relative to the parts at hand.
 * Convex bodies as such (syn_convex) are computed in doubles alone, with products of up to three lengths. */
#ifndef SYN_COLLIDE_MAGNITUDE_H
#define SYN_COLLIDE_MAGNITUDE_H

#include <synovia/base.h>
#include <synovia/collide.h>

#include "base/status.h"
#include "mesh/magnitude_bounds.h"

#define SYN_LARGEST_SHIFT_MM 4e12
#define SYN_LARGEST_CONVEX_MM 1e90

/* Fails with `code` and names the first position that is not finite or beyond `largest`. `which` is the body: "mobile".
 */
syn_status syn_check_places(const syn_vec3 *places, size_t count, const char *which, double largest, syn_status code,
                            syn_error *error);
/* Fails with SYN_BAD_MESH also if the body is too small. `places` are the current positions of its vertices. */
syn_status syn_check_surface(const syn_trimesh *mesh, const syn_vec3 *places, const char *which, syn_error *error);
syn_status syn_check_volume(const syn_tetmesh *mesh, const syn_vec3 *places, const char *which, syn_error *error);
/* Checks a point; fails with SYN_BAD_ARGUMENT. `what` names the point: "the centre". */
syn_status syn_check_point(syn_vec3 point, const char *what, syn_error *error);
/* Checks a pose as syn_pose_check does, with another bound. */
syn_status syn_check_pose(const syn_pose *pose, double largest, syn_error *error);

/* Chooses the origin for float coordinates. Floats are most precise near 0, so the origin is among most of the points.
 */
typedef struct syn_middle {
  syn_vec3 at;    /* centre of the bounding box, unless a few far points would drag it away from the others */
  bool has_stray; /* there are such far points */
} syn_middle;

/* Reads every point, and examines a few dozen closely. */
syn_middle syn_find_middle(const syn_vec3 *points, size_t count);

#endif

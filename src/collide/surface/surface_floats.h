/* Error margins for excluding triangles with floats. */
#ifndef SYN_COLLIDE_SURFACE_FLOATS_H
#define SYN_COLLIDE_SURFACE_FLOATS_H

#include "collide/surface/surface_tree.h"

static inline double largest_coordinate(syn_vec3 v) { return max2(fabs(v.x), max2(fabs(v.y), fabs(v.z))); }

/* Returns false if points are too far away for floats to distinguish triangles, or for their squares to be floats. */
static inline bool floats_will_do(const syn_surface_tree *surface, double scale) {
  return scale <= 1e3 * surface->reach && surface->reach < 1e12 && surface->reach > 1e-12 && !surface->has_stray;
}

/* Returns twice the error of floats at up to `distance`. Point and corner are rounded once, at their size; all later
 * roundings, about thirty, have the size of the difference. Both are doubled for safety. */
static inline double margin_at(const syn_surface_tree *surface, double scale, double distance) {
  const double size = scale + surface->reach;
  return 2 * (0x1p-22 * size + 0x1p-18 * (min2(distance, 4 * size) + 2 * surface->longest));
}

/* Returns the square of a distance, rounded up a little. */
static inline float limit_at(double distance, double margin) {
  const double reach = distance + 2 * margin;
  return (float)min2(reach * reach * (1 + 1e-6), 1e34);
}

#endif

/* Finds the deepest point of a mobile surface in a fixed one, also between the mobile vertices. */
#ifndef SYN_COLLIDE_DISTANCE_BETWEEN_H
#define SYN_COLLIDE_DISTANCE_BETWEEN_H

#include "collide/surface/distance_method.h"

typedef struct syn_deep_point {
  double depth;
  syn_vec3 point, surface_point; /* on the mobile surface; on the fixed one, nearest to it */
  uint32_t fixed_triangle, mobile_triangle;
} syn_deep_point;

/* Returns the deepest point of the mobile triangles that is deeper than `known` and inside, to within 1e-9 mm (or 1e-12
 * of the fixed body's size, if that is more); if there is no such point, its triangles are SYN_NONE. `values` are those
 * of the mobile vertices at this pose. Allocates nothing. */
syn_deep_point syn_distance_deepest_between(const syn_context *context, const syn_surface_tree *fixed,
                                            const syn_vec3 *vertices, const syn_triangle *triangles,
                                            uint32_t triangle_count, const syn_pose *pose,
                                            const syn_distance_value *values, double known);

#endif

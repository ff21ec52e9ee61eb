/* The signed distance of many points to one surface. */
#ifndef SYN_COLLIDE_DISTANCE_FIELD_H
#define SYN_COLLIDE_DISTANCE_FIELD_H

#include "collide/surface/point_groups.h"
#include "collide/surface/surface_tree.h"

typedef struct syn_distance_value {
  double distance; /* negative inside; without sign where the surface is not solid */
  syn_vec3 point;  /* of the surface, nearest */
  uint32_t triangle;
} syn_distance_value;

/* At a point whose nearest point of the surface is known. */
syn_distance_value syn_distance_value_at(const syn_surface_tree *surface, syn_vec3 at, const syn_nearest *nearest);

/* values[i] for points[i] moved by `pose`. `hints` (may be NULL; one per group, any numbers at all) are the triangles
 * from which to walk to the nearest ones, and become those: the closer to the truth, the faster, never another result.
 * Without hints, groups that lie outside and farther away than `reach` are not looked at: the distance of their points
 * is INFINITY, their triangle SYN_NONE. */
void syn_distance_field(const syn_context *context, const syn_surface_tree *surface, const syn_vec3 *points,
                        const syn_point_groups *groups, const syn_pose *pose, uint32_t *hints, double reach,
                        syn_distance_value *values);

#endif

/* The signed distance of many points to one surface. */
#ifndef SYN_COLLIDE_DISTANCE_FIELD_H
#define SYN_COLLIDE_DISTANCE_FIELD_H

#include "collide/surface.h"

typedef struct syn_distance_value {
  double distance; /* negative inside; without sign where the surface is not solid */
  syn_vec3 point;  /* of the surface, nearest */
  uint32_t triangle;
} syn_distance_value;

/* Points, and an order in which those that follow one another are neighbours. */
typedef struct syn_distance_points {
  const syn_vec3 *points;
  const uint32_t *order;
  uint32_t count;
} syn_distance_points;

/* *order is new: a permutation of 0 … count-1. */
syn_status syn_distance_order(const syn_context *context, const syn_vec3 *points, uint32_t count, uint32_t **order,
                              syn_error *error);

/* values[i] for points[i] moved by `pose`. `hints` (may be NULL; one per point, any numbers at all) are the triangles
 * from which to walk to the nearest ones, and become those: the closer to the truth, the faster, never another result.
 */
void syn_distance_field(const syn_surface *surface, const syn_distance_points *points, const syn_pose *pose,
                        uint32_t *hints, syn_distance_value *values);

#endif

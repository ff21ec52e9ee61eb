/* The signed distance of many points to one surface. */
#ifndef SYN_COLLIDE_DISTANCE_FIELD_H
#define SYN_COLLIDE_DISTANCE_FIELD_H

#include "collide/surface/point_groups.h"
#include "collide/surface/surface_tree.h"

typedef struct syn_distance_value {
  double distance; /* negative inside; without sign where the surface has no sides */
  syn_vec3 point;  /* of the surface, nearest */
  uint32_t triangle;
} syn_distance_value;

/* At a point whose nearest point of the surface is known. `sheet`: an open surface has sides, too. */
syn_distance_value syn_distance_value_at(const syn_surface_tree *surface, bool sheet, syn_vec3 at,
                                         const syn_nearest *nearest);

/* Asks for values[i] of points[i] moved by `pose`. */
typedef struct syn_distance_job {
  const syn_context *context;
  const syn_surface_tree *surface;
  bool sheet;
  const syn_vec3 *points;
  const syn_point_groups *groups;
  const syn_pose *pose;
  syn_distance_value *values;
} syn_distance_job;

/* Groups that lie outside and farther away than `reach` are not looked at: the distance of their points is INFINITY,
 * their triangle SYN_NONE. */
void syn_distance_field(const syn_distance_job *job, double reach);

#endif

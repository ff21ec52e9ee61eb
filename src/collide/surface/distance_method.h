/* Computes the signed distance of many points to one surface. */
#ifndef SYN_COLLIDE_DISTANCE_FIELD_H
#define SYN_COLLIDE_DISTANCE_FIELD_H

#include "collide/surface/surface_tree.h"

/* ---- points in groups that lie close together; in each, so do the first eight, the next eight and so on -------------
 */

enum { SYN_POINT_GROUP = 64, SYN_POINT_PART = 8 };

/* Group g has the points order[64 g], order[64 g + 1] …; all but the last are full. */
typedef struct syn_point_groups {
  uint32_t point_count, count;
  uint32_t *order;
} syn_point_groups;

/* Creates the groups in about n log n. Release after a failure, too. */
syn_status syn_point_groups_create(const syn_context *context, const syn_vec3 *points, uint32_t count,
                                   syn_point_groups *groups, syn_error *error);
void syn_point_groups_release(const syn_context *context, syn_point_groups *groups);

static inline uint32_t point_group_size(const syn_point_groups *groups, size_t group) {
  return group + 1 < groups->count ? SYN_POINT_GROUP : groups->point_count - (uint32_t)group * SYN_POINT_GROUP;
}

/* ---- their distances -----------------------------------------------------------------------------------------------
 */

typedef struct syn_distance_value {
  double distance; /* negative inside; unsigned if the surface has no sides */
  syn_vec3 point;  /* nearest point of the surface */
  uint32_t triangle;
} syn_distance_value;

/* Returns the value at a point whose nearest surface point is known. `sheet`: an open surface has sides, too. */
syn_distance_value syn_distance_value_at(const syn_surface_tree *surface, bool sheet, syn_vec3 at,
                                         const syn_nearest *nearest);

/* A request for values[i] of points[i] moved by `pose`. */
typedef struct syn_distance_job {
  const syn_context *context;
  const syn_surface_tree *surface;
  bool sheet;
  const syn_vec3 *points;
  const syn_point_groups *groups;
  const syn_pose *pose;
  syn_distance_value *values;
} syn_distance_job;

/* Computes the values. Groups outside and farther away than `reach` are skipped: the distance of their points is
 * INFINITY, their triangle SYN_NONE. */
void syn_distance_field(const syn_distance_job *job, double reach);

#endif

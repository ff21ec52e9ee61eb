/* Points in groups that lie close together, each with a box turned as the group lies. */
#ifndef SYN_COLLIDE_POINT_GROUPS_H
#define SYN_COLLIDE_POINT_GROUPS_H

#include "base/vec.h"

enum {
  SYN_POINT_GROUP = 64,
  SYN_POINT_PART = 8
}; /* points of a group, at most; each eight of it lie closer together */

/* All center ± half[0] ± half[1] ± half[2] are its corners. */
typedef struct syn_turned_box {
  syn_vec3 center, half[3];
} syn_turned_box;

/* Group g has the points order[start[g]] … order[start[g + 1] - 1]. */
typedef struct syn_point_groups {
  uint32_t point_count, count;
  uint32_t *order, *start;
  syn_turned_box *boxes; /* of each group, but for rounding */
} syn_point_groups;

/* About n log n. Release after a failure, too. */
syn_status syn_point_groups_create(const syn_context *context, const syn_vec3 *points, uint32_t count,
                                   syn_point_groups *groups, syn_error *error);
void syn_point_groups_release(const syn_context *context, syn_point_groups *groups);
/* Boxes anew after the points have moved. Linear. */
void syn_point_groups_measure(syn_point_groups *groups, const syn_vec3 *points);

static inline syn_vec3 turned_box_corner(const syn_turned_box *box, int corner) {
  syn_vec3 at = box->center;
  for (int k = 0; k < 3; ++k) at = vec3_madd(at, corner >> k & 1 ? 1 : -1, box->half[k]);
  return at;
}

static inline syn_turned_box turned_box_at(const syn_turned_box *box, const syn_pose *pose) {
  return (syn_turned_box){syn_pose_point(pose, box->center),
                          {syn_pose_direction(pose, box->half[0]), syn_pose_direction(pose, box->half[1]),
                           syn_pose_direction(pose, box->half[2])}};
}

#endif

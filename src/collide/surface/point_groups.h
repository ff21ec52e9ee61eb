/* Points in groups that lie close together; in each, so do the first eight, the next eight and so on. */
#ifndef SYN_COLLIDE_POINT_GROUPS_H
#define SYN_COLLIDE_POINT_GROUPS_H

#include "base/status.h"

enum { SYN_POINT_GROUP = 64, SYN_POINT_PART = 8 };

/* Group g has the points order[64 g], order[64 g + 1] …; all but the last are full. */
typedef struct syn_point_groups {
  uint32_t point_count, count;
  uint32_t *order;
} syn_point_groups;

/* About n log n. Release after a failure, too. */
syn_status syn_point_groups_create(const syn_context *context, const syn_vec3 *points, uint32_t count,
                                   syn_point_groups *groups, syn_error *error);
void syn_point_groups_release(const syn_context *context, syn_point_groups *groups);

static inline uint32_t point_group_size(const syn_point_groups *groups, size_t group) {
  return group + 1 < groups->count ? SYN_POINT_GROUP : groups->point_count - (uint32_t)group * SYN_POINT_GROUP;
}

#endif

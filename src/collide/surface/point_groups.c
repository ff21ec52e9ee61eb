#include "collide/surface/point_groups.h"

#include "base/memory.h"
#include "collide/rotation/triangle_order.h"

syn_status syn_point_groups_create(const syn_context *context, const syn_vec3 *points, uint32_t count,
                                   syn_point_groups *groups, syn_error *error) {
  *groups = (syn_point_groups){.point_count = count, .count = count / SYN_POINT_GROUP + (count % SYN_POINT_GROUP > 0)};
  SYN_TRY(SYN_NEW(context, &groups->order, count, error));
  return syn_point_order(context, points, count, SYN_POINT_GROUP, SYN_POINT_PART, groups->order, error);
}

void syn_point_groups_release(const syn_context *context, syn_point_groups *groups) {
  syn_free(context, groups->order);
}

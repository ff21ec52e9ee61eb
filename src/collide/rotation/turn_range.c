/* Computes how far a body rotates about one axis, in both directions, in one call. */
#include <synovia/collide.h>

#include "base/memory.h"

static syn_status find_turn_range(const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center, syn_vec3 axis,
                                  syn_turn_range *range, syn_error *error) {
  syn_rotation *rotation;
  char *scratch;
  SYN_TRY(syn_rotation_create(fixed, mobile, center, &rotation, error));
  syn_status status = SYN_NEW(fixed->context, &scratch, syn_rotation_scratch(rotation), error);
  if (status == SYN_OK) {
    status = syn_rotation_query(rotation, NULL, axis, NULL, scratch, &range->positive, &range->negative);
    if (status != SYN_OK) syn_fail(error, status, "the axis of a turn must be finite and not zero");
    syn_free(fixed->context, scratch);
  }
  syn_rotation_destroy(rotation);
  return status;
}

syn_status syn_turn_range_find(const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center, syn_vec3 axis,
                               syn_turn_range *range, syn_error *error) {
  *range = (syn_turn_range){0};
  SYN_TRY(syn_penetration_find(fixed, mobile, &center, &range->overlap, error));
  return range->overlap.found ? SYN_OK : find_turn_range(fixed, mobile, center, axis, range, error);
}

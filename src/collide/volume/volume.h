/* What the methods on tetrahedra share: two volumes with the positions of their vertices, which updates change. */
#ifndef SYN_COLLIDE_VOLUME_H
#define SYN_COLLIDE_VOLUME_H

#include "base/vec.h"
#include "collide/method.h"

typedef struct volume {
  const syn_context *context;
  const syn_tetmesh *mesh; /* for its topology */
  syn_vec3 *places;        /* of its vertices, own copy */
} volume;

typedef struct volume_pair {
  volume fixed, mobile;
  bool self; /* one body with itself: both are the same, memory included */
} volume_pair;

/* Zero before, so that what a failure leaves behind can be released. */
syn_status syn_volume_pair_create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                  volume_pair *pair, syn_error *error);
void syn_volume_pair_release(volume_pair *pair);
/* Takes the new positions; NULL leaves a body where it is. `moved` says whether the fixed and the mobile body moved;
 * for self-collision only the mobile entry counts. On failure nothing changes. */
syn_status syn_volume_pair_update(volume_pair *pair, const syn_vec3 *fixed, const syn_vec3 *mobile, bool moved[2],
                                  syn_error *error);

static inline void volume_corners(const volume *v, uint32_t tet, syn_vec3 corners[4]) {
  for (int c = 0; c < 4; ++c) corners[c] = v->places[v->mesh->tets[tet].v[c]];
}

static inline syn_box tet_box(const syn_vec3 p[4]) {
  return (syn_box){vec3_min(vec3_min(p[0], p[1]), vec3_min(p[2], p[3])),
                   vec3_max(vec3_max(p[0], p[1]), vec3_max(p[2], p[3]))};
}

/* Around a box where the pose puts it, wider by `margin` on every side. */
static inline syn_box box_placed(const syn_box *box, const syn_pose *pose, double margin) {
  const syn_vec3 half = vec3_scale(vec3_sub(box->max, box->min), 0.5);
  const syn_vec3 at = syn_pose_point(pose, vec3_scale(vec3_add(box->min, box->max), 0.5));
  double reach[3];
  for (int k = 0; k < 3; ++k) {
    const syn_vec3 row = pose->rotation.row[k];
    reach[k] = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z + margin;
  }
  const syn_vec3 wide = vec3(reach[0], reach[1], reach[2]);
  return (syn_box){vec3_sub(at, wide), vec3_add(at, wide)};
}

#endif

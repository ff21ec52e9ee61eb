#include "shape/revolve.h"

#include "base/vec.h"
#include "shape/loft.h"

typedef struct turning {
  const syn_profile_point *profile;
  const syn_pose *pose;
  double step; /* angle between sectors */
} turning;

static syn_vec3 place_ring_point(const void *user, uint32_t ring, uint32_t sector) {
  const turning *t = user;
  const double angle = t->step * sector, r = t->profile[ring].r;
  return syn_pose_point(t->pose, vec3(r * cos(angle), r * sin(angle), t->profile[ring].z));
}

syn_status syn_revolve(const syn_context *context, const syn_profile_point *profile, uint32_t count, uint32_t sectors,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error) {
  const syn_pose world = syn_pose_identity();
  const turning turned = {profile, pose ? pose : &world, 2 * SYN_PI / sectors};
  const syn_loft_ends ends = profile[0].r > 0 ? SYN_LOFT_TORUS : SYN_LOFT_POLES;
  const syn_loft loft = {count, sectors, ends, count, place_ring_point, &turned};
  return syn_loft_make(context, &loft, mesh, error);
}

#include "shape/capsule.h"

#include <assert.h>

#include "base/vec.h"
#include "shape/loft.h"

/* A pose whose z axis leads from a to b and whose origin is a. */
static syn_pose pose_along(syn_vec3 a, syn_vec3 b) {
  const syn_vec3 z = vec3_unit(vec3_sub(b, a)), x = vec3_any_normal(z), y = vec3_cross(z, x);
  return (syn_pose){{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}, a};
}

syn_status syn_capsule(const syn_context *context, syn_vec3 a, syn_vec3 b, double radius_a, double radius_b,
                       uint32_t rings, uint32_t sectors, syn_trimesh **mesh, syn_error *error) {
  assert(rings >= 4 && rings <= SYN_CAPSULE_RINGS);
  syn_profile_point profile[SYN_CAPSULE_RINGS + 2], *out = profile;
  const double length = vec3_distance(a, b);
  /* half of the rings make the domes, whose last ones lie at a and b; the others divide the bar evenly */
  const uint32_t dome = rings / 4, bar = rings - 2 * dome;
  *out++ = (syn_profile_point){0, -radius_a};
  for (uint32_t i = 1; i <= dome; ++i) {
    const double elevation = SYN_PI / 2 * (dome - i) / dome;
    *out++ = (syn_profile_point){radius_a * cos(elevation), -radius_a * sin(elevation)};
  }
  for (uint32_t i = 1; i <= bar; ++i) {
    const double share = (double)i / (bar + 1);
    *out++ = (syn_profile_point){(1 - share) * radius_a + share * radius_b, length * share};
  }
  for (uint32_t i = 0; i < dome; ++i) {
    const double elevation = SYN_PI / 2 * i / dome;
    *out++ = (syn_profile_point){radius_b * cos(elevation), length + radius_b * sin(elevation)};
  }
  *out = (syn_profile_point){0, length + radius_b};
  const syn_pose pose = pose_along(a, b);
  return syn_revolve(context, profile, rings + 2, sectors, &pose, mesh, error);
}

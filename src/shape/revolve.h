/* Surfaces of revolution. */
#ifndef SYN_SHAPE_REVOLVE_H
#define SYN_SHAPE_REVOLVE_H

#include <synovia/mesh.h>

#include "base/status.h"

typedef struct syn_profile_point {
  double r, z;
} syn_profile_point;
/* Turns a profile of at least 3 points about the z axis of `pose` (NULL: of the world). The profile never crosses
 * itself. It either starts and ends on the axis (r = 0, nowhere else) or is a loop off the axis whose last point joins
 * the first. Vertices are numbered along the profile, and around the axis where it is off it; `sectors` of them, at
 * least 3. */
syn_status syn_revolve(const syn_context *context, const syn_profile_point *profile, uint32_t count, uint32_t sectors,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error);

#endif

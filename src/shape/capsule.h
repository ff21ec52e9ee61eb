/* Round bars with hemispherical ends. */
#ifndef SYN_SHAPE_CAPSULE_H
#define SYN_SHAPE_CAPSULE_H

#include <synovia/mesh.h>

#include "base/status.h"

enum { SYN_CAPSULE_RINGS = 64 }; /* at most */

/* A bar about the segment from `a` to `b` with radii `radius_a` and `radius_b` there, and a dome of that radius beyond
 * either end. `rings` is 4 or more. 2 + rings sectors vertices. */
syn_status syn_capsule(const syn_context *context, syn_vec3 a, syn_vec3 b, double radius_a, double radius_b,
                       uint32_t rings, uint32_t sectors, syn_trimesh **mesh, syn_error *error);

#endif

/* Spheres from an icosahedron whose edges are cut into equal parts: the most even triangles a ball can have. */
#ifndef SYN_SHAPE_GEODESIC_H
#define SYN_SHAPE_GEODESIC_H

#include <synovia/mesh.h>

#include "base/status.h"

/* Radius of the surface in the given unit direction; positive. */
typedef double (*syn_radius_function)(const void *user, syn_vec3 direction);

/* 10 f^2 + 2 vertices and 20 f^2 triangles for a frequency f >= 1, each vertex at `center` + radius(direction) *
 * direction. Such a surface never meets itself, because every direction from the centre crosses it once. */
syn_status syn_geodesic(const syn_context *context, uint32_t frequency, syn_vec3 center, syn_radius_function radius,
                        const void *user, syn_trimesh **mesh, syn_error *error);

#endif

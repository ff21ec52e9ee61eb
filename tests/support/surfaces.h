/* Slow, obvious answers about surfaces: do they close, cross, enclose? */
#ifndef TEST_SURFACES_H
#define TEST_SURFACES_H

#include <synovia/mesh.h>

/* Fails the test unless every half-edge has exactly one opposite one, vertices are in use and one fan of triangles
 * surrounds each, and there is one component. Returns the Euler characteristic. */
int64_t check_closed_manifold(const syn_trimesh *mesh);
double surface_volume(const syn_trimesh *mesh); /* signed */
/* Pairs of triangles that meet elsewhere than in what they share; exact. */
size_t count_self_meetings(const syn_trimesh *mesh);
/* Pairs of triangles of two meshes that meet; touching counts; exact. */
size_t count_meetings(const syn_trimesh *a, const syn_trimesh *b);
/* Distance to the first point where the ray from the origin along `direction` (any length) passes through the mesh from
 * inside to outside; 0 when it never does. */
double ray_radius(const syn_trimesh *mesh, syn_vec3 direction);

#endif

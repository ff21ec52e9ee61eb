/* Slow, obvious answers about surfaces and volumes: are they sound, do they close, cross, enclose? */
#ifndef TEST_SURFACES_H
#define TEST_SURFACES_H

#include "support.h"

/* ---- sound? -------------------------------------------------------------------------------------------------------
 */

/* Closed, manifold, oriented outward, one piece, no flat triangle, no idle or double vertex, nowhere meeting itself;
 * `handles` is the genus. The words of syn_trimesh_check. */
void check_surface(const syn_trimesh *mesh, const char *name, int64_t handles);
/* The same without trusting syn_trimesh_check, but for flat triangles and for meeting itself: fails unless every
 * half-edge has exactly one opposite one, vertices are in use and one fan of triangles surrounds each, and there is one
 * component. Returns the Euler characteristic. */
int64_t check_closed_manifold(const syn_trimesh *mesh);
/* Every tetrahedron has positive volume, faces are shared by two at most, and the surface bounds the same volume. */
void check_volume(const syn_tetmesh *mesh, const syn_trimesh *surface, const char *name);

/* ---- measures -----------------------------------------------------------------------------------------------------
 */

double surface_volume(const syn_trimesh *mesh); /* signed */
/* Distance to the first point where the ray from the origin along `direction` (any length) passes through the mesh from
 * inside to outside; 0 when it never does. */
double ray_radius(const syn_trimesh *mesh, syn_vec3 direction);

/* ---- contact, exact -----------------------------------------------------------------------------------------------
 */

/* Pairs of triangles that meet elsewhere than in what they share. */
size_t count_self_meetings(const syn_trimesh *mesh);
/* Pairs of triangles of two meshes that meet; touching counts. */
size_t count_meetings(const syn_trimesh *a, const syn_trimesh *b);
/* Is there such a pair when `b` is moved by `pose` (NULL: stays)? */
bool surfaces_meet(const syn_trimesh *a, const syn_trimesh *b, const syn_pose *pose);

/* ---- nasty --------------------------------------------------------------------------------------------------------
 */

/* A copy, first stretched along the axes, then shifted. */
syn_trimesh *make_stretched(const syn_trimesh *mesh, syn_vec3 by, syn_vec3 shift);
/* Soups, blobs, spikes, plates of no thickness, needles, tiny, huge and far away: `kind` from 0 to 47 and on. */
syn_trimesh *make_nasty(test_random *random, uint32_t kind);

#endif

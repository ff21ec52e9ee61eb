/* What every generated surface and volume must be. */
#ifndef TEST_SHAPE_CHECKS_H
#define TEST_SHAPE_CHECKS_H

#include "support.h"

/* Closed, manifold, oriented outward, one piece, no flat triangle, no idle or double vertex, nowhere meeting itself;
 * `handles` is the genus. */
void check_surface(const syn_trimesh *mesh, const char *name, int64_t handles);
/* Every tetrahedron has positive volume, faces are shared by two at most, and the surface bounds the same volume. */
void check_volume(const syn_tetmesh *mesh, const syn_trimesh *surface, const char *name);
/* Do the two surfaces touch when `b` is moved by `pose` (NULL: stays)? */
bool surfaces_meet(const syn_trimesh *a, const syn_trimesh *b, const syn_pose *pose);

#endif

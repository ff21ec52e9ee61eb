/* Decides exactly whether points, triangles and tetrahedra intersect (see predicates.h for the range of coordinates).
 *
 * All sets are closed: touching counts. A tetrahedron is the convex hull of its vertices, in either orientation and
 * also if they are coplanar. */
#ifndef SYN_GEOMETRY_TET_CONTACT_H
#define SYN_GEOMETRY_TET_CONTACT_H

#include "geometry/triangle_filter.h"

/* Corners of face f, counter-clockwise seen from outside a tet of positive volume. */
static const uint8_t syn_tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/* A tetrahedron prepared for many points. */
typedef struct tet_planes {
  syn_vec3 face[4][3]; /* opposite corner f, counter-clockwise seen from outside */
  sided_plane plane[4];
  bool solid; /* has volume */
} tet_planes;
void syn_tet_planes(const syn_vec3 tet[4], tet_planes *planes);
bool syn_point_in_planes(const tet_planes *tet, syn_vec3 point);

/* The same at once. A tetrahedron of no volume contains no point, as for syn_tet_locator_query. */
bool syn_point_in_tet(syn_vec3 point, const syn_vec3 tet[4]);
bool syn_triangle_meets_tet(const syn_vec3 triangle[3], const syn_vec3 tet[4]);
bool syn_tets_meet(const syn_vec3 a[4], const syn_vec3 b[4]);

/* The smallest boxes. */
syn_box syn_box_of_points(const syn_vec3 *points, int count);

#endif

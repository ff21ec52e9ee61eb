/* Decides exactly whether points, triangles, tetrahedra and convex hulls of a few points intersect (see predicates.h
 * for the range of coordinates), and finds the point of a simplex nearest to the origin.
 *
 * All sets are closed: touching counts. A tetrahedron is the convex hull of its vertices, in either orientation and
 * also if they are coplanar; the points of a hull may coincide or be coplanar. */
#ifndef SYN_GEOMETRY_CONVEX_CONTACT_H
#define SYN_GEOMETRY_CONVEX_CONTACT_H

#include "geometry/triangle_filter.h"

/* ---- tetrahedra -------------------------------------------------------------------------------------------------- */

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

/* ---- convex hulls ------------------------------------------------------------------------------------------------ */

enum { HULL_POINTS = 8 }; /* at most */

/* Of `a`, a triangle or a quadrilateral (3 or 4 points), and a solid of at most HULL_POINTS. */
bool syn_face_meets_hull(const syn_vec3 *face, int face_count, const syn_vec3 *hull, int hull_count);
/* Does the same with exact predicates only, and slower: every point of a hull lies in the tetrahedron of four of its
 * points (Carathéodory). */
bool syn_face_meets_hull_exactly(const syn_vec3 *face, int face_count, const syn_vec3 *hull, int hull_count);

/* A hull of zero volume contains no point, like a tetrahedron of zero volume. */
bool syn_point_in_hull(syn_vec3 point, const syn_vec3 *hull, int hull_count);

/* ---- simplices --------------------------------------------------------------------------------------------------- */

/* Finds the point of a simplex nearest to the origin (local methods of Sundaraj 2004, §5.2.1): as weights of the 1 to 4
 * points, not negative and of sum 1; 0 for points that are not needed, and at least one is not needed of four that do
 * not surround the origin. Returns false when four points hold the origin between them: the weights are then those of
 * the origin. */
bool syn_simplex_nearest(const syn_vec3 *points, uint32_t count, double weights[4]);

#endif

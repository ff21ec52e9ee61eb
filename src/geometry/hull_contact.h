/* Decides exactly whether the convex hulls of a few points intersect; touching counts, and points may coincide or be
 * coplanar. */
#ifndef SYN_GEOMETRY_HULL_CONTACT_H
#define SYN_GEOMETRY_HULL_CONTACT_H

#include "geometry/tet_contact.h"

enum { HULL_POINTS = 8 }; /* at most */

/* Of `a`, a triangle or a quadrilateral (3 or 4 points), and a solid of at most HULL_POINTS. */
bool syn_face_meets_hull(const syn_vec3 *face, int face_count, const syn_vec3 *hull, int hull_count);
/* Does the same with exact predicates only, and slower: every point of a hull lies in the tetrahedron of four of its
 * points (Carathéodory). */
bool syn_face_meets_hull_exactly(const syn_vec3 *face, int face_count, const syn_vec3 *hull, int hull_count);

/* A hull of zero volume contains no point, like a tetrahedron of zero volume. */
bool syn_point_in_hull(syn_vec3 point, const syn_vec3 *hull, int hull_count);

#endif

/* Do points, segments and triangles meet? Decided exactly (see predicates.h for the range of coordinates).
 *
 * All sets are closed: touching counts. A triangle is the convex hull of its corners, whatever they are: one of zero
 * area is a segment or a point and is treated as such; so is a segment whose ends coincide. */
#ifndef SYN_GEOMETRY_TRIANGLE_PAIR_H
#define SYN_GEOMETRY_TRIANGLE_PAIR_H

#include <synovia/base.h>

/* Zero area: the corners lie on a line or in a point. */
bool syn_triangle_is_flat(const syn_vec3 triangle[3]);

bool syn_point_on_segment(syn_vec3 point, syn_vec3 p, syn_vec3 q);
bool syn_point_in_triangle(syn_vec3 point, const syn_vec3 triangle[3]);
/* Of four points in one plane: do a and b lie strictly on the same side of the line pq? */
bool syn_on_same_side(syn_vec3 p, syn_vec3 q, syn_vec3 a, syn_vec3 b);
bool syn_segments_meet(syn_vec3 p, syn_vec3 q, syn_vec3 r, syn_vec3 s);
bool syn_segment_meets_triangle(syn_vec3 p, syn_vec3 q, const syn_vec3 triangle[3]);
bool syn_triangles_meet(const syn_vec3 a[3], const syn_vec3 b[3]);

#endif

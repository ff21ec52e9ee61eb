/* Decides exactly whether points, segments and triangles intersect (see predicates.h for the range of coordinates).
 *
 * All sets are closed: touching counts. A triangle is the convex hull of its vertices: one of zero area is treated as a
 * segment or a point, and a segment with equal ends as a point. */
#ifndef SYN_GEOMETRY_TRIANGLE_PAIR_H
#define SYN_GEOMETRY_TRIANGLE_PAIR_H

#include <synovia/base.h>

/* Returns whether the area is zero: the vertices are collinear or equal. */
bool syn_triangle_is_flat(const syn_vec3 triangle[3]);

bool syn_point_on_segment(syn_vec3 point, syn_vec3 p, syn_vec3 q);
bool syn_point_in_triangle(syn_vec3 point, const syn_vec3 triangle[3]);
/* Returns whether a and b, of four coplanar points, are strictly on the same side of the line pq. */
bool syn_on_same_side(syn_vec3 p, syn_vec3 q, syn_vec3 a, syn_vec3 b);
bool syn_segments_meet(syn_vec3 p, syn_vec3 q, syn_vec3 r, syn_vec3 s);
bool syn_segment_meets_triangle(syn_vec3 p, syn_vec3 q, const syn_vec3 triangle[3]);
bool syn_triangles_meet(const syn_vec3 a[3], const syn_vec3 b[3]);

/* ---- distance ---------------------------------------------------------------------------------------------------- */

typedef struct syn_witness {
  double distance2;
  syn_vec3 a, b;
} syn_witness;

/* Of triangles that do not cross: between a corner and a triangle, or two edges. */
syn_witness syn_triangle_distance(const syn_vec3 a[3], const syn_vec3 b[3]);
/* Of segments p0 p1 and q0 q1; either may be a point. */
syn_witness syn_segment_distance(syn_vec3 p0, syn_vec3 p1, syn_vec3 q0, syn_vec3 q1);

#endif

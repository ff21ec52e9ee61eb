/* Computes the minimum distance of two triangles. */
#ifndef SYN_GEOMETRY_TRIANGLE_DISTANCE_H
#define SYN_GEOMETRY_TRIANGLE_DISTANCE_H

#include <synovia/base.h>

typedef struct syn_witness {
  double distance2;
  syn_vec3 a, b;
} syn_witness;

/* Of triangles that do not cross: between a corner and a triangle, or two edges. */
syn_witness syn_triangle_distance(const syn_vec3 a[3], const syn_vec3 b[3]);
/* Of segments p0 p1 and q0 q1; either may be a point. */
syn_witness syn_segment_distance(syn_vec3 p0, syn_vec3 p1, syn_vec3 q0, syn_vec3 q1);

#endif

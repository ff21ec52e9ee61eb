/* Computes when two features first touch while every vertex moves on a separate straight line from its position at time
 * 0 to that at time 1. Conservative: a touch is never missed, and the reported time is never later than the touch. */
#ifndef SYN_COLLIDE_STRAIGHT_STEP_H
#define SYN_COLLIDE_STRAIGHT_STEP_H

#include <synovia/base.h>

/* Corners: the vertex, then those of the triangle. Touches after `latest` are not searched. *time is set if the result
 * is true. Degenerate triangles and edges count as points and segments. */
bool syn_step_vertex_face(const syn_vec3 before[4], const syn_vec3 after[4], double latest, double *time);
/* Corners: the ends of one edge, then of the other. */
bool syn_step_edge_edge(const syn_vec3 before[4], const syn_vec3 after[4], double latest, double *time);

#endif

/* Computes when two features first touch while every vertex moves on a separate straight line from its position at time
 * 0 to that at time 1. Conservative: a touch is never missed, and the reported time is never later than the touch. */
#ifndef SYN_COLLIDE_STRAIGHT_STEP_H
#define SYN_COLLIDE_STRAIGHT_STEP_H

#include "mesh/tree/box_tree.h"
#include <synovia/base.h>
#include <synovia/collide.h>

/* Corners: the vertex, then those of the triangle. Touches after `latest` are not searched. *time is set if the result
 * is true. Degenerate triangles and edges count as points and segments. */
bool syn_step_vertex_face(const syn_vec3 before[4], const syn_vec3 after[4], double latest, double *time);
/* Corners: the ends of one edge, then of the other. */
bool syn_step_edge_edge(const syn_vec3 before[4], const syn_vec3 after[4], double latest, double *time);

/* Straight steps of surfaces whose topology and tree are reused from step to step. */
typedef struct syn_moving_surface {
  const syn_trimesh *mesh; /* its triangles; its vertices do not count */
  syn_topology *topology;
  syn_box_tree *tree; /* over the boxes that the triangles sweep: see syn_swept_boxes */
  const syn_vec3 *before, *after;
} syn_moving_surface;

/* Computes boxes around the triangles before and after, `margin_mm` wider on all sides. */
void syn_swept_boxes(const syn_trimesh *mesh, const syn_vec3 *before, const syn_vec3 *after, double margin_mm,
                     syn_box *boxes);
/* Finds the first touch of two surfaces, as syn_step_event_find. Positions are finite. */
void syn_step_first_touch(const syn_moving_surface *fixed, const syn_moving_surface *mobile, syn_step_event *event);

/* The first triangle that has a feature owns it, so that no pair of features is tried twice. */
static inline bool syn_owns_vertex(const syn_moving_surface *b, uint32_t triangle, uint32_t vertex) {
  return b->topology->vertex_triangles[b->topology->vertex_triangle_start[vertex]] == triangle;
}
static inline bool syn_owns_edge(const syn_moving_surface *b, uint32_t triangle, uint32_t edge) {
  return b->topology->edge_triangles[b->topology->edge_triangle_start[edge]] == triangle;
}

#endif

/* A binary tree of bounding balls over the triangles of a mesh, made for motions about a centre: every node also knows
 * how near to and how far from the centre its part of the surface lies, which no rotation changes. */
#ifndef SYN_COLLIDE_BALL_TREE_H
#define SYN_COLLIDE_BALL_TREE_H

#include <synovia/mesh.h>

#include "base/status.h"

/* Floats, rounded so that every bound holds for the exact surface. Coordinates are relative to the centre. */
typedef struct ball_node {
  float x, y, z, radius;
  float near, far;     /* distances of the surface from the centre */
  uint32_t begin, end; /* range of `triangles`; a leaf when `right` is 0 */
  uint32_t right;      /* left child is the next node */
} ball_node;

typedef struct ball_tree {
  const syn_context *context;
  uint32_t node_count;
  ball_node *nodes;    /* depth first */
  uint32_t *triangles; /* permutation of the mesh's triangles */
} ball_tree;

enum { BALL_TREE_LEAF = 4 };

syn_status syn_ball_tree_build(const syn_trimesh *mesh, syn_vec3 center, ball_tree *tree, syn_error *error);
void syn_ball_tree_release(ball_tree *tree);

#endif

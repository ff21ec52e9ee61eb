/* A binary tree of oriented boxes over the triangles of a surface (Gottschalk et al. 1996; Arbabi 2009, §3.4.1; Maciel
 * 2005, §4.3.1.2).
 *
 * A box is aligned with the surface: its first axis is the common direction of the normals, so that it is as thin as
 * the surface is flat. Boxes are floats with margins that cover every rounding, here and in a search. */
#ifndef SYN_COLLIDE_OBB_TREE_H
#define SYN_COLLIDE_OBB_TREE_H

#include "base/simd.h"
#include "collide/pairs/pair_search.h"

enum { OBB_LEAF = 4 }; /* triangles at most */

typedef struct obb_node {
  float4 middle;       /* relative to the tree's origin; fourth: nearest to the centre */
  float4 half;         /* widths along the box's axes; fourth: farthest from the centre */
  float4 row[3];       /* row[k][j] is coordinate k of axis j; the fourth is 0 */
  uint32_t child;      /* a leaf when 0, else nodes[child] and nodes[child + 1] */
  uint32_t begin, end; /* range of `triangles` */
  uint32_t box;        /* the node of the box tree that it stands for */
} obb_node;

typedef struct obb_tree {
  const syn_context *context;
  uint32_t node_count;
  syn_derived *fitted; /* data that depends on the mesh alone: boxes without their shells; NULL in that object itself */
  obb_node *nodes;
  const uint32_t *triangles; /* permutation: those of a node are consecutive */
  syn_vec3 origin;
} obb_tree;

/* Data that depends on the mesh alone, stored with it. */
extern const syn_derivation syn_derive_obb_tree;

syn_status syn_obb_tree_create(const pair_surface *surface, obb_tree *tree, syn_error *error);
void syn_obb_tree_release(obb_tree *tree);
/* Fits the boxes around moved triangles, after an update of the surface that moved any. */
void syn_obb_tree_fit(obb_tree *tree, const pair_surface *surface);

#endif

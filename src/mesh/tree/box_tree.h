/* A binary tree of axis-aligned boxes over N items, such as the triangles of a mesh: which items may touch a box, one
 * another, or those of another tree. Built once in n log n, then shared between threads; queries allocate nothing.
 *
 * Boxes are kept as floats rounded outward, so that nothing that touches is ever missed; what a query reports is exact
 * for the rounded boxes and must be confirmed by the caller's own test in double precision.
 *
 * Layout, for custom traversals: a node has 32 bytes and the two children of a node lie side by side in one 64-byte
 * cache line. nodes[0] is the root, nodes[1] is never used, children come after their parents. No path from the root is
 * longer than SYN_BOX_TREE_DEPTH edges, so that a stack of that many nodes suffices. */
#ifndef SYN_MESH_BOX_TREE_H
#define SYN_MESH_BOX_TREE_H

#include <synovia/mesh.h>

enum { SYN_BOX_TREE_DEPTH = 80 };

typedef struct syn_box_node {
  float min[3];
  uint32_t child; /* count > 1: nodes[child] and nodes[child + 1] are the children; count == 1: the item */
  float max[3];
  uint32_t count; /* items below */
} syn_box_node;

typedef struct syn_box_tree {
  const syn_context *context;
  uint32_t item_count;
  uint32_t node_count;       /* 0 without items, else 2 * item_count (one unused) */
  const syn_box_node *nodes; /* aligned to 64 bytes */
  void *block;               /* what was allocated */
} syn_box_tree;

/* boxes[i] belongs to item i and has min <= max; they are copied. Fewer than 2^31 items. */
syn_status syn_box_tree_create(const syn_context *context, const syn_box *boxes, size_t count, syn_box_tree **tree,
                               syn_error *error);
/* For callers that process up to `at_once` items together: sets are cut so that such groups are full.
 */
syn_status syn_box_tree_create_bunched(const syn_context *context, const syn_box *boxes, size_t count, uint32_t at_once,
                                       syn_box_tree **tree, syn_error *error);
/* Over the triangles of a mesh, with its context. */
syn_status syn_box_tree_of_mesh(const syn_trimesh *mesh, syn_box_tree **tree, syn_error *error);
void syn_box_tree_destroy(syn_box_tree *tree); /* NULL is fine */
/* One that may be refitted while the original stays as it is. */
syn_status syn_box_tree_copy(const syn_context *context, const syn_box_tree *tree, syn_box_tree **copy,
                             syn_error *error);

/* Same items, new boxes: linear and in place; good as long as the items keep roughly their neighbours. Not while
 * another thread queries. */
void syn_box_tree_refit(syn_box_tree *tree, const syn_box *boxes);

/* Visitors return false to stop the query; each query returns false when it was stopped. Order depends on the tree
 * alone. */
typedef bool syn_visit_item(void *user, uint32_t item);
typedef bool syn_visit_pair(void *user, uint32_t a, uint32_t b);

/* Items whose boxes touch `box`. */
bool syn_box_tree_overlaps(const syn_box_tree *tree, const syn_box *box, syn_visit_item *visit, void *user);
/* Pairs of different items whose boxes touch, each once, the lower number first. */
bool syn_box_tree_self_pairs(const syn_box_tree *tree, syn_visit_pair *visit, void *user);
/* Items a of one tree and b of the other whose boxes touch. */
bool syn_box_tree_pairs(const syn_box_tree *tree_a, const syn_box_tree *tree_b, syn_visit_pair *visit, void *user);

/* The box in floats, rounded outward: the node that an item of this box would have. */
syn_box_node syn_box_round(const syn_box *box);

static inline bool syn_box_nodes_touch(const syn_box_node *a, const syn_box_node *b) {
  return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1] &&
         a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

#endif

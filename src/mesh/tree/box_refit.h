/* Exact partial refit of a box tree (Sundaraj 2004, §5.4): leaves whose items moved are set again, then each of their
 * ancestors once, after all of its children. The result is the same as that of a full refit. */
#ifndef SYN_MESH_BOX_REFIT_H
#define SYN_MESH_BOX_REFIT_H

#include "mesh/tree/box_tree.h"

typedef struct syn_box_refit syn_box_refit;
/* For this tree, which must outlive it: 9 bytes per node. */
syn_status syn_box_refit_create(syn_box_tree *tree, syn_box_refit **refit, syn_error *error);
void syn_box_refit_destroy(syn_box_refit *refit); /* NULL is fine */
/* items[i], each at most once, gets the box boxes[i]. Returns how many nodes were visited. Not while another thread
 * queries the tree. */
size_t syn_box_refit_some(syn_box_refit *refit, const uint32_t *items, const syn_box *boxes, size_t count);
/* The same, and calls `visit` (may be NULL) for each node visited, children before their parents. */
typedef void syn_visit_node(void *user, uint32_t node);
size_t syn_box_refit_visit(syn_box_refit *refit, const uint32_t *items, const syn_box *boxes, size_t count,
                           syn_visit_node *visit, void *user);

#endif

#include "mesh/tree/box_refit.h"

#include "base/memory.h"

struct syn_box_refit {
  const syn_context *context;
  syn_box_node *nodes;
  uint32_t *parent; /* by node; the root's is SYN_NONE */
  uint32_t *leaf;   /* by item */
  uint8_t *waiting; /* by node: count of children that are not refitted yet; 0 between refits */
};

static void link_nodes(const syn_box_tree *tree, syn_box_refit *refit) {
  if (tree->node_count > 0) refit->parent[0] = SYN_NONE;
  for (uint32_t i = 0; i < tree->node_count; ++i) {
    if (i == 1) continue;
    const syn_box_node *node = &tree->nodes[i];
    if (node->count > 1)
      refit->parent[node->child] = refit->parent[node->child + 1] = i;
    else
      refit->leaf[node->child] = i;
  }
}

syn_status syn_box_refit_create(syn_box_tree *tree, syn_box_refit **refit, syn_error *error) {
  *refit = NULL;
  syn_box_refit *made;
  SYN_TRY(SYN_NEW_ZEROED(tree->context, &made, 1, error));
  made->context = tree->context;
  made->nodes = (syn_box_node *)(uintptr_t)tree->nodes;
  syn_status status = SYN_NEW(tree->context, &made->parent, tree->node_count, error);
  if (status == SYN_OK) status = SYN_NEW(tree->context, &made->leaf, tree->item_count, error);
  if (status == SYN_OK) status = SYN_NEW_ZEROED(tree->context, &made->waiting, tree->node_count, error);
  if (status != SYN_OK) {
    syn_box_refit_destroy(made);
    return status;
  }
  link_nodes(tree, made);
  *refit = made;
  return SYN_OK;
}

void syn_box_refit_destroy(syn_box_refit *refit) {
  if (!refit) return;
  syn_free(refit->context, refit->parent);
  syn_free(refit->context, refit->leaf);
  syn_free(refit->context, refit->waiting);
  syn_free(refit->context, refit);
}

/* Counts at every ancestor how many of its children will change. */
static void announce(syn_box_refit *refit, uint32_t item) {
  for (uint32_t node = refit->parent[refit->leaf[item]]; node != SYN_NONE; node = refit->parent[node])
    if (refit->waiting[node]++ > 0) return;
}

static void join_children(syn_box_node *nodes, uint32_t node) {
  const syn_box_node *left = &nodes[nodes[node].child], *right = left + 1;
  for (int k = 0; k < 3; ++k) {
    nodes[node].min[k] = left->min[k] < right->min[k] ? left->min[k] : right->min[k];
    nodes[node].max[k] = left->max[k] > right->max[k] ? left->max[k] : right->max[k];
  }
}

size_t syn_box_refit_some(syn_box_refit *refit, const uint32_t *items, const syn_box *boxes, size_t count) {
  return syn_box_refit_visit(refit, items, boxes, count, NULL, NULL);
}

size_t syn_box_refit_visit(syn_box_refit *refit, const uint32_t *items, const syn_box *boxes, size_t count,
                           syn_visit_node *visit, void *user) {
  size_t visited = count;
  for (size_t i = 0; i < count; ++i) announce(refit, items[i]);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t leaf = refit->leaf[items[i]];
    refit->nodes[leaf] = syn_box_round(&boxes[i]);
    refit->nodes[leaf].child = items[i];
    refit->nodes[leaf].count = 1;
    if (visit) visit(user, leaf);
    for (uint32_t node = refit->parent[leaf]; node != SYN_NONE; node = refit->parent[node]) {
      if (--refit->waiting[node] > 0) break;
      join_children(refit->nodes, node);
      if (visit) visit(user, node);
      ++visited;
    }
  }
  return visited;
}

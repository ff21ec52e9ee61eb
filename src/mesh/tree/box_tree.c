/* Built from the top: each set of boxes is cut across the longest side of its centres, at the one of BINS - 1 places
 * where boxes times items on both sides cost least (the surface area heuristic). */
#include "mesh/tree/box_tree.h"

#include <float.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"

enum {
  BINS = 16,
  SMALL = 4,          /* sets up to this size are halved: looking for the best cut does not pay */
  UNBALANCED_MAX = 40 /* deeper sets are halved too; 2^31 items then add 31 levels at most */
};
_Static_assert(UNBALANCED_MAX + 32 <= SYN_BOX_TREE_DEPTH, "the promised depth");

/* ---- boxes in floats ---------------------------------------------------------------------------------------------
 */

static float round_down(double x) {
  if (x < -(double)FLT_MAX) return -INFINITY;
  if (x > (double)FLT_MAX) return FLT_MAX;
  const float nearest = (float)x;
  return (double)nearest > x ? nextafterf(nearest, -INFINITY) : nearest;
}

syn_box_node syn_box_round(const syn_box *box) {
  return (syn_box_node){.min = {round_down(box->min.x), round_down(box->min.y), round_down(box->min.z)},
                        .max = {-round_down(-box->max.x), -round_down(-box->max.y), -round_down(-box->max.z)}};
}

static inline float lower(float a, float b) { return a < b ? a : b; }
static inline float upper(float a, float b) { return a > b ? a : b; }

static const syn_box_node empty_node = {.min = {INFINITY, INFINITY, INFINITY},
                                        .max = {-INFINITY, -INFINITY, -INFINITY}};

static inline void grow_box(syn_box_node *box, const syn_box_node *by) {
  for (int k = 0; k < 3; ++k) {
    box->min[k] = lower(box->min[k], by->min[k]);
    box->max[k] = upper(box->max[k], by->max[k]);
  }
}

/* Finite for every box, also for one that reaches to infinity, and small enough for differences to be finite. */
static inline float center(const syn_box_node *box, int axis) {
  const float limit = FLT_MAX / 4, middle = 0.5f * box->min[axis] + 0.5f * box->max[axis];
  return middle > -limit ? lower(middle, limit) : -limit;
}

static double half_area(const syn_box_node *box) {
  const double x = (double)box->max[0] - (double)box->min[0], y = (double)box->max[1] - (double)box->min[1];
  const double z = (double)box->max[2] - (double)box->min[2];
  return x * y + y * z + z * x;
}

/* ---- building ----------------------------------------------------------------------------------------------------
 */

/* Items begin … end-1 of the leaves, to become the subtree at `node`. */
typedef struct range {
  uint32_t node, begin, end, depth;
} range;

/* The box of a set, and the axis of the widest spread of its centres, from `low` to `high`. */
typedef struct extent {
  syn_box_node box;
  int axis;
  float low, high;
} extent;

static extent measure_extent(const syn_box_node *leaves, const range *set) {
  extent e = {.box = empty_node};
  syn_box_node centers = empty_node;
  for (uint32_t i = set->begin; i < set->end; ++i) {
    grow_box(&e.box, &leaves[i]);
    for (int k = 0; k < 3; ++k) {
      const float c = center(&leaves[i], k);
      centers.min[k] = lower(centers.min[k], c);
      centers.max[k] = upper(centers.max[k], c);
    }
  }
  for (int k = 1; k < 3; ++k)
    if (centers.max[k] - centers.min[k] > centers.max[e.axis] - centers.min[e.axis]) e.axis = k;
  e.low = centers.min[e.axis];
  e.high = centers.max[e.axis];
  return e;
}

static inline int bin_of(const syn_box_node *leaf, const extent *e) {
  const int bin = (int)((center(leaf, e->axis) - e->low) / (e->high - e->low) * (float)BINS);
  return bin < BINS ? bin : BINS - 1;
}

/* At how many items, or bunches of them, one has to look. */
static inline uint32_t looks(uint32_t count, uint32_t at_once) { return (count - 1) / at_once + 1; }

/* Returns the last bin of the first part of the cheapest cut. The first and the last bin are never empty, so neither
 * part is. */
static int cheapest_cut(const syn_box_node *leaves, const range *set, const extent *e, uint32_t at_once) {
  syn_box_node boxes[BINS], right = empty_node, left = empty_node;
  uint32_t counts[BINS] = {0}, count = 0;
  double right_cost[BINS];
  /* Sort the items into bins along the axis. */
  for (int b = 0; b < BINS; ++b) boxes[b] = empty_node;
  for (uint32_t i = set->begin; i < set->end; ++i) {
    const int b = bin_of(&leaves[i], e);
    grow_box(&boxes[b], &leaves[i]);
    ++counts[b];
  }
  /* Cost of everything from bin b on. */
  for (int b = BINS - 1; b > 0; --b) {
    grow_box(&right, &boxes[b]);
    count += counts[b];
    right_cost[b] = half_area(&right) * looks(count, at_once);
  }
  /* Cost of everything up to bin b, and the best sum of both. */
  int best = BINS / 2;
  double best_cost = INFINITY;
  count = 0;
  for (int b = 0; b + 1 < BINS; ++b) {
    grow_box(&left, &boxes[b]);
    count += counts[b];
    const double cost = half_area(&left) * looks(count, at_once) + right_cost[b + 1];
    if (cost < best_cost) {
      best = b;
      best_cost = cost;
    }
  }
  return best;
}

static inline void swap_leaves(syn_box_node *a, syn_box_node *b) {
  const syn_box_node kept = *a;
  *a = *b;
  *b = kept;
}

/* Moves the bins up to `last` to the front; returns the start of the others. */
static uint32_t partition(syn_box_node *leaves, const range *set, const extent *e, int last) {
  uint32_t front = set->begin, back = set->end;
  while (front < back) {
    if (bin_of(&leaves[front], e) <= last)
      ++front;
    else
      swap_leaves(&leaves[front], &leaves[--back]);
  }
  return front;
}

static double center_key(const void *leaf, int axis) { return (double)center(leaf, axis); }

/* Afterwards no centre before the middle is greater than one after it. */
static uint32_t halve(syn_box_node *leaves, const range *set, int axis) {
  const uint32_t half = (set->end - set->begin) / 2;
  select_nth(leaves + set->begin, set->end - set->begin, sizeof *leaves, half, center_key, axis);
  return set->begin + half;
}

static uint32_t cut(syn_box_node *leaves, const range *set, const extent *e, uint32_t at_once) {
  if (set->end - set->begin <= SMALL || set->depth >= UNBALANCED_MAX || !(e->low < e->high))
    return halve(leaves, set, e->axis);
  return partition(leaves, set, e, cheapest_cut(leaves, set, e, at_once));
}

/* Sorts the leaves on the way. Left before right, so that a subtree is contiguous. */
static void build_nodes(syn_box_node *nodes, syn_box_node *leaves, uint32_t count, uint32_t at_once) {
  range stack[SYN_BOX_TREE_DEPTH + 1];
  uint32_t waiting = 0, next = 2;
  stack[waiting++] = (range){.end = count};
  while (waiting > 0) {
    const range set = stack[--waiting];
    if (set.end - set.begin == 1) {
      nodes[set.node] = leaves[set.begin];
      continue;
    }
    const extent e = measure_extent(leaves, &set);
    const uint32_t middle = cut(leaves, &set, &e, at_once);
    nodes[set.node] = e.box;
    nodes[set.node].child = next;
    nodes[set.node].count = set.end - set.begin;
    stack[waiting++] = (range){next + 1, middle, set.end, set.depth + 1};
    stack[waiting++] = (range){next, set.begin, middle, set.depth + 1};
    next += 2;
  }
}

/* ---- making ------------------------------------------------------------------------------------------------------
 */

static syn_status check_count(size_t count, syn_error *error) {
  if (count < (size_t)1 << 31) return SYN_OK;
  return syn_fail(error, SYN_TOO_LARGE, "a box tree holds less than 2^31 items, not %zu", count);
}

/* The first cache line that begins in the block. */
enum { CACHE_LINE = 64 };
static syn_box_node *nodes_in(void *block) {
  return (void *)((char *)block + (CACHE_LINE - (uintptr_t)block % CACHE_LINE) % CACHE_LINE);
}

/* Takes the leaves over, whatever the outcome. */
static syn_status tree_from_leaves(const syn_context *context, syn_box_node *leaves, uint32_t count, uint32_t at_once,
                                   syn_box_tree **tree, syn_error *error) {
  const size_t node_count = 2 * (size_t)count;
  syn_box_tree *made = NULL;
  void *block = NULL;
  syn_status status = SYN_NEW(context, &made, 1, error);
  if (status == SYN_OK) status = syn_allocate(context, node_count * sizeof *leaves + CACHE_LINE, 1, &block, error);
  if (status == SYN_OK) {
    syn_box_node *nodes = nodes_in(block);
    if (count > 0) {
      nodes[1] = empty_node;
      build_nodes(nodes, leaves, count, at_once);
    }
    *made = (syn_box_tree){context, count, (uint32_t)node_count, nodes, block};
    *tree = made;
  } else
    syn_free(context, made);
  syn_free(context, leaves);
  return status;
}

static void set_leaf(syn_box_node *leaf, const syn_box *box, uint32_t item) {
  *leaf = syn_box_round(box);
  leaf->child = item;
  leaf->count = 1;
}

syn_status syn_box_tree_create_bunched(const syn_context *context, const syn_box *boxes, size_t count, uint32_t at_once,
                                       syn_box_tree **tree, syn_error *error) {
  syn_box_node *leaves;
  *tree = NULL;
  SYN_TRY(check_count(count, error));
  SYN_TRY(SYN_NEW(context, &leaves, count, error));
  for (size_t i = 0; i < count; ++i) set_leaf(&leaves[i], &boxes[i], (uint32_t)i);
  return tree_from_leaves(context, leaves, (uint32_t)count, at_once, tree, error);
}

syn_status syn_box_tree_create(const syn_context *context, const syn_box *boxes, size_t count, syn_box_tree **tree,
                               syn_error *error) {
  return syn_box_tree_create_bunched(context, boxes, count, 1, tree, error);
}

syn_status syn_box_tree_of_mesh(const syn_trimesh *mesh, syn_box_tree **tree, syn_error *error) {
  syn_box_node *leaves;
  *tree = NULL;
  SYN_TRY(check_count(mesh->triangle_count, error));
  SYN_TRY(SYN_NEW(mesh->context, &leaves, mesh->triangle_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_box box = box_empty();
    for (int c = 0; c < 3; ++c) box_add(&box, mesh->vertices[mesh->triangles[t].v[c]]);
    set_leaf(&leaves[t], &box, t);
  }
  return tree_from_leaves(mesh->context, leaves, mesh->triangle_count, 1, tree, error);
}

syn_status syn_box_tree_copy(const syn_context *context, const syn_box_tree *tree, syn_box_tree **copy,
                             syn_error *error) {
  syn_box_tree *made;
  void *block;
  *copy = NULL;
  SYN_TRY(SYN_NEW(context, &made, 1, error));
  const syn_status status =
      syn_allocate(context, tree->node_count * sizeof *tree->nodes + CACHE_LINE, 1, &block, error);
  if (status != SYN_OK) {
    syn_free(context, made);
    return status;
  }
  syn_box_node *nodes = nodes_in(block);
  if (tree->node_count) memcpy(nodes, tree->nodes, tree->node_count * sizeof *nodes);
  *made = (syn_box_tree){context, tree->item_count, tree->node_count, nodes, block};
  *copy = made;
  return SYN_OK;
}

void syn_box_tree_destroy(syn_box_tree *tree) {
  if (!tree) return;
  syn_free(tree->context, tree->block);
  syn_free(tree->context, tree);
}

/* Children come after their parents, so that going backwards meets them first. */
void syn_box_tree_refit(syn_box_tree *tree, const syn_box *boxes) {
  syn_box_node *nodes = nodes_in(tree->block);
  for (uint32_t i = tree->node_count; i-- > 0;) {
    if (i == 1) continue;
    const uint32_t child = nodes[i].child, count = nodes[i].count;
    if (count == 1) {
      set_leaf(&nodes[i], &boxes[child], child);
      continue;
    }
    nodes[i] = nodes[child];
    grow_box(&nodes[i], &nodes[child + 1]);
    nodes[i].child = child;
    nodes[i].count = count;
  }
}

/* ---- queries -----------------------------------------------------------------------------------------------------
 */

bool syn_box_tree_overlaps(const syn_box_tree *tree, const syn_box *box, syn_visit_item *visit, void *user) {
  const syn_box_node query = syn_box_round(box), *nodes = tree->nodes;
  uint32_t stack[SYN_BOX_TREE_DEPTH + 1], waiting = 0;
  if (tree->item_count > 0 && syn_box_nodes_touch(&nodes[0], &query)) stack[waiting++] = 0;
  while (waiting > 0) {
    const syn_box_node *node = &nodes[stack[--waiting]];
    if (node->count == 1) {
      if (!visit(user, node->child)) return false;
      continue;
    }
    const uint32_t child = node->child;
    if (syn_box_nodes_touch(&nodes[child + 1], &query)) stack[waiting++] = child + 1;
    if (syn_box_nodes_touch(&nodes[child], &query)) stack[waiting++] = child;
  }
  return true;
}

/* Two subtrees of trees a and b whose boxes touch and whose items are still to be paired. */
typedef struct node_pair {
  uint32_t a, b;
} node_pair;

/* A pair leaves at most two others in its place and goes one level down in one tree; a node with itself leaves three.
 * So the stack grows by two at most on each of the levels of both trees together. */
enum { PAIR_STACK = 4 * SYN_BOX_TREE_DEPTH + 4 };

/* Adds the pairs of the children of the larger node with the smaller node; at least one must not be a leaf. */
static uint32_t push_children(const syn_box_node *nodes_a, const syn_box_node *nodes_b, node_pair pair,
                              node_pair *stack, uint32_t waiting) {
  const syn_box_node *a = &nodes_a[pair.a], *b = &nodes_b[pair.b];
  for (uint32_t side = 2; side-- > 0;) {
    const node_pair next =
        a->count >= b->count ? (node_pair){a->child + side, pair.b} : (node_pair){pair.a, b->child + side};
    if (syn_box_nodes_touch(&nodes_a[next.a], &nodes_b[next.b])) stack[waiting++] = next;
  }
  return waiting;
}

bool syn_box_tree_pairs(const syn_box_tree *tree_a, const syn_box_tree *tree_b, syn_visit_pair *visit, void *user) {
  const syn_box_node *nodes_a = tree_a->nodes, *nodes_b = tree_b->nodes;
  node_pair stack[PAIR_STACK];
  uint32_t waiting = 0;
  if (tree_a->item_count > 0 && tree_b->item_count > 0 && syn_box_nodes_touch(nodes_a, nodes_b))
    stack[waiting++] = (node_pair){0, 0};
  while (waiting > 0) {
    const node_pair pair = stack[--waiting];
    const syn_box_node *a = &nodes_a[pair.a], *b = &nodes_b[pair.b];
    if (a->count > 1 || b->count > 1)
      waiting = push_children(nodes_a, nodes_b, pair, stack, waiting);
    else if (!visit(user, a->child, b->child))
      return false;
  }
  return true;
}

bool syn_box_tree_self_pairs(const syn_box_tree *tree, syn_visit_pair *visit, void *user) {
  const syn_box_node *nodes = tree->nodes;
  node_pair stack[PAIR_STACK];
  uint32_t waiting = 0;
  if (tree->item_count > 0) stack[waiting++] = (node_pair){0, 0};
  while (waiting > 0) {
    const node_pair pair = stack[--waiting];
    const syn_box_node *a = &nodes[pair.a], *b = &nodes[pair.b];
    if (pair.a != pair.b && (a->count > 1 || b->count > 1)) {
      waiting = push_children(nodes, nodes, pair, stack, waiting);
    } else if (pair.a != pair.b) {
      const uint32_t i = a->child, j = b->child;
      if (!visit(user, i < j ? i : j, i < j ? j : i)) return false;
    } else if (a->count > 1) {
      const uint32_t left = a->child, right = left + 1;
      if (syn_box_nodes_touch(&nodes[left], &nodes[right])) stack[waiting++] = (node_pair){left, right};
      stack[waiting++] = (node_pair){right, right};
      stack[waiting++] = (node_pair){left, left};
    }
  }
  return true;
}

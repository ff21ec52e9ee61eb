/* Searches for one point among eight boxes or eight triangles at once, independent of the vector type. Candidates for
 * the nearest triangle are noted and decided in doubles at the end.
 *
 * For one source file, which has before: SEARCH, what its functions are declared with; `places`, a point in all lanes;
 * `eight`, eight floats, with least_of, bits_within and put_eight; all_lanes; triangle_distances2 and box_distances2.
 * It has settle() after. */
#ifndef SYN_COLLIDE_SURFACE_SEARCH_H
#define SYN_COLLIDE_SURFACE_SEARCH_H

#include "collide/surface/surface_floats.h"

enum { NOTES = 32 };

/* A candidate triangle that must be measured in doubles, with its distance in floats. */
typedef struct note {
  uint32_t triangle;
  float distance2;
} note;

typedef struct search {
  const syn_surface_tree *surface;
  syn_vec3 point;
  places at;
  float limit2;   /* squared distance up to which a triangle may be the nearest */
  float margin;   /* twice the error of floats */
  uint32_t first; /* a leaf that has been visited */
  uint32_t note_count;
  note notes[NOTES];
  syn_nearest *nearest;
} search;

/* Decides in doubles between the noted triangles that are still within the limit. */
SEARCH static void settle(search *q);

SEARCH static void visit_leaf(search *q, uint32_t number) {
  const wide_leaf *leaf = &q->surface->wide.leaves[number];
  float distance2[SYN_WIDE];
  const eight all = triangle_distances2(&q->at, leaf);
  const float least = least_of(all);
  if (least > q->limit2) return;
  /* a triangle at this distance excludes all others beyond the margin */
  const float reach = __builtin_sqrtf(least) + q->margin;
  if (reach * reach < q->limit2) q->limit2 = reach * reach;
  put_eight(all, distance2);
  for (unsigned which = bits_within(all, q->limit2); which; which &= which - 1) {
    const int at = __builtin_ctz(which);
    if (q->note_count == NOTES) settle(q);
    q->notes[q->note_count++] = (note){leaf->triangle[at], distance2[at]};
  }
}

typedef struct entry {
  uint32_t child;
  float distance2;
} entry;

/* Pushes the parts within the limit on the stack, the nearest on top. */
SEARCH static uint32_t push_parts(const search *q, const wide_node *node, entry *stack, uint32_t waiting) {
  float distance2[SYN_WIDE];
  const eight all = box_distances2(&q->at, node);
  unsigned which = bits_within(all, q->limit2);
  if (!which) return waiting;
  put_eight(all, distance2);
  entry nearest = {0, INFINITY};
  for (; which; which &= which - 1) {
    const int at = __builtin_ctz(which);
    const entry part = {node->child[at], distance2[at]};
    const bool nearer = part.distance2 < nearest.distance2;
    if (nearest.distance2 < INFINITY) stack[waiting++] = nearer ? nearest : part;
    if (nearer) nearest = part;
  }
  stack[waiting++] = nearest;
  return waiting;
}

SEARCH static void descend(search *q) {
  const wide_tree *wide = &q->surface->wide;
  entry stack[SYN_WIDE_DEPTH];
  uint32_t waiting = push_parts(q, wide->nodes, stack, 0);
  while (waiting > 0) {
    const entry now = stack[--waiting];
    if (now.distance2 > q->limit2) continue;
    if (!(now.child & SYN_WIDE_LEAF))
      waiting = push_parts(q, &wide->nodes[now.child], stack, waiting);
    else if (now.child - SYN_WIDE_LEAF != q->first)
      visit_leaf(q, now.child - SYN_WIDE_LEAF);
  }
}

/* Searches the tree; `leaf` is measured first, unless it is SYN_NONE. */
SEARCH static void search_from(const syn_surface_tree *surface, syn_vec3 point, double bound2, uint32_t leaf,
                               syn_nearest *nearest) {
  const syn_vec3 local = vec3_sub(point, surface->origin);
  const double scale = largest_coordinate(local);
  if (!floats_will_do(surface, scale)) {
    syn_surface_tree_search_portable(surface, point, bound2, nearest);
    return;
  }
  const double bound = sqrt(bound2), margin = margin_at(surface, scale, bound);
  search q;
  q.surface = surface;
  q.point = point;
  q.at = all_lanes(local);
  q.margin = (float)(margin * (1 + 1e-6));
  q.limit2 = limit_at(bound, margin);
  q.first = leaf;
  q.note_count = 0;
  q.nearest = nearest;
  *nearest = (syn_nearest){.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  if (leaf != SYN_NONE) visit_leaf(&q, leaf);
  descend(&q);
  settle(&q);
}

#endif

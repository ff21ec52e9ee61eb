/* The search for one point, among eight boxes or eight triangles at once. Triangles that may be the nearest are noted
 * and decided in doubles at the end. */
#include "collide/surface/surface_tree.h"

#if SYN_AVX2
#include "collide/surface/surface_avx2.h"

enum { NOTES = 32 };

/* A triangle that is still to be looked at in doubles, with its distance in floats. */
typedef struct note {
  uint32_t triangle;
  float distance2;
} note;

typedef struct search {
  const syn_surface_tree *surface;
  syn_vec3 point;
  places at;    /* the point, eight times */
  float limit2; /* up to which a triangle could still be the nearest */
  float margin; /* twice what floats may be wrong by */
  uint32_t note_count;
  note notes[NOTES];
  syn_nearest *nearest;
} search;

/* Which of eight distances could still matter. */
AVX2_INLINE unsigned worth_it(const search *q, __m256 distance2) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(distance2, _mm256_set1_ps(q->limit2), _CMP_LE_OQ));
}

/* Decides in doubles what has been noted and not been overtaken. */
AVX2 static void settle(search *q) {
  const syn_vec3 *const point[4] = {&q->point, &q->point, &q->point, &q->point};
  uint32_t triangle[NOTES + 3], open = 0;
  for (uint32_t i = 0; i < q->note_count; ++i) { /* no branch: which are open cannot be foreseen */
    triangle[open] = q->notes[i].triangle;
    open += q->notes[i].distance2 <= q->limit2;
  }
  q->note_count = 0;
  for (uint32_t i = open; i % 4; ++i) triangle[i] = triangle[0]; /* the same once more changes nothing */
  double x[4], y[4], z[4], distance2[4], on[4];
  const found f = {x, y, z, distance2, on};
  for (uint32_t i = 0; i < open; i += 4) {
    look_at_four(q->surface, point, triangle + i, &f, 0);
    for (uint32_t k = 0; k < 4; ++k) {
      const closest_point at = found_at(&f, k);
      surface_take(&at, triangle[i + k], q->nearest);
    }
  }
}

AVX2 static void visit_leaf(search *q, const wide_leaf *leaf) {
  float distance2[SYN_WIDE];
  const __m256 all = triangle_distances2(&q->at, leaf);
  const float least = least_of(all);
  if (least > q->limit2) return;
  /* a triangle at this distance leaves no other beyond the margin */
  const float reach = __builtin_sqrtf(least) + q->margin;
  if (reach * reach < q->limit2) q->limit2 = reach * reach;
  _mm256_storeu_ps(distance2, all);
  for (unsigned which = worth_it(q, all); which; which &= which - 1) {
    const int at = __builtin_ctz(which);
    if (q->note_count == NOTES) settle(q);
    q->notes[q->note_count++] = (note){leaf->triangle[at], distance2[at]};
  }
}

typedef struct entry {
  uint32_t child;
  float distance2;
} entry;

/* Puts the parts that are worth it on the stack, the nearest on top. */
AVX2 static uint32_t push_parts(const search *q, const wide_node *node, entry *stack, uint32_t waiting) {
  float distance2[SYN_WIDE];
  const __m256 all = box_distances2(&q->at, node);
  unsigned which = worth_it(q, all);
  if (!which) return waiting;
  _mm256_storeu_ps(distance2, all);
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

AVX2 static void descend(search *q) {
  const wide_tree *wide = &q->surface->wide;
  entry stack[SYN_WIDE_DEPTH];
  uint32_t waiting = push_parts(q, wide->nodes, stack, 0);
  while (waiting > 0) {
    const entry now = stack[--waiting];
    if (now.distance2 > q->limit2) continue;
    if (now.child & SYN_WIDE_LEAF)
      visit_leaf(q, &wide->leaves[now.child - SYN_WIDE_LEAF]);
    else
      waiting = push_parts(q, &wide->nodes[now.child], stack, waiting);
  }
}

AVX2 void syn_surface_tree_search_avx2(const syn_surface_tree *surface, syn_vec3 point, double bound2,
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
  q.at = eight_times(local);
  q.margin = (float)(margin * (1 + 1e-6));
  q.limit2 = limit_at(bound, margin);
  q.note_count = 0;
  q.nearest = nearest;
  *nearest = (syn_nearest){.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  descend(&q);
  settle(&q);
}

#endif

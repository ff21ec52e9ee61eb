/* The search among eight boxes or eight triangles at once, in lanes of four floats: what the page and processors
 * without AVX2 use. Triangles that may be the nearest are noted and decided in doubles at the end. */
#include <string.h>

#include "base/simd.h"
#include "collide/surface/surface_floats.h"

enum { NOTES = 32, HALVES = SYN_WIDE / 4 };

/* ---- distances ----------------------------------------------------------------------------------------------------
 */

/* A place about the surface's origin, or the way to it, four times. */
typedef struct four_places {
  float4 x, y, z;
} four_places;

static inline float4 four_at(const float *from) {
  float4 lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

static inline float4 four_times(float value) { return (float4){value, value, value, value}; }
static inline float4 four_larger(float4 a, float4 b) { return four_select(a > b, a, b); }
static inline float4 four_smaller(float4 a, float4 b) { return four_select(a < b, a, b); }

/* Lanes from `first` on. */
static inline four_places from_to(const float place[3][SYN_WIDE], const four_places *at, int first) {
  return (four_places){at->x - four_at(place[0] + first), at->y - four_at(place[1] + first),
                       at->z - four_at(place[2] + first)};
}

static inline float4 along(const float axis[3][SYN_WIDE], const four_places *d, int first) {
  return four_at(axis[0] + first) * d->x + four_at(axis[1] + first) * d->y + four_at(axis[2] + first) * d->z;
}

/* How far x lies outside [-half, half]. */
static inline float4 beyond(float4 x, float4 half) { return four_larger(four_larger(x, -x) - half, four_times(0)); }

static inline float4 box_distances2(const four_places *at, const wide_node *n, int first) {
  const four_places d = from_to(n->center, at, first);
  const float4 x = beyond(along(n->axis[0], &d, first), four_at(n->half[0] + first)),
               y = beyond(along(n->axis[1], &d, first), four_at(n->half[1] + first)),
               z = beyond(along(n->axis[2], &d, first), four_at(n->half[2] + first));
  return x * x + y * y + z * z;
}

/* How far x lies outside [0, length]. */
static inline float4 outside(float4 x, float4 length) {
  return four_larger(four_larger(-x, x - length), four_times(0));
}

/* Squared distance in the plane to an edge from (0, 0) along x, in its own coordinates. */
static inline float4 edge_distance2(float4 x, float4 y, float4 length) {
  const float4 over = outside(x, length);
  return over * over + y * y;
}

/* Turns (x, y) into the coordinates of an edge with this direction. */
static inline void turn(const float direction[2][SYN_WIDE], int first, float4 *x, float4 *y) {
  const float4 c = four_at(direction[0] + first), s = four_at(direction[1] + first), dx = *x, dy = *y;
  *x = c * dx + s * dy;
  *y = c * dy - s * dx;
}

/* Height above the plane, and in the plane the nearest edge unless the foot is inside. Beyond the tip of a needle a
 * foot may seem to be on the inner side of all edges: how far it is beyond the ends of the longest edge counts in any
 * case. */
static inline float4 triangle_distances2(const four_places *at, const wide_leaf *t, int first) {
  const four_places d = from_to(t->corner, at, first);
  const float4 x = along(t->x, &d, first), y = along(t->y, &d, first), height = along(t->z, &d, first);
  const float4 length = four_at(t->length[0] + first), zero = four_times(0);
  float4 x1 = x - length, y1 = y, x2 = x - four_at(t->apex[0] + first), y2 = y - four_at(t->apex[1] + first);
  turn(t->direction1, first, &x1, &y1);
  turn(t->direction2, first, &x2, &y2);
  const float4 e0 = edge_distance2(x, y, length), e1 = edge_distance2(x1, y1, four_at(t->length[1] + first)),
               e2 = edge_distance2(x2, y2, four_at(t->length[2] + first));
  const float4 ahead = outside(x, length), inmost = four_smaller(y, four_smaller(y1, y2));
  return height * height + four_select(inmost >= zero, ahead * ahead, four_smaller(e0, four_smaller(e1, e2)));
}

/* ---- one point ----------------------------------------------------------------------------------------------------
 */

/* A triangle that is still to be looked at in doubles, with its distance in floats. */
typedef struct note {
  uint32_t triangle;
  float distance2;
} note;

typedef struct search {
  const syn_surface_tree *surface;
  syn_vec3 point;
  four_places at;
  float limit2;   /* up to which a triangle could still be the nearest */
  float margin;   /* twice what floats may be wrong by */
  uint32_t first; /* a leaf that has been visited */
  uint32_t note_count;
  note notes[NOTES];
  syn_nearest *nearest;
} search;

/* Decides in doubles what has been noted and not been overtaken. */
static void settle(search *q) {
  for (uint32_t i = 0; i < q->note_count; ++i)
    if (q->notes[i].distance2 <= q->limit2) surface_try(q->surface, q->point, q->notes[i].triangle, q->nearest);
  q->note_count = 0;
}

/* Which of eight could still matter; their distances, too. */
static inline unsigned worth_it(const search *q, const float4 all[HALVES], float distance2[SYN_WIDE]) {
  const float4 limit2 = four_times(q->limit2);
  memcpy(distance2, all, SYN_WIDE * sizeof *distance2);
  return four_bits(all[0] <= limit2) | four_bits(all[1] <= limit2) << 4;
}

static void visit_leaf(search *q, uint32_t number) {
  const wide_leaf *leaf = &q->surface->wide.leaves[number];
  const float4 all[HALVES] = {triangle_distances2(&q->at, leaf, 0), triangle_distances2(&q->at, leaf, 4)};
  const float4 pairs = four_smaller(all[0], all[1]);
  const float low = pairs[0] < pairs[1] ? pairs[0] : pairs[1], high = pairs[2] < pairs[3] ? pairs[2] : pairs[3],
              least = low < high ? low : high;
  if (least > q->limit2) return;
  /* a triangle at this distance leaves no other beyond the margin */
  const float reach = __builtin_sqrtf(least) + q->margin;
  if (reach * reach < q->limit2) q->limit2 = reach * reach;
  float distance2[SYN_WIDE];
  for (unsigned which = worth_it(q, all, distance2); which; which &= which - 1) {
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
static inline uint32_t push_parts(const search *q, const wide_node *node, entry *stack, uint32_t waiting) {
  const float4 all[HALVES] = {box_distances2(&q->at, node, 0), box_distances2(&q->at, node, 4)};
  float distance2[SYN_WIDE];
  unsigned which = worth_it(q, all, distance2);
  if (!which) return waiting;
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

static void descend(search *q) {
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

/* `leaf` is looked at first, unless it is SYN_NONE. */
static void search_from(const syn_surface_tree *surface, syn_vec3 point, double bound2, uint32_t leaf,
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
  q.at = (four_places){four_times((float)local.x), four_times((float)local.y), four_times((float)local.z)};
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

void syn_surface_tree_search_four(const syn_surface_tree *surface, syn_vec3 point, double bound2,
                                  syn_nearest *nearest) {
  search_from(surface, point, bound2, SYN_NONE, nearest);
}

/* ---- a group of points --------------------------------------------------------------------------------------------
 */

/* What was nearest to the point before is a bound for its neighbour, and the leaf of it the place to look first. */
void syn_surface_tree_search_group_four(const syn_surface_tree *surface, const syn_vec3 *points, uint32_t count,
                                        syn_vec3 witness, syn_nearest *nearest) {
  uint32_t leaf = SYN_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    search_from(surface, points[i], vec3_length2(vec3_sub(points[i], witness)), leaf, &nearest[i]);
    witness = nearest[i].at.point;
    leaf = nearest[i].triangle == SYN_NONE ? SYN_NONE : surface->wide.place[nearest[i].triangle] / SYN_WIDE;
  }
}

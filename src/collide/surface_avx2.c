/* The search among eight boxes or eight triangles at once. Triangles that may be the nearest are noted and decided in
 * doubles at the end. */
#include "collide/surface.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX2_INLINE __attribute__((target("avx2"), always_inline)) static inline

enum { NOTES = 32 };

/* A triangle that is still to be looked at in doubles, with its distance in floats. */
typedef struct note {
  uint32_t triangle;
  float distance2;
} note;

typedef struct search {
  const syn_surface *surface;
  syn_vec3 point;
  __m256 x, y, z; /* the point about the origin, eight times */
  float limit2;   /* up to which a triangle could still be the nearest */
  float margin;   /* twice what floats may be wrong by */
  double scale;   /* largest coordinate of a point about the origin */
  uint32_t note_count;
  note *notes;
  syn_nearest *nearest;
} search;

AVX2_INLINE __m256 square_sum(__m256 a, __m256 b) { return _mm256_add_ps(_mm256_mul_ps(a, a), _mm256_mul_ps(b, b)); }

/* How far p lies outside [low, high]. */
AVX2_INLINE __m256 outside(__m256 p, __m256 low, __m256 high) {
  return _mm256_max_ps(_mm256_max_ps(_mm256_sub_ps(low, p), _mm256_sub_ps(p, high)), _mm256_setzero_ps());
}

AVX2_INLINE __m256 along(const float axis[3][SYN_WIDE], __m256 x, __m256 y, __m256 z) {
  return _mm256_add_ps(
      _mm256_add_ps(_mm256_mul_ps(_mm256_load_ps(axis[0]), x), _mm256_mul_ps(_mm256_load_ps(axis[1]), y)),
      _mm256_mul_ps(_mm256_load_ps(axis[2]), z));
}

/* How far x lies outside [-half, half]. */
AVX2_INLINE __m256 beyond(__m256 x, __m256 half) {
  const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
  return _mm256_max_ps(_mm256_sub_ps(size, half), _mm256_setzero_ps());
}

AVX2_INLINE __m256 box_distances2(const search *q, const wide_node *n) {
  const __m256 dx = _mm256_sub_ps(q->x, _mm256_load_ps(n->center[0])),
               dy = _mm256_sub_ps(q->y, _mm256_load_ps(n->center[1])),
               dz = _mm256_sub_ps(q->z, _mm256_load_ps(n->center[2]));
  const __m256 x = beyond(along(n->axis[0], dx, dy, dz), _mm256_load_ps(n->half[0])),
               y = beyond(along(n->axis[1], dx, dy, dz), _mm256_load_ps(n->half[1])),
               z = beyond(along(n->axis[2], dx, dy, dz), _mm256_load_ps(n->half[2]));
  return _mm256_add_ps(square_sum(x, y), _mm256_mul_ps(z, z));
}

/* Squared distance in the plane to an edge from (0, 0) along x, in its own coordinates. */
AVX2_INLINE __m256 edge_distance2(__m256 x, __m256 y, const float length[SYN_WIDE]) {
  return square_sum(outside(x, _mm256_setzero_ps(), _mm256_load_ps(length)), y);
}

/* Turns (x, y) into the coordinates of an edge with this direction. */
AVX2_INLINE void turn(const float direction[2][SYN_WIDE], __m256 *x, __m256 *y) {
  const __m256 c = _mm256_load_ps(direction[0]), s = _mm256_load_ps(direction[1]), dx = *x, dy = *y;
  *x = _mm256_add_ps(_mm256_mul_ps(c, dx), _mm256_mul_ps(s, dy));
  *y = _mm256_sub_ps(_mm256_mul_ps(c, dy), _mm256_mul_ps(s, dx));
}

/* Height above the plane, and in the plane the nearest edge unless the foot is inside. Beyond the tip of a needle a
 * foot may seem to be on the inner side of all edges: how far it is beyond the ends of the longest edge counts in any
 * case.
 */
AVX2_INLINE __m256 triangle_distances2(const search *q, const wide_leaf *t) {
  const __m256 dx = _mm256_sub_ps(q->x, _mm256_load_ps(t->corner[0])),
               dy = _mm256_sub_ps(q->y, _mm256_load_ps(t->corner[1])),
               dz = _mm256_sub_ps(q->z, _mm256_load_ps(t->corner[2]));
  const __m256 x = along(t->x, dx, dy, dz), y = along(t->y, dx, dy, dz), height = along(t->z, dx, dy, dz);
  __m256 x1 = _mm256_sub_ps(x, _mm256_load_ps(t->length[0])), y1 = y;
  __m256 x2 = _mm256_sub_ps(x, _mm256_load_ps(t->apex[0])), y2 = _mm256_sub_ps(y, _mm256_load_ps(t->apex[1]));
  turn(t->direction1, &x1, &y1);
  turn(t->direction2, &x2, &y2);
  const __m256 e0 = edge_distance2(x, y, t->length[0]), e1 = edge_distance2(x1, y1, t->length[1]),
               e2 = edge_distance2(x2, y2, t->length[2]);
  const __m256 least = _mm256_min_ps(e0, _mm256_min_ps(e1, e2));
  const __m256 inmost = _mm256_min_ps(y, _mm256_min_ps(y1, y2));
  const __m256 in = _mm256_cmp_ps(inmost, _mm256_setzero_ps(), _CMP_GE_OQ);
  const __m256 ahead = outside(x, _mm256_setzero_ps(), _mm256_load_ps(t->length[0]));
  return _mm256_add_ps(_mm256_mul_ps(height, height), _mm256_blendv_ps(least, _mm256_mul_ps(ahead, ahead), in));
}

/* Which of eight distances could still matter. */
AVX2_INLINE unsigned worth_it(const search *q, __m256 distance2) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(distance2, _mm256_set1_ps(q->limit2), _CMP_LE_OQ));
}

/* Decides in doubles what has been noted and not been overtaken. */
static void settle(search *q) {
  for (uint32_t i = 0; i < q->note_count; ++i)
    if (q->notes[i].distance2 <= q->limit2) surface_try(q->surface, q->point, q->notes[i].triangle, q->nearest);
  q->note_count = 0;
}

AVX2_INLINE float least_of(__m256 v) {
  __m128 least = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  least = _mm_min_ps(least, _mm_movehl_ps(least, least));
  return _mm_cvtss_f32(_mm_min_ss(least, _mm_movehdup_ps(least)));
}

/* A triangle at this distance leaves no other beyond the margin. */
AVX2_INLINE void lower_limit(search *q, float distance2) {
  const float reach = __builtin_sqrtf(distance2) + q->margin;
  if (reach * reach < q->limit2) q->limit2 = reach * reach;
}

AVX2 static void visit_leaf(search *q, const wide_leaf *leaf) {
  float distance2[SYN_WIDE];
  const __m256 all = triangle_distances2(q, leaf);
  const float least = least_of(all);
  if (least > q->limit2) return;
  lower_limit(q, least);
  _mm256_storeu_ps(distance2, all);
  for (unsigned places = worth_it(q, all); places; places &= places - 1) {
    const int at = __builtin_ctz(places);
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
  const __m256 all = box_distances2(q, node);
  unsigned places = worth_it(q, all);
  if (!places) return waiting;
  _mm256_storeu_ps(distance2, all);
  entry nearest = {0, INFINITY};
  for (; places; places &= places - 1) {
    const int at = __builtin_ctz(places);
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

/* ---- one point ----------------------------------------------------------------------------------------------------
 */

static double largest_coordinate(syn_vec3 v) { return max2(fabs(v.x), max2(fabs(v.y), fabs(v.z))); }

/* False where points are too far away for floats to tell triangles apart, or for their squares to be floats. */
static bool floats_will_do(const syn_surface *surface, double scale) {
  return scale <= 1e3 * surface->reach && surface->reach < 1e12 && surface->reach > 1e-12;
}

AVX2_INLINE void set_place(search *q, syn_vec3 local) {
  q->x = _mm256_set1_ps((float)local.x);
  q->y = _mm256_set1_ps((float)local.y);
  q->z = _mm256_set1_ps((float)local.z);
}

/* Twice what floats may be wrong by, for what is up to `distance` away. Point and corner are rounded once, at their
 * size; all that follows has the size of what lies between them: some thirty roundings. Both are doubled for safety. */
static double margin_at(const search *q, double distance) {
  const double places = q->scale + q->surface->reach;
  return 2 * (0x1p-22 * places + 0x1p-18 * (min2(distance, 4 * places) + 2 * q->surface->longest));
}

/* The square of a distance and a little more. */
static float limit_at(double distance, double margin) {
  const double reach = distance + 2 * margin;
  return (float)min2(reach * reach * (1 + 1e-6), 1e34);
}

AVX2_INLINE void start(search *q, syn_vec3 point, double bound2, syn_nearest *nearest) {
  *nearest = (syn_nearest){.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  q->point = point;
  q->nearest = nearest;
  set_place(q, vec3_sub(point, q->surface->origin));
  const double bound = sqrt(bound2), margin = margin_at(q, bound);
  q->margin = (float)(margin * (1 + 1e-6));
  q->limit2 = limit_at(bound, margin);
}

AVX2 static void find_nearest(search *q, syn_vec3 point, double bound2, syn_nearest *nearest) {
  start(q, point, bound2, nearest);
  descend(q);
  settle(q);
}

AVX2 void syn_surface_search_avx2(const syn_surface *surface, syn_vec3 point, double bound2, syn_nearest *nearest) {
  const double scale = largest_coordinate(vec3_sub(point, surface->origin));
  if (!floats_will_do(surface, scale)) {
    syn_surface_search_portable(surface, point, bound2, nearest);
    return;
  }
  note notes[NOTES];
  search q = {.surface = surface, .scale = scale, .notes = notes};
  find_nearest(&q, point, bound2, nearest);
}

/* ---- points that lie close together --------------------------------------------------------------------------------
 *
 * Take a point w of the surface and a box around the points. If each corner of the box is nearer to w than to all of a
 * triangle, then so is every point of the box: |x - t|^2 - |x - w|^2 is linear in x for each t of the triangle. So the
 * tree is descended once, with the eight corners side by side; what leaves are left are few, and every point looks at
 * their boxes in a row. */

enum { FRONTS = 16 };

typedef struct group {
  const wide_tree *wide;
  __m256 x, y, z, limit2; /* of the corners */
  uint32_t count;         /* of leaves in front */
  wide_node fronts[FRONTS];
} group;

AVX2_INLINE __m256 along_one(float (*axis)[SYN_WIDE], uint32_t at, __m256 x, __m256 y, __m256 z) {
  return _mm256_add_ps(
      _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(axis[0][at]), x), _mm256_mul_ps(_mm256_set1_ps(axis[1][at]), y)),
      _mm256_mul_ps(_mm256_set1_ps(axis[2][at]), z));
}

/* Could the box hold what is nearest to a point of the group? */
AVX2_INLINE bool group_needs(const group *g, wide_node *n, uint32_t at) {
  const __m256 dx = _mm256_sub_ps(g->x, _mm256_set1_ps(n->center[0][at])),
               dy = _mm256_sub_ps(g->y, _mm256_set1_ps(n->center[1][at])),
               dz = _mm256_sub_ps(g->z, _mm256_set1_ps(n->center[2][at]));
  const __m256 x = beyond(along_one(n->axis[0], at, dx, dy, dz), _mm256_set1_ps(n->half[0][at])),
               y = beyond(along_one(n->axis[1], at, dx, dy, dz), _mm256_set1_ps(n->half[1][at])),
               z = beyond(along_one(n->axis[2], at, dx, dy, dz), _mm256_set1_ps(n->half[2][at]));
  const __m256 distance2 = _mm256_add_ps(square_sum(x, y), _mm256_mul_ps(z, z));
  return _mm256_movemask_ps(_mm256_cmp_ps(distance2, g->limit2, _CMP_LE_OQ)) != 0;
}

static void add_front(group *g, wide_node *node, uint32_t from) {
  wide_node *to = &g->fronts[g->count / SYN_WIDE];
  const uint32_t at = g->count++ % SYN_WIDE;
  for (int k = 0; k < 3; ++k) {
    to->center[k][at] = node->center[k][from];
    to->half[k][at] = node->half[k][from];
    for (int j = 0; j < 3; ++j) to->axis[k][j][at] = node->axis[k][j][from];
  }
  to->child[at] = node->child[from];
}

/* Lists the leaves that the group needs; false where there are too many. */
AVX2 static bool find_fronts(group *g) {
  uint32_t stack[SYN_WIDE_DEPTH], waiting = 0;
  g->count = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    wide_node *node = &g->wide->nodes[stack[--waiting]];
    for (uint32_t i = 0; i < SYN_WIDE && node->child[i] != SYN_NONE; ++i) {
      if (!group_needs(g, node, i)) continue;
      if (!(node->child[i] & SYN_WIDE_LEAF))
        stack[waiting++] = node->child[i];
      else if (g->count < FRONTS * SYN_WIDE)
        add_front(g, node, i);
      else
        return false;
    }
  }
  for (uint32_t i = g->count; i % SYN_WIDE; ++i) syn_wide_no_box(&g->fronts[i / SYN_WIDE], i % SYN_WIDE);
  return true;
}

/* The corners of the box, and how far from each things can be and still matter, given a point of the surface. */
AVX2 static void set_corners(group *g, const search *q, const syn_turned_box *box, syn_vec3 witness) {
  float x[SYN_WIDE], y[SYN_WIDE], z[SYN_WIDE], limit2[SYN_WIDE];
  for (int i = 0; i < SYN_WIDE; ++i) {
    const syn_vec3 corner = turned_box_corner(box, i), local = vec3_sub(corner, q->surface->origin);
    const double distance = vec3_distance(corner, witness);
    x[i] = (float)local.x;
    y[i] = (float)local.y;
    z[i] = (float)local.z;
    limit2[i] = limit_at(distance, margin_at(q, distance));
  }
  g->x = _mm256_loadu_ps(x);
  g->y = _mm256_loadu_ps(y);
  g->z = _mm256_loadu_ps(z);
  g->limit2 = _mm256_loadu_ps(limit2);
}

/* The nearest box first, then those that are still worth it. */
AVX2 static void visit_fronts(search *q, const group *g) {
  float distance2[FRONTS * SYN_WIDE];
  const wide_leaf *leaves = q->surface->wide.leaves;
  __m256 least = _mm256_set1_ps(INFINITY);
  for (uint32_t f = 0; f * SYN_WIDE < g->count; ++f) {
    const __m256 all = box_distances2(q, &g->fronts[f]);
    _mm256_storeu_ps(distance2 + f * SYN_WIDE, all);
    least = _mm256_min_ps(least, all);
  }
  const float nearest = least_of(least);
  uint32_t first = SYN_NONE;
  for (uint32_t f = 0; f * SYN_WIDE < g->count && first == SYN_NONE; ++f) {
    const __m256 all = _mm256_loadu_ps(distance2 + f * SYN_WIDE);
    const unsigned places = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(all, _mm256_set1_ps(nearest), _CMP_LE_OQ));
    if (places) first = g->fronts[f].child[__builtin_ctz(places)];
  }
  visit_leaf(q, &leaves[first - SYN_WIDE_LEAF]);
  for (uint32_t f = 0; f * SYN_WIDE < g->count; ++f)
    for (unsigned places = worth_it(q, _mm256_loadu_ps(distance2 + f * SYN_WIDE)); places; places &= places - 1) {
      const uint32_t at = (uint32_t)__builtin_ctz(places), child = g->fronts[f].child[at];
      if (child != first && distance2[f * SYN_WIDE + at] <= q->limit2) visit_leaf(q, &leaves[child - SYN_WIDE_LEAF]);
    }
}

static double largest_of_box(const syn_surface *surface, const syn_turned_box *box) {
  double largest = 0;
  for (int i = 0; i < SYN_WIDE; ++i)
    largest = max2(largest, largest_coordinate(vec3_sub(turned_box_corner(box, i), surface->origin)));
  return largest;
}

AVX2 void syn_surface_search_group_avx2(const syn_surface *surface, const syn_vec3 *points, uint32_t count,
                                        const syn_turned_box *box, syn_vec3 witness, syn_nearest *nearest) {
  note notes[NOTES];
  search q = {.surface = surface, .scale = largest_of_box(surface, box), .notes = notes};
  if (!floats_will_do(surface, q.scale)) {
    syn_surface_search_group_portable(surface, points, count, box, witness, nearest);
    return;
  }
  group g;
  g.wide = &surface->wide;
  set_corners(&g, &q, box, witness);
  const bool few = find_fronts(&g);
  for (uint32_t i = 0; i < count; ++i) {
    start(&q, points[i], vec3_length2(vec3_sub(points[i], witness)), &nearest[i]);
    if (few)
      visit_fronts(&q, &g);
    else
      descend(&q);
    settle(&q);
    witness = nearest[i].at.point;
  }
}

#endif

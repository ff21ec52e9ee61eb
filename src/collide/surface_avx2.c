/* The search among eight boxes or eight triangles at once. Triangles that may be the nearest are noted and decided in
 * doubles at the end. */
#include "collide/surface.h"

#if defined(__x86_64__)
#include "collide/closest_avx2.h"

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

/* Four pairs of a search and a triangle, decided in doubles. */
AVX2 static void try_four(search *const q[4], const uint32_t triangle[4]) {
  const syn_surface *s = q[0]->surface;
  const syn_vec3 *v[3][4];
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < 3; ++c) v[c][i] = &s->vertices[s->triangles[triangle[i]].v[c]];
  const four_closest found = four_closest_feature(
      four_of(&q[0]->point, &q[1]->point, &q[2]->point, &q[3]->point), four_of(v[0][0], v[0][1], v[0][2], v[0][3]),
      four_of(v[1][0], v[1][1], v[1][2], v[1][3]), four_of(v[2][0], v[2][1], v[2][2], v[2][3]));
  double x[4], y[4], z[4], distance2[4], on[4];
  _mm256_storeu_pd(x, found.point.x);
  _mm256_storeu_pd(y, found.point.y);
  _mm256_storeu_pd(z, found.point.z);
  _mm256_storeu_pd(distance2, found.distance2);
  _mm256_storeu_pd(on, found.on);
  const int needles = _mm256_movemask_pd(found.needle);
  for (int i = 0; i < 4; ++i)
    if (needles >> i & 1)
      surface_try(s, q[i]->point, triangle[i], q[i]->nearest);
    else
      surface_take(&(closest_point){{x[i], y[i], z[i]}, distance2[i], (int)on[i]}, triangle[i], q[i]->nearest);
}

/* Decides in doubles what the searches have noted and what has not been overtaken. */
static void settle(search *q, uint32_t count) {
  search *who[4];
  uint32_t triangle[4], waiting = 0;
  for (uint32_t k = 0; k < count; ++k) {
    for (uint32_t i = 0; i < q[k].note_count; ++i) {
      if (q[k].notes[i].distance2 > q[k].limit2) continue;
      who[waiting] = &q[k];
      triangle[waiting] = q[k].notes[i].triangle;
      if (++waiting < 4) continue;
      try_four(who, triangle);
      waiting = 0;
    }
    q[k].note_count = 0;
  }
  if (waiting == 0) return;
  for (uint32_t i = waiting; i < 4; ++i) { /* the same once more changes nothing */
    who[i] = who[0];
    triangle[i] = triangle[0];
  }
  try_four(who, triangle);
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
    if (q->note_count == NOTES) settle(q, 1);
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
  settle(q, 1);
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
 * tree is descended once, with the eight corners side by side; what leaves are left are few, and eight points at a time
 * look at each of their boxes. */

enum { FRONTS = 256 };

/* Eight places side by side, and how far from each things can be and still matter. */
typedef struct eight {
  __m256 x, y, z, limit2;
} eight;

/* A leaf, and its box in a node. */
typedef struct front {
  const wide_node *node;
  uint32_t at, leaf;
} front;

typedef struct group {
  const wide_tree *wide;
  eight corners;
  uint32_t count;
  front fronts[FRONTS];
} group;

AVX2_INLINE __m256 along_one(const float axis[3][SYN_WIDE], uint32_t at, __m256 x, __m256 y, __m256 z) {
  return _mm256_add_ps(
      _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(axis[0][at]), x), _mm256_mul_ps(_mm256_set1_ps(axis[1][at]), y)),
      _mm256_mul_ps(_mm256_set1_ps(axis[2][at]), z));
}

/* From eight places to one box. */
AVX2_INLINE __m256 distances2_to_box(const eight *e, const wide_node *n, uint32_t at) {
  const __m256 dx = _mm256_sub_ps(e->x, _mm256_set1_ps(n->center[0][at])),
               dy = _mm256_sub_ps(e->y, _mm256_set1_ps(n->center[1][at])),
               dz = _mm256_sub_ps(e->z, _mm256_set1_ps(n->center[2][at]));
  const __m256 x = beyond(along_one(n->axis[0], at, dx, dy, dz), _mm256_set1_ps(n->half[0][at])),
               y = beyond(along_one(n->axis[1], at, dx, dy, dz), _mm256_set1_ps(n->half[1][at])),
               z = beyond(along_one(n->axis[2], at, dx, dy, dz), _mm256_set1_ps(n->half[2][at]));
  return _mm256_add_ps(square_sum(x, y), _mm256_mul_ps(z, z));
}

AVX2_INLINE unsigned which_need(const eight *e, __m256 distance2) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(distance2, e->limit2, _CMP_LE_OQ));
}

/* Lists the leaves that the group needs; false where there are too many. */
AVX2 static bool find_fronts(group *g) {
  uint32_t stack[SYN_WIDE_DEPTH], waiting = 0;
  const eight corners = g->corners;
  g->count = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    const wide_node *node = &g->wide->nodes[stack[--waiting]];
    for (uint32_t i = 0; i < SYN_WIDE && node->child[i] != SYN_NONE; ++i) {
      if (!which_need(&corners, distances2_to_box(&corners, node, i))) continue;
      if (!(node->child[i] & SYN_WIDE_LEAF))
        stack[waiting++] = node->child[i];
      else if (g->count < FRONTS)
        g->fronts[g->count++] = (front){node, i, node->child[i] - SYN_WIDE_LEAF};
      else
        return false;
    }
  }
  return true;
}

/* The corners of the box, and how far from each things can be and still matter, given a point of the surface. */
AVX2 static void set_corners(eight *e, const search *q, const syn_turned_box *box, syn_vec3 witness) {
  float x[SYN_WIDE], y[SYN_WIDE], z[SYN_WIDE], limit2[SYN_WIDE];
  for (int i = 0; i < SYN_WIDE; ++i) {
    const syn_vec3 corner = turned_box_corner(box, i), local = vec3_sub(corner, q->surface->origin);
    const double distance = vec3_distance(corner, witness);
    x[i] = (float)local.x;
    y[i] = (float)local.y;
    z[i] = (float)local.z;
    limit2[i] = limit_at(distance, margin_at(q, distance));
  }
  *e = (eight){_mm256_loadu_ps(x), _mm256_loadu_ps(y), _mm256_loadu_ps(z), _mm256_loadu_ps(limit2)};
}

/* Up to eight searches side by side; a place without one needs nothing. */
AVX2_INLINE void set_places(eight *e, const search *q, uint32_t count) {
  float x[SYN_WIDE], y[SYN_WIDE], z[SYN_WIDE];
  for (uint32_t i = 0; i < SYN_WIDE; ++i) {
    const search *from = &q[i < count ? i : 0];
    x[i] = _mm256_cvtss_f32(from->x);
    y[i] = _mm256_cvtss_f32(from->y);
    z[i] = _mm256_cvtss_f32(from->z);
  }
  e->x = _mm256_loadu_ps(x);
  e->y = _mm256_loadu_ps(y);
  e->z = _mm256_loadu_ps(z);
}

AVX2_INLINE void set_limits(eight *e, const search *q, uint32_t count) {
  float limit2[SYN_WIDE];
  for (uint32_t i = 0; i < SYN_WIDE; ++i) limit2[i] = i < count ? q[i].limit2 : -1;
  e->limit2 = _mm256_loadu_ps(limit2);
}

/* Each point looks into its nearest box first, then into those that are still worth it. */
AVX2 static void visit_fronts(search *q, uint32_t count, const group *g) {
  const wide_leaf *leaves = q->surface->wide.leaves;
  float distance2[FRONTS][SYN_WIDE];
  uint32_t leaf[FRONTS], first[SYN_WIDE], needed = 0;
  eight e;
  set_places(&e, q, count);
  set_limits(&e, q, count);
  __m256 least = _mm256_set1_ps(INFINITY), least_at = _mm256_setzero_ps();
  for (uint32_t f = 0; f < g->count; ++f) {
    const front *now = &g->fronts[f];
    const __m256 all = distances2_to_box(&e, now->node, now->at), nearer = _mm256_cmp_ps(all, least, _CMP_LT_OQ);
    _mm256_storeu_ps(distance2[needed], all);
    leaf[needed] = now->leaf;
    least = _mm256_min_ps(all, least);
    least_at = _mm256_blendv_ps(least_at, _mm256_castsi256_ps(_mm256_set1_epi32((int)now->leaf)), nearer);
    needed += which_need(&e, all) != 0;
  }
  _mm256_storeu_si256((void *)first, _mm256_castps_si256(least_at));
  for (uint32_t i = 0; i < count; ++i) visit_leaf(&q[i], &leaves[first[i]]);
  set_limits(&e, q, count);
  for (uint32_t f = 0; f < needed; ++f)
    for (unsigned who = which_need(&e, _mm256_loadu_ps(distance2[f])); who; who &= who - 1) {
      const int i = __builtin_ctz(who);
      if (leaf[f] != first[i] && distance2[f][i] <= q[i].limit2) visit_leaf(&q[i], &leaves[leaf[f]]);
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
  const double scale = largest_of_box(surface, box);
  if (!floats_will_do(surface, scale)) {
    syn_surface_search_group_portable(surface, points, count, box, witness, nearest);
    return;
  }
  note notes[SYN_WIDE][NOTES];
  search q[SYN_WIDE];
  for (int i = 0; i < SYN_WIDE; ++i) q[i] = (search){.surface = surface, .scale = scale, .notes = notes[i]};
  group g;
  g.wide = &surface->wide;
  set_corners(&g.corners, q, box, witness);
  const bool few = find_fronts(&g);
  for (uint32_t begin = 0; begin < count; begin += SYN_WIDE) {
    const uint32_t some = count - begin < SYN_WIDE ? count - begin : SYN_WIDE;
    for (uint32_t i = 0; i < some; ++i)
      start(&q[i], points[begin + i], vec3_length2(vec3_sub(points[begin + i], witness)), &nearest[begin + i]);
    if (few) visit_fronts(q, some, &g);
    for (uint32_t i = 0; i < some && !few; ++i) descend(&q[i]);
    settle(q, some);
    witness = nearest[begin + some - 1].at.point;
  }
}

#endif

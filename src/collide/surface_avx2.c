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
  uint32_t note_count;
  note *notes;
  syn_nearest *nearest;
} search;

AVX2_INLINE __m256 square_sum(__m256 a, __m256 b) { return _mm256_add_ps(_mm256_mul_ps(a, a), _mm256_mul_ps(b, b)); }

/* How far p lies outside [low, high]. */
AVX2_INLINE __m256 outside(__m256 p, __m256 low, __m256 high) {
  return _mm256_max_ps(_mm256_max_ps(_mm256_sub_ps(low, p), _mm256_sub_ps(p, high)), _mm256_setzero_ps());
}

AVX2_INLINE __m256 box_distances2(const search *q, const wide_node *n) {
  const __m256 dx = outside(q->x, _mm256_load_ps(n->min[0]), _mm256_load_ps(n->max[0]));
  const __m256 dy = outside(q->y, _mm256_load_ps(n->min[1]), _mm256_load_ps(n->max[1]));
  const __m256 dz = outside(q->z, _mm256_load_ps(n->min[2]), _mm256_load_ps(n->max[2]));
  return _mm256_add_ps(square_sum(dx, dy), _mm256_mul_ps(dz, dz));
}

AVX2_INLINE __m256 along(const float axis[3][SYN_WIDE], __m256 x, __m256 y, __m256 z) {
  return _mm256_add_ps(
      _mm256_add_ps(_mm256_mul_ps(_mm256_load_ps(axis[0]), x), _mm256_mul_ps(_mm256_load_ps(axis[1]), y)),
      _mm256_mul_ps(_mm256_load_ps(axis[2]), z));
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

/* Height above the plane, and in the plane the nearest edge unless the foot is inside; a foot near an edge counts as
 * inside, which can only bring the triangle nearer. */
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
  const __m256 in = _mm256_cmp_ps(inmost, _mm256_set1_ps(-q->margin), _CMP_GE_OQ);
  return _mm256_add_ps(_mm256_mul_ps(height, height), _mm256_andnot_ps(in, least));
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

/* What floats may be wrong by: some thirty roundings of numbers up to `scale`, doubled for safety. */
static double float_error(double scale) { return 0x1p-18 * scale; }

AVX2 void syn_surface_search_avx2(const syn_surface *surface, syn_vec3 point, double bound2, syn_nearest *nearest) {
  const syn_vec3 local = vec3_sub(point, surface->origin);
  const double scale = max2(fabs(local.x), max2(fabs(local.y), fabs(local.z)));
  /* Too far away for floats to tell triangles apart, or for their squares to be floats. */
  if (!(scale <= 1e3 * surface->reach && surface->reach < 1e12 && surface->reach > 1e-12)) {
    syn_surface_search_portable(surface, point, bound2, nearest);
    return;
  }
  const double margin = 2 * float_error(scale + surface->reach), reach = sqrt(bound2) + 2 * margin;
  note notes[NOTES];
  search q = {.surface = surface, .point = point, .notes = notes, .nearest = nearest};
  q.x = _mm256_set1_ps((float)local.x);
  q.y = _mm256_set1_ps((float)local.y);
  q.z = _mm256_set1_ps((float)local.z);
  q.limit2 = (float)min2(reach * reach * (1 + 1e-6), 1e34);
  q.margin = (float)(margin * (1 + 1e-6));
  *nearest = (syn_nearest){.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  descend(&q);
  settle(&q);
}

#endif

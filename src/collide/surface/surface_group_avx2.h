/* Groups of nearby points, and the leaves that may contain their nearest triangles.
 *
 * Each point first measures a nearby leaf, which the guide names. A triangle that is nearest to some point within a
 * ball (centre c, radius r) is then not farther from c than r plus the max of their distances so far. That bound is
 * sharp if the surface is near. If it is far, a point w of the surface gives a better one: for x in the ball, |x - t|^2
 * - |x - w|^2 >= |c - t|^2 - |c - w|^2 - 2 r |t - w|, so that a box whose points t all make the right side positive can
 * be excluded for all points of the ball.
 *
 * The tree is descended once for a group. The boxes of the remaining leaves are stored contiguously. Every eight points
 * select from them together, then each point tests the selected boxes. */
#ifndef SYN_COLLIDE_SURFACE_GROUP_AVX2_H
#define SYN_COLLIDE_SURFACE_GROUP_AVX2_H

#include "collide/lanes_avx2.h"
#include "collide/surface/surface_avx2.h"

enum {
  GROUP = 64,                                /* points per descent of the tree */
  LEAVES = 1024,                             /* leaves that may matter to a group, */
  FRONTS = 512,                              /* and to eight points of it */
  VISITS = 256,                              /* visits of leaves by these, beside the first and second ones */
  PAIRS = (2 * SYN_WIDE + VISITS) * SYN_WIDE /* pairs of a point and a triangle, from the visits */
};

/* Prefetches: access to main memory takes most of the time. */
static inline void ask_for(const void *what, size_t size) {
  for (size_t line = 0; line < size; line += 64) __builtin_prefetch((const char *)what + line);
}

/* Points relative to the surface's origin, one array per coordinate; padded to a multiple of eight with the last one.
 */
typedef struct group {
  const syn_surface_tree *surface;
  const syn_vec3 *points;
  uint32_t count;
  double scale;  /* the largest coordinate */
  double margin; /* twice the error of floats */
  _Alignas(32) float at[3][GROUP];
  float limit2[GROUP];              /* max squared distance from each point at which a triangle may still matter */
  uint32_t first[GROUP];            /* its first leaf, */
  float distance2[GROUP][SYN_WIDE]; /* the distances of the triangles in it, */
  float least2[GROUP];              /* and their min */
} group;

/* Some points of a group, from `begin` to before `end`, both multiples of eight. */
typedef struct range {
  uint32_t begin, end;
  syn_vec3 center;
  double radius;
} range;

AVX2_INLINE places places_at(const group *g, uint32_t first) {
  return (places){_mm256_load_ps(g->at[0] + first), _mm256_load_ps(g->at[1] + first), _mm256_load_ps(g->at[2] + first)};
}

AVX2_INLINE float greatest_of(__m256 v) { return -least_of(_mm256_xor_ps(v, _mm256_set1_ps(-0.0f))); }

AVX2_INLINE places from_place(places at, places from) {
  return (places){_mm256_sub_ps(at.x, from.x), _mm256_sub_ps(at.y, from.y), _mm256_sub_ps(at.z, from.z)};
}

AVX2_INLINE range range_of(const group *g, uint32_t begin, uint32_t end) {
  places low = places_at(g, begin), high = low;
  for (uint32_t i = begin + SYN_WIDE; i < end; i += SYN_WIDE) {
    const places at = places_at(g, i);
    low = (places){_mm256_min_ps(low.x, at.x), _mm256_min_ps(low.y, at.y), _mm256_min_ps(low.z, at.z)};
    high = (places){_mm256_max_ps(high.x, at.x), _mm256_max_ps(high.y, at.y), _mm256_max_ps(high.z, at.z)};
  }
  const float x = 0.5f * (least_of(low.x) + greatest_of(high.x)), y = 0.5f * (least_of(low.y) + greatest_of(high.y)),
              z = 0.5f * (least_of(low.z) + greatest_of(high.z));
  const places center = {_mm256_set1_ps(x), _mm256_set1_ps(y), _mm256_set1_ps(z)};
  __m256 most2 = _mm256_setzero_ps();
  for (uint32_t i = begin; i < end; i += SYN_WIDE) {
    const places d = from_place(places_at(g, i), center);
    most2 = _mm256_max_ps(most2, length2(d.x, d.y, d.z));
  }
  return (range){begin, end, {(double)x, (double)y, (double)z}, sqrt((double)greatest_of(most2))};
}

AVX2_INLINE __m256 triangles_from(const group *g, uint32_t i, uint32_t leaf) {
  const places at = {_mm256_set1_ps(g->at[0][i]), _mm256_set1_ps(g->at[1][i]), _mm256_set1_ps(g->at[2][i])};
  return triangle_distances2(&at, &g->surface->wide.leaves[leaf]);
}

/* ---- what matters to a range of points ----------------------------------------------------------------------------
 */

/* The points not farther from the centre than `most` and, if there is a witness, than the square root of least2 +
 * per_way * the longest distance from it to the witness. */
typedef struct ball {
  places center, witness;
  __m256 most, least2, per_way;
  bool witnessed;
} ball;

AVX2_INLINE uint32_t column_of_least(__m256 value) {
  const __m256 all = _mm256_set1_ps(least_of(value));
  const unsigned least = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(value, all, _CMP_EQ_OQ));
  return least ? (uint32_t)__builtin_ctz(least) : 0; /* if no lane is a number, the first, which is never empty */
}

/* Returns the point of a leaf's triangle that seems to be the nearest. */
AVX2_INLINE syn_vec3 near_point(const syn_surface_tree *s, syn_vec3 center, uint32_t leaf) {
  const wide_leaf *triangles = &s->wide.leaves[leaf];
  const places at = eight_times(center);
  syn_vec3 v[3];
  surface_corners(s, triangles->triangle[column_of_least(triangle_distances2(&at, triangles))], v);
  return vec3_sub(closest_feature(vec3_add(center, s->origin), v).point, s->origin);
}

/* Returns the max of the points' limits. */
AVX2_INLINE double longest_limit(const group *g, const range *r) {
  __m256 most2 = _mm256_setzero_ps();
  for (uint32_t i = r->begin; i < r->end; i += SYN_WIDE) most2 = _mm256_max_ps(most2, _mm256_load_ps(g->limit2 + i));
  return sqrt((double)greatest_of(most2));
}

/* Returns the ball about points. Each length is wrong by less than `margin`, and the distance to a box is at most that
 * to the witness plus that from the witness to the box. The witness is `other` or a point of the leaf, whichever is
 * nearer to the centre. */
AVX2_INLINE ball ball_about(const group *g, const range *r, uint32_t leaf, syn_vec3 other) {
  const double most = longest_limit(g, r), radius = r->radius;
  const double margin = margin_at(g->surface, g->scale, most + 2 * radius);
  ball b;
  b.center = eight_times(r->center);
  b.most = _mm256_set1_ps((float)((most + radius + 2 * margin) * (1 + 1e-6)));
  b.witnessed = most > 2 * radius;
  if (!b.witnessed) return b;
  syn_vec3 witness = near_point(g->surface, r->center, leaf);
  if (vec3_distance(r->center, other) < vec3_distance(r->center, witness)) witness = other;
  const double least = vec3_distance(r->center, witness) + 2 * margin, per_way = 2 * (radius + 2 * margin);
  b.witness = eight_times(witness);
  b.least2 = _mm256_set1_ps((float)((least * least + 2 * margin * per_way) * (1 + 1e-6)));
  b.per_way = _mm256_set1_ps((float)(per_way * (1 + 1e-6)));
  return b;
}

AVX2_INLINE __m256 lengths(places d) { return _mm256_sqrt_ps(length2(d.x, d.y, d.z)); }

/* Returns the max squared distance from the centre at which each of eight boxes matters, given its max distance from
 * the witness. */
AVX2_INLINE __m256 limits2(const ball *b, __m256 from_witness) {
  return _mm256_min_ps(_mm256_mul_ps(b->most, b->most), times_plus(b->per_way, from_witness, b->least2));
}

AVX2_INLINE unsigned not_beyond(__m256 distance2, __m256 limit2) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(distance2, limit2, _CMP_LE_OQ));
}

AVX2_INLINE unsigned which_parts(const ball *b, const wide_node *node) {
  const __m256 distance2 = box_distances2(&b->center, node);
  if (!b->witnessed) return not_beyond(distance2, _mm256_mul_ps(b->most, b->most));
  return not_beyond(
      distance2, limits2(b, _mm256_add_ps(lengths(from_to(node->center, &b->witness)), _mm256_load_ps(node->radius))));
}

/* Packs the selected ones of eight values; returns their count. The output has space for eight. */
AVX2_INLINE uint32_t write_wanted(uint32_t *to, __m256i values, unsigned wanted) {
  _mm256_storeu_si256((void *)to, _mm256_permutevar8x32_epi32(values, set_lanes(wanted)));
  return (uint32_t)__builtin_popcount(wanted);
}

/* The leaves that matter to a group, with a copy of their boxes, contiguous in groups of eight. */
typedef struct leaves {
  uint32_t count, leaf[LEAVES + SYN_WIDE]; /* with space for those that are then found not to matter */
  wide_node nodes[LEAVES / SYN_WIDE];
  syn_vec3 witness; /* a point of the surface, from the caller */
} leaves;

/* Up to eight points of a group, processed in three steps. */
typedef struct part {
  uint32_t begin, count;
  bool few;                          /* few leaves matter; else each point is searched alone */
  uint32_t needed, leaf[FRONTS];     /* leaves that some points need, */
  float distance2[FRONTS][SYN_WIDE]; /* distances of the points from their boxes, */
  uint32_t second[SYN_WIDE];         /* and the leaf with the box nearest to each point */
  uint32_t open;                     /* pairs of a point and a triangle that are not decided yet */
  uint32_t who[PAIRS + SYN_WIDE], triangle[PAIRS + SYN_WIDE];
} part;

/* Chooses leaves by their boxes, and prefetches those that are visited first. */
void syn_part_choose_leaves(part *p, const group *g, const leaves *l, uint32_t begin);
/* Visits these leaves, and prefetches the candidate triangles. */
void syn_part_visit_leaves(part *p, group *g, syn_nearest *nearest);
/* Decides between the candidates in doubles. */
void syn_part_decide(part *p, const group *g, syn_nearest *nearest);
/* Replaces all three steps if there are too many leaves: searches for one point after the other. */
void syn_part_search_alone(const part *p, const group *g, syn_nearest *nearest);

#endif

/* Shared by the searches with AVX2: distances of eight boxes or eight triangles at once. Floats only exclude; doubles
 * decide. */
#ifndef SYN_COLLIDE_SURFACE_AVX2_H
#define SYN_COLLIDE_SURFACE_AVX2_H

#include "collide/surface/closest_avx2.h"
#include "collide/surface/surface_floats.h"

/* Eight positions relative to the surface's origin. */
typedef struct places {
  __m256 x, y, z;
} places;

/* Fused arithmetic rounds less often; it is used only for exclusion in floats, never for doubles. */
AVX2_INLINE __m256 times_plus(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }

AVX2_INLINE __m256 square_sum(__m256 a, __m256 b) { return times_plus(a, a, _mm256_mul_ps(b, b)); }

AVX2_INLINE __m256 length2(__m256 x, __m256 y, __m256 z) { return times_plus(z, z, square_sum(x, y)); }

/* Returns the distance of p from [low, high]. */
AVX2_INLINE __m256 outside(__m256 p, __m256 low, __m256 high) {
  return _mm256_max_ps(_mm256_max_ps(_mm256_sub_ps(low, p), _mm256_sub_ps(p, high)), _mm256_setzero_ps());
}

AVX2_INLINE __m256 along(const float axis[3][SYN_WIDE], const places *d) {
  return times_plus(_mm256_load_ps(axis[2]), d->z,
                    times_plus(_mm256_load_ps(axis[1]), d->y, _mm256_mul_ps(_mm256_load_ps(axis[0]), d->x)));
}

/* Returns the distance of x from [-half, half]. */
AVX2_INLINE __m256 beyond(__m256 x, __m256 half) {
  const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
  return _mm256_max_ps(_mm256_sub_ps(size, half), _mm256_setzero_ps());
}

AVX2_INLINE places from_to(const float place[3][SYN_WIDE], const places *at) {
  return (places){_mm256_sub_ps(at->x, _mm256_load_ps(place[0])), _mm256_sub_ps(at->y, _mm256_load_ps(place[1])),
                  _mm256_sub_ps(at->z, _mm256_load_ps(place[2]))};
}

AVX2_INLINE __m256 box_distances2(const places *at, const wide_node *n) {
  const places d = from_to(n->center, at);
  const __m256 x = beyond(along(n->axis[0], &d), _mm256_load_ps(n->half[0])),
               y = beyond(along(n->axis[1], &d), _mm256_load_ps(n->half[1])),
               z = beyond(along(n->axis[2], &d), _mm256_load_ps(n->half[2]));
  return length2(x, y, z);
}

/* Returns the squared distance in the plane to an edge from (0, 0) along x, in the coordinates of the edge. */
AVX2_INLINE __m256 edge_distance2(__m256 x, __m256 y, const float length[SYN_WIDE]) {
  return square_sum(outside(x, _mm256_setzero_ps(), _mm256_load_ps(length)), y);
}

/* Rotates (x, y) into the coordinates of an edge with this direction. */
AVX2_INLINE void turn(const float direction[2][SYN_WIDE], __m256 *x, __m256 *y) {
  const __m256 c = _mm256_load_ps(direction[0]), s = _mm256_load_ps(direction[1]), dx = *x, dy = *y;
  *x = times_plus(c, dx, _mm256_mul_ps(s, dy));
  *y = _mm256_fmsub_ps(c, dy, _mm256_mul_ps(s, dx));
}

/* Returns squared distances from the height above the plane and, unless the foot is inside, the nearest edge. Beyond
 * the tip of a needle rounding may put a foot on the inner side of all edges: its distance beyond the ends of the
 * longest edge always counts. */
AVX2_INLINE __m256 triangle_distances2(const places *at, const wide_leaf *t) {
  const places d = from_to(t->corner, at);
  const __m256 x = along(t->x, &d), y = along(t->y, &d), height = along(t->z, &d);
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
  return times_plus(height, height, _mm256_blendv_ps(least, _mm256_mul_ps(ahead, ahead), in));
}

AVX2_INLINE float least_of(__m256 v) {
  __m128 least = _mm_min_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  least = _mm_min_ps(least, _mm_movehl_ps(least, least));
  return _mm_cvtss_f32(_mm_min_ss(least, _mm_movehdup_ps(least)));
}

AVX2_INLINE places eight_times(syn_vec3 local) {
  return (places){_mm256_set1_ps((float)local.x), _mm256_set1_ps((float)local.y), _mm256_set1_ps((float)local.z)};
}

/* ---- deciding in doubles ------------------------------------------------------------------------------------------
 */

/* The nearest points on triangles, one array per coordinate. */
typedef struct found {
  double *x, *y, *z, *distance2, *on;
} found;

AVX2_INLINE closest_point found_at(const found *f, uint32_t i) {
  return (closest_point){{f->x[i], f->y[i], f->z[i]}, f->distance2[i], (int)f->on[i]};
}

/* Measures a needle, which the code for four at a time cannot. */
static inline void look_at_needle(const syn_surface_tree *s, syn_vec3 point, uint32_t triangle, const found *f,
                                  uint32_t i) {
  syn_vec3 v[3];
  surface_corners(s, triangle, v);
  const closest_point at = closest_feature(point, v);
  f->x[i] = at.point.x;
  f->y[i] = at.point.y;
  f->z[i] = at.point.z;
  f->distance2[i] = at.distance2;
  f->on[i] = at.on;
}

/* Measures four triangles, each for a separate point; stores the results from index `first` on. */
AVX2_INLINE void look_at_four(const syn_surface_tree *s, const syn_vec3 *const point[4], const uint32_t triangle[4],
                              const found *f, uint32_t first) {
  const syn_vec3 *v[3][4];
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < 3; ++c) v[c][i] = &s->vertices[s->triangles[triangle[i]].v[c]];
  const four_closest closest =
      four_closest_feature(four_of(point[0], point[1], point[2], point[3]), four_of(v[0][0], v[0][1], v[0][2], v[0][3]),
                           four_of(v[1][0], v[1][1], v[1][2], v[1][3]), four_of(v[2][0], v[2][1], v[2][2], v[2][3]));
  _mm256_storeu_pd(f->x + first, closest.point.x);
  _mm256_storeu_pd(f->y + first, closest.point.y);
  _mm256_storeu_pd(f->z + first, closest.point.z);
  _mm256_storeu_pd(f->distance2 + first, closest.distance2);
  _mm256_storeu_pd(f->on + first, closest.on);
  for (unsigned needles = (unsigned)_mm256_movemask_pd(closest.needle); needles; needles &= needles - 1) {
    const uint32_t i = (uint32_t)__builtin_ctz(needles);
    look_at_needle(s, *point[i], triangle[i], f, first + i);
  }
}

#endif

/* Computes closest_feature for four pairs of a point and a triangle in parallel: the same operations in the same order,
 * hence the same bits. */
#ifndef SYN_COLLIDE_CLOSEST_AVX2_H
#define SYN_COLLIDE_CLOSEST_AVX2_H

#include <immintrin.h>

#include "base/simd.h"
#include "geometry/closest.h"

typedef struct four3 {
  __m256d x, y, z;
} four3;

/* Loads four vectors without reading past any of them. */
AVX2_INLINE four3 four_of(const syn_vec3 *a, const syn_vec3 *b, const syn_vec3 *c, const syn_vec3 *d) {
  const __m128d xy[4] = {_mm_loadu_pd(&a->x), _mm_loadu_pd(&b->x), _mm_loadu_pd(&c->x), _mm_loadu_pd(&d->x)};
  const __m256d ac = _mm256_set_m128d(xy[2], xy[0]), bd = _mm256_set_m128d(xy[3], xy[1]);
  return (four3){_mm256_unpacklo_pd(ac, bd), _mm256_unpackhi_pd(ac, bd), _mm256_set_pd(d->z, c->z, b->z, a->z)};
}

AVX2_INLINE four3 four_sub(four3 a, four3 b) {
  return (four3){_mm256_sub_pd(a.x, b.x), _mm256_sub_pd(a.y, b.y), _mm256_sub_pd(a.z, b.z)};
}

AVX2_INLINE __m256d four_dot(four3 a, four3 b) {
  return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(a.x, b.x), _mm256_mul_pd(a.y, b.y)), _mm256_mul_pd(a.z, b.z));
}

AVX2_INLINE four3 four_madd(four3 a, __m256d s, four3 b) {
  return (four3){_mm256_add_pd(a.x, _mm256_mul_pd(s, b.x)), _mm256_add_pd(a.y, _mm256_mul_pd(s, b.y)),
                 _mm256_add_pd(a.z, _mm256_mul_pd(s, b.z))};
}

/* Returns b where `mask` is set, else a. */
AVX2_INLINE four3 four_choose(four3 a, four3 b, __m256d mask) {
  return (four3){_mm256_blendv_pd(a.x, b.x, mask), _mm256_blendv_pd(a.y, b.y, mask), _mm256_blendv_pd(a.z, b.z, mask)};
}

AVX2_INLINE __m256d four_below(__m256d a, __m256d b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); } /* or equal */

AVX2_INLINE __m256d four_product_difference(__m256d a, __m256d b, __m256d c, __m256d d) {
  return _mm256_sub_pd(_mm256_mul_pd(a, b), _mm256_mul_pd(c, d));
}

/* Results of four pairs; where `needle` is set, closest_of_needle must decide. */
typedef struct four_closest {
  four3 point;
  __m256d distance2, on; /* `on` as a number */
  __m256d needle;
} four_closest;

AVX2_INLINE void four_take(four_closest *best, four3 point, int on, __m256d mask) {
  best->point = four_choose(best->point, point, mask);
  best->on = _mm256_blendv_pd(best->on, _mm256_set1_pd(on), mask);
}

/* Computes all regions; the one that closest_feature tests first is selected last. */
AVX2_INLINE four_closest four_closest_feature(four3 p, four3 v0, four3 v1, four3 v2) {
  const four3 ab = four_sub(v1, v0), ac = four_sub(v2, v0), bc = four_sub(v2, v1);
  const four3 ap = four_sub(p, v0), bp = four_sub(p, v1), cp = four_sub(p, v2);
  const __m256d a1 = four_dot(ab, ap), a2 = four_dot(ac, ap), b1 = four_dot(ab, bp), b2 = four_dot(ac, bp),
                c1 = four_dot(ab, cp), c2 = four_dot(ac, cp), zero = _mm256_setzero_pd();
  const __m256d wc = four_product_difference(a1, b2, b1, a2), wb = four_product_difference(c1, a2, a1, c2),
                wa = four_product_difference(b1, c2, c1, b2);
  const __m256d sum = _mm256_add_pd(_mm256_add_pd(wa, wb), wc),
                size2 = _mm256_add_pd(four_dot(ab, ab), four_dot(ac, ac));
  const __m256d b21 = _mm256_sub_pd(b2, b1), c12 = _mm256_sub_pd(c1, c2), scale = _mm256_div_pd(_mm256_set1_pd(1), sum);
  four_closest best = {.on = zero};
  best.point = four_madd(four_madd(v0, _mm256_mul_pd(wb, scale), ab), _mm256_mul_pd(wc, scale), ac);
  /* edges: start, direction, and the two parts of the edge on either side of the foot */
  const __m256d e1 = _mm256_and_pd(four_below(wa, zero), _mm256_and_pd(four_below(zero, b21), four_below(zero, c12)));
  const __m256d e2 = _mm256_and_pd(four_below(wb, zero), _mm256_and_pd(four_below(zero, a2), four_below(c2, zero)));
  const __m256d e0 = _mm256_and_pd(four_below(wc, zero), _mm256_and_pd(four_below(zero, a1), four_below(b1, zero)));
  const __m256d gone = _mm256_blendv_pd(_mm256_blendv_pd(b21, a2, e2), a1, e0);
  const __m256d all =
      _mm256_blendv_pd(_mm256_blendv_pd(_mm256_add_pd(b21, c12), _mm256_sub_pd(a2, c2), e2), _mm256_sub_pd(a1, b1), e0);
  const __m256d from_first = _mm256_or_pd(e0, e2), on_edge = _mm256_or_pd(e1, from_first);
  const four3 way = four_choose(four_choose(bc, ac, e2), ab, e0), from = four_choose(v1, v0, from_first);
  four_take(&best, four_madd(from, _mm256_div_pd(gone, all), way), SYN_ON_EDGE + 1, on_edge);
  best.on = _mm256_blendv_pd(best.on, _mm256_set1_pd(SYN_ON_EDGE + 2), e2);
  best.on = _mm256_blendv_pd(best.on, _mm256_set1_pd(SYN_ON_EDGE), e0);
  four_take(&best, v2, SYN_ON_CORNER + 2, _mm256_and_pd(four_below(zero, c2), four_below(c1, c2)));
  four_take(&best, v1, SYN_ON_CORNER + 1, _mm256_and_pd(four_below(zero, b1), four_below(b2, b1)));
  four_take(&best, v0, SYN_ON_CORNER, _mm256_and_pd(four_below(a1, zero), four_below(a2, zero)));
  const four3 off = four_sub(p, best.point);
  best.distance2 = four_dot(off, off);
  best.needle = _mm256_cmp_pd(sum, _mm256_mul_pd(_mm256_mul_pd(_mm256_set1_pd(1e-8), size2), size2), _CMP_NGT_UQ);
  return best;
}

#endif

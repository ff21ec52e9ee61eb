/* The search for one point with AVX2: eight boxes or triangles in one register. */
#include "collide/surface/surface_tree.h"

#if SYN_AVX2
#include "collide/surface/surface_avx2.h"

typedef __m256 eight;

AVX2_INLINE unsigned bits_within(eight all, float limit2) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(all, _mm256_set1_ps(limit2), _CMP_LE_OQ));
}

AVX2_INLINE void put_eight(eight all, float to[SYN_WIDE]) { _mm256_storeu_ps(to, all); }

AVX2_INLINE places all_lanes(syn_vec3 p) { return eight_times(p); }

#define SEARCH AVX2
#include "collide/surface/surface_search.h"

AVX2 static void settle(search *q) {
  const syn_vec3 *const point[4] = {&q->point, &q->point, &q->point, &q->point};
  uint32_t triangle[NOTES + 3], open = 0;
  for (uint32_t i = 0; i < q->note_count; ++i) { /* branchless: which are open cannot be predicted */
    triangle[open] = q->notes[i].triangle;
    open += q->notes[i].distance2 <= q->limit2;
  }
  q->note_count = 0;
  for (uint32_t i = open; i % 4; ++i) triangle[i] = triangle[0]; /* padding with a duplicate changes nothing */
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

AVX2 void syn_surface_tree_search_avx2(const syn_surface_tree *surface, syn_vec3 point, double bound2,
                                       syn_nearest *nearest) {
  search_from(surface, point, bound2, SYN_NONE, nearest);
}

#endif

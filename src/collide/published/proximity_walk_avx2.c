/* Pairs of a point and a triangle with AVX2: four at once. */
#include "collide/published/proximity_walk.h"

#if SYN_AVX2
#include "collide/surface/surface_avx2.h"

AVX2 void syn_pairs_measure_avx2(const syn_surface_tree *surface, const syn_vec3 *points, syn_pairs *pairs) {
  const found f = {pairs->x, pairs->y, pairs->z, pairs->distance2, pairs->on};
  for (uint32_t i = pairs->count; i % 4; ++i) { /* the same once more changes nothing */
    pairs->who[i] = pairs->who[0];
    pairs->triangle[i] = pairs->triangle[0];
  }
  for (uint32_t i = 0; i < pairs->count; i += 4) {
    const uint8_t *who = pairs->who + i;
    const syn_vec3 *const point[4] = {&points[who[0]], &points[who[1]], &points[who[2]], &points[who[3]]};
    look_at_four(surface, point, pairs->triangle + i, &f, i);
  }
}

#endif

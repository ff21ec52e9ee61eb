/* The force loop of linear tetrahedra with vector registers of four doubles. */
#include "base/simd.h"

#if SYN_AVX2
#include <immintrin.h>

#include "tissue/fem/fem.h"

#define LANES_INLINE AVX2_INLINE
#define LANES_FUNCTION AVX2
#define LANES_NAME syn_fem_tets_force_avx2

#define LANES_ANY any_lane
#define any_lane(mask) (_mm256_movemask_pd((__m256d) * (mask)) != 0)

#define LANES_LOAD load_nodes
/* Transposes the three coordinates of four nodes. */
AVX2_INLINE void load_nodes(const syn_vec3 *x, const uint32_t node[4], __m256d out[3]) {
  const double *a = &x[node[0]].x, *b = &x[node[1]].x, *c = &x[node[2]].x, *d = &x[node[3]].x;
  const __m256d ac = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(c), 1);
  const __m256d bd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(b)), _mm_loadu_pd(d), 1);
  const __m128d ab_z = _mm_loadh_pd(_mm_load_sd(a + 2), b + 2), cd_z = _mm_loadh_pd(_mm_load_sd(c + 2), d + 2);
  out[0] = _mm256_unpacklo_pd(ac, bd);
  out[1] = _mm256_unpackhi_pd(ac, bd);
  out[2] = _mm256_insertf128_pd(_mm256_castpd128_pd256(ab_z), cd_z, 1);
}

#include "tissue/fem/tets_lanes.h"
#endif

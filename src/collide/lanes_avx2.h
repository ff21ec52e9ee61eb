/* Lists the selected ones among eight lanes. */
#ifndef SYN_COLLIDE_LANES_AVX2_H
#define SYN_COLLIDE_LANES_AVX2_H

#include <immintrin.h>

#include "base/simd.h"

/* Returns the numbers of the lanes whose bits are set, packed from the first lane on; the remaining lanes are
 * undefined. Branchless, because the bits can seldom be predicted. */
AVX2_INLINE __m256i set_lanes(unsigned bits) {
  const uint64_t bytes = _pdep_u64(bits, 0x0101010101010101u) * 0xff;
  return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)_pext_u64(0x0706050403020100u, bytes)));
}

#endif

/* The force loop of linear tetrahedra with vector registers of four doubles. */
#include "base/simd.h"

#if SYN_AVX2
#include "tissue/fem/fem.h"

#define LANES_INLINE AVX2_INLINE
#define LANES_FUNCTION AVX2
#define LANES_NAME fem_tets_force_avx2
#include "tissue/fem/tets_lanes.h"
#endif

/* The stiffness of elements with vector registers of four doubles. */
#include "base/simd.h"

#if SYN_AVX2
#include "tissue/fem/fem.h"

#define LANES_FUNCTION AVX2
#define LANES_NAME syn_fem_add_point_avx2
#include "tissue/fem/stiffness_lanes.h"
#endif

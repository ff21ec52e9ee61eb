/* Detects the vector instructions of the processor, and defines the attributes of functions compiled for them.
 *
 * A kernel is within #if SYN_AVX2, beside a portable one that gives the same bits; the caller checks syn_has_avx2().
 * All kernels require the same instruction set. -DSYN_PORTABLE excludes them all, to test what other processors run.
 * The names of instructions are in <immintrin.h>, which takes a compiler longer than all our headers: only files
 * *_avx2.c include it. */
#ifndef SYN_BASE_SIMD_H
#define SYN_BASE_SIMD_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) && !defined(SYN_PORTABLE)
#define SYN_AVX2 1
#define AVX2 __attribute__((target("avx2,bmi2,fma")))
#define AVX2_INLINE __attribute__((target("avx2,bmi2,fma"), always_inline)) static inline

/* Returns whether this processor has them. Determined at program start: costs no more than reading a word. */
static inline bool syn_has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
#else
#define SYN_AVX2 0
#endif

/* ---- four lanes: the compiler finds instructions for these on every processor --------------------------------------
 */

typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));

/* Where the mask is set a, else b. */
static inline float4 four_select(int4 mask, float4 a, float4 b) {
  return (float4)((mask & (int4)a) | (~mask & (int4)b));
}

/* a where it is the lower (upper) one, else b: one instruction, which compilers do not find in a selection. */
static inline float4 four_lower(float4 a, float4 b) {
#if SYN_AVX2
  return __builtin_ia32_minps(a, b);
#else
  return four_select(a < b, a, b);
#endif
}

static inline float4 four_upper(float4 a, float4 b) {
#if SYN_AVX2
  return __builtin_ia32_maxps(a, b);
#else
  return four_select(a > b, a, b);
#endif
}

/* The lowest (highest) lane of each of four. */
#define FOUR_FOLD(fold, a, b, c, d)                                                                                    \
  const float4 ab = fold(__builtin_shufflevector(a, b, 0, 4, 1, 5), __builtin_shufflevector(a, b, 2, 6, 3, 7)),        \
               cd = fold(__builtin_shufflevector(c, d, 0, 4, 1, 5), __builtin_shufflevector(c, d, 2, 6, 3, 7));        \
  return fold(__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7))
static inline float4 four_least(float4 a, float4 b, float4 c, float4 d) { FOUR_FOLD(four_lower, a, b, c, d); }
static inline float4 four_most(float4 a, float4 b, float4 c, float4 d) { FOUR_FOLD(four_upper, a, b, c, d); }

/* One bit per lane of a comparison. */
static inline unsigned four_bits(int4 mask) {
#if SYN_AVX2
  return (unsigned)__builtin_ia32_movmskps((float4)mask);
#elif defined(__wasm_simd128__)
  return (unsigned)__builtin_wasm_bitmask_i32x4(mask);
#else
  return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

#endif

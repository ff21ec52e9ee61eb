/* The same as radial_cover_portable.c, a row of eight cells at a time. */
#include "collide/radial/radial_cover.h"

#if SYN_AVX2
#include <immintrin.h>

/* Returns the bits of the negative lanes. */
AVX2_INLINE unsigned negative(__m256 x) { return (unsigned)_mm256_movemask_ps(x); }

/* ---- types 1 and 3 ----------------------------------------------------------------------------------------------- */

AVX2 static void find_ruled(const cover_block *b, cover_found found[COVER_ROWS]) {
  const __m256 margin = _mm256_set1_ps(b->margin);
  __m256 most[3], least[3], slope[3];
  unsigned behind[3] = {0}, not_inside[3] = {0};
  for (int k = 0; k < 3; ++k) {
    const __m256 left = _mm256_loadu_ps(b->side[k]), right = _mm256_loadu_ps(b->side[k] + 1);
    most[k] = _mm256_max_ps(left, right);
    least[k] = _mm256_min_ps(left, right);
    slope[k] = _mm256_set1_ps(b->slope[k]);
  }
  for (uint32_t r = 0; r <= b->rows; ++r) {
    const __m256 along = _mm256_set1_ps(b->along[r]), across = _mm256_set1_ps(b->across[r]);
    unsigned dropped = 0, inside = 0;
    for (int k = 0; k < 3; ++k) {
      const __m256 base = _mm256_mul_ps(slope[k], across);
      const unsigned now_behind = negative(_mm256_add_ps(_mm256_mul_ps(along, most[k]), _mm256_add_ps(base, margin)));
      const unsigned now_not_inside =
          negative(_mm256_add_ps(_mm256_mul_ps(along, least[k]), _mm256_sub_ps(base, margin)));
      dropped |= behind[k] & now_behind;
      inside |= (~(not_inside[k] | now_not_inside) & 255) << 8 * (k + 1);
      behind[k] = now_behind;
      not_inside[k] = now_not_inside;
    }
    if (r > 0) found[r - 1] = (~dropped & 255) | inside;
  }
}

/* ---- type 2 ------------------------------------------------------------------------------------------------------ */

typedef struct disc_border {
  __m256 most[3], least[3], height;
} disc_border;

/* Subtracts in doubles, needed near the equator, and converts to floats. */
AVX2_INLINE __m256 rests(const double *from, double take) {
  const __m256d t = _mm256_set1_pd(take);
  const __m128 low = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(from), t)),
               high = _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(from + 4), t));
  return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}
AVX2_INLINE __m256 root(__m256 x) { return _mm256_sqrt_ps(_mm256_max_ps(x, _mm256_setzero_ps())); }

AVX2_INLINE disc_border evaluate_border(const cover_block *b, uint32_t r) {
  const __m256 left = root(rests(b->above, b->square[r])), right = root(rests(b->above + 1, b->square[r]));
  disc_border out = {.height = _mm256_min_ps(left, right)};
  for (int k = 0; k < 3; ++k) {
    const __m256 base = _mm256_set1_ps(b->slope[k] * b->across[r]), rise = _mm256_set1_ps(b->rise[k]);
    const __m256 from = _mm256_add_ps(_mm256_add_ps(_mm256_loadu_ps(b->side[k]), base), _mm256_mul_ps(rise, left)),
                 to = _mm256_add_ps(_mm256_add_ps(_mm256_loadu_ps(b->side[k] + 1), base), _mm256_mul_ps(rise, right));
    out.most[k] = _mm256_max_ps(from, to);
    out.least[k] = _mm256_min_ps(from, to);
  }
  return out;
}

AVX2_INLINE __m256 find_pads(const cover_block *b, __m256 low, __m256 height2) {
  const __m256 cube = _mm256_max_ps(_mm256_mul_ps(_mm256_mul_ps(low, low), low), _mm256_set1_ps(1e-30F));
  return _mm256_min_ps(root(height2), _mm256_div_ps(_mm256_set1_ps(b->bend), cube));
}

AVX2 static void find_disc(const cover_block *b, cover_found found[COVER_ROWS]) {
  const __m256 sign = _mm256_set1_ps(-0.0F), slack = _mm256_set1_ps(b->margin);
  disc_border lower, upper = evaluate_border(b, 0);
  for (uint32_t r = 0; r < b->rows; ++r) {
    lower = upper;
    upper = evaluate_border(b, r + 1);
    const __m256 height2 = rests(b->nearest_above, b->nearest_square[r]);
    const __m256 pads = find_pads(b, _mm256_min_ps(lower.height, upper.height), height2);
    unsigned dropped = negative(_mm256_add_ps(height2, _mm256_set1_ps(1e-6F))), inside = 0;
    for (int k = 0; k < 3; ++k) {
      const __m256 share = _mm256_andnot_ps(sign, _mm256_set1_ps(b->rise[k])),
                   margin = _mm256_add_ps(_mm256_mul_ps(pads, share), slack);
      dropped |= negative(_mm256_add_ps(_mm256_max_ps(lower.most[k], upper.most[k]), margin));
      inside |= (~negative(_mm256_sub_ps(_mm256_min_ps(lower.least[k], upper.least[k]), margin)) & 255) << 8 * (k + 1);
    }
    found[r] = (~dropped & 255) | inside;
  }
}

const cover_kernels syn_cover_avx2 = {find_ruled, find_disc};
#endif

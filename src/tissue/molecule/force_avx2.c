/* The forces of springs, four slots at a time. Same bits as the portable kernel: the same sums, without fused
 * operations. */
#include "base/simd.h"
#include "tissue/molecule/molecule.h"

#if SYN_AVX2
#include <immintrin.h>

typedef struct lanes3 {
  __m256d x, y, z;
} lanes3;

/* Loads the points of four slots, coordinate by coordinate. Loads of halves need fewer shuffles than loads of whole
 * points. */
AVX2_INLINE lanes3 gather(const syn_vec3 *x, const uint32_t *other) {
  const double *a = &x[other[0]].x, *b = &x[other[1]].x, *c = &x[other[2]].x, *d = &x[other[3]].x;
  const __m256d ac = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(c), 1);
  const __m256d bd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(b)), _mm_loadu_pd(d), 1);
  const __m128d z_ab = _mm_loadh_pd(_mm_load_sd(a + 2), b + 2), z_cd = _mm_loadh_pd(_mm_load_sd(c + 2), d + 2);
  return (lanes3){_mm256_unpacklo_pd(ac, bd), _mm256_unpackhi_pd(ac, bd),
                  _mm256_insertf128_pd(_mm256_castpd128_pd256(z_ab), z_cd, 1)};
}

AVX2_INLINE lanes3 broadcast(const syn_vec3 *p) {
  return (lanes3){_mm256_broadcast_sd(&p->x), _mm256_broadcast_sd(&p->y), _mm256_broadcast_sd(&p->z)};
}

AVX2_INLINE lanes3 minus(lanes3 a, lanes3 b) {
  return (lanes3){_mm256_sub_pd(a.x, b.x), _mm256_sub_pd(a.y, b.y), _mm256_sub_pd(a.z, b.z)};
}

AVX2_INLINE __m256d dot(lanes3 a, lanes3 b) {
  return _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(a.x, b.x), _mm256_mul_pd(a.y, b.y)), _mm256_mul_pd(a.z, b.z));
}

AVX2_INLINE double sum_lanes(__m256d a) {
  const __m128d halves = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
  return _mm_cvtsd_f64(halves) + _mm_cvtsd_f64(_mm_unpackhi_pd(halves, halves));
}

/* Values of molecule i for a step over four slots. */
typedef struct middle {
  lanes3 x, v;
  __m256d damping_s;
} middle;

AVX2_INLINE __m256d elongation(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, const middle *i, uint32_t s,
                               lanes3 *d, __m256d *inverse) {
  *d = minus(gather(x, m->other + s), i->x);
  const __m256d square = _mm256_max_pd(dot(*d, *d), _mm256_set1_pd(1e-300)), r = _mm256_sqrt_pd(square);
  *inverse = _mm256_mul_pd(r, _mm256_div_pd(_mm256_set1_pd(1), square)); /* independent of the root */
  const __m256d e = _mm256_sub_pd(r, _mm256_loadu_pd(m->no_force + s));
  if (!v) return e;
  const __m256d speed = _mm256_mul_pd(dot(minus(gather(v, m->other + s), i->v), *d), *inverse);
  return _mm256_add_pd(e, _mm256_mul_pd(i->damping_s, speed));
}

AVX2_INLINE middle middle_of(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, uint32_t i) {
  return (middle){broadcast(&x[i]), v ? broadcast(&v[i]) : broadcast(&x[i]), _mm256_set1_pd(m->damping_s)};
}

AVX2_INLINE void mode_forces(const molecules *m, const syn_vec3 *x, const syn_vec3 *v) {
  for (uint32_t i = 0; i < m->count; ++i) {
    const middle at = middle_of(m, x, v, i);
    __m256d sums[STRAIN_MODES] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
    for (uint32_t s = m->row[i]; s < m->row[i + 1]; s += LANES) {
      lanes3 d;
      __m256d inverse;
      const __m256d e = elongation(m, x, v, &at, s, &d, &inverse);
      for (int k = 0; k < m->mode_count; ++k)
        sums[k] = _mm256_add_pd(sums[k], _mm256_mul_pd(_mm256_loadu_pd(m->modes[k].own + s), e));
    }
    for (int k = 0; k < m->mode_count; ++k)
      m->mode_force[(size_t)k * m->count + i] = m->modes[k].stiffness[i] * sum_lanes(sums[k]);
  }
}

/* Tension from the modes of both molecules. */
AVX2_INLINE __m256d mode_tension(const molecules *m, int k, uint32_t i, uint32_t s) {
  const double *force = m->mode_force + (size_t)k * m->count;
  const uint32_t *o = m->other + s;
  const __m256d others = _mm256_set_pd(force[o[3]], force[o[2]], force[o[1]], force[o[0]]);
  return _mm256_add_pd(_mm256_mul_pd(_mm256_set1_pd(force[i]), _mm256_loadu_pd(m->modes[k].own + s)),
                       _mm256_mul_pd(others, _mm256_loadu_pd(m->modes[k].mirror + s)));
}

AVX2_INLINE void springs(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, bool modes, syn_vec3 *f) {
  if (modes) mode_forces(m, x, v);
  for (uint32_t i = 0; i < m->count; ++i) {
    const middle at = middle_of(m, x, v, i);
    lanes3 sum = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
    for (uint32_t s = m->row[i]; s < m->row[i + 1]; s += LANES) {
      lanes3 d;
      __m256d inverse;
      const __m256d e = elongation(m, x, v, &at, s, &d, &inverse);
      __m256d tension = _mm256_mul_pd(_mm256_loadu_pd(m->stiffness + s), e);
      if (modes)
        for (int k = 0; k < m->mode_count; ++k) tension = _mm256_add_pd(tension, mode_tension(m, k, i, s));
      const __m256d scale = _mm256_mul_pd(tension, inverse);
      sum = (lanes3){_mm256_add_pd(sum.x, _mm256_mul_pd(scale, d.x)), _mm256_add_pd(sum.y, _mm256_mul_pd(scale, d.y)),
                     _mm256_add_pd(sum.z, _mm256_mul_pd(scale, d.z))};
    }
    f[i] = vec3_add(f[i], vec3(sum_lanes(sum.x), sum_lanes(sum.y), sum_lanes(sum.z)));
  }
}

/* The compiler generates one loop for each case. */
AVX2 void syn_molecule_springs_avx2(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  if (m->mode_count) {
    if (v)
      springs(m, x, v, true, f);
    else
      springs(m, x, NULL, true, f);
  } else if (v)
    springs(m, x, v, false, f);
  else
    springs(m, x, NULL, false, f);
}

#else
typedef int no_avx2_here;
#endif

/* What one thread of the machine can do at most: memory read and written, and multiplications with additions. The other
 * rows are to be held against these. */
#include <math.h>
#include <stdlib.h>

#include "base/simd.h"
#if SYN_AVX2
#include <immintrin.h>
#endif

#include "tissue/tissue.h"

enum { FAR = 1 << 23, NEAR = 1 << 12, ROUNDS_NEAR = 256, CHAINS = 12, TURNS = 100000 };
typedef enum limit { LIMIT_MEMORY, LIMIT_CACHE, LIMIT_ARITHMETIC, LIMITS } limit;

typedef struct probe {
  limit which;
  size_t count;
  double *a, *b, *c;
  volatile double kept;
} probe;

static void close_probe(void *state) {
  probe *p = state;
  free(p->a);
  free(p->b);
  free(p->c);
  free(p);
}

static void *open_probe(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)scene, (void)error;
  probe *p = calloc(1, sizeof *p);
  if (!p) abort();
  p->which = (limit)self->variant;
  p->count = p->which == LIMIT_MEMORY ? FAR : NEAR;
  p->a = malloc(p->count * sizeof *p->a);
  p->b = malloc(p->count * sizeof *p->b);
  p->c = malloc(p->count * sizeof *p->c);
  if (!p->a || !p->b || !p->c) abort();
  for (size_t i = 0; i < p->count; ++i) p->a[i] = p->b[i] = p->c[i] = (double)i;
  return p;
}

/* a = b + s c, as STREAM has it: two numbers are read and one is written. */
static void triad(double *restrict a, const double *restrict b, const double *restrict c, size_t count, double s) {
  for (size_t i = 0; i < count; ++i) a[i] = b[i] + s * c[i];
}

#if SYN_AVX2
#include <immintrin.h>

AVX2 static double fused(double x) {
  __m256d sums[CHAINS];
  const __m256d by = _mm256_set1_pd(0.999), more = _mm256_set1_pd(x);
  for (int i = 0; i < CHAINS; ++i) sums[i] = _mm256_set1_pd(i);
  for (int turn = 0; turn < TURNS; ++turn)
    for (int i = 0; i < CHAINS; ++i) sums[i] = _mm256_fmadd_pd(sums[i], by, more);
  __m256d all = sums[0];
  for (int i = 1; i < CHAINS; ++i) all = _mm256_add_pd(all, sums[i]);
  return _mm256_cvtsd_f64(all);
}
#endif

static double multiply_and_add(double x) {
#if SYN_AVX2
  if (syn_has_avx2()) return fused(x);
#endif
  double sums[4 * CHAINS] = {0}, all = 0;
  for (int turn = 0; turn < TURNS; ++turn)
    for (int i = 0; i < 4 * CHAINS; ++i) sums[i] = sums[i] * 0.999 + x;
  for (int i = 0; i < 4 * CHAINS; ++i) all += sums[i];
  return all;
}

static void ask_probe(void *state, const syn_pose *pose, bench_answer *answer) {
  probe *p = state;
  (void)pose;
  if (p->which == LIMIT_ARITHMETIC) p->kept = multiply_and_add(1e-3);
  for (int i = 0; p->which == LIMIT_CACHE && i < ROUNDS_NEAR; ++i) triad(p->a, p->b, p->c, p->count, 1e-9 * i);
  if (p->which == LIMIT_MEMORY) triad(p->a, p->b, p->c, p->count, 0.5);
  if (p->which != LIMIT_ARITHMETIC) p->kept = p->a[p->count / 2];
  answer->depth_mm = NAN;
}

syn_status bench_tissue_machine(bench_run *run, syn_error *error) {
  static const char *const names[] = {"bytes, memory", "bytes, cache", "multiply and add"};
  static const double amounts[] = {24.0 * FAR, 24.0 * NEAR * ROUNDS_NEAR, 2.0 * 4 * CHAINS * TURNS};
  (void)error;
  if (!bench_wants(run, "machine")) return SYN_OK;
  const syn_pose nowhere = syn_pose_identity();
  for (int k = LIMIT_MEMORY; k < LIMITS; ++k) {
    const bench_scene scene = {.name = names[k], .context = run->context, .poses = &nowhere, .pose_count = 1};
    const bench_contender ours = {.name = "synovia",
                                  .detail = names[k],
                                  .query = "machine",
                                  .variant = k,
                                  .open = open_probe,
                                  .ask = ask_probe,
                                  .close = close_probe};
    bench_row *row = bench_compare(run, &scene, &ours, 1);
    if (row) row->per_second = 1e3 * amounts[k] / row->ours_ms;
  }
  return SYN_OK;
}

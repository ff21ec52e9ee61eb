/* Solves the least squares problem of Anderson acceleration by its normal equations. */
#include "solve/anderson.h"

#include <string.h>

#include "base/vec.h"

double syn_vectors_dot(const syn_vec3 *a, const syn_vec3 *b, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += vec3_dot(a[i], b[i]);
  return sum;
}

syn_status syn_anderson_reserve(syn_arena *arena, size_t count, syn_anderson *anderson, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &anderson->last, count, error));
  for (int i = 0; i < ANDERSON_DEPTH; ++i) {
    SYN_TRY(SYN_TAKE(arena, &anderson->change[i], count, error));
    SYN_TRY(SYN_TAKE(arena, &anderson->step[i], count, error));
  }
  return SYN_OK;
}

void syn_anderson_forget(syn_anderson *anderson) {
  anderson->count = 0;
  anderson->has_last = false;
}

/* Solves the normal equations with a small multiple of the identity added: near convergence the differences are
 * nearly parallel. */
static void solve_least_squares(double a[ANDERSON_DEPTH][ANDERSON_DEPTH], double *b, int n) {
  double trace = 0;
  for (int i = 0; i < n; ++i) trace += a[i][i];
  for (int i = 0; i < n; ++i) a[i][i] += 1e-12 * trace;
  for (int i = 0; i < n; ++i) {
    if (!(a[i][i] > 0)) continue;
    for (int k = i + 1; k < n; ++k) {
      const double part = a[k][i] / a[i][i];
      for (int j = i; j < n; ++j) a[k][j] -= part * a[i][j];
      b[k] -= part * b[i];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= a[i][j] * b[j];
    b[i] = a[i][i] > 0 ? b[i] / a[i][i] : 0;
  }
}

static void remember_step(syn_anderson *anderson, const syn_vec3 *d, const syn_vec3 *step, uint32_t count) {
  const int at = anderson->next = (anderson->next + 1) % ANDERSON_DEPTH;
  for (uint32_t i = 0; i < count; ++i) {
    anderson->change[at][i] = vec3_sub(d[i], anderson->last[i]);
    anderson->step[at][i] = step[i];
  }
  if (anderson->count < ANDERSON_DEPTH) ++anderson->count;
}

void syn_anderson_accelerate(syn_anderson *anderson, const syn_vec3 *step, uint32_t count, syn_vec3 *d) {
  double a[ANDERSON_DEPTH][ANDERSON_DEPTH], b[ANDERSON_DEPTH];
  if (anderson->has_last) remember_step(anderson, d, step, count);
  memcpy(anderson->last, d, count * sizeof *d);
  anderson->has_last = true;
  int order[ANDERSON_DEPTH];
  for (int k = 0; k < anderson->count; ++k) order[k] = (anderson->next - k + ANDERSON_DEPTH) % ANDERSON_DEPTH;
  for (int i = 0; i < anderson->count; ++i) {
    b[i] = syn_vectors_dot(anderson->change[order[i]], d, count);
    for (int j = 0; j <= i; ++j)
      a[i][j] = a[j][i] = syn_vectors_dot(anderson->change[order[i]], anderson->change[order[j]], count);
  }
  solve_least_squares(a, b, anderson->count);
  for (int k = 0; k < anderson->count; ++k)
    for (uint32_t i = 0; i < count; ++i)
      d[i] = vec3_madd(d[i], -b[k], vec3_add(anderson->step[order[k]][i], anderson->change[order[k]][i]));
}

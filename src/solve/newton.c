#include "solve/newton.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

/* ==== Anderson acceleration ======================================================================================= */

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

/* Forgets all steps, after a new factorisation. */
static void anderson_forget(syn_anderson *anderson) {
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

/* Accelerates the Newton step d; `step` is the change of the unknowns since the previous one. */
static void anderson_accelerate(syn_anderson *anderson, const syn_vec3 *step, uint32_t count, syn_vec3 *d) {
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

/* ==== Newton's method ============================================================================================= */

typedef struct newton_iteration {
  const newton_problem *problem;
  const newton_options *options;
  double residual;
  uint32_t n;
} newton_iteration;

/* Line search: shortens the step until it no longer overshoots. Uses the residual only, since forces need not have
 * an energy. */
static syn_status search_line(const newton_iteration *it, double *length, double *residual, syn_error *error) {
  const newton_problem *p = it->problem;
  const newton_options *o = it->options;
  const double ahead = syn_vectors_dot(p->r, p->d, p->count);
  const double overshoot = it->n < o->late ? o->overshoot : o->late_overshoot;
  for (uint32_t shortened = 0;; ++shortened) {
    newton_trial trial = {.allowed = true};
    SYN_TRY(p->evaluate(p->user, *length, p->next_r, &trial, error));
    const double after = syn_vectors_dot(p->next_r, p->d, p->count);
    const bool good = isfinite(after) && (trial.any_slope || after >= -overshoot * fabs(ahead)) && trial.allowed;
    *residual = trial.residual;
    if (good || shortened == o->shortenings) return SYN_OK;
    /* Next length: the zero of the linearly interpolated residual, within bounds */
    *length *= isfinite(after) ? min2(max2(ahead / (ahead - after), o->shortest), o->longest) : o->shortest;
  }
}

static void accept_step(const newton_iteration *it, double length) {
  const newton_problem *p = it->problem;
  memcpy(p->r, p->next_r, p->count * sizeof *p->r);
  for (uint32_t i = 0; p->anderson && i < p->count; ++i) p->step[i] = vec3_scale(p->d[i], length);
  p->accept(p->user, length);
}

/* Takes one Newton step. With a factorisation of the present matrix (`fresh`) its length is found by a line search.
 * With an older one the full step is taken if it reduces the residual enough; else *worked is false, and the state
 * is unchanged. */
static syn_status take_step(newton_iteration *it, bool fresh, double *length, bool *worked, syn_error *error) {
  const newton_problem *p = it->problem;
  double residual;
  /* Newton step, with Anderson acceleration for a reused factorisation */
  SYN_TRY(p->solve(p->user, fresh, it->n, error));
  if (p->anderson) {
    if (fresh) anderson_forget(p->anderson);
    anderson_accelerate(p->anderson, p->step, p->count, p->d);
  }
  /* Step length: line search with a fresh factorisation, else the full step */
  SYN_TRY(p->limit_length(p->user, length, error));
  if (fresh) {
    SYN_TRY(search_line(it, length, &residual, error));
  } else {
    newton_trial trial = {.allowed = true};
    SYN_TRY(p->evaluate(p->user, *length, p->next_r, &trial, error));
    residual = trial.residual;
  }
  /* A reused factorisation must have reduced the residual. */
  *worked = fresh || residual < it->options->reuse * it->residual;
  if (!*worked) return p->restore(p->user, &it->residual, error);
  accept_step(it, *length);
  it->residual = residual;
  return SYN_OK;
}

/* Reuses the factorisation if allowed and effective, else factorises. */
static syn_status iterate(newton_iteration *it, bool *may_reuse, syn_error *error) {
  const newton_problem *p = it->problem;
  const double before = it->residual;
  double length = 1;
  bool worked = false;
  if (*may_reuse && p->may_reuse(p->user)) SYN_TRY(take_step(it, false, &length, &worked, error));
  if (!worked) {
    SYN_TRY(p->factorize(p->user, error));
    SYN_TRY(take_step(it, true, &length, &worked, error));
  }
  /* If the residual grows, something became active that the factorisation does not include: with the same
   * factorisation the next step would undo this one, and so on in turn. */
  *may_reuse = p->may_reuse && it->options->reuse > 0 && it->residual < before;
  return p->finish_iteration ? p->finish_iteration(p->user, length, error) : SYN_OK;
}

syn_status syn_newton_solve(const newton_problem *p, const newton_options *options, double *residual,
                            syn_error *error) {
  newton_iteration it = {.problem = p, .options = options, .residual = *residual};
  bool may_reuse = false;
  for (;;) {
    newton_verdict verdict = NEWTON_GOES_ON;
    SYN_TRY(p->judge(p->user, &it.residual, &verdict, error));
    if (verdict == NEWTON_SOLVED) break;
    if (verdict == NEWTON_CHANGED) {
      if (p->anderson) p->anderson->has_last = false; /* the next residual is of other forces */
      continue;
    }
    if (it.n++ == options->max_iterations || !isfinite(it.residual)) return p->give_up(p->user, it.residual, error);
    SYN_TRY(iterate(&it, &may_reuse, error));
  }
  *residual = it.residual;
  return SYN_OK;
}

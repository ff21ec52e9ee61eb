#include "solve/newton.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

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
    if (fresh) syn_anderson_forget(p->anderson);
    syn_anderson_accelerate(p->anderson, p->step, p->count, p->d);
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

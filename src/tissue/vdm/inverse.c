/* Applies S^-1 by a kept factorisation (Sundaraj 2004, §3.3.1), by CHOLMOD. x, y and z share the pattern, and the
 * numbers, too, if the same nodes are prescribed and B is the same.
 *
 * A further constraint on unknown k changes S by a e_k e_k^T with an infinite penalty a. Sherman and Morrison's
 * formula (Eq. 3.46 with its denominator as 1 + v S^-1 u) then subtracts g g_k^T / g_kk from the inverse, g being its
 * column k: the unknown is prescribed exactly, at the cost of one solution, and of one product in all later ones. */
#include <string.h>

#include "solve/cholmod_library.h"
#include "tissue/vdm/vdm.h"

enum { MOST_UPDATES = 64 };

typedef struct update {
  uint32_t group;
  double *column; /* column of the inverse after the updates before */
} update;

struct syn_vdm_inverse {
  syn_cholmod cholmod;
  cholmod_common common;
  cholmod_sparse *matrix;
  cholmod_factor *factors[3];
  cholmod_dense *load, *solution, *work[2];
  int first[3];  /* the direction whose factor a direction shares */
  uint8_t *held; /* prescribed in the factors */
  update updates[3][MOST_UPDATES];
  uint32_t update_count[3];
  bool factorised;
};

static syn_status failure(const syn_vdm *vdm, syn_error *error) {
  return syn_fail(error, SYN_NO_MEMORY, "there is not enough memory for the factorisation of %u nodes",
                  vdm->node_count);
}

static void forget_updates(const syn_vdm *vdm, int c, uint32_t keep) {
  struct syn_vdm_inverse *inverse = vdm->inverse;
  while (inverse->update_count[c] > keep) {
    update *last = &inverse->updates[c][--inverse->update_count[c]];
    syn_free(vdm->soft->context, last->column);
    last->column = NULL;
  }
}

void syn_vdm_inverse_drop(syn_vdm *vdm) {
  struct syn_vdm_inverse *inverse = vdm->inverse;
  if (!inverse) return;
  for (int c = 0; c < 3; ++c) {
    forget_updates(vdm, c, 0);
    inverse->cholmod.free_factor(&inverse->factors[c], &inverse->common);
  }
  inverse->cholmod.free_sparse(&inverse->matrix, &inverse->common);
  cholmod_dense **dense[] = {&inverse->load, &inverse->solution, &inverse->work[0], &inverse->work[1]};
  for (size_t i = 0; i < sizeof dense / sizeof *dense; ++i) inverse->cholmod.free_dense(dense[i], &inverse->common);
  inverse->cholmod.finish(&inverse->common);
  syn_free(vdm->soft->context, inverse->held);
  syn_free(vdm->soft->context, inverse);
  vdm->inverse = NULL;
}

/* ---- factors ------------------------------------------------------------------------------------------------------
 */

/* Lower triangle by columns. Prescribed unknowns keep a one on the diagonal and zeros elsewhere. */
static void copy_numbers(const syn_vdm_system *s, int c, cholmod_sparse *matrix) {
  SuiteSparse_long *start = matrix->p, *rows = matrix->i, next = 0;
  double *numbers = matrix->x;
  for (uint32_t g = 0; g < s->group_count; ++g) {
    const bool held = s->held[g] >> c & 1;
    start[g] = next;
    rows[next] = g;
    numbers[next++] = held ? 1 : s->diagonal[g].v[c];
    for (uint32_t k = s->start[g]; k < s->start[g + 1]; ++k) {
      if (s->columns[k] < g) continue;
      rows[next] = s->columns[k];
      numbers[next++] = held || s->held[s->columns[k]] >> c & 1 ? 0 : -s->weights[k];
    }
  }
  start[s->group_count] = next;
}

static syn_status analyze(syn_vdm *vdm, syn_error *error) {
  const size_t n = vdm->system.group_count, numbers = n + vdm->system.start[n] / 2;
  struct syn_vdm_inverse *inverse = vdm->inverse;
  cholmod_common *common = &inverse->common;
  common->print = 0;
  common->supernodal = CHOLMOD_SIMPLICIAL; /* a surface has small fronts, and no threads start */
  common->final_ll = 1;
  inverse->matrix = inverse->cholmod.allocate_sparse(n, n, numbers, 0, 1, -1, CHOLMOD_REAL, common);
  inverse->load = inverse->cholmod.allocate_dense(n, 3, n, CHOLMOD_REAL, common);
  if (!inverse->matrix || !inverse->load) return failure(vdm, error);
  copy_numbers(&vdm->system, 0, inverse->matrix);
  for (int c = 0; c < 3; ++c) {
    inverse->factors[c] = c == 0 ? syn_cholmod_order(&inverse->cholmod, inverse->matrix, false, common)
                                 : inverse->cholmod.copy_factor(inverse->factors[0], common);
    if (!inverse->factors[c]) return failure(vdm, error);
  }
  return SYN_NEW_ZEROED(vdm->soft->context, &inverse->held, n, error);
}

static syn_status create(syn_vdm *vdm, syn_error *error) {
  syn_cholmod cholmod;
  SYN_TRY(syn_cholmod_load(&cholmod, error));
  SYN_TRY(SYN_NEW_ZEROED(vdm->soft->context, &vdm->inverse, 1, error));
  vdm->inverse->cholmod = cholmod;
  vdm->inverse->cholmod.start(&vdm->inverse->common);
  const syn_status status = analyze(vdm, error);
  if (status) syn_vdm_inverse_drop(vdm);
  return status;
}

static bool same_numbers(const syn_vdm_system *s, int a, int b) {
  for (uint32_t g = 0; g < s->group_count; ++g)
    if ((s->held[g] >> a & 1) != (s->held[g] >> b & 1) || s->diagonal[g].v[a] != s->diagonal[g].v[b]) return false;
  return true;
}

static syn_status factorise(syn_vdm *vdm, syn_error *error) {
  struct syn_vdm_inverse *inverse = vdm->inverse;
  inverse->factorised = false;
  for (int c = 0; c < 3; ++c) {
    forget_updates(vdm, c, 0);
    inverse->first[c] = c;
    for (int d = c - 1; d >= 0; --d)
      if (same_numbers(&vdm->system, c, d)) inverse->first[c] = d;
    if (inverse->first[c] != c) continue;
    copy_numbers(&vdm->system, c, inverse->matrix);
    inverse->cholmod.factorize(inverse->matrix, inverse->factors[c], &inverse->common);
    if (inverse->common.status < CHOLMOD_OK) return failure(vdm, error);
    if (inverse->common.status == CHOLMOD_NOT_POSDEF || inverse->factors[c]->minor < inverse->factors[c]->n)
      return syn_fail(error, SYN_NOT_CONVERGED,
                      "the moduli of node %u or of one near it are too different for a factorisation",
                      (uint32_t)((SuiteSparse_long *)inverse->factors[c]->Perm)[inverse->factors[c]->minor]);
  }
  memcpy(inverse->held, vdm->system.held, vdm->system.group_count * sizeof *inverse->held);
  inverse->factorised = true;
  ++vdm->factorisations;
  return SYN_OK;
}

/* Solves for `count` columns of the load with the factor of direction c. */
static syn_status solve_columns(const syn_vdm *vdm, int c, size_t count, syn_error *error) {
  struct syn_vdm_inverse *inverse = vdm->inverse;
  inverse->load->ncol = count;
  if (!inverse->cholmod.solve2(CHOLMOD_A, inverse->factors[inverse->first[c]], inverse->load, NULL, &inverse->solution,
                               NULL, &inverse->work[0], &inverse->work[1], &inverse->common))
    return failure(vdm, error);
  return SYN_OK;
}

/* ---- updates ------------------------------------------------------------------------------------------------------
 */

static void apply_updates(const struct syn_vdm_inverse *inverse, int c, uint32_t n, double *column) {
  for (uint32_t u = 0; u < inverse->update_count[c]; ++u) {
    const double *g = inverse->updates[c][u].column;
    const uint32_t k = inverse->updates[c][u].group;
    const double factor = column[k] / g[k];
    for (uint32_t i = 0; i < n; ++i) column[i] -= factor * g[i];
    column[k] = 0;
  }
}

static syn_status add_update(syn_vdm *vdm, int c, uint32_t group, syn_error *error) {
  struct syn_vdm_inverse *inverse = vdm->inverse;
  const uint32_t n = vdm->system.group_count, at = inverse->update_count[c];
  double *load = inverse->load->x, *column;
  memset(load, 0, n * sizeof *load);
  load[group] = 1;
  SYN_TRY(solve_columns(vdm, c, 1, error));
  SYN_TRY(SYN_NEW(vdm->soft->context, &column, n, error));
  memcpy(column, inverse->solution->x, n * sizeof *column);
  apply_updates(inverse, c, n, column);
  inverse->updates[c][at] = (update){group, column};
  inverse->update_count[c] = at + 1;
  return SYN_OK;
}

/* Returns whether the kept factors can be used with updates: all unknowns prescribed in them still are, and few
 * more. */
static bool can_follow(const syn_vdm *vdm, bool follow) {
  const struct syn_vdm_inverse *inverse = vdm->inverse;
  uint32_t more[3] = {0};
  for (uint32_t g = 0; g < vdm->system.group_count; ++g) {
    const unsigned before = inverse->held[g], now = vdm->system.held[g];
    if (before & ~now) return false;
    for (int c = 0; c < 3; ++c) more[c] += (now & ~before) >> c & 1;
  }
  const uint32_t most = follow ? MOST_UPDATES : 0;
  return more[0] <= most && more[1] <= most && more[2] <= most;
}

/* Removes updates of unknowns that are free again, and all later ones; then adds the missing ones. */
static syn_status follow_constraints(syn_vdm *vdm, int c, syn_error *error) {
  struct syn_vdm_inverse *inverse = vdm->inverse;
  const syn_vdm_system *s = &vdm->system;
  memset(vdm->seen, 0, s->group_count * sizeof *vdm->seen);
  uint32_t keep = 0;
  while (keep < inverse->update_count[c] && s->held[inverse->updates[c][keep].group] >> c & 1)
    vdm->seen[inverse->updates[c][keep++].group] = 1;
  forget_updates(vdm, c, keep);
  for (uint32_t g = 0; g < s->group_count; ++g)
    if ((s->held[g] & ~inverse->held[g]) >> c & 1 && !vdm->seen[g]) SYN_TRY(add_update(vdm, c, g, error));
  return SYN_OK;
}

syn_status syn_vdm_inverse_prepare(syn_vdm *vdm, bool follow, uint32_t *updates, syn_error *error) {
  *updates = 0;
  if (!vdm->inverse) SYN_TRY(create(vdm, error));
  if (!vdm->inverse->factorised || !can_follow(vdm, follow)) SYN_TRY(factorise(vdm, error));
  for (int c = 0; c < 3; ++c) {
    SYN_TRY(follow_constraints(vdm, c, error));
    *updates += vdm->inverse->update_count[c];
  }
  return SYN_OK;
}

/* ---- solutions ----------------------------------------------------------------------------------------------------
 */

/* Subtracts the coupling of prescribed unknowns from b, column by column. */
static void fill_loads(syn_vdm *vdm, const syn_lanes *b, const syn_lanes *x) {
  const syn_vdm_system *s = &vdm->system;
  syn_lanes *held = vdm->work[0], *pull = vdm->work[1];
  for (uint32_t g = 0; g < s->group_count; ++g)
    for (int c = 0; c < 4; ++c) held[g].v[c] = c < 3 && s->held[g] >> c & 1 ? x[g].v[c] : 0;
  syn_vdm_multiply(s, held, pull);
  for (uint32_t g = 0; g < s->group_count; ++g)
    for (int c = 0; c < 3; ++c) pull[g].v[c] = s->held[g] >> c & 1 ? 0 : b[g].v[c] - pull[g].v[c];
}

static void take_solution(syn_vdm *vdm, int c, double *column, syn_lanes *x) {
  const syn_vdm_system *s = &vdm->system;
  apply_updates(vdm->inverse, c, s->group_count, column);
  for (uint32_t g = 0; g < s->group_count; ++g)
    if (!(s->held[g] >> c & 1)) x[g].v[c] = column[g];
}

syn_status syn_vdm_inverse_apply(syn_vdm *vdm, const syn_lanes *b, syn_lanes *x, syn_error *error) {
  struct syn_vdm_inverse *inverse = vdm->inverse;
  const size_t n = vdm->system.group_count;
  const syn_lanes *loads = vdm->work[1];
  fill_loads(vdm, b, x);
  for (int c = 0; c < 3; ++c) {
    if (inverse->first[c] != c) continue;
    int members[3];
    size_t count = 0;
    for (int d = c; d < 3; ++d)
      if (inverse->first[d] == c) {
        double *load = (double *)inverse->load->x + count * n;
        for (size_t g = 0; g < n; ++g) load[g] = loads[g].v[d];
        members[count++] = d;
      }
    SYN_TRY(solve_columns(vdm, c, count, error));
    for (size_t m = 0; m < count; ++m) take_solution(vdm, members[m], (double *)inverse->solution->x + m * n, x);
  }
  return SYN_OK;
}

/* Sparse Cholesky factorisation in one process, by CHOLMOD (Chen et al. 2008). The ordering and the pattern of the
 * factor are found once, the numbers when the blocks change, and solutions when loads change. CHOLMOD's memory
 * comes from malloc, not from the context. A row of blocks of the upper triangle is three columns of the lower one,
 * which is what CHOLMOD reads: the numbers are copied in their order, without a search. */
#include <string.h>

#include "base/memory.h"
#include "solve/cholmod_library.h"
#include "solve/system_solver.h"

typedef struct cholmod_state {
  const syn_pattern *pattern;
  const uint8_t *prescribed; /* of each node */
  syn_cholmod cholmod;
  cholmod_common common;
  cholmod_sparse *matrix;
  cholmod_factor *factor;
  cholmod_dense *load, *solution, *work[2]; /* of solves, kept from one to the next */
  bool started;
} cholmod_state;

static syn_status failure(const cholmod_state *factor, const char *what, syn_error *error) {
  const size_t unknowns = 3 * (size_t)factor->pattern->node_count;
  if (factor->common.status == CHOLMOD_TOO_LARGE)
    return syn_fail(error, SYN_TOO_LARGE, "%s %zu unknowns is too large for CHOLMOD", what, unknowns);
  return syn_fail(error, SYN_NO_MEMORY, "there is not enough memory for %s %zu unknowns", what, unknowns);
}

/* ---- the matrix as CHOLMOD has it ----------------------------------------------------------------------------------
 */

/* Column 3 i + c below the diagonal: the remaining rows of the diagonal block, then three rows of each further
 * block. */
static void lay_out_columns(const syn_pattern *pattern, SuiteSparse_long *start, SuiteSparse_long *rows) {
  SuiteSparse_long next = 0;
  for (uint32_t i = 0; i < pattern->node_count; ++i)
    for (int c = 0; c < 3; ++c) {
      start[3 * (size_t)i + (size_t)c] = next;
      for (int r = c; r < 3; ++r) rows[next++] = 3 * (SuiteSparse_long)i + r;
      for (uint32_t k = pattern->row_start[i] + 1; k < pattern->row_start[i + 1]; ++k)
        for (int r = 0; r < 3; ++r) rows[next++] = 3 * (SuiteSparse_long)pattern->columns[k] + r;
    }
  start[3 * (size_t)pattern->node_count] = next;
}

static bool is_prescribed(const cholmod_state *factor, uint32_t node, int axis) {
  return factor->prescribed[node] >> axis & 1;
}

/* Prescribed unknowns keep a one on the diagonal and zeros elsewhere. */
static void copy_numbers(const cholmod_state *factor, const double (*blocks)[9], double *numbers) {
  const syn_pattern *pattern = factor->pattern;
  for (uint32_t i = 0; i < pattern->node_count; ++i)
    for (int c = 0; c < 3; ++c) {
      const bool gone = is_prescribed(factor, i, c);
      const uint32_t diagonal = pattern->row_start[i];
      for (int r = c; r < 3; ++r)
        *numbers++ = gone || is_prescribed(factor, i, r) ? (r == c ? 1 : 0) : blocks[diagonal][3 * c + r];
      for (uint32_t k = diagonal + 1; k < pattern->row_start[i + 1]; ++k)
        for (int r = 0; r < 3; ++r)
          *numbers++ = gone || is_prescribed(factor, pattern->columns[k], r) ? 0 : blocks[k][3 * c + r];
    }
}

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

static void destroy_cholmod(syn_system *system) {
  cholmod_state *factor = system->state;
  if (!factor) return;
  if (factor->started) {
    cholmod_common *common = &factor->common;
    factor->cholmod.free_sparse(&factor->matrix, common);
    factor->cholmod.free_factor(&factor->factor, common);
    cholmod_dense **dense[] = {&factor->load, &factor->solution, &factor->work[0], &factor->work[1]};
    for (size_t i = 0; i < sizeof dense / sizeof *dense; ++i) factor->cholmod.free_dense(dense[i], common);
    factor->cholmod.finish(common);
  }
  syn_free(system->context, factor);
  system->state = NULL;
}

static syn_status analyze(cholmod_state *factor, syn_error *error) {
  const syn_pattern *pattern = factor->pattern;
  const size_t unknowns = 3 * (size_t)pattern->node_count;
  const size_t numbers = 9 * syn_block_count(pattern) - unknowns;
  cholmod_common *common = &factor->common;
  SYN_TRY(syn_cholmod_load(&factor->cholmod, error));
  factor->cholmod.start(common);
  factor->started = true;
  common->print = 0;
  common->error_handler = NULL;
  common->final_ll = 1; /* L D L^T would accept matrices that are not definite */
  factor->matrix = factor->cholmod.allocate_sparse(unknowns, unknowns, numbers, 1, 1, -1, CHOLMOD_REAL, common);
  if (!factor->matrix) return failure(factor, "the stiffness of", error);
  lay_out_columns(pattern, factor->matrix->p, factor->matrix->i);
  factor->factor = syn_cholmod_order(&factor->cholmod, factor->matrix, false, common);
  if (!factor->factor) return failure(factor, "the factorisation of", error);
  factor->load = factor->cholmod.allocate_dense(unknowns, 1, unknowns, CHOLMOD_REAL, common);
  if (!factor->load) return failure(factor, "the factorisation of", error);
  return SYN_OK;
}

static syn_status create_cholmod(syn_system *system, syn_error *error) {
  cholmod_state *made;
  SYN_TRY(SYN_NEW_ZEROED(system->context, &made, 1, error));
  system->state = made;
  made->pattern = system->pattern;
  made->prescribed = system->prescribed;
  return analyze(made, error);
}

/* CHOLMOD has loops of OpenMP, whose library stops the process if a few kilobytes are refused. They are allocated
 * here first, together with all that CHOLMOD and the BLAS allocate before them. */
static syn_status probe_memory(const cholmod_state *factor, syn_error *error) {
  const cholmod_factor *f = factor->factor;
  const size_t for_threads = 65536, numbers = f->is_super ? (f->x ? 0 : f->xsize) + f->maxcsize : 0;
  return syn_probe_memory(for_threads + numbers * sizeof(double) + (f->x ? 0 : SYN_BLAS_BYTES), error);
}

/* ---- numbers and solutions --------------------------------------------------------------------------------------
 */

static syn_status update_cholmod(syn_system *system, const double (*blocks)[9], uint32_t *node, syn_error *error) {
  cholmod_state *factor = system->state;
  copy_numbers(factor, blocks, factor->matrix->x);
  cholmod_common *common = &factor->common;
  SYN_TRY(probe_memory(factor, error));
  const syn_cholmod_threads threads = syn_cholmod_one_thread(&factor->cholmod);
  factor->cholmod.factorize(factor->matrix, factor->factor, common);
  syn_cholmod_restore_threads(&factor->cholmod, threads);
  /* first: if memory was refused the factor still has the last numbers, which may not have been definite */
  if (common->status < CHOLMOD_OK) return failure(factor, "the factorisation of", error);
  if (common->status == CHOLMOD_NOT_POSDEF || factor->factor->minor < factor->factor->n) {
    const SuiteSparse_long *order = factor->factor->Perm;
    const uint32_t where = (uint32_t)(order[factor->factor->minor] / 3);
    *node = where;
    system->indefinite = true;
    return syn_fail(error, SYN_NOT_CONVERGED,
                    "the stiffness is not positive definite (seen at node %u): the body is not held, or it is unstable",
                    where);
  }
  return SYN_OK;
}

/* CHOLMOD 3 allocates two work arrays for a supernodal factor and checks only the second: the first is allocated
 * here. */
static bool take_work(cholmod_state *factor, size_t loads) {
  const size_t n = factor->factor->n;
  cholmod_dense **work = &factor->work[0];
  if (!factor->factor->is_super || (*work && (*work)->nrow == n && (*work)->ncol == loads)) return true;
  factor->cholmod.free_dense(work, &factor->common);
  *work = factor->cholmod.allocate_dense(n, loads, n, CHOLMOD_REAL, &factor->common);
  return *work != NULL;
}

/* Solves from b into x through one of CHOLMOD's blocks of loads. */
static syn_status solve_loads(cholmod_state *factor, cholmod_dense *loads, cholmod_dense **solution, const syn_vec3 *b,
                              syn_vec3 *x, syn_error *error) {
  const uint32_t nodes = factor->pattern->node_count;
  const size_t all = nodes * loads->ncol;
  double *load = loads->x;
  memcpy(load, b, 3 * all * sizeof *load);
  for (size_t i = 0; i < all; ++i)
    for (int c = 0; c < 3; ++c)
      if (is_prescribed(factor, (uint32_t)(i % nodes), c)) load[3 * i + (size_t)c] = 0;
  SYN_TRY(probe_memory(factor, error));
  if (!take_work(factor, loads->ncol)) return failure(factor, "the solution of", error);
  const syn_cholmod_threads threads = syn_cholmod_one_thread(&factor->cholmod);
  const int done = factor->cholmod.solve2(CHOLMOD_A, factor->factor, loads, NULL, solution, NULL, &factor->work[0],
                                          &factor->work[1], &factor->common);
  syn_cholmod_restore_threads(&factor->cholmod, threads);
  if (!done) return failure(factor, "the solution of", error);
  memcpy(x, (*solution)->x, 3 * all * sizeof *load);
  return SYN_OK;
}

/* The buffers of a single load are reused by the next solve. */
static syn_status solve_cholmod(syn_system *system, uint32_t count, const syn_vec3 *b, syn_vec3 *x, syn_error *error) {
  cholmod_state *factor = system->state;
  const size_t unknowns = 3 * (size_t)factor->pattern->node_count;
  cholmod_common *common = &factor->common;
  system->iterations = 1;
  if (count == 1) return solve_loads(factor, factor->load, &factor->solution, b, x, error);
  cholmod_dense *loads = factor->cholmod.allocate_dense(unknowns, count, unknowns, CHOLMOD_REAL, common),
                *solution = NULL;
  if (!loads) return failure(factor, "many loads of", error);
  const syn_status status = solve_loads(factor, loads, &solution, b, x, error);
  factor->cholmod.free_dense(&loads, common);
  factor->cholmod.free_dense(&solution, common);
  return status;
}

/* The matrix is copied, and the factor has values from the first update on. */
static double count_cholmod_bytes(const syn_system *system) {
  const cholmod_state *factor = system->state;
  const cholmod_factor *f = factor->factor;
  const size_t numbers = f->is_super ? f->xsize : f->nzmax;
  return (double)sizeof(double) * ((double)numbers + (double)factor->matrix->nzmax) +
         (double)sizeof(SuiteSparse_long) * (double)factor->matrix->nzmax;
}

const syn_system_solver syn_cholmod_solver = {.name = "cholmod",
                                              .direct = true,
                                              .create = create_cholmod,
                                              .update = update_cholmod,
                                              .solve = solve_cholmod,
                                              .destroy = destroy_cholmod,
                                              .bytes = count_cholmod_bytes};

/* Solves a system divided among ranks: each eliminates the nodes inside its region, which are coupled with those of
 * other regions only through the nodes between them, the separator. The Schur complement of the separator, a dense
 * matrix, is summed and factorised by all ranks together, a few columns each. Exact, and every rank has half, a
 * third … of the work. The coupled node is part of the separator. */
#include "solve/system_solver.h"

#ifdef SYN_PETSC
#include <string.h>

#include "solve/partial_factor.h"
#include "solve/partition.h"
#include "solve/ranks.h"
#include "solve/ranks_mpi.h"

enum { BLOCK = 96 }; /* columns of the dense matrix that one rank factorises at once */

typedef struct divided_state {
  syn_ranks *ranks;
  const syn_pattern *pattern;
  const uint8_t *prescribed;
  const uint32_t *owner;
  uint32_t coupled;
  syn_arena arena;
  uint32_t inside, count; /* local nodes: those inside, then the separator */
  uint32_t *node;         /* of each local node: its number in the pattern */
  uint32_t *local;        /* of each node of the pattern: its local number; SYN_NONE: another rank's */
  uint32_t
      *giver; /* of each node of the pattern: the rank that has its displacement; the number of ranks: all have it */
  rank_gathering gathering;
  syn_partial_factor *partial;
  double *vector, *panel;
} divided_state;

/* ---- the separator -------------------------------------------------------------------------------------------------
 */

static bool is_free(const divided_state *d, uint32_t node) { return d->prescribed[node] != SYN_XYZ; }
static bool takes_part(const divided_state *d, uint32_t node) { return is_free(d, node) || node == d->coupled; }

/* Marks the separator. The coupled node is part of it, so that no other node is added because of it. */
static syn_status mark_between(divided_state *d, bool *between, syn_error *error) {
  const uint32_t all = d->pattern->node_count;
  bool *parted;
  SYN_TRY(SYN_TAKE(&d->arena, &parted, all, error));
  for (uint32_t i = 0; i < all; ++i) parted[i] = is_free(d, i) && i != d->coupled;
  SYN_TRY(syn_separator_find(d->ranks->context, d->pattern, d->owner, parted, between, error));
  if (d->coupled != SYN_NONE) between[d->coupled] = true;
  return SYN_OK;
}

static void number_nodes(divided_state *d, const bool *between) {
  const uint32_t all = d->pattern->node_count;
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t i = 0; i < all; ++i) {
      if (pass == 0) d->local[i] = SYN_NONE;
      if (!takes_part(d, i) || between[i] != (pass == 1) || (pass == 0 && d->owner[i] != d->ranks->rank)) continue;
      d->node[d->count] = i;
      d->local[i] = d->count++;
    }
    if (pass == 0) d->inside = d->count;
  }
}

/* Returns whether both nodes are local. */
static bool is_here(const divided_state *d, uint32_t i, uint32_t j) {
  return d->local[i] != SYN_NONE && d->local[j] != SYN_NONE;
}

static syn_status make_partial(divided_state *d, syn_error *error) {
  const syn_pattern *p = d->pattern;
  syn_block_pairs list = {.context = d->ranks->context};
  syn_status status = SYN_OK;
  for (uint32_t i = 0; i < p->node_count && !status; ++i)
    for (uint32_t k = p->row_start[i] + 1; k < p->row_start[i + 1] && !status; ++k)
      if (is_here(d, i, p->columns[k]))
        status = syn_block_pairs_add(&list, d->local[i], d->local[p->columns[k]], error);
  if (!status)
    status = syn_partial_factor_create(d->ranks->context, &d->ranks->petsc.blas, d->inside, d->count,
                                       (const uint32_t(*)[2])list.pairs, list.count, &d->partial, error);
  syn_free(d->ranks->context, list.pairs);
  return status;
}

/* Allocates the factor, once the order of unknowns determines its size. */
static syn_status reserve_factor(divided_state *d, syn_system *system, syn_error *error) {
  const size_t last = 3 * (size_t)(d->count - d->inside);
  bool fits = true;
  SYN_TRY(SYN_TAKE(&d->arena, &d->vector, 3 * (size_t)d->count, error));
  SYN_TRY(SYN_TAKE(&d->arena, &d->panel, last * BLOCK + 1, error));
  SYN_TRY(make_partial(d, error));
  if (!system->any_memory)
    SYN_TRY(syn_memory_budget_fits(d->ranks, syn_partial_factor_bytes(d->partial), &fits, error));
  if (fits) return syn_partial_factor_reserve(d->partial, error);
  system->unsuitable = SYSTEM_TOO_LARGE;
  return SYN_OK;
}

static syn_status analyze_regions(divided_state *d, syn_system *system, syn_error *error) {
  const uint32_t all = d->pattern->node_count;
  bool *between;
  SYN_TRY(SYN_TAKE(&d->arena, &d->node, all, error));
  SYN_TRY(SYN_TAKE(&d->arena, &d->local, all, error));
  SYN_TRY(SYN_TAKE(&d->arena, &d->giver, all, error));
  SYN_TRY(SYN_TAKE(&d->arena, &between, all, error));
  SYN_TRY(mark_between(d, between, error));
  number_nodes(d, between);
  for (uint32_t i = 0; i < all; ++i)
    d->giver[i] = is_free(d, i) && i != d->coupled ? d->owner[i] : syn_ranks_size(d->ranks);
  if (3 * (size_t)(d->count - d->inside) > system->separator_unknowns) {
    system->unsuitable = SYSTEM_TOO_WIDE;
    return SYN_OK;
  }
  return reserve_factor(d, system, error);
}

static void destroy_divided(syn_system *system) {
  divided_state *d = system->state;
  if (!d) return;
  syn_partial_factor_destroy(d->partial);
  syn_ranks_forget_gathering(d->ranks, &d->gathering);
  syn_arena_release(&d->arena);
  syn_free(system->context, d);
  system->state = NULL;
}

static syn_status create_divided(syn_system *system, syn_error *error) {
  divided_state *made;
  SYN_TRY(SYN_NEW_ZEROED(system->context, &made, 1, error));
  *made = (divided_state){.ranks = system->ranks,
                          .pattern = system->pattern,
                          .prescribed = system->prescribed,
                          .owner = system->owner,
                          .coupled = system->coupled,
                          .arena = {.context = system->context}};
  system->state = made;
  SYN_TRY(analyze_regions(made, system, error));
  if (system->unsuitable != SYSTEM_SUITABLE) destroy_divided(system);
  return SYN_OK;
}

/* ---- the nodes between ---------------------------------------------------------------------------------------------
 */

/* Sums in parts that fit into a cache: for a large one MPI allocates fresh memory each time, whose pages cost more
 * than the sum. */
static syn_status add_up(const divided_state *d, double *values, size_t count, syn_error *error) {
  const syn_petsc *p = &d->ranks->petsc;
  enum { MOST = 1 << 16 };
  for (size_t done = 0; done < count && d->ranks->size > 1; done += MOST) {
    const size_t now = count - done < MOST ? count - done : MOST;
    SYN_PETSC_TRY(p, MPI_Allreduce, MPI_IN_PLACE, values + done, (int)now, syn_petsc_double(p), syn_petsc_sum(p),
                  d->ranks->world);
  }
  return SYN_OK;
}

/* Replaces columns `at` … of the dense matrix by those of its factor; the panel receives them, followed by whether
 * the matrix was definite. */
static void factorize_columns(const divided_state *d, double *a, int n, int at, int columns) {
  const syn_lapack *blas = &d->ranks->petsc.blas;
  const double one = 1;
  double *from = a + (size_t)at * (size_t)n + at;
  const int rows = n - at, below = rows - columns;
  int info;
  blas->potrf("L", &columns, from, &n, &info);
  if (info == 0 && below > 0) blas->trsm("R", "L", "T", "N", &below, &columns, &one, from, &n, from + columns, &n);
  for (int c = 0; c < columns; ++c)
    memcpy(d->panel + (size_t)c * (size_t)rows, from + (size_t)c * (size_t)n, (size_t)rows * sizeof *from);
  d->panel[(size_t)rows * (size_t)columns] = info;
}

static void use_columns(const divided_state *d, double *a, int n, int at, int columns) {
  const syn_lapack *blas = &d->ranks->petsc.blas;
  const double one = 1, minus = -1;
  const int rows = n - at, size = (int)d->ranks->size, rank = (int)d->ranks->rank;
  for (int c = 0; c < columns; ++c)
    memcpy(a + (size_t)(at + c) * (size_t)n + at, d->panel + (size_t)c * (size_t)rows, (size_t)rows * sizeof *a);
  for (int next = at + columns; next < n; next += BLOCK) {
    if (next / BLOCK % size != rank) continue;
    const int width = n - next < BLOCK ? n - next : BLOCK, left = n - next;
    const double *from = d->panel + (next - at);
    blas->gemm("N", "T", &left, &width, &columns, &minus, from, &rows, from, &rows, &one,
               a + (size_t)next * (size_t)n + next, &n);
  }
}

/* Factorises the columns in blocks, one rank after the other; all have the whole factor at the end. */
static syn_status factorize_between(const divided_state *d, bool *definite, syn_error *error) {
  const syn_petsc *p = &d->ranks->petsc;
  const int n = 3 * (int)(d->count - d->inside), size = (int)d->ranks->size;
  double *a = syn_partial_factor_rest(d->partial);
  *definite = true;
  for (int at = 0; at < n && *definite; at += BLOCK) {
    const int columns = n - at < BLOCK ? n - at : BLOCK, rows = n - at, from = at / BLOCK % size;
    if (from == (int)d->ranks->rank) factorize_columns(d, a, n, at, columns);
    if (size > 1) SYN_PETSC_TRY(p, MPI_Bcast, d->panel, rows * columns + 1, syn_petsc_double(p), from, d->ranks->world);
    *definite = d->panel[(size_t)rows * (size_t)columns] == 0;
    if (*definite) use_columns(d, a, n, at, columns);
  }
  return SYN_OK;
}

/* ---- numbers and solutions -----------------------------------------------------------------------------------------
 */

/* A block between the regions is added by the rank of its row. */
static void copy_numbers(divided_state *d, const double (*blocks)[9]) {
  const syn_pattern *p = d->pattern;
  double block[9];
  syn_partial_factor_clear(d->partial);
  for (uint32_t i = 0; i < p->node_count; ++i)
    for (uint32_t k = p->row_start[i]; k < p->row_start[i + 1]; ++k) {
      const uint32_t j = p->columns[k];
      if (!is_here(d, i, j)) continue;
      if (d->local[i] >= d->inside && d->local[j] >= d->inside && d->owner[i] != d->ranks->rank) continue;
      syn_block_copy_prescribed(d->prescribed, blocks[k], i, j, false, block);
      syn_partial_factor_add(d->partial, d->local[i], d->local[j], block);
    }
}

static syn_status update_divided(syn_system *system, const double (*blocks)[9], uint32_t *node, syn_error *error) {
  divided_state *d = system->state;
  const size_t last = 3 * (size_t)(d->count - d->inside);
  bool definite;
  (void)node;
  copy_numbers(d, blocks);
  double failed = syn_partial_factor_factorize(d->partial) ? 0 : 1;
  SYN_TRY(add_up(d, &failed, 1, error));
  definite = failed == 0;
  if (definite) {
    SYN_TRY(add_up(d, syn_partial_factor_rest(d->partial), last * last, error));
    SYN_TRY(factorize_between(d, &definite, error));
  }
  if (definite) return SYN_OK;
  system->indefinite = true;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "the stiffness of %u nodes is not positive definite: the body is not held, or it is unstable",
                  d->pattern->node_count);
}

static bool is_mine(const divided_state *d, uint32_t node) { return d->owner[node] == d->ranks->rank; }

/* A rank's part of the load on a node: zero for nodes of other ranks, which add it. */
static void take_load(const divided_state *d, const syn_vec3 *b, uint32_t node, double to[3]) {
  const double load[3] = {b[node].x, b[node].y, b[node].z};
  for (int c = 0; c < 3; ++c) to[c] = !is_mine(d, node) || d->prescribed[node] >> c & 1 ? 0 : load[c];
}

static syn_status solve_divided(syn_system *system, uint32_t count, const syn_vec3 *b, syn_vec3 *x, syn_error *error) {
  divided_state *d = system->state;
  const syn_lapack *blas = &d->ranks->petsc.blas;
  const int n = 3 * (int)(d->count - d->inside), step = 1;
  double *v = d->vector, *last = v + 3 * (size_t)d->inside;
  (void)count;
  system->iterations = 1;
  /* Forward: eliminate the loads of the regions to the separator, and solve there. Backward: displacements in the
   * regions. */
  for (uint32_t i = 0; i < d->count; ++i) take_load(d, b, d->node[i], v + 3 * (size_t)i);
  syn_partial_factor_forward(d->partial, v);
  SYN_TRY(add_up(d, last, (size_t)n, error));
  /* Displacements of the separator */
  if (n > 0) {
    blas->trsv("L", "N", "N", &n, syn_partial_factor_rest(d->partial), &n, last, &step);
    blas->trsv("L", "T", "N", &n, syn_partial_factor_rest(d->partial), &n, last, &step);
  }
  syn_partial_factor_backward(d->partial, v);
  /* Each rank has the displacements of its own nodes; all have that of the coupled one. */
  for (uint32_t i = 0; i < d->pattern->node_count; ++i) x[i] = (syn_vec3){0, 0, 0};
  for (uint32_t i = 0; i < d->count; ++i) {
    const double *from = v + 3 * (size_t)i;
    const uint32_t node = d->node[i];
    if (is_mine(d, node) || node == d->coupled) x[node] = (syn_vec3){from[0], from[1], from[2]};
  }
  return syn_ranks_gather_again(d->ranks, &d->gathering, d->giver, d->pattern->node_count, x, error);
}

static double count_divided_bytes(const syn_system *system) {
  return syn_partial_factor_bytes(((const divided_state *)system->state)->partial);
}

const syn_system_solver syn_divided_solver = {.name = "divided",
                                              .direct = true,
                                              .distributed = true,
                                              .create = create_divided,
                                              .update = update_divided,
                                              .solve = solve_divided,
                                              .destroy = destroy_divided,
                                              .bytes = count_divided_bytes};
#else
typedef int syn_no_divided_solver; /* an empty file is not valid C */
#endif

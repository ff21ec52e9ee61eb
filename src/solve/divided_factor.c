#include "solve/divided_factor.h"

#ifdef SYN_PETSC
#include <string.h>

#include "solve/memory_budget.h"
#include "solve/partial_factor.h"
#include "solve/separator.h"

enum { BLOCK = 96 }; /* columns of the dense matrix that one process factorises at once */

struct syn_divided_factor {
  syn_ranks *ranks;
  const syn_block_pattern *pattern;
  const uint8_t *held;
  const PetscInt *number;
  PetscInt first;
  const uint32_t *owner;
  uint32_t wide;
  syn_arena arena;
  uint32_t inside, count; /* nodes here: those inside, then all between */
  uint32_t *node;         /* of each */
  uint32_t *local;        /* of each node of the pattern; SYN_NONE: of others */
  syn_partial_factor *partial;
  double *vector, *panel;
};

/* ---- who is between ------------------------------------------------------------------------------------------------
 */

static bool has_row(const syn_divided_factor *d, uint32_t node) { return d->number[node] >= 0 || node == d->wide; }

/* The wide node is between, so that no other has to be because of it. */
static syn_status mark_between(syn_divided_factor *d, bool *between, syn_error *error) {
  const uint32_t all = d->pattern->node_count;
  bool *parted;
  SYN_TRY(SYN_TAKE(&d->arena, &parted, all, error));
  for (uint32_t i = 0; i < all; ++i) parted[i] = has_row(d, i) && i != d->wide;
  SYN_TRY(syn_separator_find(d->ranks->context, d->pattern, d->owner, parted, between, error));
  if (d->wide != SYN_NONE) between[d->wide] = true;
  return SYN_OK;
}

static void number_nodes(syn_divided_factor *d, const bool *between) {
  const uint32_t all = d->pattern->node_count;
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t i = 0; i < all; ++i) {
      if (pass == 0) d->local[i] = SYN_NONE;
      if (!has_row(d, i) || between[i] != (pass == 1) || (pass == 0 && d->owner[i] != d->ranks->rank)) continue;
      d->node[d->count] = i;
      d->local[i] = d->count++;
    }
    if (pass == 0) d->inside = d->count;
  }
}

/* Pairs of nodes that both are here. */
static bool is_here(const syn_divided_factor *d, uint32_t i, uint32_t j) {
  return d->local[i] != SYN_NONE && d->local[j] != SYN_NONE;
}

static syn_status make_partial(syn_divided_factor *d, syn_error *error) {
  const syn_block_pattern *p = d->pattern;
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

static syn_status fill(syn_divided_factor *d, divided_limits limits, divided_verdict *verdict, syn_error *error) {
  const uint32_t all = d->pattern->node_count;
  bool *between, room = true;
  SYN_TRY(SYN_TAKE(&d->arena, &d->node, all, error));
  SYN_TRY(SYN_TAKE(&d->arena, &d->local, all, error));
  SYN_TRY(SYN_TAKE(&d->arena, &between, all, error));
  SYN_TRY(mark_between(d, between, error));
  number_nodes(d, between);
  const size_t last = 3 * (size_t)(d->count - d->inside);
  *verdict = last <= (size_t)limits.between ? DIVIDED_FITS : DIVIDED_TOO_WIDE;
  if (*verdict != DIVIDED_FITS) return SYN_OK;
  SYN_TRY(SYN_TAKE(&d->arena, &d->vector, 3 * (size_t)d->count, error));
  SYN_TRY(SYN_TAKE(&d->arena, &d->panel, last * BLOCK + 1, error));
  SYN_TRY(make_partial(d, error));
  if (!limits.any_memory) SYN_TRY(syn_memory_budget_fits(d->ranks, syn_partial_factor_bytes(d->partial), &room, error));
  if (room) return syn_partial_factor_reserve(d->partial, error);
  *verdict = DIVIDED_TOO_LARGE;
  return SYN_OK;
}

syn_status syn_divided_factor_create(syn_ranks *ranks, const syn_block_pattern *pattern, const uint8_t *held,
                                     const uint32_t *owner, const PetscInt *number, PetscInt first, uint32_t wide,
                                     divided_limits limits, syn_divided_factor **divide, divided_verdict *verdict,
                                     syn_error *error) {
  syn_divided_factor *made;
  *divide = NULL;
  SYN_TRY(SYN_NEW_ZEROED(ranks->context, &made, 1, error));
  *made = (syn_divided_factor){.ranks = ranks,
                               .pattern = pattern,
                               .held = held,
                               .number = number,
                               .first = first,
                               .owner = owner,
                               .wide = wide,
                               .arena = {.context = ranks->context}};
  const syn_status status = fill(made, limits, verdict, error);
  if (status == SYN_OK && *verdict == DIVIDED_FITS)
    *divide = made;
  else
    syn_divided_factor_destroy(made);
  return status;
}

void syn_divided_factor_destroy(syn_divided_factor *d) {
  if (!d) return;
  const syn_context *context = d->ranks->context;
  syn_partial_factor_destroy(d->partial);
  syn_arena_release(&d->arena);
  syn_free(context, d);
}

/* ---- the nodes between ---------------------------------------------------------------------------------------------
 */

/* In parts that fit into a cache: for a large one MPI takes fresh memory each time, whose pages cost more than the sum.
 */
static syn_status add_up(const syn_divided_factor *d, double *values, size_t count, syn_error *error) {
  const syn_petsc *p = &d->ranks->petsc;
  enum { MOST = 1 << 16 };
  for (size_t done = 0; done < count && d->ranks->size > 1; done += MOST) {
    const size_t now = count - done < MOST ? count - done : MOST;
    SYN_PETSC_TRY(p, MPI_Allreduce, MPI_IN_PLACE, values + done, (int)now, syn_petsc_double(p), syn_petsc_sum(p),
                  d->ranks->world);
  }
  return SYN_OK;
}

/* Columns `at` … of the dense matrix become those of its factor; the panel has them, and behind them whether it was
 * definite. */
static void factorize_columns(const syn_divided_factor *d, double *a, int n, int at, int columns) {
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

static void use_columns(const syn_divided_factor *d, double *a, int n, int at, int columns) {
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

/* Columns in blocks, one process after the other; all have the whole factor in the end. */
static syn_status factorize_between(const syn_divided_factor *d, bool *definite, syn_error *error) {
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

/* A block between the regions is counted by the process of its row. */
static void copy_numbers(syn_divided_factor *d, const double (*blocks)[9]) {
  const syn_block_pattern *p = d->pattern;
  double block[9];
  syn_partial_factor_clear(d->partial);
  for (uint32_t i = 0; i < p->node_count; ++i)
    for (uint32_t k = p->row_start[i]; k < p->row_start[i + 1]; ++k) {
      const uint32_t j = p->columns[k];
      if (!is_here(d, i, j)) continue;
      if (d->local[i] >= d->inside && d->local[j] >= d->inside && d->owner[i] != d->ranks->rank) continue;
      syn_block_copy_prescribed(d->held, blocks[k], i, j, false, block);
      syn_partial_factor_add(d->partial, d->local[i], d->local[j], block);
    }
}

syn_status syn_divided_factor_update(syn_divided_factor *d, const double (*blocks)[9], bool *definite,
                                     syn_error *error) {
  const size_t last = 3 * (size_t)(d->count - d->inside);
  copy_numbers(d, blocks);
  double failed = syn_partial_factor_factorize(d->partial) ? 0 : 1;
  SYN_TRY(add_up(d, &failed, 1, error));
  *definite = failed == 0;
  if (!*definite) return SYN_OK;
  SYN_TRY(add_up(d, syn_partial_factor_rest(d->partial), last * last, error));
  return factorize_between(d, definite, error);
}

static bool is_mine(const syn_divided_factor *d, uint32_t node) { return d->owner[node] == d->ranks->rank; }

/* What a process knows of the load on a node: nothing of others' nodes, which they add. */
static void take_load(const syn_divided_factor *d, const double *load, const double wide_load[3], uint32_t node,
                      double to[3]) {
  for (int c = 0; c < 3; ++c) {
    if (!is_mine(d, node))
      to[c] = 0;
    else if (node == d->wide)
      to[c] = d->held[node] >> c & 1 ? 0 : wide_load[c];
    else
      to[c] = load[3 * (d->number[node] - d->first) + c];
  }
}

syn_status syn_divided_factor_solve(syn_divided_factor *d, const double *load, const double wide_load[3],
                                    double *solution, double wide_solution[3], syn_error *error) {
  const syn_lapack *blas = &d->ranks->petsc.blas;
  const int n = 3 * (int)(d->count - d->inside), step = 1;
  double *v = d->vector, *last = v + 3 * (size_t)d->inside;
  for (uint32_t i = 0; i < d->count; ++i) take_load(d, load, wide_load, d->node[i], v + 3 * (size_t)i);
  syn_partial_factor_forward(d->partial, v);
  SYN_TRY(add_up(d, last, (size_t)n, error));
  if (n > 0) {
    blas->trsv("L", "N", "N", &n, syn_partial_factor_rest(d->partial), &n, last, &step);
    blas->trsv("L", "T", "N", &n, syn_partial_factor_rest(d->partial), &n, last, &step);
  }
  syn_partial_factor_backward(d->partial, v);
  for (uint32_t i = 0; i < d->count; ++i) {
    const uint32_t node = d->node[i];
    double *to = node == d->wide ? wide_solution : solution + 3 * (d->number[node] - d->first);
    if (is_mine(d, node) || node == d->wide) memcpy(to, v + 3 * (size_t)i, 3 * sizeof *to);
  }
  return SYN_OK;
}
#else
typedef int syn_no_divide; /* a file is not empty in C */
#endif

#include "solve/partial_factor.h"

#include <string.h>

#include "solve/cholmod_library.h"

/* Columns first … first + columns of the factor, with the rows below: nodes in their order of elimination. */
typedef struct supernode {
  uint32_t first, columns, rows; /* rows: including those of the columns */
  const uint32_t *row;
  size_t numbers; /* offset of its numbers: 3 rows * 3 columns of them */
} supernode;

struct syn_partial_factor {
  const syn_context *context;
  const syn_lapack *blas;
  syn_arena arena;
  uint32_t inside, count, super_count;
  uint32_t *place; /* of each node: its position in the order of elimination */
  supernode *supers;
  uint32_t *super_of; /* by position, of the first nodes */
  uint32_t *at;       /* buffer: index of a position among the rows of one supernode */
  double *numbers, *rest, *panel, *vector;
  size_t number_count;
  uint32_t longest; /* maximum rows of a supernode */
};

/* Nodes whose columns of an update are computed at once. A larger panel computes more above the diagonal, for
 * nothing. */
enum { PANEL = 24 };

/* ---- order and supernodes ------------------------------------------------------------------------------------------
 */

typedef struct analysis {
  syn_cholmod cholmod;
  cholmod_common common;
  cholmod_sparse *graph;
  cholmod_factor *inner, *all;
  bool started;
} analysis;

/* The lower triangle of the graph of the first `count` nodes. */
static cholmod_sparse *make_graph(analysis *a, uint32_t count, const uint32_t (*pairs)[2], size_t pair_count) {
  size_t kept = count;
  for (size_t k = 0; k < pair_count; ++k) kept += pairs[k][0] < count && pairs[k][1] < count;
  cholmod_sparse *graph = a->cholmod.allocate_sparse(count, count, kept, 0, 1, -1, CHOLMOD_PATTERN, &a->common);
  if (!graph) return NULL;
  SuiteSparse_long *start = graph->p, *rows = graph->i;
  memset(start, 0, ((size_t)count + 1) * sizeof *start);
  for (uint32_t i = 0; i < count; ++i) ++start[i + 1];
  for (size_t k = 0; k < pair_count; ++k)
    if (pairs[k][0] < count && pairs[k][1] < count)
      ++start[(pairs[k][0] < pairs[k][1] ? pairs[k][0] : pairs[k][1]) + 1];
  for (uint32_t i = 0; i < count; ++i) start[i + 1] += start[i];
  for (uint32_t i = 0; i < count; ++i) rows[start[i]++] = i;
  for (size_t k = 0; k < pair_count; ++k) {
    const uint32_t low = pairs[k][0] < pairs[k][1] ? pairs[k][0] : pairs[k][1], high = pairs[k][0] + pairs[k][1] - low;
    if (high < count) rows[start[low]++] = high;
  }
  for (uint32_t i = count; i > 0; --i) start[i] = start[i - 1];
  start[0] = 0;
  return graph;
}

static syn_status no_memory(const syn_partial_factor *p, syn_error *error) {
  return syn_fail(error, SYN_NO_MEMORY, "there is not enough memory for the factorisation of %u nodes", p->count);
}

/* The first nodes are ordered among themselves; the last come after them, in their given order. */
static syn_status analyze(syn_partial_factor *p, analysis *a, const uint32_t (*pairs)[2], size_t pair_count,
                          syn_error *error) {
  cholmod_common *common = &a->common;
  SuiteSparse_long *order;
  SYN_TRY(syn_cholmod_load(&a->cholmod, error));
  a->cholmod.start(common);
  a->started = true;
  common->print = 0;
  common->error_handler = NULL;
  SYN_TRY(SYN_TAKE(&p->arena, &order, p->count, error));
  for (uint32_t i = 0; i < p->count; ++i) order[i] = i;
  if (p->inside > 0) {
    a->graph = make_graph(a, p->inside, pairs, pair_count);
    /* Minimum degree, where it looks good enough, ignores the nodes that come last, and fills nearly every column
     * with rows of them. */
    a->inner = a->graph ? syn_cholmod_order(&a->cholmod, a->graph, true, common) : NULL;
    if (!a->inner) return no_memory(p, error);
    memcpy(order, a->inner->Perm, p->inside * sizeof *order);
    a->cholmod.free_sparse(&a->graph, common);
  }
  common->nmethods = 1;
  common->method[0].ordering = CHOLMOD_GIVEN;
  common->postorder = 0; /* already ordered, and the last nodes must stay last */
  common->supernodal = CHOLMOD_SUPERNODAL;
  a->graph = make_graph(a, p->count, pairs, pair_count);
  a->all = a->graph ? a->cholmod.analyze_p(a->graph, order, NULL, 0, common) : NULL;
  if (!a->all || !a->all->is_super) return no_memory(p, error);
  for (uint32_t i = 0; i < p->count; ++i) p->place[((SuiteSparse_long *)a->all->Perm)[i]] = i;
  return SYN_OK;
}

/* A supernode that extends into the last nodes ends before them. */
static syn_status take_supers(syn_partial_factor *p, const cholmod_factor *f, syn_error *error) {
  const SuiteSparse_long *super = f->super, *start = f->pi, *rows = f->s;
  uint32_t *kept;
  SYN_TRY(SYN_TAKE(&p->arena, &p->supers, f->nsuper, error));
  SYN_TRY(SYN_TAKE(&p->arena, &kept, f->ssize, error));
  for (size_t k = 0; k < f->nsuper && super[k] < (SuiteSparse_long)p->inside; ++k) {
    supernode *s = &p->supers[p->super_count++];
    const uint32_t first = (uint32_t)super[k], end = (uint32_t)super[k + 1];
    *s = (supernode){.first = first,
                     .columns = (end < p->inside ? end : p->inside) - first,
                     .rows = (uint32_t)(start[k + 1] - start[k]),
                     .row = kept,
                     .numbers = p->number_count};
    for (uint32_t r = 0; r < s->rows; ++r) *kept++ = (uint32_t)rows[start[k] + r];
    for (uint32_t c = 0; c < s->columns; ++c) p->super_of[first + c] = p->super_count - 1;
    p->number_count += 9 * (size_t)s->columns * s->rows;
    if (s->rows > p->longest) p->longest = s->rows;
  }
  return SYN_OK;
}

static syn_status fill(syn_partial_factor *p, analysis *a, const uint32_t (*pairs)[2], size_t pair_count,
                       syn_error *error) {
  SYN_TRY(SYN_TAKE(&p->arena, &p->place, p->count, error));
  SYN_TRY(SYN_TAKE(&p->arena, &p->super_of, p->inside, error));
  SYN_TRY(SYN_TAKE(&p->arena, &p->at, p->count, error));
  SYN_TRY(SYN_TAKE(&p->arena, &p->vector, 3 * (size_t)p->count, error));
  SYN_TRY(analyze(p, a, pairs, pair_count, error));
  return take_supers(p, a->all, error);
}

syn_status syn_partial_factor_create(const syn_context *context, const syn_lapack *blas, uint32_t inside,
                                     uint32_t count, const uint32_t (*pairs)[2], size_t pair_count,
                                     syn_partial_factor **partial, syn_error *error) {
  syn_partial_factor *made;
  analysis a = {.started = false};
  *partial = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (syn_partial_factor){
      .context = context, .blas = blas, .arena = {.context = context}, .inside = inside, .count = count};
  const syn_status status = fill(made, &a, pairs, pair_count, error);
  if (a.started) {
    a.cholmod.free_sparse(&a.graph, &a.common);
    a.cholmod.free_factor(&a.inner, &a.common);
    a.cholmod.free_factor(&a.all, &a.common);
    a.cholmod.finish(&a.common);
  }
  if (status)
    syn_partial_factor_destroy(made);
  else
    *partial = made;
  return status;
}

void syn_partial_factor_destroy(syn_partial_factor *p) {
  if (!p) return;
  syn_arena_release(&p->arena);
  syn_free(p->context, p);
}

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

static size_t rest_count(const syn_partial_factor *p) {
  const size_t last = 3 * (size_t)(p->count - p->inside);
  return last * last;
}

static size_t panel_count(const syn_partial_factor *p) { return 9 * (size_t)p->longest * PANEL; }

double syn_partial_factor_bytes(const syn_partial_factor *p) {
  return (double)sizeof(double) * ((double)p->number_count + (double)rest_count(p) + (double)panel_count(p));
}

syn_status syn_partial_factor_reserve(syn_partial_factor *p, syn_error *error) {
  SYN_TRY(SYN_TAKE(&p->arena, &p->numbers, p->number_count, error));
  SYN_TRY(SYN_TAKE(&p->arena, &p->rest, rest_count(p), error));
  return SYN_TAKE(&p->arena, &p->panel, panel_count(p), error);
}

double *syn_partial_factor_rest(syn_partial_factor *p) { return p->rest; }

void syn_partial_factor_clear(syn_partial_factor *p) {
  memset(p->numbers, 0, p->number_count * sizeof *p->numbers);
  memset(p->rest, 0, rest_count(p) * sizeof *p->rest);
}

/* Finds a position among the ascending rows of a supernode. */
static uint32_t find_row(const supernode *s, uint32_t turn) {
  if (turn < s->first + s->columns) return turn - s->first;
  uint32_t low = s->columns, high = s->rows - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->row[middle] < turn)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void syn_partial_factor_add(syn_partial_factor *p, uint32_t row, uint32_t column, const double block[9]) {
  const bool turned = p->place[row] < p->place[column];
  const uint32_t i = p->place[turned ? column : row], j = p->place[turned ? row : column];
  const bool is_last = j >= p->inside;
  const supernode *s = is_last ? NULL : &p->supers[p->super_of[j]];
  const size_t length = 3 * (size_t)(is_last ? p->count - p->inside : s->rows);
  const size_t r0 = 3 * (size_t)(is_last ? i - p->inside : find_row(s, i)),
               c0 = 3 * (size_t)(is_last ? j - p->inside : j - s->first);
  double *to = (is_last ? p->rest : p->numbers + s->numbers) + c0 * length + r0;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) to[(size_t)c * length + (size_t)r] += turned ? block[3 * c + r] : block[3 * r + c];
}

/* Subtracts columns of an update, `from` with `length` rows, from the supernode or the Schur complement to which
 * they belong. The rows begin with that of the first column. */
static void take_away(syn_partial_factor *p, const uint32_t *row, uint32_t rows, uint32_t columns, const double *from,
                      size_t length) {
  for (uint32_t b = 0; b < columns; ++b) {
    const bool is_last = row[b] >= p->inside;
    const supernode *t = is_last ? NULL : &p->supers[p->super_of[row[b]]];
    const size_t stride = 3 * (size_t)(is_last ? p->count - p->inside : t->rows);
    double *column = is_last ? p->rest + 3 * (size_t)(row[b] - p->inside) * stride
                             : p->numbers + t->numbers + 3 * (size_t)(row[b] - t->first) * stride;
    for (int c = 0; c < 3; ++c, column += stride) {
      const double *u = from + (3 * (size_t)b + (size_t)c) * length;
      for (uint32_t a = b; a < rows; ++a) {
        double *to = column + 3 * (size_t)(is_last ? row[a] - p->inside : p->at[row[a]]);
        to[0] -= u[3 * a], to[1] -= u[3 * a + 1], to[2] -= u[3 * a + 2];
      }
    }
  }
}

/* Subtracts the update of a supernode from all later columns. */
static void update_others(syn_partial_factor *p, const supernode *s) {
  const syn_lapack *blas = p->blas;
  const double one = 1, zero = 0, *below = p->numbers + s->numbers + 3 * (size_t)s->columns;
  const int length = 3 * (int)s->rows, depth = 3 * (int)s->columns;
  for (uint32_t b = s->columns, end; b < s->rows; b = end) {
    /* Columns of one supernode, or of the Schur complement. */
    const uint32_t target = s->row[b] < p->inside ? p->super_of[s->row[b]] : SYN_NONE;
    for (end = b + 1; end < s->rows && end < b + PANEL; ++end)
      if ((s->row[end] < p->inside ? p->super_of[s->row[end]] : SYN_NONE) != target) break;
    const supernode *t = target == SYN_NONE ? NULL : &p->supers[target];
    for (uint32_t r = 0; t && r < t->rows; ++r) p->at[t->row[r]] = r;
    const int rows = 3 * (int)(s->rows - b), columns = 3 * (int)(end - b);
    const double *first = below + 3 * (size_t)(b - s->columns);
    blas->gemm("N", "T", &rows, &columns, &depth, &one, first, &length, first, &length, &zero, p->panel, &rows);
    take_away(p, s->row + b, s->rows - b, end - b, p->panel, (size_t)rows);
  }
}

bool syn_partial_factor_factorize(syn_partial_factor *p) {
  for (uint32_t k = 0; k < p->super_count; ++k) {
    const supernode *s = &p->supers[k];
    const int columns = 3 * (int)s->columns, length = 3 * (int)s->rows, rows = length - columns;
    const double one = 1;
    double *numbers = p->numbers + s->numbers;
    int info;
    p->blas->potrf("L", &columns, numbers, &length, &info);
    if (info != 0) return false;
    if (rows == 0) continue;
    p->blas->trsm("R", "L", "T", "N", &rows, &columns, &one, numbers, &length, numbers + columns, &length);
    update_others(p, s);
  }
  return true;
}

/* ---- solutions -----------------------------------------------------------------------------------------------------
 */

static void to_turns(const syn_partial_factor *p, const double *b, double *v) {
  for (uint32_t i = 0; i < p->count; ++i) memcpy(v + 3 * (size_t)p->place[i], b + 3 * (size_t)i, 3 * sizeof *v);
}

static void from_turns(const syn_partial_factor *p, const double *v, double *b) {
  for (uint32_t i = 0; i < p->count; ++i) memcpy(b + 3 * (size_t)i, v + 3 * (size_t)p->place[i], 3 * sizeof *v);
}

void syn_partial_factor_forward(syn_partial_factor *p, double *b) {
  double *v = p->vector;
  const double one = 1, zero = 0;
  const int step = 1;
  to_turns(p, b, v);
  for (uint32_t k = 0; k < p->super_count; ++k) {
    const supernode *s = &p->supers[k];
    const int columns = 3 * (int)s->columns, length = 3 * (int)s->rows, rows = length - columns;
    const double *numbers = p->numbers + s->numbers;
    double *own = v + 3 * (size_t)s->first;
    p->blas->trsv("L", "N", "N", &columns, numbers, &length, own, &step);
    if (rows == 0) continue;
    p->blas->gemv("N", &rows, &columns, &one, numbers + columns, &length, own, &step, &zero, p->panel, &step);
    for (uint32_t r = s->columns; r < s->rows; ++r)
      for (int c = 0; c < 3; ++c)
        v[3 * (size_t)s->row[r] + (size_t)c] -= p->panel[3 * (size_t)(r - s->columns) + (size_t)c];
  }
  from_turns(p, v, b);
}

void syn_partial_factor_backward(syn_partial_factor *p, double *b) {
  double *v = p->vector;
  const double one = 1, minus = -1;
  const int step = 1;
  to_turns(p, b, v);
  for (uint32_t k = p->super_count; k-- > 0;) {
    const supernode *s = &p->supers[k];
    const int columns = 3 * (int)s->columns, length = 3 * (int)s->rows, rows = length - columns;
    const double *numbers = p->numbers + s->numbers;
    double *own = v + 3 * (size_t)s->first;
    for (uint32_t r = s->columns; r < s->rows; ++r)
      memcpy(p->panel + 3 * (size_t)(r - s->columns), v + 3 * (size_t)s->row[r], 3 * sizeof *v);
    if (rows > 0)
      p->blas->gemv("T", &rows, &columns, &minus, numbers + columns, &length, p->panel, &step, &one, own, &step);
    p->blas->trsv("L", "T", "N", &columns, numbers, &length, own, &step);
  }
  from_turns(p, v, b);
}

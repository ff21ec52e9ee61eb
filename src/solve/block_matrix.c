/* Builds patterns by counting, sorting and merging; multiplies row by row. */
#include "solve/block_matrix.h"

#include <string.h>

#include "base/vec.h"

void syn_pattern_destroy(syn_pattern *pattern) {
  if (!pattern) return;
  syn_free_const(pattern->context, pattern->row_start);
  syn_free_const(pattern->context, pattern->columns);
  syn_free(pattern->context, pattern);
}

size_t syn_block_count(const syn_pattern *pattern) { return pattern->row_start[pattern->node_count]; }

static uint32_t lower(const uint32_t pair[2]) { return pair[0] < pair[1] ? pair[0] : pair[1]; }
static uint32_t upper(const uint32_t pair[2]) { return pair[0] < pair[1] ? pair[1] : pair[0]; }

/* A list of numbers per row, stored consecutively: start has row_count + 1 offsets. */
typedef struct lists {
  size_t *start;
  uint32_t *items;
} lists;

/* Replaces the counts in start[1 …] by offsets. */
static void accumulate(size_t *start, uint32_t row_count) {
  for (uint32_t i = 0; i < row_count; ++i) start[i + 1] += start[i];
}

/* Groups pairs by their upper node: the lower nodes, in any order. */
static void by_upper(const uint32_t (*pairs)[2], size_t pair_count, uint32_t node_count, lists *out) {
  for (size_t i = 0; i < pair_count; ++i) ++out->start[upper(pairs[i]) + 1];
  accumulate(out->start, node_count);
  for (size_t i = 0; i < pair_count; ++i) out->items[out->start[upper(pairs[i])]++] = lower(pairs[i]);
  for (uint32_t i = node_count; i > 0; --i) out->start[i] = out->start[i - 1];
  out->start[0] = 0;
}

/* In ascending order of the upper nodes, each row gets its columns in ascending order, without sorting. Repetitions
 * and the diagonal are skipped by comparing with the row's last column. Counts only if `columns` is NULL. */
static size_t fill_rows(const lists *lowers, uint32_t node_count, uint32_t *last, size_t *next, uint32_t *columns) {
  size_t total = 0;
  for (uint32_t row = 0; row < node_count; ++row) last[row] = row;
  for (uint32_t column = 0; column < node_count; ++column) {
    ++total; /* the diagonal comes first in its row: all other columns of the row are higher */
    if (columns)
      columns[next[column]++] = column;
    else
      ++next[column + 1];
    for (size_t k = lowers->start[column]; k < lowers->start[column + 1]; ++k) {
      const uint32_t row = lowers->items[k];
      if (last[row] == column) continue;
      last[row] = column;
      ++total;
      if (columns)
        columns[next[row]++] = column;
      else
        ++next[row + 1];
    }
  }
  return total;
}

static syn_status finish(const syn_context *context, uint32_t node_count, const lists *lowers, uint32_t *last,
                         size_t *next, syn_pattern *made, syn_error *error) {
  const size_t total = fill_rows(lowers, node_count, last, next, NULL);
  if (total > UINT32_MAX - 1)
    return syn_fail(error, SYN_TOO_LARGE, "the stiffness of %u nodes has more than 4 billion blocks", node_count);
  accumulate(next, node_count);
  uint32_t *start, *columns;
  syn_status status = SYN_NEW(context, &start, (size_t)node_count + 1, error);
  if (status) return status;
  made->row_start = start;
  status = SYN_NEW(context, &columns, total, error);
  if (status) return status;
  made->columns = columns;
  for (uint32_t i = 0; i <= node_count; ++i) start[i] = (uint32_t)next[i];
  fill_rows(lowers, node_count, last, next, columns);
  return SYN_OK;
}

syn_status syn_block_pairs_add(syn_block_pairs *list, uint32_t a, uint32_t b, syn_error *error) {
  SYN_TRY(SYN_RESERVE(list->context, &list->pairs, list->count, 1, &list->capacity, error));
  list->pairs[list->count][0] = a;
  list->pairs[list->count++][1] = b;
  return SYN_OK;
}

syn_status syn_pattern_create(const syn_context *context, uint32_t node_count, const uint32_t (*pairs)[2],
                              size_t pair_count, syn_pattern **pattern, syn_error *error) {
  *pattern = NULL;
  syn_arena work = {context, NULL, false};
  lists lowers;
  uint32_t *last;
  size_t *next;
  syn_pattern *made = NULL;
  syn_status status = SYN_TAKE(&work, &lowers.start, (size_t)node_count + 2, error);
  if (!status) status = SYN_TAKE(&work, &lowers.items, pair_count, error);
  if (!status) status = SYN_TAKE(&work, &last, node_count, error);
  if (!status) status = SYN_TAKE(&work, &next, (size_t)node_count + 1, error);
  if (!status) status = SYN_NEW_ZEROED(context, &made, 1, error);
  if (!status) {
    *made = (syn_pattern){.context = context, .node_count = node_count};
    memset(lowers.start, 0, ((size_t)node_count + 2) * sizeof *lowers.start);
    memset(next, 0, ((size_t)node_count + 1) * sizeof *next);
    by_upper(pairs, pair_count, node_count, &lowers);
    status = finish(context, node_count, &lowers, last, next, made, error);
  }
  syn_arena_release(&work);
  if (status) {
    syn_pattern_destroy(made);
    return status;
  }
  *pattern = made;
  return SYN_OK;
}

uint32_t syn_pattern_find(const syn_pattern *pattern, uint32_t first, uint32_t second) {
  uint32_t low = pattern->row_start[first], high = pattern->row_start[first + 1];
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (pattern->columns[middle] < second)
      low = middle + 1;
    else
      high = middle;
  }
  return low < pattern->row_start[first + 1] && pattern->columns[low] == second ? low : SYN_NONE;
}

void syn_block_add(double (*blocks)[9], uint32_t slot, bool transposed, const double block[9]) {
  double *to = blocks[slot];
  if (!transposed) {
    for (int i = 0; i < 9; ++i) to[i] += block[i];
    return;
  }
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) to[3 * r + c] += block[3 * c + r];
}

void syn_block_copy_prescribed(const uint8_t *prescribed, const double from[9], uint32_t row_node, uint32_t column_node,
                               bool transposed, double to[9]) {
  const uint8_t row_axes = prescribed[row_node], column_axes = prescribed[column_node];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      const bool gone = row_axes >> r & 1 || column_axes >> c & 1;
      const double one = row_node == column_node && r == c ? 1 : 0;
      to[3 * r + c] = gone ? one : transposed ? from[3 * c + r] : from[3 * r + c];
    }
}

static syn_vec3 times(const double b[9], syn_vec3 x) {
  return vec3(b[0] * x.x + b[1] * x.y + b[2] * x.z, b[3] * x.x + b[4] * x.y + b[5] * x.z,
              b[6] * x.x + b[7] * x.y + b[8] * x.z);
}

static syn_vec3 times_transposed(const double b[9], syn_vec3 x) {
  return vec3(b[0] * x.x + b[3] * x.y + b[6] * x.z, b[1] * x.x + b[4] * x.y + b[7] * x.z,
              b[2] * x.x + b[5] * x.y + b[8] * x.z);
}

void syn_block_multiply(const syn_pattern *pattern, const double (*blocks)[9], const syn_vec3 *x, syn_vec3 *y) {
  memset(y, 0, pattern->node_count * sizeof *y);
  for (uint32_t row = 0; row < pattern->node_count; ++row) {
    const uint32_t start = pattern->row_start[row];
    syn_vec3 sum = vec3_add(y[row], times(blocks[start], x[row]));
    for (uint32_t k = start + 1; k < pattern->row_start[row + 1]; ++k) {
      const uint32_t column = pattern->columns[k];
      sum = vec3_add(sum, times(blocks[k], x[column]));
      y[column] = vec3_add(y[column], times_transposed(blocks[k], x[row]));
    }
    y[row] = sum;
  }
}

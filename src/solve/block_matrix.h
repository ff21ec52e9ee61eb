/* Symmetric sparse matrices of 3x3 blocks, a row of blocks per node. Only the upper triangle is stored. The pattern is
 * computed once; the blocks, nine numbers each in row-major order, belong to whoever fills them. */
#ifndef SYN_SOLVE_BLOCK_MATRIX_H
#define SYN_SOLVE_BLOCK_MATRIX_H

#include <synovia/base.h>

#include "base/memory.h"

typedef struct syn_block_pattern {
  const syn_context *context;
  uint32_t node_count;
  const uint32_t *row_start; /* node_count + 1 offsets into columns; the number of blocks is row_start[node_count] */
  const uint32_t *columns;   /* ascending in each row; the first one is the diagonal */
} syn_block_pattern;

/* Pairs of nodes that act on each other while they are collected. Zero-initialise with a context; `pairs` is the
 * caller's to free. */
typedef struct syn_block_pairs {
  const syn_context *context;
  uint32_t (*pairs)[2];
  size_t count, capacity;
} syn_block_pairs;
syn_status syn_block_pairs_add(syn_block_pairs *list, uint32_t a, uint32_t b, syn_error *error);

/* Pairs of nodes that act on each other, in any order and as often as one likes; every diagonal block is there. */
syn_status syn_block_pattern_create(const syn_context *context, uint32_t node_count, const uint32_t (*pairs)[2],
                                    size_t pair_count, syn_block_pattern **pattern, syn_error *error);
void syn_block_pattern_destroy(syn_block_pattern *pattern); /* NULL is fine */
size_t syn_block_count(const syn_block_pattern *pattern);
/* Where the block of two nodes stands, first <= second; SYN_NONE where there is none. */
uint32_t syn_block_find(const syn_block_pattern *pattern, uint32_t first, uint32_t second);
/* Adds `block` at (row, column) of the whole matrix, `slot` being that of the pair: below the diagonal the block is
 * stored transposed. A diagonal block is added as it is. */
void syn_block_add(double (*blocks)[9], uint32_t slot, bool transposed, const double block[9]);
/* y = A x. */
void syn_block_multiply(const syn_block_pattern *pattern, const double (*blocks)[9], const syn_vec3 *x, syn_vec3 *y);

#endif

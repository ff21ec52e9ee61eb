/* Symmetric sparse matrices of 3x3 blocks, one row of blocks per node. solve.h has their pattern; the caller owns
 * the blocks. */
#ifndef SYN_SOLVE_BLOCK_MATRIX_H
#define SYN_SOLVE_BLOCK_MATRIX_H

#include <synovia/solve.h>

#include "base/memory.h"

/* A growing list of pairs of coupled nodes. Zero-initialise with a context; the caller frees `pairs`. */
typedef struct syn_block_pairs {
  const syn_context *context;
  uint32_t (*pairs)[2];
  size_t count, capacity;
} syn_block_pairs;
syn_status syn_block_pairs_add(syn_block_pairs *list, uint32_t a, uint32_t b, syn_error *error);

size_t syn_block_count(const syn_pattern *pattern);
/* Adds `block` at (row, column) of the whole matrix, `slot` being that of the pair: below the diagonal the block is
 * stored transposed. A diagonal block is added unchanged. */
void syn_block_add(double (*blocks)[9], uint32_t slot, bool transposed, const double block[9]);
/* Copies a block as it is in the row of `row_node`. Prescribed unknowns (a byte of axes per node) keep a one on the
 * diagonal and zeros elsewhere. */
void syn_block_copy_prescribed(const uint8_t *prescribed, const double from[9], uint32_t row_node, uint32_t column_node,
                               bool transposed, double to[9]);
/* Computes y = A x. */
void syn_block_multiply(const syn_pattern *pattern, const double (*blocks)[9], const syn_vec3 *x, syn_vec3 *y);

#endif

/* Sparse Cholesky factorisation of a symmetric positive definite block matrix, by CHOLMOD (Chen et al. 2008). The
 * ordering and the pattern of the factor are found once, the numbers as often as the blocks change, and solutions as
 * often as loads change. CHOLMOD's memory comes from malloc, not from the context. */
#ifndef SYN_SOLVE_BLOCK_FACTOR_H
#define SYN_SOLVE_BLOCK_FACTOR_H

#include "solve/block_matrix.h"

typedef struct syn_factor syn_factor;

/* Unknowns of a node that are held, as bits: their displacement is 0, whatever the load. */
enum { SYN_HELD_X = 1, SYN_HELD_Y = 2, SYN_HELD_Z = 4, SYN_HELD = 7 };

/* `held` (may be NULL: nothing) has one entry per node and is copied; the pattern must outlive the factor. */
syn_status syn_factor_create(const syn_context *context, const syn_block_pattern *pattern, const uint8_t *held,
                             syn_factor **factor, syn_error *error);
void syn_factor_destroy(syn_factor *factor); /* NULL is fine */
/* Factorises new numbers. SYN_NOT_CONVERGED where the matrix is not positive definite; *node (may be NULL) is where
 * that showed, SYN_NONE otherwise. */
syn_status syn_factor_update(syn_factor *factor, const double (*blocks)[9], uint32_t *node, syn_error *error);
/* Solves for one load: x may be b. Held unknowns of x become 0. Only after an update that succeeded. */
syn_status syn_factor_solve(syn_factor *factor, const syn_vec3 *b, syn_vec3 *x, syn_error *error);
/* The same for `count` loads at once, one after the other in b and in x: several times faster than one by one. */
syn_status syn_factor_solve_many(syn_factor *factor, uint32_t count, const syn_vec3 *b, syn_vec3 *x, syn_error *error);
/* Numbers of the factor, for reports of size. */
size_t syn_factor_size(const syn_factor *factor);

#endif

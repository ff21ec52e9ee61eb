/* Cholesky factorisation of a block matrix that stops before its last nodes: the factor of the first ones, and the
 * Schur complement of the last. Order and supernodes come from CHOLMOD, at the level of nodes; the numbers from
 * BLAS. */
#ifndef SYN_SOLVE_PARTIAL_FACTOR_H
#define SYN_SOLVE_PARTIAL_FACTOR_H

#include <synovia/base.h>

#include "base/memory.h"

/* The functions of BLAS and LAPACK that are used, with Fortran's calling convention. */
typedef struct syn_lapack {
  void (*potrf)(const char *uplo, const int *n, double *a, const int *lda, int *info);
  void (*trsm)(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
               const double *alpha, const double *a, const int *lda, double *b, const int *ldb);
  void (*gemm)(const char *transa, const char *transb, const int *m, const int *n, const int *k, const double *alpha,
               const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c,
               const int *ldc);
  void (*gemv)(const char *trans, const int *m, const int *n, const double *alpha, const double *a, const int *lda,
               const double *x, const int *incx, const double *beta, double *y, const int *incy);
  void (*trsv)(const char *uplo, const char *trans, const char *diag, const int *n, const double *a, const int *lda,
               double *x, const int *incx);
} syn_lapack;

typedef struct syn_partial_factor syn_partial_factor;

/* `pairs` are of coupled nodes, each once; nodes from `inside` on are the last. */
syn_status syn_partial_factor_create(const syn_context *context, const syn_lapack *blas, uint32_t inside,
                                     uint32_t count, const uint32_t (*pairs)[2], size_t pair_count,
                                     syn_partial_factor **partial, syn_error *error);
void syn_partial_factor_destroy(syn_partial_factor *partial); /* NULL is fine */

/* Returns the memory of the factor, which its order determines; it is allocated before the first numbers. */
double syn_partial_factor_bytes(const syn_partial_factor *partial);
syn_status syn_partial_factor_reserve(syn_partial_factor *partial, syn_error *error);

/* New numbers: clear, add every block once, factorise. */
void syn_partial_factor_clear(syn_partial_factor *partial);
/* Adds the block of a pair, as it is in the row of `row` and the column of `column`; a diagonal one is symmetric. */
void syn_partial_factor_add(syn_partial_factor *partial, uint32_t row, uint32_t column, const double block[9]);
/* Returns false if the matrix of the first nodes is not positive definite. */
bool syn_partial_factor_factorize(syn_partial_factor *partial);
/* Returns the Schur complement of the last nodes: 3 (count - inside) columns of as many numbers; only the lower
 * triangle is used. */
double *syn_partial_factor_rest(syn_partial_factor *partial);

/* Solves in two halves. Forward: replaces b of all nodes, three numbers each, by the intermediate solution; for the
 * last nodes by their load minus the contributions of the first ones. Backward: given the solution of the last nodes
 * in their entries, replaces b by the solution of all. */
void syn_partial_factor_forward(syn_partial_factor *partial, double *b);
void syn_partial_factor_backward(syn_partial_factor *partial, double *b);

#endif

/* Generalised minimal residuals (Saad and Schultz 1986) for a matrix that is available only as products,
 * preconditioned by a factorisation of another one. */
#ifndef SYN_SOLVE_GMRES_H
#define SYN_SOLVE_GMRES_H

#include "base/memory.h"

/* Maximum number of vectors; a good preconditioner needs a few. */
enum { GMRES_VECTORS = 20 };

/* Vectors of all unknowns; allocated from the arena at first use. */
typedef struct syn_gmres {
  syn_arena *arena;
  uint32_t count;
  syn_vec3 *v[GMRES_VECTORS + 1], *z[GMRES_VECTORS];
} syn_gmres;

typedef struct syn_gmres_matrix {
  void *user;
  syn_status (*multiply)(void *user, const syn_vec3 *z, syn_vec3 *product, syn_error *error);
  syn_status (*precondition)(void *user, const syn_vec3 *v, syn_vec3 *z, syn_error *error);
} syn_gmres_matrix;

/* Computes the displacements d for the load r, to the relative residual `tolerance` if GMRES_VECTORS vectors
 * suffice. r must not be zero. */
syn_status syn_gmres_solve(syn_gmres *gmres, const syn_gmres_matrix *matrix, const syn_vec3 *r, double tolerance,
                           syn_vec3 *d, syn_error *error);

#endif

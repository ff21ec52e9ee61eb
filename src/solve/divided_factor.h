/* A system divided among ranks: each process eliminates the nodes inside its region, which act on those of other
 * regions only through the nodes between them. What is left of these, a dense matrix, is added up and factorised by all
 * processes together, a few columns each. Exact, and every process has half, a third … of the work. */
#ifndef SYN_SOLVE_DIVIDED_FACTOR_H
#define SYN_SOLVE_DIVIDED_FACTOR_H

#include "solve/ranks_mpi.h"

#ifdef SYN_PETSC
typedef struct syn_divided_factor syn_divided_factor;

typedef enum divided_verdict {
  DIVIDED_FITS,
  DIVIDED_TOO_WIDE, /* too many unknowns lie between the regions */
  DIVIDED_TOO_LARGE /* the factor needs more memory than there is */
} divided_verdict;

typedef struct divided_limits {
  PetscInt between; /* unknowns between the regions, at most */
  bool any_memory;  /* nobody asks whether there is enough */
} divided_limits;

/* Rows of this process: the nodes whose `number` (-1: no row) is first … first + mine. A node that acts on many others,
 * `wide` (SYN_NONE: none), has no row and always lies between. What is given must outlive it. *divide is NULL where
 * the verdict, which all processes share, is not DIVIDED_FITS. */
syn_status syn_divided_factor_create(syn_ranks *ranks, const syn_block_pattern *pattern, const uint8_t *held,
                                     const uint32_t *owner, const PetscInt *number, PetscInt first, uint32_t wide,
                                     divided_limits limits, syn_divided_factor **divide, divided_verdict *verdict,
                                     syn_error *error);
void syn_divided_factor_destroy(syn_divided_factor *divide); /* NULL is fine */
syn_status syn_divided_factor_update(syn_divided_factor *divide, const double (*blocks)[9], bool *definite,
                                     syn_error *error);
/* Three numbers for each row of this process, and those of the wide node, which all processes know. */
syn_status syn_divided_factor_solve(syn_divided_factor *divide, const double *load, const double wide_load[3],
                                    double *solution, double wide_solution[3], syn_error *error);
#endif

#endif

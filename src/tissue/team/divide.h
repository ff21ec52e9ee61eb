/* A system divided among a team: each process eliminates the nodes inside its region, which act on those of other
 * regions only through the nodes between them. What is left of these, a dense matrix, is added up and factorised by all
 * processes together, a few columns each. Exact, and every process has half, a third … of the work. */
#ifndef SYN_TISSUE_DIVIDE_H
#define SYN_TISSUE_DIVIDE_H

#include "tissue/team/inside.h"

#ifdef SYN_PETSC
typedef struct team_divide team_divide;

typedef enum team_verdict {
  TEAM_FITS,
  TEAM_TOO_WIDE, /* too many unknowns lie between the regions */
  TEAM_TOO_LARGE /* the factor needs more memory than there is */
} team_verdict;

typedef struct team_limits {
  PetscInt between; /* unknowns between the regions, at most */
  bool any_memory;  /* nobody asks whether there is enough */
} team_limits;

/* Rows of this process: the nodes whose `number` (-1: no row) is first … first + mine. A node that acts on many others,
 * `wide` (SYN_NONE: none), has no row and always lies between. What is given must outlive it. *divide is NULL where
 * the verdict, which all processes share, is not TEAM_FITS. */
syn_status syn_team_divide_create(syn_team *team, const syn_block_pattern *pattern, const uint8_t *held,
                                  const uint32_t *owner, const PetscInt *number, PetscInt first, uint32_t wide,
                                  team_limits limits, team_divide **divide, team_verdict *verdict, syn_error *error);
void syn_team_divide_destroy(team_divide *divide); /* NULL is fine */
syn_status syn_team_divide_update(team_divide *divide, const double (*blocks)[9], bool *definite, syn_error *error);
/* Three numbers for each row of this process, and those of the wide node, which all processes know. */
syn_status syn_team_divide_solve(team_divide *divide, const double *load, const double wide_load[3], double *solution,
                                 double wide_solution[3], syn_error *error);
#endif

#endif

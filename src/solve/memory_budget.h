/* Checks that each machine has enough free memory for all its ranks. */
#ifndef SYN_SOLVE_MEMORY_BUDGET_H
#define SYN_SOLVE_MEMORY_BUDGET_H

#include "solve/ranks.h"

/* `bytes` is what this rank will allocate. *fits is the same in all ranks: each machine has enough memory for all
 * its ranks, and a tenth more. PETSc's option -syn_memory_mb replaces the available memory of a machine. */
syn_status syn_memory_budget_fits(syn_ranks *ranks, double bytes, bool *fits, syn_error *error);

#endif

/* Memory that the ranks of a communicator are about to take, against what their machines have left. */
#ifndef SYN_SOLVE_MEMORY_BUDGET_H
#define SYN_SOLVE_MEMORY_BUDGET_H

#include "solve/ranks.h"

/* `bytes` is what this rank would take. *fits is the same in all of them: each machine has enough left for all ranks
 * there, and a tenth more. PETSc's option -syn_memory_mb stands for what a machine has left. */
syn_status syn_memory_budget_fits(syn_ranks *ranks, double bytes, bool *fits, syn_error *error);

#endif

/* Memory that the ranks of a communicator are about to take, against what their machines have left. */
#ifndef SYN_TISSUE_TEAM_ROOM_H
#define SYN_TISSUE_TEAM_ROOM_H

#include "solve/ranks.h"

/* `bytes` is what this process would take. *room is the same in all of them: each machine has enough left for all
 * processes there, and a tenth more. PETSc's option -syn_memory_mb stands for what a machine has left. */
syn_status syn_memory_budget_fits(syn_ranks *ranks, double bytes, bool *room, syn_error *error);

#endif

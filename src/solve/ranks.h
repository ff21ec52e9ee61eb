/* Communication between the ranks of a communicator, and the partition of nodes among them. All ranks must call
 * these functions, in the same order.
 *
 * All ranks have the whole mesh, which is small, and the pattern of the matrix; its numbers, most of the memory and
 * nearly all of the work are distributed. */
#ifndef SYN_SOLVE_RANKS_H
#define SYN_SOLVE_RANKS_H

#include <synovia/solve.h>

/* Gathers values from the owner of each node to all ranks; a node whose owner is the number of ranks or more is not
 * gathered. */
syn_status syn_ranks_gather(syn_ranks *ranks, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                            syn_error *error);
/* Discards the prepared gathering in all ranks, after owners have changed. */
void syn_ranks_forget_owners(syn_ranks *ranks);

/* Gathers bytes of every rank to all, consecutively in `all`, those of rank r from start[r] to start[r + 1]; the
 * result is the same in all ranks. The caller frees `all` with its context; it grows as by SYN_RESERVE. */
syn_status syn_ranks_exchange(syn_ranks *ranks, const void *mine, size_t size, char **all, size_t *capacity,
                              size_t *start, syn_error *error);

/* Sums a value over all ranks. */
syn_status syn_ranks_sum(syn_ranks *ranks, double *value, syn_error *error);

/* Reads a number from PETSc's options, as -syn_memory_mb 100; *value does not change if the option is missing. */
syn_status syn_ranks_option(const syn_ranks *ranks, const char *name, int64_t *value, bool *given, syn_error *error);
/* Returns true in rank 0 at its first call: a warning is printed once for all systems of these ranks. */
bool syn_ranks_should_warn(syn_ranks *ranks);

/* `bytes` is what this rank will allocate. *fits is the same in all ranks: each machine has enough memory for all
 * its ranks, and a tenth more. PETSc's option -syn_memory_mb replaces the available memory of a machine. */
syn_status syn_memory_budget_fits(syn_ranks *ranks, double bytes, bool *fits, syn_error *error);

#endif

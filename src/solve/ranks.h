/* What the ranks of a communicator give each other, and which nodes each owns. Everything here must be called by all of
 * them, in the same order.
 *
 * All ranks have the whole mesh, which is small, and the pattern of the matrix; its numbers, most of the memory and
 * nearly all of the work are distributed. */
#ifndef SYN_SOLVE_RANKS_H
#define SYN_SOLVE_RANKS_H

#include <synovia/solve.h>

/* The rank that owns each node: compact regions of as many nodes each, by halving boxes. Nodes that are wholly
 * prescribed have no unknowns and count nothing. Caller's array; the same for all ranks. */
syn_status syn_partition_boxes(const syn_context *context, uint32_t size, const syn_vec3 *positions,
                               const uint8_t *prescribed, uint32_t node_count, uint32_t *owner, syn_error *error);
/* The same by the pattern of a matrix, so that few nodes lie between the regions and all have as much work. The node
 * `coupled` (SYN_NONE: none), which acts on most others, goes to the last rank. *found is false, and owner as it was,
 * where METIS is not there. */
syn_status syn_partition_graph(const syn_context *context, uint32_t size, const syn_pattern *pattern, uint32_t coupled,
                               uint32_t *owner, bool *found, syn_error *error);
/* From the owner of each node to all others; where the owner is the number of ranks or more nothing is given. */
syn_status syn_ranks_gather(syn_ranks *ranks, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                            syn_error *error);
/* Owners are others from now on: what was prepared for gathering from them is forgotten, in all ranks. */
void syn_ranks_forget_owners(syn_ranks *ranks);

/* Bytes of every rank for all, one after the other in `all`, those of rank r from start[r] to start[r + 1]; all ranks
 * are alike. `all` is the caller's to free with its context, and grows as SYN_RESERVE lets it. */
syn_status syn_ranks_exchange(syn_ranks *ranks, const void *mine, size_t size, char **all, size_t *capacity,
                              size_t *start, syn_error *error);

/* The sum over all ranks. */
syn_status syn_ranks_sum(syn_ranks *ranks, double *value, syn_error *error);

/* A number from PETSc's options, as -syn_memory_mb 100; *value stays as it is where there is none. */
syn_status syn_ranks_option(const syn_ranks *ranks, const char *name, int64_t *value, bool *given, syn_error *error);
/* True in rank 0 the first time it is asked: a warning is printed once for all systems of these ranks. */
bool syn_ranks_should_warn(syn_ranks *ranks);

#endif

/* Processes that work on one problem, started by mpirun: each owns some of the nodes. It computes what belongs to those
 * and gets from the others what belongs to theirs. Everything here must be called by all of them, in the same order.
 *
 * All processes have the whole mesh, which is small, and the pattern of the matrix; its numbers, most of the memory and
 * nearly all of the work are spread. */
#ifndef SYN_SOLVE_RANKS_H
#define SYN_SOLVE_RANKS_H

#include <synovia/solve.h>

#include "solve/block_matrix.h"

/* The process that owns each node: compact regions of as many nodes each, by halving boxes. Nodes that are wholly held
 * have no unknowns and count nothing. Caller's array; the same for all processes. */
syn_status syn_partition_boxes(const syn_context *context, uint32_t size, const syn_vec3 *places, const uint8_t *held,
                               uint32_t node_count, uint32_t *owner, syn_error *error);
/* The same by the pattern of a matrix, so that few nodes lie between the regions and all have as much work. The node
 * `wide` (SYN_NONE: none), which acts on most others, goes to the last process. *found is false, and owner as it was,
 * where METIS is not there. */
syn_status syn_partition_graph(const syn_context *context, uint32_t size, const syn_block_pattern *pattern,
                               uint32_t wide, uint32_t *owner, bool *found, syn_error *error);
/* From the owner of each node to all others; where the owner is the number of processes or more nothing is given. */
syn_status syn_ranks_gather(syn_ranks *ranks, const uint32_t *owner, uint32_t node_count, syn_vec3 *values,
                            syn_error *error);
/* Owners are others from now on: what was prepared for gathering from them is forgotten, in all processes. */
void syn_ranks_forget_owners(syn_ranks *ranks);

/* Bytes of every process for all, one after the other in `all`, those of process r from start[r] to start[r + 1]; all
 * processes are alike. `all` is the caller's to free with its context, and grows as SYN_RESERVE lets it. */
syn_status syn_ranks_exchange(syn_ranks *ranks, const void *mine, size_t size, char **all, size_t *capacity,
                              size_t *start, syn_error *error);

/* The sum over all processes. */
syn_status syn_ranks_sum(syn_ranks *ranks, double *value, syn_error *error);

/* ---- solving -------------------------------------------------------------------------------------------------------
 */

/* A system of equations distributed over ranks. As syn_factor, but exact to `tolerance` only. */
typedef struct syn_distributed_system syn_distributed_system;
/* `held` as in factor.h; all arrays are copied but the pattern, which must outlive it. `wide` (SYN_NONE: none) is a
 * node that acts on very many others, as a frame does that bodies are bonded to: it is eliminated first. */
syn_status syn_distributed_system_create(syn_ranks *ranks, const syn_block_pattern *pattern, const uint8_t *held,
                                         const syn_vec3 *places, const uint32_t *owner, uint32_t wide, double tolerance,
                                         syn_distributed_system **spread, syn_error *error);
void syn_distributed_system_destroy(syn_distributed_system *spread); /* NULL is fine */
/* New numbers: blocks in the rows and columns of the nodes that this process owns are read, others are not. */
syn_status syn_distributed_system_update(syn_distributed_system *spread, const double (*blocks)[9], syn_error *error);
/* Loads of the nodes that this process owns; the solution at all nodes. SYN_NOT_CONVERGED where no method finds one. */
syn_status syn_distributed_system_solve(syn_distributed_system *spread, const syn_vec3 *b, syn_vec3 *x,
                                        syn_error *error);
/* Of the last solution. */
uint32_t syn_distributed_system_iterations(const syn_distributed_system *spread);

#endif

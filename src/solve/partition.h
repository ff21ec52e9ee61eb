/* Partitions the nodes of a system among ranks. */
#ifndef SYN_SOLVE_PARTITION_H
#define SYN_SOLVE_PARTITION_H

#include <synovia/solve.h>

/* Finds the rank that owns each node: compact regions of equal size, by recursive bisection of boxes. Nodes that are
 * wholly prescribed have no unknowns and are not counted. The caller allocates the array; the same for all ranks. */
syn_status syn_partition_boxes(const syn_context *context, uint32_t size, const syn_vec3 *positions,
                               const uint8_t *prescribed, uint32_t node_count, uint32_t *owner, syn_error *error);
/* Partitions by the pattern of a matrix, so that few nodes are between the regions and all ranks have equal work.
 * The node `coupled` (SYN_NONE: no such node), which is coupled with most others, goes to the last rank. If METIS is
 * missing, *found is false and owner does not change. */
syn_status syn_partition_graph(const syn_context *context, uint32_t size, const syn_pattern *pattern, uint32_t coupled,
                               uint32_t *owner, bool *found, syn_error *error);
/* Marks nodes so that no two other nodes of different owners are coupled. Only nodes with a row take part. The same
 * in every rank. */
syn_status syn_separator_find(const syn_context *context, const syn_pattern *pattern, const uint32_t *owner,
                              const bool *has_row, bool *between, syn_error *error);

#endif

/* Finds the smallest set of nodes that separates the regions of the ranks. */
#ifndef SYN_SOLVE_SEPARATOR_H
#define SYN_SOLVE_SEPARATOR_H

#include "solve/ranks.h"

/* Marks nodes so that no two other nodes of different owners are coupled. Only nodes with a row take part. The same
 * in every rank. */
syn_status syn_separator_find(const syn_context *context, const syn_pattern *pattern, const uint32_t *owner,
                              const bool *has_row, bool *between, syn_error *error);

#endif

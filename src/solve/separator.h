/* The smallest set of nodes that separates the regions of the ranks. */
#ifndef SYN_SOLVE_SEPARATOR_H
#define SYN_SOLVE_SEPARATOR_H

#include "solve/ranks.h"

/* Marks nodes so that no two others of different owners act on each other. Only nodes with a row take part. The same in
 * every process. */
syn_status syn_separator_find(const syn_context *context, const syn_pattern *pattern, const uint32_t *owner,
                              const bool *has_row, bool *between, syn_error *error);

#endif

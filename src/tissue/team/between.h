/* The fewest nodes that part the regions of a team. */
#ifndef SYN_TISSUE_BETWEEN_H
#define SYN_TISSUE_BETWEEN_H

#include "tissue/team/team.h"

/* Marks nodes so that no two others of different owners act on each other. Only nodes with a row take part. The same in
 * every process. */
syn_status syn_team_mark_between(const syn_context *context, const syn_block_pattern *pattern, const uint32_t *owner,
                                 const bool *has_row, bool *between, syn_error *error);

#endif

/* What the files of a team share. */
#ifndef SYN_TISSUE_TEAM_INSIDE_H
#define SYN_TISSUE_TEAM_INSIDE_H

#include "tissue/team/petsc.h"
#include "tissue/team/team.h"

#ifdef SYN_PETSC
/* How values are gathered, kept for the next time. */
typedef struct team_gathering {
  uint32_t count, mine;
  Vec spread, whole;
  VecScatter scatter;
} team_gathering;

struct syn_team {
  const syn_context *context;
  syn_petsc petsc;
  MPI_Comm world;
  uint32_t rank, size;
  team_gathering gatherings[2]; /* of one value for each process, and of others */
  bool warned;                  /* that memory is short */
};

/* A block as it stands in the row of `row_node`. Held unknowns keep a one on the diagonal and nothing else. */
void syn_team_copy_block(const uint8_t *held, const double from[9], uint32_t row_node, uint32_t column_node,
                         bool transposed, double to[9]);
#endif

#endif

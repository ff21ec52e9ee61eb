/* A communicator as the files that call MPI see it. */
#ifndef SYN_TISSUE_TEAM_INSIDE_H
#define SYN_TISSUE_TEAM_INSIDE_H

#include "solve/petsc_library.h"
#include "solve/ranks.h"

#ifdef SYN_PETSC
/* How values are gathered, kept for the next time. */
typedef struct rank_gathering {
  uint32_t count, mine;
  Vec spread, whole;
  VecScatter scatter;
} rank_gathering;

struct syn_ranks {
  const syn_context *context;
  syn_petsc petsc;
  MPI_Comm world;
  uint32_t rank, size;
  rank_gathering gatherings[2]; /* of one value for each process, and of others */
  bool warned;                  /* that memory is short */
};

/* A block as it stands in the row of `row_node`. Held unknowns keep a one on the diagonal and nothing else. */
void syn_block_copy_prescribed(const uint8_t *held, const double from[9], uint32_t row_node, uint32_t column_node,
                               bool transposed, double to[9]);
#endif

#endif

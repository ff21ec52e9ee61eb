/* The communicator, for the files that call MPI. */
#ifndef SYN_SOLVE_RANKS_MPI_H
#define SYN_SOLVE_RANKS_MPI_H

#include "base/memory.h"
#include "solve/petsc_library.h"
#include "solve/ranks.h"

#ifdef SYN_PETSC
/* A prepared gathering, reused by the next call. */
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
  rank_gathering gatherings[2]; /* of one value for each rank, and of others */
  bool warned;                  /* that memory is short */
};

/* As syn_ranks_gather, with the gathering prepared by the last call. */
syn_status syn_ranks_gather_again(const syn_ranks *ranks, rank_gathering *gathering, const uint32_t *owner,
                                  uint32_t node_count, syn_vec3 *values, syn_error *error);
void syn_ranks_forget_gathering(const syn_ranks *ranks, rank_gathering *gathering);
#endif

#endif

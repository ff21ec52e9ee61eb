/* What the files of a team share. */
#ifndef SYN_TISSUE_TEAM_INSIDE_H
#define SYN_TISSUE_TEAM_INSIDE_H

#include "tissue/team/petsc.h"
#include "tissue/team/team.h"

#ifdef SYN_PETSC
struct syn_team {
  const syn_context *context;
  syn_petsc petsc;
  MPI_Comm world;
  uint32_t rank, size;
  /* The last gathering, kept for the next of as many nodes. */
  uint32_t gathered, mine;
  Vec spread, whole;
  VecScatter scatter;
};
#endif

#endif

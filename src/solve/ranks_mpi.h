/* The communicator, for the files that call MPI. */
#ifndef SYN_SOLVE_RANKS_MPI_H
#define SYN_SOLVE_RANKS_MPI_H

#include "base/memory.h"
#include "solve/partial_factor.h"
#include "solve/ranks.h"

#ifdef SYN_PETSC
#include <petscksp.h>
/* PETSc counts messages by macros of these names. */
#undef MPI_Allreduce
#undef MPI_Bcast

/* Every function of PETSc and MPI that is used. */
#define SYN_PETSC_FUNCTIONS(DO)                                                                                        \
  DO(PetscOptionsSetValue)                                                                                             \
  DO(PetscInitializeNoArguments)                                                                                       \
  DO(PetscPushErrorHandler)                                                                                            \
  DO(PetscReturnErrorHandler)                                                                                          \
  DO(PetscFinalize)                                                                                                    \
  DO(PetscOptionsInsertString)                                                                                         \
  DO(PetscOptionsGetInt)                                                                                               \
  DO(MPI_Comm_rank)                                                                                                    \
  DO(MPI_Comm_size)                                                                                                    \
  DO(MPI_Allreduce)                                                                                                    \
  DO(MPI_Bcast)                                                                                                        \
  DO(MatCreate)                                                                                                        \
  DO(MatSetSizes)                                                                                                      \
  DO(MatSetType)                                                                                                       \
  DO(MatSetBlockSize)                                                                                                  \
  DO(MatXAIJSetPreallocation)                                                                                          \
  DO(MatSetOption)                                                                                                     \
  DO(MatSetValuesBlocked)                                                                                              \
  DO(MatAssemblyBegin)                                                                                                 \
  DO(MatAssemblyEnd)                                                                                                   \
  DO(MatZeroEntries)                                                                                                   \
  DO(MatConvert)                                                                                                       \
  DO(MatSetNearNullSpace)                                                                                              \
  DO(MatNullSpaceCreateRigidBody)                                                                                      \
  DO(MatNullSpaceDestroy)                                                                                              \
  DO(MatDestroy)                                                                                                       \
  DO(VecCreateMPI)                                                                                                     \
  DO(VecSetBlockSize)                                                                                                  \
  DO(VecDuplicate)                                                                                                     \
  DO(VecGetArray)                                                                                                      \
  DO(VecRestoreArray)                                                                                                  \
  DO(VecDot)                                                                                                           \
  DO(VecAXPY)                                                                                                          \
  DO(VecDestroy)                                                                                                       \
  DO(VecScatterCreateToAll)                                                                                            \
  DO(VecScatterBegin)                                                                                                  \
  DO(VecScatterEnd)                                                                                                    \
  DO(VecScatterDestroy)                                                                                                \
  DO(KSPCreate)                                                                                                        \
  DO(KSPSetOptionsPrefix)                                                                                              \
  DO(KSPSetFromOptions)                                                                                                \
  DO(KSPSetOperators)                                                                                                  \
  DO(KSPSolve)                                                                                                         \
  DO(KSPGetConvergedReason)                                                                                            \
  DO(KSPGetIterationNumber)                                                                                            \
  DO(KSPGetPC)                                                                                                         \
  DO(PCFactorGetMatrix)                                                                                                \
  DO(MatMumpsGetInfog)                                                                                                 \
  DO(KSPDestroy)

typedef struct syn_petsc {
#define SYN_PETSC_MEMBER(name) __typeof__(&name) name;
  SYN_PETSC_FUNCTIONS(SYN_PETSC_MEMBER)
#undef SYN_PETSC_MEMBER
  const MPI_Comm *world;      /* PETSC_COMM_WORLD, valid after PetscInitialize */
  FILE **out;                 /* PETSC_STDOUT: where PETSc prints */
  void *type_double, *op_sum; /* of Open MPI, where they are objects of its library */
  syn_lapack blas;
} syn_petsc;

#ifdef OPEN_MPI
static inline MPI_Datatype syn_petsc_double(const syn_petsc *petsc) { return petsc->type_double; }
static inline MPI_Op syn_petsc_sum(const syn_petsc *petsc) { return petsc->op_sum; }
#else
static inline MPI_Datatype syn_petsc_double(const syn_petsc *petsc) { return (void)petsc, MPI_DOUBLE; }
static inline MPI_Op syn_petsc_sum(const syn_petsc *petsc) { return (void)petsc, MPI_SUM; }
#endif

/* Returns SYN_OK, or the status for an error code of PETSc; `what` names the operation. */
syn_status syn_petsc_check(PetscErrorCode code, const char *what, syn_error *error);

/* Returns from the calling function if a function of the table `p` fails. */
#define SYN_PETSC_TRY(p, function, ...) SYN_TRY(syn_petsc_check((p)->function(__VA_ARGS__), #function, error))

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

/* Loads PETSc when ranks are created. A program that never creates ranks starts without it and MPI, which would cost
 * a tenth of a second in every run. Only if the build found its headers: SYN_PETSC names the library. */
#ifndef SYN_SOLVE_PETSC_LIBRARY_H
#define SYN_SOLVE_PETSC_LIBRARY_H

#ifdef SYN_PETSC
#include <petscksp.h>
/* PETSc counts messages by macros of these names. */
#undef MPI_Allreduce
#undef MPI_Bcast

#include "base/status.h"
#include "solve/partial_factor.h"

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

/* Returns SYN_NO_PROGRAM if it is not installed. */
syn_status syn_petsc_load(syn_petsc *petsc, syn_error *error);
/* Returns SYN_OK, or the status for an error code of PETSc; `what` names the operation. */
syn_status syn_petsc_check(PetscErrorCode code, const char *what, syn_error *error);

/* Returns from the calling function if a function of the table `p` fails. */
#define SYN_PETSC_TRY(p, function, ...) SYN_TRY(syn_petsc_check((p)->function(__VA_ARGS__), #function, error))

#endif
#endif

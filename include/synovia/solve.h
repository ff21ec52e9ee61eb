/* Synovia: symmetric positive definite systems of equations with three unknowns per node, as tissue and pressure have
 * them, solved by one process or by several that share the work.
 *
 *   syn_pattern_create(context, node_count, pairs, pair_count, &pattern, &error);  // who acts on whom
 *   syn_system_create(context, pattern, NULL, &system, &error);                    // order of unknowns: once
 *   syn_system_update(system, blocks, NULL, &error);                               // new numbers
 *   syn_system_solve(system, 1, loads, displacements, &error);                     // new loads
 *
 * Experimental: may change in any release. */
#ifndef SYNOVIA_SOLVE_H
#define SYNOVIA_SOLVE_H

#include <synovia/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For the first lines of main(), where no other thread reads the environment yet; the library never changes it. Sets
 * the processor type (OPENBLAS_CORETYPE) and one thread (OPENBLAS_NUM_THREADS) for OpenBLAS, which the solvers use,
 * unless they are set already. Without this call results are equally accurate; on processors newer than OpenBLAS, which
 * it does not recognise, they may take several times as long. */
SYN_EXPERIMENTAL void syn_program_prepare(void);

/* ---- ranks ---------------------------------------------------------------------------------------------------------
 */

/* The ranks of a communicator: processes started by mpirun that solve one problem together. Needs PETSc. */
typedef struct syn_ranks syn_ranks;
/* Starts MPI. Every process calls it, at most once. SYN_NO_PROGRAM if PETSc is missing. Release with syn_ranks_destroy,
 * which ends MPI. */
SYN_EXPERIMENTAL syn_status syn_ranks_create(const syn_context *context, syn_ranks **ranks, syn_error *error);
SYN_EXPERIMENTAL void syn_ranks_destroy(syn_ranks *ranks); /* NULL is fine */
SYN_EXPERIMENTAL uint32_t syn_ranks_size(const syn_ranks *ranks);
SYN_EXPERIMENTAL uint32_t syn_ranks_rank(const syn_ranks *ranks); /* of this process, from 0 */

/* ---- matrices ------------------------------------------------------------------------------------------------------
 */

/* Sparsity pattern of the upper triangle of a symmetric matrix of 3x3 blocks, with a row of blocks per node. The
 * entries, nine for each block in row-major order, belong to the caller: `double (*blocks)[9]`. */
typedef struct syn_pattern {
  const syn_context *context;
  uint32_t node_count;
  const uint32_t *row_start; /* node_count + 1 offsets into columns; the number of blocks is row_start[node_count] */
  const uint32_t *columns;   /* ascending in each row; the first one is the diagonal */
} syn_pattern;
/* Creates a pattern from pairs of coupled nodes, in any order, repetitions allowed; every diagonal block is included.
 * Release with syn_pattern_destroy. */
SYN_EXPERIMENTAL syn_status syn_pattern_create(const syn_context *context, uint32_t node_count,
                                               const uint32_t (*pairs)[2], size_t pair_count, syn_pattern **pattern,
                                               syn_error *error);
SYN_EXPERIMENTAL void syn_pattern_destroy(syn_pattern *pattern); /* NULL is fine */
/* Returns the block of two nodes, first <= second, or SYN_NONE. */
SYN_EXPERIMENTAL uint32_t syn_pattern_find(const syn_pattern *pattern, uint32_t first, uint32_t second);

/* ---- systems -------------------------------------------------------------------------------------------------------
 */

typedef struct syn_system syn_system;

/* Solver options. Arrays are copied, except those of `ranks`. */
typedef struct syn_system_options {
  const char *method;        /* default "auto": by size and memory; else "cholmod", and with ranks "divided", "mumps" or
                                "gamg" */
  const uint8_t *prescribed; /* of each node: axes (SYN_X, SYN_Y, SYN_Z) with displacement 0, whatever the load; NULL
                                (default): none */
  const syn_vec3 *positions; /* of the nodes, for rigid motions in multigrid; NULL (default): without these */
  uint32_t coupled;          /* node coupled to very many others, such as a rigid frame; default SYN_NONE */
  syn_ranks *ranks;          /* that solve in parallel; NULL (default): this process alone */
  const uint32_t *owner;     /* with ranks: the rank of each node; NULL (default): by the pattern */
  double tolerance;          /* of iterative methods: residual over load; default 1e-8 */
  uint32_t cookie;
} syn_system_options;
SYN_EXPERIMENTAL syn_system_options syn_default_system_options(void);

/* Orders and partitions the unknowns. The pattern must outlive the system. All calls on a system of several ranks are
 * made by all of them. SYN_BAD_ARGUMENT names a method that does not exist or needs ranks. */
SYN_EXPERIMENTAL syn_status syn_system_create(const syn_context *context, const syn_pattern *pattern,
                                              const syn_system_options *options, syn_system **system, syn_error *error);
SYN_EXPERIMENTAL void syn_system_destroy(syn_system *system); /* NULL is fine */
/* Sets new matrix entries, which must not change until the next update or the end of the system. Of several ranks each
 * fills the blocks in the rows and columns of its own nodes; others are not read. SYN_NOT_CONVERGED if the matrix is
 * not positive definite; *node (may be NULL) is the node where this was detected, SYN_NONE if the method does not
 * report it. Iterative methods see it in syn_system_solve only. */
SYN_EXPERIMENTAL syn_status syn_system_update(syn_system *system, const double (*blocks)[9], uint32_t *node,
                                              syn_error *error);
/* Solves for `count` loads, one after the other in `loads` as in `displacements`, which may be the same. Of several
 * ranks each knows the loads of its own nodes; all get the displacements of all nodes. Prescribed displacements are 0.
 * Only after an update that succeeded. SYN_NOT_CONVERGED if no method finds a solution. */
SYN_EXPERIMENTAL syn_status syn_system_solve(syn_system *system, uint32_t count, const syn_vec3 *loads,
                                             syn_vec3 *displacements, syn_error *error);
/* The rank that owns each node; NULL in one process. */
SYN_EXPERIMENTAL const uint32_t *syn_system_owned(const syn_system *system);

typedef struct syn_system_report {
  const char *method;  /* that is in use: "cholmod", "divided", … */
  size_t unknowns;     /* nodes that are not completely prescribed, three for each */
  double bytes;        /* that this process keeps for matrix and factor; those inside MUMPS do not count */
  uint32_t iterations; /* of the last solution; 1: direct */
} syn_system_report;
SYN_EXPERIMENTAL syn_system_report syn_system_describe(const syn_system *system);

#ifdef __cplusplus
}
#endif
#endif

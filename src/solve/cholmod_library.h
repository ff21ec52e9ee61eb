/* CHOLMOD, loaded when a matrix is first factorised. A program that never does starts without it and without its BLAS,
 * which would take 10 ms, threads and 60 MB of address space from every run. */
#ifndef SYN_SOLVE_CHOLMOD_LIBRARY_H
#define SYN_SOLVE_CHOLMOD_LIBRARY_H

#include <suitesparse/cholmod.h>

#include "base/status.h"

/* The functions cholmod_l_NAME as NAME. */
typedef struct syn_cholmod {
  __typeof__(cholmod_l_start) *start;
  __typeof__(cholmod_l_finish) *finish;
  __typeof__(cholmod_l_allocate_sparse) *allocate_sparse;
  __typeof__(cholmod_l_allocate_dense) *allocate_dense;
  __typeof__(cholmod_l_free_sparse) *free_sparse;
  __typeof__(cholmod_l_free_dense) *free_dense;
  __typeof__(cholmod_l_free_factor) *free_factor;
  __typeof__(cholmod_l_copy_factor) *copy_factor;
  __typeof__(cholmod_l_analyze) *analyze; /* through syn_cholmod_order */
  __typeof__(cholmod_l_analyze_p) *analyze_p;
  __typeof__(cholmod_l_factorize) *factorize;
  __typeof__(cholmod_l_solve2) *solve2;
  bool has_metis;
  /* Of METIS, where it counts by int as Debian's does; NULL elsewhere. */
  int (*separate)(int *nodes, int *start, int *others, int *weights, int *options, int *size, int *part);
  int (*set_metis_options)(int *options);
  int (*get_threads)(void); /* of OpenBLAS; NULL where another BLAS is used */
  void (*set_threads)(int count);
  int (*get_levels)(void); /* of OpenMP, in which CHOLMOD itself has loops; NULL where it was built without */
  void (*set_levels)(int count);
} syn_cholmod;

/* What OpenBLAS takes when it is loaded, and again when it is first used: it tries for ever, or stops the process,
 * where that is refused. Most of it is never touched. */
enum { SYN_BLAS_BYTES = 192 << 20 };

/* SYN_NO_PROGRAM where it is not installed. */
syn_status syn_cholmod_load(syn_cholmod *cholmod, syn_error *error);

/* The order and the pattern of a factor: by nested dissection (METIS), where CHOLMOD has it, if `dissect`; otherwise as
 * CHOLMOD chooses by itself, which is minimum degree, and nested dissection where that fills in much. NULL where memory
 * was refused, with the reason in common->status. CHOLMOD itself would then go on with a worse order, and the answer
 * would have other digits. */
cholmod_factor *syn_cholmod_order(const syn_cholmod *cholmod, cholmod_sparse *matrix, bool dissect,
                                  cholmod_common *common);

/* OpenBLAS splits even small products among all cores: slower, and in another order of summation on each machine. It
 * gets one thread for as long as we use it. CHOLMOD wakes four threads for loops of a few numbers, many thousand times
 * in one factorisation: its loops stay on the caller's thread. */
typedef struct syn_cholmod_threads {
  int blas, levels;
} syn_cholmod_threads;
syn_cholmod_threads syn_cholmod_one_thread(const syn_cholmod *cholmod); /* returns what was set, */
void syn_cholmod_restore_threads(const syn_cholmod *cholmod, syn_cholmod_threads before);

#endif

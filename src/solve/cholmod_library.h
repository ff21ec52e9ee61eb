/* Loads CHOLMOD when a matrix is first factorised. A program that never factorises starts without it and its BLAS,
 * which would cost 10 ms, threads and 60 MB of address space in every run. */
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
  __typeof__(cholmod_l_analyze) *analyze; /* called by syn_cholmod_order */
  __typeof__(cholmod_l_analyze_p) *analyze_p;
  __typeof__(cholmod_l_factorize) *factorize;
  __typeof__(cholmod_l_solve2) *solve2;
  bool has_metis;
  /* Of METIS, if its integers are int, as in Debian; else NULL. */
  int (*separate)(int *nodes, int *start, int *others, int *weights, int *options, int *size, int *part);
  int (*set_metis_options)(int *options);
  int (*get_threads)(void); /* of OpenBLAS; NULL with another BLAS */
  void (*set_threads)(int count);
  int (*get_levels)(void); /* of OpenMP, which CHOLMOD uses for loops; NULL if it was built without */
  void (*set_levels)(int count);
} syn_cholmod;

/* Memory that OpenBLAS reserves when it is loaded, and again when it is first used: if that is refused it retries
 * forever, or stops the process. Most of it is never touched. */
enum { SYN_BLAS_BYTES = 192 << 20 };

/* Returns SYN_NO_PROGRAM if it is not installed. */
syn_status syn_cholmod_load(syn_cholmod *cholmod, syn_error *error);

/* Finds the ordering and the pattern of a factor: by nested dissection (METIS), if CHOLMOD has it, with `dissect`;
 * otherwise CHOLMOD's choice, which is minimum degree, or nested dissection where that fills in much. Returns NULL
 * if memory was refused, with the reason in common->status: CHOLMOD alone would then continue with a worse ordering,
 * and the answer would have other digits. */
cholmod_factor *syn_cholmod_order(const syn_cholmod *cholmod, cholmod_sparse *matrix, bool dissect,
                                  cholmod_common *common);

/* OpenBLAS splits even small products among all cores, which is slower and changes the order of summation with the
 * machine: it is set to one thread while we use it. CHOLMOD starts four threads for loops over a few numbers, many
 * thousand times in one factorisation: its loops are set to the caller's thread. */
typedef struct syn_cholmod_threads {
  int blas, levels;
} syn_cholmod_threads;
syn_cholmod_threads syn_cholmod_one_thread(const syn_cholmod *cholmod); /* returns the previous numbers of threads, */
void syn_cholmod_restore_threads(const syn_cholmod *cholmod, syn_cholmod_threads before);

/* Returns OpenBLAS's name of the kernels for this processor; NULL: it detects them. It detects processors by their
 * model numbers, and treats those newer than itself as one of 2004: factorisations then take up to four times as
 * long. It reads the environment only, and only while it is loaded: see syn_program_prepare. */
const char *syn_blas_kernels(void);

#endif

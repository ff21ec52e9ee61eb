/* CHOLMOD, loaded when a matrix is first factorised. A program that never does starts without it and without its BLAS,
 * which would take 10 ms, threads and 60 MB of address space from every run. */
#ifndef SYN_TISSUE_CHOLMOD_H
#define SYN_TISSUE_CHOLMOD_H

#include <suitesparse/cholmod.h>

#include "base/status.h"

#define SYN_CHOLMOD_FUNCTIONS(F)                                                                                       \
  F(start)                                                                                                             \
  F(finish)                                                                                                            \
  F(allocate_sparse) F(allocate_dense) F(free_sparse) F(free_dense) F(free_factor) F(copy_factor) F(analyze)           \
      F(factorize) F(solve2)

/* The functions cholmod_l_NAME as NAME. */
typedef struct syn_cholmod {
#define SYN_CHOLMOD_MEMBER(name) __typeof__(cholmod_l_##name) *name;
  SYN_CHOLMOD_FUNCTIONS(SYN_CHOLMOD_MEMBER)
#undef SYN_CHOLMOD_MEMBER
  int (*get_threads)(void); /* of OpenBLAS; NULL where another BLAS is used */
  void (*set_threads)(int count);
} syn_cholmod;

/* SYN_NO_PROGRAM where it is not installed. */
syn_status syn_cholmod_load(syn_cholmod *cholmod, syn_error *error);

/* OpenBLAS splits even small products among all cores: slower, and in another order of summation on each machine. It
 * gets one thread for as long as we use it. */
int syn_cholmod_one_thread(const syn_cholmod *cholmod); /* returns how many it had, */
void syn_cholmod_restore_threads(const syn_cholmod *cholmod, int before);

#endif

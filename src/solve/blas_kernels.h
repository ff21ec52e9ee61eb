/* OpenBLAS, which CHOLMOD and PETSc bring with them. */
#ifndef SYN_SOLVE_BLAS_KERNELS_H
#define SYN_SOLVE_BLAS_KERNELS_H

/* The name that OpenBLAS has for kernels that this processor runs; NULL: it finds them itself. It knows processors by
 * their numbers, and takes those that are newer than itself for one of 2004: factorisations then take up to four times
 * as long. It listens to the environment alone, and only while it is loaded: see syn_program_prepare. */
const char *syn_blas_kernels(void);

#endif

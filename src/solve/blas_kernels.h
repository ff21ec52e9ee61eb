/* Chooses the kernels of OpenBLAS, which CHOLMOD and PETSc load. */
#ifndef SYN_SOLVE_BLAS_KERNELS_H
#define SYN_SOLVE_BLAS_KERNELS_H

/* Returns OpenBLAS's name of the kernels for this processor; NULL: it detects them. It detects processors by their
 * model numbers, and treats those newer than itself as one of 2004: factorisations then take up to four times as
 * long. It reads the environment only, and only while it is loaded: see syn_program_prepare. */
const char *syn_blas_kernels(void);

#endif

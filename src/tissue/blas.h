/* Libraries that bring OpenBLAS with them. */
#ifndef SYN_TISSUE_BLAS_H
#define SYN_TISSUE_BLAS_H

/* dlopen, with OpenBLAS told what this processor can do while it is loaded. It knows processors by their numbers, and
 * takes those that are newer than itself for one of 2004: factorisations then take up to four times as long. What is
 * set in the environment (OPENBLAS_CORETYPE) stays, and nothing of ours is left there. */
void *syn_blas_open(const char *library, int flags);

/* The name that OpenBLAS has for kernels that this processor runs; NULL: it finds them itself. */
const char *syn_blas_kernels(void);

#endif

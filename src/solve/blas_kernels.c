#include "solve/blas_kernels.h"

#include <synovia/solve.h>

#include <stdlib.h>

#include "base/simd.h"
#include "base/status.h"

const char *syn_blas_kernels(void) {
#if SYN_AVX2
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (syn_has_avx2()) return "Haswell";
#endif
  return NULL;
}

void syn_program_prepare(void) {
  const char *kernels = syn_blas_kernels();
  /* OpenBLAS stops the process if the system refuses its threads, and we use one of them */
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  if (kernels) setenv("OPENBLAS_CORETYPE", kernels, 0);
}

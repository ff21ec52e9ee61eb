#include "tissue/blas.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/simd.h"

static const char variable[] = "OPENBLAS_CORETYPE";

const char *syn_blas_kernels(void) {
#if SYN_AVX2
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (syn_has_avx2()) return "Haswell";
#endif
  return NULL;
}

void *syn_blas_open(const char *library, int flags) {
  const char *kernels = syn_blas_kernels();
  void *opened = dlopen(library, flags | RTLD_NOLOAD);
  if (opened) return opened;
  const bool tells = kernels && !getenv(variable) && setenv(variable, kernels, 0) == 0;
  opened = dlopen(library, flags);
  if (tells) unsetenv(variable);
  return opened;
}

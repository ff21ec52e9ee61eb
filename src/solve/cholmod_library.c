/* Loads the functions of CHOLMOD by name. The library stays loaded: its BLAS has threads that do not survive
 * unloading. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <synovia/solve.h>

#include "base/memory.h"
#include "base/simd.h"
#include "base/status.h"
#include "solve/cholmod_library.h"

/* The integer type of METIS is chosen when it is built, and no function returns it. Default options are that many
 * -1. */
static void find_metis(void *library, syn_cholmod *cholmod) {
  enum { OPTIONS = 40, UNTOUCHED = 7 };
  int options[2 * OPTIONS];
  *(void **)&cholmod->set_metis_options = dlsym(library, "METIS_SetDefaultOptions");
  if (!cholmod->set_metis_options) return;
  for (int i = 0; i < 2 * OPTIONS; ++i) options[i] = UNTOUCHED;
  cholmod->set_metis_options(options);
  if (options[0] == -1 && options[OPTIONS - 1] == -1 && options[OPTIONS] == UNTOUCHED)
    *(void **)&cholmod->separate = dlsym(library, "METIS_ComputeVertexSeparator");
}

syn_status syn_cholmod_load(syn_cholmod *cholmod, syn_error *error) {
  *cholmod = (syn_cholmod){0};
  void *loaded = dlopen(SYN_CHOLMOD, RTLD_NOW | RTLD_NOLOAD);
  if (loaded)
    dlclose(loaded);
  else
    SYN_TRY(syn_probe_memory(SYN_BLAS_BYTES, error));
  void *library = dlopen(SYN_CHOLMOD, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library)
    return syn_fail(error, SYN_NO_PROGRAM, "CHOLMOD, which solves for soft tissue, cannot be loaded: %s (install %s)",
                    dlerror(), "libsuitesparse-dev");
  const struct {
    const char *name;
    void *to;
  } functions[] = {
      {"cholmod_l_start", &cholmod->start},
      {"cholmod_l_finish", &cholmod->finish},
      {"cholmod_l_allocate_sparse", &cholmod->allocate_sparse},
      {"cholmod_l_allocate_dense", &cholmod->allocate_dense},
      {"cholmod_l_free_sparse", &cholmod->free_sparse},
      {"cholmod_l_free_dense", &cholmod->free_dense},
      {"cholmod_l_free_factor", &cholmod->free_factor},
      {"cholmod_l_copy_factor", &cholmod->copy_factor},
      {"cholmod_l_analyze", &cholmod->analyze},
      {"cholmod_l_analyze_p", &cholmod->analyze_p},
      {"cholmod_l_factorize", &cholmod->factorize},
      {"cholmod_l_solve2", &cholmod->solve2},
  };
  bool missing = false;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    void *found = dlsym(library, functions[i].name);
    memcpy(functions[i].to, &found, sizeof found);
    missing |= !found;
  }
  if (missing) return syn_fail(error, SYN_NO_PROGRAM, "%s has not all functions of CHOLMOD", SYN_CHOLMOD);
  cholmod->has_metis = dlsym(library, "cholmod_l_metis") != NULL;
  find_metis(library, cholmod);
  *(void **)&cholmod->get_threads = dlsym(library, "openblas_get_num_threads");
  *(void **)&cholmod->set_threads = dlsym(library, "openblas_set_num_threads");
  *(void **)&cholmod->get_levels = dlsym(library, "omp_get_max_active_levels");
  *(void **)&cholmod->set_levels = dlsym(library, "omp_set_max_active_levels");
  return SYN_OK;
}

/* Orders by this method, or fails. */
static cholmod_factor *order_by(const syn_cholmod *cholmod, cholmod_sparse *matrix, int ordering,
                                cholmod_common *common) {
  common->nmethods = 1;
  common->method[0].ordering = ordering;
  cholmod_factor *found = cholmod->analyze(matrix, common);
  if (found && (common->status < CHOLMOD_OK || found->ordering != ordering)) {
    cholmod->free_factor(&found, common);
    common->status = CHOLMOD_OUT_OF_MEMORY;
  }
  return found;
}

cholmod_factor *syn_cholmod_order(const syn_cholmod *cholmod, cholmod_sparse *matrix, bool dissect,
                                  cholmod_common *common) {
  if (dissect && cholmod->has_metis) return order_by(cholmod, matrix, CHOLMOD_METIS, common);
  cholmod_factor *found = order_by(cholmod, matrix, CHOLMOD_AMD, common);
  const double filled = common->lnz;
  /* CHOLMOD's bounds for an ordering that is good enough */
  if (!found || !cholmod->has_metis || common->fl < 500 * filled || filled < 5 * common->anz) return found;
  cholmod_factor *other = order_by(cholmod, matrix, CHOLMOD_METIS, common);
  const bool better = !other || common->lnz < filled; /* or the other one failed */
  cholmod->free_factor(better ? &found : &other, common);
  return better ? other : found;
}

syn_cholmod_threads syn_cholmod_one_thread(const syn_cholmod *cholmod) {
  syn_cholmod_threads before = {1, 0};
  if (cholmod->get_threads && cholmod->set_threads) before.blas = cholmod->get_threads();
  if (cholmod->get_levels && cholmod->set_levels) before.levels = cholmod->get_levels();
  if (before.blas != 1) cholmod->set_threads(1);
  if (before.levels != 0) cholmod->set_levels(0);
  return before;
}

void syn_cholmod_restore_threads(const syn_cholmod *cholmod, syn_cholmod_threads before) {
  if (before.blas != 1) cholmod->set_threads(before.blas);
  if (before.levels != 0) cholmod->set_levels(before.levels);
}

/* ==== the kernels of OpenBLAS ===================================================================================== */

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

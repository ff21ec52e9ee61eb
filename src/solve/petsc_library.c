/* Loads the functions of PETSc by name, as with CHOLMOD. The library stays loaded: MPI cannot be started twice. Its
 * symbols are global, since the plugins of Open MPI need them. */
#include "solve/petsc_library.h"

#ifdef SYN_PETSC
#include <dlfcn.h>
#include <string.h>

syn_status syn_petsc_load(syn_petsc *petsc, syn_error *error) {
  *petsc = (syn_petsc){0};
  void *library = dlopen(SYN_PETSC, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
  if (!library)
    return syn_fail(error, SYN_NO_PROGRAM, "PETSc, which solves for several processes, cannot be loaded: %s",
                    dlerror());
  const struct {
    const char *name;
    void *to;
  } functions[] = {
#define SYN_PETSC_ROW(name) {#name, &petsc->name},
      SYN_PETSC_FUNCTIONS(SYN_PETSC_ROW)
#undef SYN_PETSC_ROW
#ifdef OPEN_MPI
          {"ompi_mpi_double", &petsc->type_double},
      {"ompi_mpi_op_sum", &petsc->op_sum},
#endif
      {"dpotrf_", &petsc->blas.potrf},
      {"dtrsm_", &petsc->blas.trsm},
      {"dgemm_", &petsc->blas.gemm},
      {"dgemv_", &petsc->blas.gemv},
      {"dtrsv_", &petsc->blas.trsv},
      {"PETSC_COMM_WORLD", &petsc->world},
      {"PETSC_STDOUT", &petsc->out}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    void *found = dlsym(library, functions[i].name);
    memcpy(functions[i].to, &found, sizeof found);
    if (!found) return syn_fail(error, SYN_NO_PROGRAM, "%s has no %s", SYN_PETSC, functions[i].name);
  }
  /* A process has the core that mpirun gave it. */
  void (*set_threads)(int);
  *(void **)&set_threads = dlsym(library, "openblas_set_num_threads");
  if (set_threads) set_threads(1);
  return SYN_OK;
}

syn_status syn_petsc_check(PetscErrorCode code, const char *what, syn_error *error) {
  if (code == 0) return SYN_OK;
  if (code == PETSC_ERR_MEM) return syn_fail(error, SYN_NO_MEMORY, "PETSc has not enough memory for %s", what);
  return syn_fail(error, SYN_NO_PROGRAM, "PETSc's %s failed with error %d", what, (int)code);
}
#else
typedef int syn_no_petsc; /* an empty file is not valid C */
#endif

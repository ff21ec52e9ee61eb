/* Functions by name. The library stays loaded: its BLAS has threads that do not survive being unloaded. */
#include "tissue/cholmod.h"

#include <dlfcn.h>

syn_status syn_cholmod_load(syn_cholmod *cholmod, syn_error *error) {
  *cholmod = (syn_cholmod){0};
  void *library = dlopen(SYN_CHOLMOD, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library)
    return syn_fail(error, SYN_NO_PROGRAM, "CHOLMOD, which solves for soft tissue, cannot be loaded: %s (install %s)",
                    dlerror(), "libcholmod3");
  bool missing = false;
#define FIND(name)                                                                                                     \
  *(void **)&cholmod->name = dlsym(library, "cholmod_l_" #name);                                                       \
  missing |= !cholmod->name;
  SYN_CHOLMOD_FUNCTIONS(FIND)
#undef FIND
  if (missing) return syn_fail(error, SYN_NO_PROGRAM, "%s has not all functions of CHOLMOD", SYN_CHOLMOD);
  *(void **)&cholmod->get_threads = dlsym(library, "openblas_get_num_threads");
  *(void **)&cholmod->set_threads = dlsym(library, "openblas_set_num_threads");
  return SYN_OK;
}

int syn_cholmod_one_thread(const syn_cholmod *cholmod) {
  if (!cholmod->get_threads || !cholmod->set_threads) return 1;
  const int before = cholmod->get_threads();
  if (before != 1) cholmod->set_threads(1);
  return before;
}

void syn_cholmod_restore_threads(const syn_cholmod *cholmod, int before) {
  if (before != 1) cholmod->set_threads(before);
}

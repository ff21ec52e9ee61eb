/* OpenBLAS works with the instructions that the processor has, whatever processors it knows by number. */
#include "support.h"

#include <dlfcn.h>
#include <strings.h>

#include "tissue/blas.h"
#include "tissue/cholmod.h"

static void openblas_takes_the_kernels_of_this_processor(void **state) {
  (void)state;
  syn_error error;
  syn_cholmod cholmod;
  const char *kernels = syn_blas_kernels();
  if (!kernels) SKIP("the processor has no AVX2, or the build does not ask");
  unsetenv("OPENBLAS_CORETYPE");
  ASSERT_OK(syn_cholmod_load(&cholmod, &error));
  assert_null(getenv("OPENBLAS_CORETYPE")); /* nothing is left behind */
  if (!cholmod.get_threads) SKIP("CHOLMOD's BLAS is not OpenBLAS");
  Dl_info place;
  assert_true(dladdr((void *)(uintptr_t)cholmod.get_threads, &place));
  void *library = dlopen(place.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  assert_non_null(library);
  char *(*name)(void), *(*config)(void);
  *(void **)&name = dlsym(library, "openblas_get_corename");
  *(void **)&config = dlsym(library, "openblas_get_config");
  if (!name || !config || !strstr(config(), "DYNAMIC_ARCH")) SKIP("there is no OpenBLAS that chooses its kernels");
  print_message("kernels: %s\n", name());
  assert_int_equal(strcasecmp(name(), kernels), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(openblas_takes_the_kernels_of_this_processor)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// test: own-program
/* OpenBLAS works with the instructions that the processor has, whatever processors it knows by number; the library
 * itself leaves the environment alone, which other threads may be reading. */
#define _GNU_SOURCE /* dladdr */
#include "support.h"

#include <dlfcn.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "solve/cholmod_library.h"

/* In place of the C library's, so that changes are seen. */
static int changes;
int setenv(const char *name, const char *value, int overwrite) {
  static int (*real)(const char *name, const char *value, int overwrite);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "setenv");
  ++changes;
  return real(name, value, overwrite);
}
int unsetenv(const char *name) {
  static int (*real)(const char *name);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "unsetenv");
  ++changes;
  return real(name);
}

static void openblas_takes_the_kernels_of_this_processor(void **state) {
  (void)state;
  syn_error error;
  syn_cholmod cholmod;
  const char *kernels = syn_blas_kernels();
  if (!kernels) SKIP("the processor has no AVX2, or the build does not ask");
  unsetenv("OPENBLAS_CORETYPE");
  syn_program_prepare();
  ASSERT_OK(syn_cholmod_load(&cholmod, &error));
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

static void what_users_have_set_stays(void **state) {
  (void)state;
  setenv("OPENBLAS_CORETYPE", "Sandybridge", 1);
  setenv("OPENBLAS_NUM_THREADS", "3", 1);
  syn_program_prepare();
  assert_string_equal(getenv("OPENBLAS_CORETYPE"), "Sandybridge");
  assert_string_equal(getenv("OPENBLAS_NUM_THREADS"), "3");
}

/* In a process of its own: CHOLMOD is loaded once. */
static void the_library_changes_no_environment(void **state) {
  (void)state;
  int status;
  const pid_t child = fork();
  if (child == 0) {
    syn_cholmod cholmod;
    unsetenv("OPENBLAS_CORETYPE");
    changes = 0;
    _exit(syn_cholmod_load(&cholmod, NULL) == SYN_OK ? changes : 99);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_library_changes_no_environment),
      cmocka_unit_test(openblas_takes_the_kernels_of_this_processor),
      cmocka_unit_test(what_users_have_set_stays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// test: early
#include "allocations.h"
#include "support.h"

static void refused_memory_is_survived_by_every_command(void **state) {
  (void)state;
  check_allocations(10, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused_memory_is_survived_by_every_command),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

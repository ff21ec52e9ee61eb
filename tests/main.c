/* All tests in one program. usage: all_tests NAME, where NAME is a file of tests/ without its ending:
 * collide/radial/radial. ctest starts it once for each, so that tests share no memory. */
#include <stdio.h>
#include <string.h>

#define TEST(name, entry) int entry(void);
#include "table.inc"
#undef TEST

static const struct {
  const char *name;
  int (*entry)(void);
} tests[] = {
#define TEST(name, entry) {name, entry},
#include "table.inc"
#undef TEST
};
static const size_t count = sizeof tests / sizeof *tests;

int main(int words, char **word) {
  for (size_t i = 0; words == 2 && i < count; ++i)
    if (strcmp(tests[i].name, word[1]) == 0) return tests[i].entry();
  for (size_t i = 0; i < count; ++i) puts(tests[i].name);
  fprintf(stderr, "which of these tests? usage: %s NAME\n", word[0]);
  return 2;
}

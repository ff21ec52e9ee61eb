/* Sorting and selecting in place against qsort. */
#include "support.h"

#include "base/order.h"

enum { MOST = 60 };

typedef struct item {
  double key[2];
  uint32_t number;
} item;

static bool after(const void *a, const void *b) { return ((const item *)a)->key[0] > ((const item *)b)->key[0]; }
static double key_of(const void *a, int which) { return ((const item *)a)->key[which]; }

static int compare(const void *a, const void *b) {
  const double x = ((const item *)a)->key[0], y = ((const item *)b)->key[0];
  return (x > y) - (x < y);
}

/* Few different keys in every other round, so that there are ties. */
static size_t random_items(test_random *random, int round, item items[MOST]) {
  const size_t count = random_below(random, MOST);
  for (size_t i = 0; i < count; ++i) {
    const double key = round % 2 ? random_between(random, -1, 1) : (double)random_below(random, 4);
    items[i] = (item){{key, -key}, (uint32_t)i};
  }
  return count;
}

/* Every number is there once. */
static void check_permutation(const item *items, size_t count) {
  bool seen[MOST] = {false};
  for (size_t i = 0; i < count; ++i) {
    assert_false(seen[items[i].number]);
    seen[items[i].number] = true;
  }
}

static void a_heap_sort_orders_as_qsort_does(void **state) {
  (void)state;
  test_random random = {2};
  for (int round = 0; round < 3000; ++round) {
    item items[MOST], twin[MOST];
    const size_t count = random_items(&random, round, items);
    memcpy(twin, items, count * sizeof *twin);
    qsort(twin, count, sizeof *twin, compare);
    heap_sort(items, count, sizeof *items, after);
    for (size_t i = 0; i < count; ++i) assert_true(items[i].key[0] == twin[i].key[0]);
    check_permutation(items, count);
  }
}

static void selection_puts_what_sorting_would(void **state) {
  (void)state;
  test_random random = {6};
  for (int round = 0; round < 3000; ++round) {
    item items[MOST], twin[MOST];
    const size_t count = random_items(&random, round, items);
    if (count == 0) continue;
    const size_t nth = random_below(&random, (uint32_t)count);
    memcpy(twin, items, count * sizeof *twin);
    qsort(twin, count, sizeof *twin, compare);
    const int which = round % 3 == 0; /* the second key is the other way round */
    select_nth(items, count, sizeof *items, which ? count - 1 - nth : nth, key_of, which);
    assert_true(items[which ? count - 1 - nth : nth].key[0] == twin[nth].key[0]);
    for (size_t i = 0; i < count; ++i) {
      const size_t at = which ? count - 1 - i : i;
      assert_true(i <= nth ? items[at].key[0] <= twin[nth].key[0] : items[at].key[0] >= twin[nth].key[0]);
    }
    check_permutation(items, count);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_heap_sort_orders_as_qsort_does),
      cmocka_unit_test(selection_puts_what_sorting_would),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

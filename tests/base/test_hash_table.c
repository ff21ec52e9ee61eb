/* The hash table against looking at everything. */
#include "support.h"

#include "base/hash_table.h"

enum { MOST = 300 };

static bool same_number(const void *items, uint32_t item, const void *key) {
  return ((const uint64_t *)items)[item] == *(const uint64_t *)key;
}

static uint32_t first_equal(const uint64_t *items, uint32_t count, uint64_t key) {
  for (uint32_t i = 0; i < count; ++i)
    if (items[i] == key) return i;
  return SYN_NONE;
}

/* A poor hash in every third round: all in a row, and all with the same tag. */
static uint64_t hash_of(uint64_t key, int round) { return round % 3 ? hash_finish(hash_add(0, key)) : 0; }

static void each_thing_is_found_where_it_was_first(void **state) {
  (void)state;
  test_random random = {77};
  syn_error error;
  for (int round = 0; round < 60; ++round) {
    hash_table table;
    uint64_t items[MOST];
    uint32_t different = 0;
    ASSERT_OK(hash_table_create(NULL, hash_table_bits(MOST), &table, &error));
    for (uint32_t i = 0; i < MOST; ++i) {
      items[i] = random_below(&random, round % 2 ? 1000 : 50);
      const uint32_t twin = first_equal(items, i, items[i]);
      const uint64_t hash = hash_of(items[i], round);
      assert_int_equal(hash_table_find(&table, hash, same_number, items, &items[i]), twin);
      assert_int_equal(hash_table_join(&table, hash, i, same_number, items, &items[i]), twin == SYN_NONE ? i : twin);
      different += twin == SYN_NONE;
    }
    assert_true(different > 10 && different < MOST);
    for (uint64_t key = 0; key < 1000; ++key)
      assert_int_equal(hash_table_find(&table, hash_of(key, round), same_number, items, &key),
                       first_equal(items, MOST, key));
    hash_table_clear(&table);
    assert_int_equal(hash_table_find(&table, hash_of(items[0], round), same_number, items, &items[0]), SYN_NONE);
    syn_free(NULL, table.slots);
  }
}

static void what_is_put_in_is_found(void **state) {
  (void)state;
  syn_error error;
  uint64_t items[MOST];
  hash_table table;
  ASSERT_OK(hash_table_create(NULL, hash_table_bits(MOST), &table, &error));
  for (uint32_t i = 0; i < MOST; ++i) {
    items[i] = 7919u * (uint64_t)i;
    hash_table_put(&table, hash_of(items[i], 1), i);
  }
  for (uint32_t i = 0; i < MOST; ++i)
    assert_int_equal(hash_table_find(&table, hash_of(items[i], 1), same_number, items, &items[i]), i);
  syn_free(NULL, table.slots);
}

static void a_table_is_at_most_half_full(void **state) {
  (void)state;
  for (size_t items = 0; items < 5000; ++items) {
    const size_t slots = (size_t)1 << hash_table_bits(items);
    assert_true(slots >= 2 * items && slots >= 16 && (slots == 16 || slots < 4 * items));
  }
}

/* Numbers in a row, as vertices of meshes are: the slots they get are as even as those of random numbers. */
static void neighbouring_keys_are_spread(void **state) {
  (void)state;
  enum { SLOTS = 1 << 12 };
  uint32_t count[SLOTS] = {0}, fullest = 0;
  const hash_table table = {.bits = 12};
  for (uint64_t key = 0; key < SLOTS; ++key) {
    const double on_grid[3] = {(double)(key % 16), (double)(key / 16 % 16), (double)(key / 256)};
    const uint64_t hash = hash_place((syn_vec3){on_grid[0], on_grid[1], on_grid[2]});
    const uint32_t here = ++count[hash_table_first(&table, hash)];
    if (here > fullest) fullest = here;
  }
  assert_true(fullest <= 10); /* of random ones 6 or 7 */
}

static void refused_memory_leaves_no_table(void **state) {
  (void)state;
  test_memory memory = {.refuse_at = 1};
  const syn_context context = test_context(&memory);
  syn_error error;
  hash_table table;
  assert_int_equal(hash_table_create(&context, 10, &table, &error), SYN_NO_MEMORY);
  assert_null(table.slots);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_thing_is_found_where_it_was_first), cmocka_unit_test(what_is_put_in_is_found),
      cmocka_unit_test(a_table_is_at_most_half_full),           cmocka_unit_test(neighbouring_keys_are_spread),
      cmocka_unit_test(refused_memory_leaves_no_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support.h"

#include "mesh/io/cells.h"

/* Every number in a small range is looked up and compared with a walk over all entries. */
static void random_numbers_match_a_walk(void **state) {
  (void)state;
  test_random random = {3};
  syn_error error;
  for (int round = 0; round < 500; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_id_map map = {.context = &context};
    uint64_t ids[64];
    const uint32_t n = random_below(&random, 40), step = 1 + random_below(&random, 4);
    const uint64_t base = round % 3 == 0 ? UINT64_MAX - 200 : (uint64_t)(round % 3);
    for (uint32_t i = 0; i < n; ++i) ids[i] = base + i * step;
    if (round % 2)
      for (uint32_t i = n; i > 1; --i) {
        const uint32_t other = random_below(&random, i);
        const uint64_t swap = ids[i - 1];
        ids[i - 1] = ids[other];
        ids[other] = swap;
      }
    for (uint32_t i = 0; i < n; ++i) ASSERT_OK(syn_id_map_add(&map, ids[i], i + 7, &error));
    ASSERT_OK(syn_id_map_finish(&map, NULL, "node", &error));
    for (uint64_t id = base - 2, tries = 0; tries < 180; ++id, ++tries) {
      uint32_t expected = SYN_NONE;
      for (uint32_t i = 0; i < n; ++i)
        if (ids[i] == id) expected = i + 7;
      assert_int_equal(syn_id_map_find(&map, id), expected);
    }
    syn_id_map_release(&map);
    assert_int_equal(memory.live, 0);
  }
}

static void a_number_given_twice_is_named(void **state) {
  (void)state;
  const uint64_t ids[] = {5, 9, 2, 9, 1};
  syn_id_map map = {0};
  syn_error error;
  for (uint32_t i = 0; i < 5; ++i) ASSERT_OK(syn_id_map_add(&map, ids[i], i, &error));
  ASSERT_FAILS(syn_id_map_finish(&map, "some.msh", "node", &error), SYN_BAD_FORMAT, "node 9 is defined twice");
  assert_string_equal(error.file, "some.msh");
  syn_id_map_release(&map);
}

static syn_status fill(const syn_context *context, void *user, syn_error *error) {
  (void)user;
  syn_id_map map = {.context = context};
  syn_status status = SYN_OK;
  for (uint32_t i = 0; i < 100 && status == SYN_OK; ++i) status = syn_id_map_add(&map, 1000 - i, i, error);
  if (status == SYN_OK) status = syn_id_map_finish(&map, NULL, "node", error);
  syn_id_map_release(&map);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  check_every_allocation(fill, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_numbers_match_a_walk),
      cmocka_unit_test(a_number_given_twice_is_named),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support.h"

#include <stdalign.h>

#include "base/memory.h"

static void sizes_that_do_not_fit_are_refused(void **state) {
  (void)state;
  syn_error error;
  size_t bytes;
  void *block = NULL;
  assert_true(syn_multiply_size(3, 7, &bytes) && bytes == 21);
  assert_false(syn_multiply_size(SIZE_MAX / 2, 3, &bytes));
  ASSERT_FAILS(syn_allocate(NULL, SIZE_MAX, 2, &block, &error), SYN_TOO_LARGE, "address space");
  assert_null(block);
  size_t capacity = 0;
  ASSERT_FAILS(syn_reserve(NULL, &block, SIZE_MAX, 1, &capacity, 1, &error), SYN_TOO_LARGE, "address space");
  syn_arena arena = {0};
  ASSERT_FAILS(syn_arena_take(&arena, SIZE_MAX, 2, &block, &error), SYN_TOO_LARGE, "address space");
  ASSERT_FAILS(syn_arena_take(&arena, SIZE_MAX, 1, &block, &error), SYN_TOO_LARGE, "address space");
  assert_null(arena.blocks);
}

static void blocks_of_nothing_are_blocks(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  int *none, *zeros;
  ASSERT_OK(SYN_NEW(&context, &none, 0, &error));
  assert_non_null(none);
  ASSERT_OK(SYN_NEW_ZEROED(&context, &zeros, 1000, &error));
  for (int i = 0; i < 1000; ++i) assert_int_equal(zeros[i], 0);
  assert_int_equal(memory.live, 2);
  syn_free(&context, none);
  syn_free_const(&context, zeros);
  syn_free(&context, NULL);
  assert_int_equal(memory.live, 0);
}

static void a_refused_resize_leaves_the_block_alone(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {.refuse_at = 2};
  syn_context context = test_context(&memory);
  int *numbers;
  ASSERT_OK(SYN_NEW(&context, &numbers, 1, &error));
  numbers[0] = 42;
  void *block = numbers;
  ASSERT_FAILS(syn_reallocate(&context, &block, 1000, sizeof *numbers, &error), SYN_NO_MEMORY, "4000 bytes");
  assert_ptr_equal(block, numbers);
  assert_int_equal(numbers[0], 42);
  syn_free(&context, numbers);
  assert_int_equal(memory.live, 0);
}

static void appending_is_linear(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  uint32_t *numbers = NULL;
  size_t capacity = 0;
  for (uint32_t i = 0; i < 100000; ++i) {
    ASSERT_OK(SYN_RESERVE(&context, &numbers, i, 1, &capacity, &error));
    numbers[i] = i;
  }
  for (uint32_t i = 0; i < 100000; ++i) assert_int_equal(numbers[i], i);
  assert_true(memory.allocations < 40 && capacity < 200000);
  syn_free(&context, numbers);
}

static void arena_blocks_are_aligned_apart_and_stay(void **state) {
  (void)state;
  enum { TAKEN = 3000 };
  syn_error error;
  test_random random = {81};
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_arena arena = {.context = &context};
  static unsigned char *blocks[TAKEN];
  static size_t sizes[TAKEN];
  for (int i = 0; i < TAKEN; ++i) {
    sizes[i] = i % 500 == 0 ? 100000 : random_below(&random, 300);
    ASSERT_OK(SYN_TAKE(&arena, &blocks[i], sizes[i], &error));
    assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
    memset(blocks[i], i & 0xff, sizes[i]);
  }
  for (int i = 0; i < TAKEN; ++i)
    for (size_t k = 0; k < sizes[i]; ++k) assert_true(blocks[i][k] == (i & 0xff));
  assert_true(memory.allocations < 50);
  char *copy;
  ASSERT_OK(syn_arena_text(&arena, "synovia", 3, &copy, &error));
  assert_string_equal(copy, "syn");
  syn_arena_release(&arena);
  syn_arena_release(&arena); /* harmless */
  assert_int_equal(memory.live, 0);
}

/* What was refused once is told at the end, however much was given afterwards. */
static void an_arena_remembers_a_refusal(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {.refuse_at = 1, .only_one = true};
  syn_context context = test_context(&memory);
  syn_arena arena = {.context = &context};
  int *numbers;
  ASSERT_FAILS(SYN_TAKE(&arena, &numbers, 10, &error), SYN_NO_MEMORY, "memory");
  ASSERT_OK(SYN_TAKE(&arena, &numbers, 10, &error));
  ASSERT_FAILS(syn_arena_check(&arena, &error), SYN_NO_MEMORY, "a part of the result was refused");
  syn_arena_release(&arena);
  assert_int_equal(memory.live, 0);
}

static syn_status use_arena(const syn_context *context, void *user, syn_error *error) {
  (void)user;
  syn_arena arena = {.context = context};
  char *text;
  syn_status status = SYN_OK;
  for (int i = 0; i < 5 && status == SYN_OK; ++i) {
    static const char long_text[40000] = "";
    status = syn_arena_text(&arena, long_text, sizeof long_text, &text, error);
  }
  syn_arena_release(&arena);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  check_every_allocation(use_arena, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_that_do_not_fit_are_refused),       cmocka_unit_test(blocks_of_nothing_are_blocks),
      cmocka_unit_test(a_refused_resize_leaves_the_block_alone), cmocka_unit_test(appending_is_linear),
      cmocka_unit_test(arena_blocks_are_aligned_apart_and_stay), cmocka_unit_test(an_arena_remembers_a_refusal),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

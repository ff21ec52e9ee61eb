#include <errno.h>

#include "support.h"

#include "base/platform.h"

static void little_endian_numbers_have_their_lowest_byte_first(void **state) {
  (void)state;
  const uint16_t two = little16(0x0102);
  const uint32_t four = little32(0x01020304);
  const uint64_t eight = little64(0x0102030405060708u);
  assert_memory_equal(&two, "\2\1", 2);
  assert_memory_equal(&four, "\4\3\2\1", 4);
  assert_memory_equal(&eight, "\10\7\6\5\4\3\2\1", 8);
  assert_int_equal(little32(four), 0x01020304);
}

static void random_bytes_differ_from_time_to_time(void **state) {
  (void)state;
  unsigned char first[600] = {0}, second[600] = {0};
  assert_true(syn_random_bytes(first, sizeof first) && syn_random_bytes(second, sizeof second));
  assert_memory_not_equal(first, second, sizeof first);
}

/* The hint must not touch what is outside of the block, nor what is in it. */
static void large_pages_change_nothing(void **state) {
  (void)state;
  const size_t sizes[] = {1, 1 << 21, (1 << 22) + 1, (5 << 21) + 12345};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    unsigned char *block = malloc(sizes[i]);
    memset(block, 0x5a, sizes[i]);
    syn_prefer_large_pages(block, sizes[i]);
    for (size_t k = 0; k < sizes[i]; ++k)
      if (block[k] != 0x5a) fail_msg("byte %zu of %zu", k, sizes[i]);
    free(block);
  }
}

static void the_system_says_what_is_wrong(void **state) {
  (void)state;
  char buffer[128] = "";
  assert_string_equal(syn_system_message(ENOENT, buffer, sizeof buffer), strerror(ENOENT));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(little_endian_numbers_have_their_lowest_byte_first),
      cmocka_unit_test(random_bytes_differ_from_time_to_time),
      cmocka_unit_test(the_system_says_what_is_wrong),
      cmocka_unit_test(large_pages_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

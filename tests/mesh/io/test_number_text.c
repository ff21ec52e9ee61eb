#include "support.h"

#include "mesh/io/numbers.h"

static const double lows[] = {-128, 0, -32768, 0, -2147483648.0, 0, -9007199254740992.0, 0, -1e30, -1e300};
static const double highs[] = {
    127, 255, 32767, 65535, 2147483647, 4294967295.0, 9007199254740992.0, 9007199254740992.0, 1e30, 1e300};

static void every_type_and_order_survives(void **state) {
  (void)state;
  test_random random = {11};
  syn_error error;
  for (int type = SYN_INT8; type <= SYN_FLOAT64; ++type)
    for (int big = 0; big < 2; ++big) {
      double values[100];
      unsigned char bytes[801];
      for (int i = 0; i < 100; ++i) {
        double value = i == 0 ? lows[type] : i == 1 ? highs[type] : random_between(&random, lows[type], highs[type]);
        values[i] = type == SYN_FLOAT32 ? (double)(float)value : type == SYN_FLOAT64 ? value : trunc(value);
      }
      syn_numbers numbers = {0};
      syn_numbers_encode((syn_number_type)type, big, values, 100, bytes + 1); /* not aligned */
      ASSERT_OK(syn_numbers_decode(NULL, &numbers, (syn_number_type)type, big, bytes + 1, 50, &error));
      ASSERT_OK(syn_numbers_decode(NULL, &numbers, (syn_number_type)type, big,
                                   bytes + 1 + 50 * syn_number_size((syn_number_type)type), 50, &error));
      assert_int_equal(numbers.count, 100);
      for (int i = 0; i < 100; ++i) assert_true(numbers.values[i] == values[i]);
      syn_free(NULL, numbers.values);
    }
}

static void the_byte_order_is_the_one_asked_for(void **state) {
  (void)state;
  syn_error error;
  const unsigned char bytes[] = {0x00, 0x01, 0x02, 0xfd};
  syn_numbers n = {0};
  ASSERT_OK(syn_numbers_decode(NULL, &n, SYN_UINT32, true, bytes, 1, &error));
  ASSERT_OK(syn_numbers_decode(NULL, &n, SYN_INT32, false, bytes, 1, &error));
  ASSERT_OK(syn_numbers_decode(NULL, &n, SYN_UINT16, true, bytes, 2, &error));
  assert_true(n.values[0] == 0x000102fd && n.values[1] == (int32_t)0xfd020100 && n.values[2] == 1 &&
              n.values[3] == 0x2fd);
  syn_free(NULL, n.values);
}

static void text_is_read_as_far_as_asked(void **state) {
  (void)state;
  syn_error error;
  const char *words = " 1 2.5\n-3e2 nan ";
  syn_text text = syn_text_from(words, strlen(words), "t");
  syn_numbers n = {0};
  ASSERT_OK(syn_numbers_parse(NULL, &n, &text, 2, "a number", &error));
  assert_int_equal(n.count, 2);
  ASSERT_OK(syn_numbers_parse(NULL, &n, &text, SIZE_MAX, "a number", &error));
  assert_int_equal(n.count, 4);
  assert_true(n.values[0] == 1 && n.values[1] == 2.5 && n.values[2] == -300 && isnan(n.values[3]));
  text = syn_text_from("1\n2\nx", 5, "t");
  ASSERT_FAILS(syn_numbers_parse(NULL, &n, &text, SIZE_MAX, "a number", &error), SYN_BAD_FORMAT, "found 'x'");
  assert_int_equal(error.line, 3);
  text = syn_text_from("1 2", 3, "t");
  ASSERT_FAILS(syn_numbers_parse(NULL, &n, &text, 1000000000000, "a number", &error), SYN_BAD_FORMAT, "cannot fit");
  syn_free(NULL, n.values);
}

static void indices_are_whole_and_in_range(void **state) {
  (void)state;
  uint64_t index = 7;
  assert_true(syn_number_index(0, 1, &index) && index == 0);
  assert_true(syn_number_index(4294967295.0, (uint64_t)1 << 32, &index) && index == 4294967295u);
  const double bad[] = {-1, 1, 0.5, 1e300, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 7; ++i) assert_false(syn_number_index(bad[i], 1, &index));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_and_order_survives),
      cmocka_unit_test(the_byte_order_is_the_one_asked_for),
      cmocka_unit_test(text_is_read_as_far_as_asked),
      cmocka_unit_test(indices_are_whole_and_in_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Doubles as text against the C library's printf, digit by digit. */
#include "support.h"

#include "base/text.h"

/* The slow way: more and more digits until the C library reads the same number. */
static void check(double value) {
  char text[32], expected[40];
  for (int digits = 15; digits <= 17; ++digits) {
    snprintf(expected, sizeof expected, "%.*g", digits, value);
    if (strtod(expected, NULL) == value) break;
  }
  syn_format_double(value, text);
  if (strcmp(text, expected) != 0) fail_msg("%a became '%s', not '%s'", value, text, expected);
}

static void check_with_neighbours(double value) {
  check(value);
  check(nextafter(value, INFINITY));
  check(nextafter(value, -INFINITY));
}

static void any_normal_double_is_written_like_printf(void **state) {
  (void)state;
  test_random random = {31};
  for (int round = 0; round < repeats(50000, 1); ++round) {
    const uint64_t bits = (uint64_t)random_u32(&random) << 32 | random_u32(&random);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isnormal(value)) check(value);
  }
}

static void lengths_are_written_like_printf(void **state) {
  (void)state;
  test_random random = {32};
  for (int round = 0; round < repeats(200000, 1); ++round)
    check(random_between(&random, -1, 1) * pow(10, random_between(&random, -13, 18)));
}

static void floats_and_short_decimals_are_written_like_printf(void **state) {
  (void)state;
  test_random random = {33};
  for (int round = 0; round < repeats(50000, 1); ++round) {
    check((double)(float)random_between(&random, -300, 300));
    const double whole = 1 + floor(random_between(&random, 0, pow(10, 1 + random_below(&random, 15))));
    check_with_neighbours(whole / pow(10, random_below(&random, 18)));
  }
}

static void powers_and_their_neighbours_are_written_like_printf(void **state) {
  (void)state;
  for (int i = -40; i <= 40; ++i) {
    char word[16];
    snprintf(word, sizeof word, "1e%d", i);
    check_with_neighbours(strtod(word, NULL));
    check_with_neighbours(-5 * strtod(word, NULL));
  }
  for (int i = -100; i <= 100; ++i) check_with_neighbours(ldexp(1, i));
}

/* The last digit of 17 where exactly half is left over: to the even one. */
static void halves_are_written_like_printf(void **state) {
  (void)state;
  test_random random = {34};
  for (int round = 0; round < repeats(20000, 1); ++round)
    for (int power = 1; power < 12; ++power)
      check(ldexp((double)((uint64_t)random_u32(&random) << 20 | random_u32(&random) | 1), -power));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_normal_double_is_written_like_printf),
      cmocka_unit_test(lengths_are_written_like_printf),
      cmocka_unit_test(floats_and_short_decimals_are_written_like_printf),
      cmocka_unit_test(powers_and_their_neighbours_are_written_like_printf),
      cmocka_unit_test(halves_are_written_like_printf),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Reading decimal numbers against the C library, above all where the quick ways of doing it end. */
#include "support.h"

#include "base/text.h"

static void check_word(const char *word) {
  double value;
  const double expected = strtod(word, NULL);
  if (!syn_word_double((syn_word){word, strlen(word)}, &value)) fail_msg("'%s' was not read", word);
  if (memcmp(&value, &expected, sizeof value) != 0) fail_msg("'%s' became %.17g, not %.17g", word, value, expected);
}

static void numbers_of_all_lengths_are_rounded_correctly(void **state) {
  (void)state;
  test_random random = {21};
  for (int round = 0; round < repeats(200000, 1); ++round) {
    char word[64];
    const uint32_t digits = 1 + random_below(&random, 22), point = random_below(&random, digits + 1);
    size_t used = 0;
    if (random_below(&random, 2)) word[used++] = '-';
    for (uint32_t i = 0; i < digits; ++i) {
      if (i == point) word[used++] = '.';
      word[used++] = (char)('0' + random_below(&random, 10));
    }
    word[used] = 0;
    if (random_below(&random, 2)) snprintf(word + used, sizeof word - used, "e%d", (int)random_below(&random, 70) - 35);
    check_word(word);
  }
}

static void doubles_written_with_any_precision_are_read_back(void **state) {
  (void)state;
  test_random random = {22};
  for (int round = 0; round < repeats(100000, 1); ++round) {
    char word[64];
    const uint64_t bits = (uint64_t)random_u32(&random) << 32 | random_u32(&random);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (round % 2) value = random_between(&random, -1000, 1000) / 3;
    if (!isfinite(value)) continue;
    snprintf(word, sizeof word, "%.*g", 1 + (int)random_below(&random, 19), value);
    check_word(word);
  }
}

/* Integers half way between two doubles, and their neighbours, also divided by powers of ten. */
static void numbers_half_way_between_doubles_go_to_the_even_one(void **state) {
  (void)state;
  test_random random = {23};
  for (int round = 0; round < repeats(50000, 1); ++round) {
    char word[64];
    const unsigned extra = 1 + random_below(&random, 10); /* bits beyond 53 */
    const uint64_t high = (uint64_t)1 << 52 | ((uint64_t)random_u32(&random) << 20 ^ random_u32(&random));
    const uint64_t half = (high << extra) + ((uint64_t)1 << (extra - 1)) + random_below(&random, 3) - 1;
    snprintf(word, sizeof word, "%llu", (unsigned long long)half);
    check_word(word);
    snprintf(word, sizeof word, "%llue-%u", (unsigned long long)half, random_below(&random, 30));
    check_word(word);
  }
}

static void the_shortest_text_reads_back_to_the_same_bits(void **state) {
  (void)state;
  test_random random = {24};
  for (int round = 0; round < repeats(20000, 1); ++round) {
    const double value = random_between(&random, -1, 1) * pow(10, random_between(&random, -30, 30));
    char text[32];
    double back;
    syn_format_double(value, text);
    assert_true(syn_word_double((syn_word){text, strlen(text)}, &back));
    assert_memory_equal(&back, &value, sizeof value);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_all_lengths_are_rounded_correctly),
      cmocka_unit_test(doubles_written_with_any_precision_are_read_back),
      cmocka_unit_test(numbers_half_way_between_doubles_go_to_the_even_one),
      cmocka_unit_test(the_shortest_text_reads_back_to_the_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

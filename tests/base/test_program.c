/* What programs on top of the library use: numbers and directions as people type them, and failing with a sentence. */
#include "base/status.h"
#include "base/text.h"

#include "support.h"

static void numbers_are_whole_words(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool good;
    double value;
  } cases[] = {{"2.5", true, 2.5}, {"-1e3", true, -1000}, {"2.5mm", false, 0}, {"", false, 0}, {"0x10", false, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double value = 7;
    assert_int_equal(syn_number_read(cases[i].text, strlen(cases[i].text), &value), cases[i].good);
    if (cases[i].good) assert_true(value == cases[i].value);
  }
  double value;
  assert_true(syn_number_read("2.5mm", 3, &value) && value == 2.5); /* a part of a word */
}

static void a_direction_has_length_one_or_none(void **state) {
  (void)state;
  const syn_vec3 unit = syn_vec3_unit((syn_vec3){3, 0, -4});
  assert_true(unit.x == 3 * (1 / 5.0) && unit.y == 0 && unit.z == -4 * (1 / 5.0));
  const syn_vec3 none = syn_vec3_unit((syn_vec3){0, 0, 0}), far = syn_vec3_unit((syn_vec3){INFINITY, 0, 0});
  assert_true(none.x == 0 && none.y == 0 && none.z == 0 && far.x == 0);
}

static syn_status fails(syn_error *error) {
  return syn_fail_at(error, SYN_BAD_FORMAT, "a.csv", 3, -1, "%d columns", 2);
}

static syn_status tries(bool *went_on, syn_error *error) {
  SYN_TRY(fails(error));
  *went_on = true;
  return SYN_OK;
}

static void a_failure_is_passed_on_with_its_sentence(void **state) {
  (void)state;
  bool went_on = false;
  syn_error error;
  char text[128];
  assert_int_equal(tries(&went_on, &error), SYN_BAD_FORMAT);
  assert_false(went_on);
  assert_string_equal(syn_error_text(&error, text, sizeof text), "a.csv:3: 2 columns");
  assert_int_equal(syn_fail(NULL, SYN_IO_ERROR, "nobody hears it"), SYN_IO_ERROR);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_whole_words),
                                     cmocka_unit_test(a_direction_has_length_one_or_none),
                                     cmocka_unit_test(a_failure_is_passed_on_with_its_sentence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

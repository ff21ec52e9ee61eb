#include "base/base64.h"
#include "report/html.h"
#include "report/page.h"
#include "support.h"

static void check_number(double value, int decimals, const char *expected) {
  char room[48];
  assert_string_equal(syn_shown_number(value, decimals, room), expected);
}

static void numbers_are_written_for_people(void **state) {
  (void)state;
  check_number(0, 3, "0");
  check_number(-0.0, 3, "0");
  check_number(-0.0004, 3, "0"); /* no minus in front of nothing */
  check_number(0.0996, 3, "0.1");
  check_number(0.05, 3, "0.05");
  check_number(-12.5, 1, "−12.5");
  check_number(1.9999, 3, "2");
  check_number(46.4125, 3, "46.413");
  check_number(123456789, 0, "123456789");
  check_number(1e300, 2, "1e+300");
  check_number(-1e12, 2, "−1000000000000");
  check_number(NAN, 2, "–");
  check_number(-INFINITY, 2, "–");
}

static void check_unit(double value, const char *unit, const char *expected) {
  char room[96];
  assert_string_equal(syn_shown_quantity(value, unit, room), expected);
}

/* The same as in web/test/modules.test.mjs: the script of the page has the same rules. */
static void units_say_how_many_digits(void **state) {
  (void)state;
  check_unit(37.3717, "deg", "37°");
  check_unit(-0.4, "°", "0°");
  check_unit(-2.5, "°", "−3°");
  check_unit(9.94, "percent", "9.9 %");
  check_unit(9.96, "%", "10 %");
  check_unit(0.1, "mm", "0.1 mm");
  check_unit(0.094, "mm", "0.09 mm");
  check_unit(0.0007, "mm", "0.001 mm");
  check_unit(0.0004, "mm", "0.0 mm");
  check_unit(-3, "mm", "−3.0 mm");
  check_unit(1.45, "mm", "1.5 mm");
  check_unit(812.4, "mm²", "812 mm²");
  check_unit(81.24, "mm²", "81.2 mm²");
  check_unit(0.0247, "MPa", "0.025 MPa");
  check_unit(-0.00312, "N", "−0.0031 N");
  check_unit(0.2, "", "0.20");
  check_unit(0.0218, "", "0.02");
  check_unit(0.00312, "", "0.003");
  check_unit(45, "", "45"); /* tables also count */
  check_unit(1e-12, "", "0.00");
  check_unit(NAN, "mm", "–");
}

static void bands_stand_behind_their_number(void **state) {
  (void)state;
  char room[160];
  assert_string_equal(syn_shown_banded(133.9, 129.6, 137.4, "deg", room), "134° (130–137°)");
  assert_string_equal(syn_shown_banded(4.6, -6.1, 14.8, "°", room), "5° (−6 to 15°)");
  assert_string_equal(syn_shown_banded_text(7.8, 7.16, 8, "mm", room), "7.8 (7.2–8.0)");
  assert_string_equal(syn_shown_banded(7.8, 0, 0, "mm", room), "7.8 mm"); /* not known */
  assert_string_equal(syn_shown_banded(7.8, NAN, 9, "mm", room), "7.8 mm");
  assert_string_equal(syn_shown_banded(NAN, 1, 9, "mm", room), "–");
  assert_true(syn_shown_value(134.4, "deg") == syn_shown_value(133.6, "°")); /* both are read as 134 */
}

/* Against printf in the C locale, which rounds the exact value: ties aside they agree. */
static void numbers_agree_with_printf(void **state) {
  (void)state;
  test_random random = {19};
  for (int i = 0; i < 20000; ++i) {
    const double value = random_between(&random, -1, 1) * pow(10, random_between(&random, -4, 9));
    char room[48], expected[64];
    const int decimals = (int)random_below(&random, 5);
    snprintf(expected, sizeof expected, "%.*f", decimals, fabs(value));
    const double shown = strtod(syn_shown_number(fabs(value), decimals, room), NULL);
    ASSERT_NEAR(shown, strtod(expected, NULL), 1.01 * pow(10, -decimals) * 1e-6 + fabs(value) * 1e-15);
  }
}

static void check_text(const char *text, const char *expected) {
  char *page = NULL;
  size_t size;
  FILE *to = open_memstream(&page, &size);
  syn_html_text(to, text);
  fclose(to);
  assert_string_equal(page, expected);
  free(page);
  json_t *value = syn_json_clean(NULL, text);
  assert_non_null(value); /* jansson accepts it as UTF-8 */
  assert_int_equal(syn_text_length(json_string_value(value)), syn_text_length(text));
  json_decref(value);
}

#define LOST "\xef\xbf\xbd"

static void texts_become_clean(void **state) {
  (void)state;
  check_text("", "");
  check_text(NULL, "");
  check_text("<a href=\"x\">'&'</a>", "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  check_text("tab\tline\n", "tab\tline\n");
  check_text("Größe 骨 \U0001f9b4", "Größe 骨 \U0001f9b4");
  check_text("\x01\x1f\x7f", LOST LOST LOST);
  check_text("\xc2\x85", LOST LOST);                   /* a control of the second kind */
  check_text("\xc0\xaf", LOST LOST);                   /* overlong */
  check_text("\xed\xa0\x80", LOST LOST LOST);          /* half a surrogate */
  check_text("\xef\xbf\xbf", LOST LOST LOST);          /* no character */
  check_text("\xf4\x90\x80\x80", LOST LOST LOST LOST); /* beyond the last */
  check_text("cut \xe2\x82", "cut " LOST LOST);
}

static void long_texts_are_cut_between_characters(void **state) {
  (void)state;
  static const struct {
    size_t most;
    const char *expected;
  } cases[] = {{5, "äöü&lt;ß"}, {4, "äöü…"}, {1, "…"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char *page = NULL;
    size_t size;
    FILE *to = open_memstream(&page, &size);
    syn_html_short(to, "äöü<ß", cases[i].most);
    fclose(to);
    assert_string_equal(page, cases[i].expected);
    free(page);
  }
}

/* A browser runs the script only where the page names its hash. */
static void the_hash_of_the_script_is_that_of_the_build(void **state) {
  (void)state;
  char digits[65];
  syn_sha256 sha = syn_sha256_start();
  syn_sha256_add(&sha, syn_page_script, strlen(syn_page_script));
  syn_sha256_finish(&sha, digits);
  assert_string_equal(digits, syn_page_script_sha256);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_written_for_people),
      cmocka_unit_test(units_say_how_many_digits),
      cmocka_unit_test(bands_stand_behind_their_number),
      cmocka_unit_test(numbers_agree_with_printf),
      cmocka_unit_test(texts_become_clean),
      cmocka_unit_test(long_texts_are_cut_between_characters),
      cmocka_unit_test(the_hash_of_the_script_is_that_of_the_build),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

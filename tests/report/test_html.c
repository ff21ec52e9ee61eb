#include "report/html.h"
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_written_for_people),
      cmocka_unit_test(numbers_agree_with_printf),
      cmocka_unit_test(texts_become_clean),
      cmocka_unit_test(long_texts_are_cut_between_characters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support.h"

#include <float.h>
#include <locale.h>

#include "base/text.h"

static syn_word word(const char *text) { return (syn_word){text, strlen(text)}; }
static syn_text cursor(const char *text) { return syn_text_from(text, strlen(text), "file.txt"); }

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void check_like_strtod(const char *text) {
  double value = 42;
  char *end;
  const double expected = strtod(text, &end);
  if (!syn_word_double(word(text), &value)) fail_msg("'%.60s' was refused", text);
  assert_int_equal(*end, 0);
  if (bits_of(value) != bits_of(expected)) fail_msg("'%.60s' gave %.17g, not %.17g", text, value, expected);
}

/* ---- doubles ----------------------------------------------------------------------------------------------------- */

static double any_bits(test_random *random) {
  double value;
  do {
    const uint64_t bits = (uint64_t)random_u32(random) << 32 | random_u32(random);
    memcpy(&value, &bits, sizeof value);
  } while (!isfinite(value));
  return value;
}

static void numbers_of_every_size_read_as_strtod_reads_them(void **state) {
  (void)state;
  test_random random = {91};
  char text[64];
  for (int i = 0; i < 100000; ++i) {
    const double value = i % 2 ? any_bits(&random) : random_between(&random, -1000, 1000);
    const int digits = (int)random_below(&random, 24);
    if (i % 3 == 0)
      snprintf(text, sizeof text, "%+.*E", digits, value);
    else
      snprintf(text, sizeof text, "%.*g", digits, value);
    check_like_strtod(text);
  }
}

static void random_digits_with_a_point_and_an_exponent_read_as_strtod_reads_them(void **state) {
  (void)state;
  test_random random = {92};
  for (int i = 0; i < 60000; ++i) {
    char text[128];
    const uint32_t digits = 1 + random_below(&random, i % 3 ? 40 : 20), point = random_below(&random, digits + 3);
    uint32_t n = 0;
    if (random_u32(&random) & 1) text[n++] = '-';
    for (uint32_t d = 0; d < digits; ++d) {
      if (d == point) text[n++] = '.';
      const char *const some = i % 5 == 0 ? "00000000019" : "0123456789";
      text[n++] = some[random_below(&random, i % 5 == 0 ? 11 : 10)];
    }
    if (point == digits) text[n++] = '.';
    text[n] = 0;
    if (i % 2)
      snprintf(text + n, 16, "e%d", (int)random_below(&random, i % 4 == 1 ? 700 : 60) - (i % 4 == 1 ? 350 : 30));
    check_like_strtod(text);
  }
}

static void nasty_numbers_read_as_strtod_reads_them(void **state) {
  (void)state;
  static const char *const nasty[] = {"0",
                                      "-0",
                                      "+0",
                                      "0.0",
                                      "-.0",
                                      "5.",
                                      ".5",
                                      "+.5e1",
                                      "00012",
                                      "0e999999999",
                                      "1e-999999999",
                                      "1e999999999999999999",
                                      "-1e400",
                                      "4.9e-324",
                                      "2.4703282292062327e-324",
                                      "2.4703282292062328e-324",
                                      "2.2250738585072011e-308",
                                      "2.2250738585072014e-308",
                                      "1.7976931348623157e308",
                                      "1.7976931348623158e308",
                                      "1.7976931348623159e308",
                                      "9007199254740991",
                                      "9007199254740992",
                                      "9007199254740993",
                                      "9007199254740993.0000000000000000000000001",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "123456789012345678901234567890",
                                      "1e22",
                                      "1e23",
                                      "-1e-22",
                                      "8.5e22",
                                      "0.1e-6",
                                      "1.00000000000000011102230246251565",
                                      "1.000000000000000111022302462515654042363166809082031250",
                                      "1.000000000000000111022302462515654042363166809082031251",
                                      "3.5e+0",
                                      "1E5",
                                      "7e-0005"};
  for (size_t i = 0; i < sizeof nasty / sizeof *nasty; ++i) check_like_strtod(nasty[i]);
}

/* Words longer than any buffer: half way between two doubles, decided by the very last digit. */
static void numbers_of_thousands_of_digits_are_rounded_correctly(void **state) {
  (void)state;
  static char text[6000];
  strcpy(text, "1.00000000000000011102230246251565404236316680908203125");
  size_t n = strlen(text);
  memset(text + n, '0', 5000);
  strcpy(text + n + 5000, "1");
  check_like_strtod(text);
  double value;
  assert_true(syn_word_double(word(text), &value) && value == 1 + DBL_EPSILON);
  text[n + 5000] = '0';
  check_like_strtod(text);
  assert_true(syn_word_double(word(text), &value) && value == 1);
  /* zeros in front and behind, made good by the exponent */
  memset(text, '0', 5000);
  text[1] = '.';
  strcpy(text + 5000, "123e4999");
  check_like_strtod(text);
  memset(text, '0', 5000);
  text[0] = '7';
  strcpy(text + 5000, "e-4999");
  check_like_strtod(text);
  memset(text, '9', 5000);
  text[1] = '.';
  text[5000] = 0;
  check_like_strtod(text);
}

static void what_is_no_number_is_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"",     "-",      "+",     ".",         "-.",    "e5",    "1e",
                                      "1e+",  "1e-",    "1.2.3", "1,5",       "0x1",   "0x1p3", "1d5",
                                      "1e5x", "--1",    "+-1",   "1 ",        " 1",    "1e5.0", "na",
                                      "in",   "nan(1)", "infi",  "infinityy", "1_000", "1e 5",  "\xc2\xb2"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    double value;
    if (syn_word_double(word(wrong[i]), &value)) fail_msg("'%s' was taken for %g", wrong[i], value);
  }
  double value;
  assert_true(syn_word_double(word("NaN"), &value) && isnan(value));
  assert_true(syn_word_double(word("-INF"), &value) && isinf(value) && value < 0);
  assert_true(syn_word_double(word("+infinity"), &value) && isinf(value) && value > 0);
}

static void formatted_doubles_read_back_to_the_same_bits(void **state) {
  (void)state;
  test_random random = {93};
  char room[32];
  for (int i = 0; i < 50000; ++i) {
    const double value = i % 2 ? any_bits(&random) : random_below(&random, 100000) / 1000.0;
    double back;
    syn_format_double(value, room);
    assert_true(strlen(room) <= 24);
    assert_true(syn_word_double(word(room), &back));
    assert_int_equal(bits_of(back), bits_of(value));
  }
  static const struct {
    double value;
    const char *text;
  } known[] = {{0.1, "0.1"},
               {-0.0, "-0"},
               {1e23, "1e+23"},
               {0.30000000000000004, "0.30000000000000004"},
               {5e-324, "5e-324"},
               {DBL_MAX, "1.7976931348623157e+308"},
               {-25, "-25"},
               {100, "100"},
               {(double)INFINITY, "inf"},
               {-(double)INFINITY, "-inf"},
               {(double)NAN, "nan"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    assert_string_equal(syn_format_double(known[i].value, room), known[i].text);
}

static void the_locale_does_not_matter(void **state) {
  (void)state;
  static const char *const commas[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "ps_AF.UTF-8"};
  bool found = false;
  for (size_t i = 0; i < sizeof commas / sizeof *commas; ++i) found = found || setlocale(LC_NUMERIC, commas[i]);
  if (!found) SKIP("no locale that writes a comma is installed");
  char room[32];
  double value;
  assert_string_equal(syn_format_double(1.5, room), "1.5");
  assert_true(syn_word_double(word("1.00000000000000000000001"), &value) && value == 1);
  assert_false(syn_word_double(word("1,5"), &value));
  setlocale(LC_NUMERIC, "C");
}

/* ---- whole numbers ----------------------------------------------------------------------------------------------- */

static void whole_numbers_end_where_their_type_ends(void **state) {
  (void)state;
  uint64_t u = 0;
  int64_t i = 0;
  assert_true(syn_word_uint64(word("18446744073709551615"), &u) && u == UINT64_MAX);
  assert_true(syn_word_uint64(word("+007"), &u) && u == 7);
  assert_true(syn_word_int64(word("9223372036854775807"), &i) && i == INT64_MAX);
  assert_true(syn_word_int64(word("-9223372036854775808"), &i) && i == INT64_MIN);
  assert_true(syn_word_int64(word("-0"), &i) && i == 0);
  static const char *const wrong[] = {"", "-", "+", "18446744073709551616", "99999999999999999999", "1.0", "0x1", "1 "};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    assert_false(syn_word_uint64(word(wrong[k]), &u));
    assert_false(syn_word_int64(word(wrong[k]), &i));
  }
  assert_false(syn_word_uint64(word("-1"), &u));
  assert_false(syn_word_int64(word("9223372036854775808"), &i));
  assert_false(syn_word_int64(word("-9223372036854775809"), &i));
  assert_false(syn_word_int64(word("-+1"), &i));
}

/* ---- the cursor -------------------------------------------------------------------------------------------------- */

static void lines_lose_their_ends_and_outer_blanks(void **state) {
  (void)state;
  syn_text text = cursor("  first line \r\n\n\tlast");
  syn_word line;
  assert_true(syn_text_line(&text, &line) && syn_word_is(line, "first line"));
  assert_int_equal(text.line, 2);
  assert_true(syn_text_line(&text, &line) && line.length == 0);
  assert_true(syn_text_line(&text, &line) && syn_word_is(line, "last"));
  assert_int_equal(text.line, 3);
  assert_false(syn_text_line(&text, &line));
  text = syn_text_from(NULL, 0, NULL);
  assert_false(syn_text_line(&text, &line));
  assert_false(syn_text_word(&text, '#', &line));
}

static void words_skip_comments_and_know_their_line(void **state) {
  (void)state;
  syn_text text = cursor("# all of it\nv 1.5 # tail\n\n \tf#x 2");
  syn_word w;
  double number;
  uint64_t count;
  syn_error error;
  assert_true(syn_text_word(&text, '#', &w) && syn_word_is(w, "v"));
  assert_int_equal(text.line, 2);
  ASSERT_OK(syn_text_double(&text, '#', "a coordinate", &number, &error));
  assert_true(number == 1.5);
  syn_text ahead = text;
  assert_true(syn_text_word_on_line(&ahead, &w) && syn_word_is(w, "#"));
  assert_true(syn_text_word(&text, '#', &w) && syn_word_is(w, "f#x")); /* a comment starts a word, never ends one */
  assert_int_equal(text.line, 4);
  ASSERT_OK(syn_text_uint64(&text, '#', "a count", &count, &error));
  assert_int_equal(count, 2);
  assert_false(syn_text_word_on_line(&text, &w));
  text = cursor("# only a comment");
  assert_false(syn_text_word(&text, '#', &w));
  text = cursor("a\nb");
  assert_true(syn_text_word_on_line(&text, &w) && !syn_text_word_on_line(&text, &w));
  assert_int_equal(text.line, 1);
}

static void a_wrong_number_is_shown_with_its_line(void **state) {
  (void)state;
  syn_error error;
  double number;
  uint64_t count;
  int64_t index;
  syn_text text = cursor("\n\nx\x01yz");
  ASSERT_FAILS(syn_text_double(&text, 0, "a coordinate", &number, &error), SYN_BAD_FORMAT,
               "expected a coordinate, found 'x?yz'");
  assert_int_equal(error.line, 3);
  assert_string_equal(error.file, "file.txt");
  ASSERT_FAILS(syn_text_uint64(&text, 0, "a count", &count, &error), SYN_BAD_FORMAT, "the file ends");
  text = cursor("-5 -5 1.5");
  ASSERT_FAILS(syn_text_uint64(&text, 0, "a count", &count, &error), SYN_BAD_FORMAT, "found '-5'");
  ASSERT_OK(syn_text_int64(&text, 0, "an index", &index, &error));
  assert_int_equal(index, -5);
  ASSERT_FAILS(syn_text_int64(&text, 0, "an index", &index, &error), SYN_BAD_FORMAT, "found '1.5'");
  ASSERT_FAILS(syn_text_fail(&text, &error, "%d is one too many", 3), SYN_BAD_FORMAT, "3 is one too many");
}

static void words_compare_and_show_as_promised(void **state) {
  (void)state;
  char room[48], wide[100];
  assert_true(syn_word_is(word("solid"), "solid") && !syn_word_is(word("solid"), "soli"));
  assert_true(syn_word_is_nocase(word("SoLid"), "solid") && !syn_word_is_nocase(word("solids"), "solid"));
  assert_true(syn_word_starts(word("solid"), "so") && !syn_word_starts(word("s"), "so"));
  assert_true(syn_path_ends("/a/B.STL", ".stl") && !syn_path_ends("stl", ".stl"));
  memset(wide, 'w', sizeof wide);
  assert_int_equal(strlen(syn_word_shown((syn_word){wide, 100}, room)), 43);
  assert_string_equal(room + 38, "ww...");
  assert_int_equal(strlen(syn_word_shown((syn_word){wide, 40}, room)), 40);
  assert_string_equal(syn_word_shown((syn_word){"\n\x7f\xff", 3}, room), "???");
}

static void fields_of_tables_are_quoted_where_they_must_be(void **state) {
  (void)state;
  static const struct {
    const char *text, *ending, *written;
  } cases[] = {{"depth", "", "depth"},
               {"depth", "_2", "depth_2"},
               {"a,b", "_0", "\"a,b_0\""},
               {"say \"x\"", "", "\"say \"\"x\"\"\""},
               {"two\nlines", "", "\"two\nlines\""},
               {"", "", ""},
               {"=1+1", "", "'=1+1"},
               {"=HYPERLINK(\"http://x\",\"y\")", "", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""},
               {"+cmd", "_0", "'+cmd_0"},
               {"-2+3", "", "'-2+3"},
               {"@SUM(A1)", "", "'@SUM(A1)"},
               {"\t=1", "", "'\t=1"},
               {"\r=1", "", "\"'\r=1\""},
               {"\n=1", "", "\"'\n=1\""},
               {"-", "", "'-"},
               {"-inf", "", "'-inf"},
               {"'=1", "", "''=1"},
               {"''@", "", "'''@"},
               {"'quoted'", "", "'quoted'"},
               {"a=1", "", "a=1"},
               {" =1", "", " =1"},
               {"-12.5", "", "-12.5"},
               {"+1e-3", "", "+1e-3"},
               {"-3 mm", "", "'-3 mm"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char written[64] = "";
    FILE *stream = fmemopen(written, sizeof written, "w");
    assert_non_null(stream);
    syn_csv_text(stream, cases[i].text, cases[i].ending);
    fclose(stream);
    assert_string_equal(written, cases[i].written);
  }
}

static void counts_are_read_in_groups_of_three(void **state) {
  (void)state;
  static const struct {
    uint64_t count;
    const char *words;
  } cases[] = {{0, "0"}, {999, "999"}, {1000, "1,000"}, {69451, "69,451"}, {UINT64_MAX, "18,446,744,073,709,551,615"}};
  char text[32];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assert_string_equal(syn_count_text(cases[i].count, text), cases[i].words);
}

static const char *word_at(const void *words, size_t index) { return ((const char *const *)words)[index]; }

static void the_name_that_was_probably_meant_is_found(void **state) {
  (void)state;
  static const char *const names[] = {"radial", "ray-table", "distance", "hash"};
  static const char *const cases[][2] = {{"radail", " Did you mean 'radial'?"}, /* two letters swapped */
                                         {"distanc", " Did you mean 'distance'?"},
                                         {"ha", " Did you mean 'hash'?"}, /* abbreviated */
                                         {"xhash", " Did you mean 'hash'?"},
                                         {"elephant", ""},
                                         {"a name that is longer than any name can be, by far", ""},
                                         {"", ""}};
  char text[96];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assert_string_equal(syn_did_you_mean(cases[i][0], word_at, names, 4, text), cases[i][1]);
  assert_string_equal(syn_did_you_mean("radial", word_at, names, 0, text), "");
}

/* 200 bytes are the most; a letter that begins before and ends after them is left out. */
static void titles_are_cut_between_letters(void **state) {
  (void)state;
  static const char *const letters[] = {"x", "\xc3\xbc", "\xe2\x82\xac", "\xf0\x9f\xa6\xb4"};
  for (size_t before = 195; before <= 200; ++before)
    for (size_t k = 0; k < 4; ++k) {
      char title[300], *put;
      size_t size;
      memset(title, 'a', before);
      strcpy(title + before, letters[k]);
      strcat(title, "the end that no file has a place for");
      syn_context context = syn_default_context();
      context.title = title;
      FILE *to = open_memstream(&put, &size);
      syn_put_title(&context, to, "<", ">");
      fclose(to);
      const size_t with = before + strlen(letters[k]), kept = with > 200 ? before : 200;
      assert_int_equal(size, kept + 2);
      assert_memory_equal(put + 1, title, kept);
      free(put);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_of_every_size_read_as_strtod_reads_them),
      cmocka_unit_test(random_digits_with_a_point_and_an_exponent_read_as_strtod_reads_them),
      cmocka_unit_test(nasty_numbers_read_as_strtod_reads_them),
      cmocka_unit_test(numbers_of_thousands_of_digits_are_rounded_correctly),
      cmocka_unit_test(what_is_no_number_is_refused),
      cmocka_unit_test(formatted_doubles_read_back_to_the_same_bits),
      cmocka_unit_test(the_locale_does_not_matter),
      cmocka_unit_test(whole_numbers_end_where_their_type_ends),
      cmocka_unit_test(lines_lose_their_ends_and_outer_blanks),
      cmocka_unit_test(words_skip_comments_and_know_their_line),
      cmocka_unit_test(a_wrong_number_is_shown_with_its_line),
      cmocka_unit_test(words_compare_and_show_as_promised),
      cmocka_unit_test(fields_of_tables_are_quoted_where_they_must_be),
      cmocka_unit_test(titles_are_cut_between_letters),
      cmocka_unit_test(counts_are_read_in_groups_of_three),
      cmocka_unit_test(the_name_that_was_probably_meant_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

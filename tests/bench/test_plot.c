#include "plot.h"

#include <expat.h>

#include "support.h"

/* Counts elements while it checks that the file is well-formed. */
typedef struct svg_count {
  size_t circles, dashes;
  double lowest, highest; /* of the circles, in the picture */
} svg_count;

static void start_element(void *user, const XML_Char *name, const XML_Char **attributes) {
  svg_count *count = user;
  const bool circle = strcmp(name, "circle") == 0;
  count->circles += circle;
  for (; *attributes; attributes += 2) {
    count->dashes += strcmp(name, "polyline") == 0 && strcmp(attributes[0], "stroke-dasharray") == 0;
    if (!circle || strcmp(attributes[0], "cy") != 0) continue;
    const double y = atof(attributes[1]);
    if (count->circles == 1 || y < count->highest) count->highest = y;
    if (count->circles == 1 || y > count->lowest) count->lowest = y;
  }
}

static svg_count count_svg(const char *path) {
  size_t size;
  char *text = read_whole_file(path, &size);
  svg_count count = {0};
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetUserData(parser, &count);
  XML_SetElementHandler(parser, start_element, NULL);
  if (XML_Parse(parser, text, (int)size, 1) != XML_STATUS_OK)
    fail_msg("not XML: %s\n%s", XML_ErrorString(XML_GetErrorCode(parser)), text);
  XML_ParserFree(parser);
  free(text);
  return count;
}

static void a_plot_is_well_formed_and_has_every_point(void **state) {
  (void)state;
  const double x[] = {10, 100, 1000}, y[] = {0.1, 1, 10}, dropped[] = {0, NAN, 3};
  const bench_series series[] = {{"ours & <theirs>", x, y, 3, false, 0}, {"b", x, dropped, 3, true, 1}};
  const bench_plot plot = {"a < b", "n", "ms", series, 2, false};
  const char *path = temporary_path("plot.svg");
  syn_error error;
  ASSERT_OK(bench_plot_write(NULL, &plot, path, &error));
  const svg_count count = count_svg(path);
  assert_int_equal(count.circles, 4);
  assert_int_equal(count.dashes, 1);
}

static void decades_are_equally_far_apart(void **state) {
  (void)state;
  const double x[] = {1, 10}, one[] = {1, 10}, two[] = {1, 100};
  double spans[2];
  for (int i = 0; i < 2; ++i) {
    const bench_series series[] = {{"s", x, i ? two : one, 2, false, 0}};
    const bench_plot plot = {"t", "n", "ms", series, 1, false};
    const char *path = temporary_path("decades.svg");
    syn_error error;
    ASSERT_OK(bench_plot_write(NULL, &plot, path, &error));
    const svg_count count = count_svg(path);
    spans[i] = count.lowest - count.highest;
  }
  /* the axis ends at whole decades, so both fill it */
  ASSERT_NEAR(spans[0], spans[1], 0.2);
  assert_true(spans[0] > 100);
}

static void a_single_point_can_be_drawn(void **state) {
  (void)state;
  const double x[] = {100}, y[] = {1};
  const bench_series series[] = {{"s", x, y, 1, false, 0}};
  const bench_plot plot = {"t", "n", "ms", series, 1, false};
  const char *path = temporary_path("single.svg");
  syn_error error;
  ASSERT_OK(bench_plot_write(NULL, &plot, path, &error));
  assert_int_equal(count_svg(path).circles, 1);
}

static void a_plot_of_nothing_is_refused(void **state) {
  (void)state;
  const double x[] = {0, -1, INFINITY}, y[] = {1, 1, 1};
  const bench_series series[] = {{"s", x, y, 3, false, 0}};
  const bench_plot plot = {"empty one", "n", "ms", series, 1, false};
  const char *path = temporary_path("empty.svg");
  syn_error error;
  ASSERT_FAILS(bench_plot_write(NULL, &plot, path, &error), SYN_BAD_ARGUMENT, "'empty one' has no point");
  assert_null(fopen(path, "r"));
}

static void a_place_that_cannot_be_written_is_an_error(void **state) {
  (void)state;
  const double x[] = {1}, y[] = {1};
  const bench_series series[] = {{"s", x, y, 1, false, 0}};
  const bench_plot plot = {"t", "n", "ms", series, 1, false};
  syn_error error;
  assert_int_not_equal(bench_plot_write(NULL, &plot, "/dev/null/x.svg", &error), SYN_OK);
  assert_true(error.message[0]);
}

/* Equal steps are equally far apart, and values below zero are shown. */
static void linear_axes_show_every_finite_point(void **state) {
  (void)state;
  const double x[] = {0, 10, 20, 30}, y[] = {-1, 0, 1, NAN};
  const bench_series series[] = {{"s", x, y, 4, false, 0}};
  const bench_plot plot = {"t", "deg", "mm", series, 1, true};
  const char *path = temporary_path("linear.svg");
  syn_error error;
  ASSERT_OK(bench_plot_write(NULL, &plot, path, &error));
  const svg_count count = count_svg(path);
  assert_int_equal(count.circles, 3);
  assert_true(count.lowest - count.highest > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_axes_show_every_finite_point),
      cmocka_unit_test(a_plot_is_well_formed_and_has_every_point),
      cmocka_unit_test(decades_are_equally_far_apart),
      cmocka_unit_test(a_single_point_can_be_drawn),
      cmocka_unit_test(a_plot_of_nothing_is_refused),
      cmocka_unit_test(a_place_that_cannot_be_written_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

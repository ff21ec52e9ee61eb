/* The published study of 25 hips as a user runs it: Tables 8 and 9 in every cell, Table 10 within 1 mm, angles as
 * asked. */
#include "program.h"

enum { CES = 5, ALPHAS = 5 };

static const char *const classes[CES][ALPHAS] = {
    {"dysplastic", "dysplastic", "dysplastic", "dysplastic", "dysplastic_impinging"},
    {"dysplastic", "dysplastic", "dysplastic", "dysplastic_impinging", "dysplastic_impinging"},
    {"normal", "normal", "cam", "cam", "cam"},
    {"normal", "pincer", "cam", "cam", "cam"},
    {"pincer", "pincer", "combined", "combined", "combined"},
};

static const struct {
  int ce, alpha;
  double curvilinear_low, curvilinear_high, radial_low, radial_high;
} table_10[] = {{20, 40, 0, 5, 0, 2},    {40, 40, 5, 10, 0, 2}, {20, 80, 15, 20, 8, 10},
                {40, 80, 20, 25, 8, 10}, {0, 40, 0, 5, 0, 2},   {0, 80, 0, 5, 2, 4}};

static double number_of(const json_t *values, const char *key) {
  const json_t *value = json_object_get(values, key);
  if (!json_is_number(value)) fail_msg("%s is not a number", key);
  return json_number_value(value);
}

static void check_hip(const json_t *values, int ce, int alpha) {
  const double depth = number_of(values, "fai.curvilinear_max_mm"), radial = number_of(values, "fai.radial_max_mm");
  if ((depth > 0) != (alpha + ce >= 80)) fail_msg("CE %d, alpha %d: depth %g mm", ce, alpha, depth);
  if ((radial > 0) != (ce > 0 || alpha == 80)) fail_msg("CE %d, alpha %d: radial depth %g mm", ce, alpha, radial);
  assert_string_equal(json_string_value(json_object_get(values, "fai.class")), classes[ce / 10][alpha / 10 - 4]);
  ASSERT_NEAR(number_of(values, "measure.alpha_deg"), alpha, 1.5);
  ASSERT_NEAR(number_of(values, "measure.lcea_deg"), ce, 1.5);
  for (size_t i = 0; i < sizeof table_10 / sizeof *table_10; ++i) {
    if (table_10[i].ce != ce || table_10[i].alpha != alpha) continue;
    assert_true(depth >= table_10[i].curvilinear_low - 1 && depth <= table_10[i].curvilinear_high + 1);
    assert_true(radial >= table_10[i].radial_low - 1 && radial <= table_10[i].radial_high + 1);
  }
}

static void the_25_hips_are_those_of_the_published_study(void **state) {
  (void)state;
  char folder[512], path[1024];
  size_t size;
  snprintf(folder, sizeof folder, "%s", temporary_path("hips25"));
  json_t *answer = run_json(0, "study", SYN_SOURCE_DIR "/examples/hips25.json", "-o", folder, NULL);
  assert_int_equal(json_number_at(answer, "result.cases"), CES * ALPHAS);
  assert_int_equal(json_number_at(answer, "result.done"), CES * ALPHAS);
  json_decref(answer);
  snprintf(path, sizeof path, "%s/study.json", folder);
  json_t *all = json_load_file(path, 0, NULL);
  assert_non_null(all);
  for (size_t i = 0; i < CES * ALPHAS; ++i)
    check_hip(json_at(json_array_get(json_at(all, "cases"), i), "values"), 10 * (int)(i / ALPHAS),
              40 + 10 * (int)(i % ALPHAS));
  json_decref(all);
  snprintf(path, sizeof path, "%s/report.html", folder);
  char *page = read_whole_file(path, &size);
  assert_contains(page, "25 of 25 cells agree with Table 8");
  assert_contains(page, "25 of 25 cells agree with Table 9");
  assert_contains(page, "data-plot=\"maps\"");
  assert_contains(page, "CE 40°");
  assert_contains(page, "Depths of six morphologies");
  assert_contains(page, "CE 40°, α 60°: depth along the turn"); /* Fig. 61 */
  free(page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_25_hips_are_those_of_the_published_study),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

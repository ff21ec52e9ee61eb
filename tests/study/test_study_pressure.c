/* Contact pressure in studies: correlations against an integral of Student's density, options, runs, and the page of
 * the 25 hips beside the published tables. */
#include "studies.h"

#include "study/study_page.h"
#include "study/study_pressure.h"

/* ---- correlation ---------------------------------------------------------------------------------------------------
 */

/* The twin: both tails of Student's density beyond t, by Simpson's rule over u = x / (1 + x). */
static double tails(double t, double freedom) {
  const double scale = exp(lgamma(0.5 * (freedom + 1)) - lgamma(0.5 * freedom)) / sqrt(freedom * 3.14159265358979324);
  const int steps = 200000;
  const double from = t / (1 + t), step = (1 - from) / steps;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const double u = from + i * step, x = u / (1 - u);
    sum += (i == 0 ? 1 : i % 2 ? 4 : 2) * scale * pow(1 + x * x / freedom, -0.5 * (freedom + 1)) / ((1 - u) * (1 - u));
  }
  return 2 * sum * step / 3;
}

static void a_correlation_is_as_likely_as_students_density_says(void **state) {
  (void)state;
  test_random random = {11};
  for (size_t count = 5; count <= 62; count += 19)
    for (int mix = 0; mix <= 4; ++mix) {
      double x[64], y[64], p, squares[3] = {0}, means[2] = {0};
      for (size_t i = 0; i < count; ++i) {
        x[i] = random_between(&random, -1, 1);
        y[i] = mix * x[i] + random_between(&random, -2, 2);
        means[0] += x[i] / (double)count;
        means[1] += y[i] / (double)count;
      }
      for (size_t i = 0; i < count; ++i) {
        squares[0] += (x[i] - means[0]) * (x[i] - means[0]);
        squares[1] += (y[i] - means[1]) * (y[i] - means[1]);
        squares[2] += (x[i] - means[0]) * (y[i] - means[1]);
      }
      const double r = syn_study_correlation(x, y, count, &p), freedom = (double)count - 2;
      ASSERT_NEAR(r, squares[2] / sqrt(squares[0] * squares[1]), 1e-12);
      const double expected = tails(fabs(r) * sqrt(freedom / (1 - r * r)), freedom);
      ASSERT_NEAR(p, expected, 1e-6 * expected + 1e-12);
    }
}

/* r and p of Arbabi 2009, Tables 8 and 9, belong together for 31 poses, as far as two digits of r say. */
static void published_pairs_belong_together(void **state) {
  (void)state;
  static const double pairs[][2] = {{0.34, 0.064}, {0.58, 6.20e-4}, {0.60, 3.88e-4}, {0.83, 5.75e-9}, {0.97, 7.17e-20}};
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
    double low = 0, high = 0;
    for (int end = -1; end <= 1; end += 2) {
      const double r = pairs[k][0] + 0.005 * end, t = r * sqrt(29 / (1 - r * r));
      *(end < 0 ? &high : &low) = tails(t, 29);
    }
    assert_true(pairs[k][1] > low && pairs[k][1] < high);
  }
}

static void what_never_changes_has_no_correlation(void **state) {
  (void)state;
  const double x[] = {1, 2, 3, 4}, flat[] = {2, 2, 2, 2};
  double p;
  assert_true(isnan(syn_study_correlation(x, flat, 4, &p)) && isnan(p));
  assert_true(isnan(syn_study_correlation(x, x, 2, &p)) && isnan(p));
  ASSERT_NEAR(syn_study_correlation(x, x, 4, &p), 1, 1e-15);
  ASSERT_NEAR(p, 0, 1e-12);
}

/* ---- runs ----------------------------------------------------------------------------------------------------------
 */

#define PRESSED(options)                                                                                               \
  "{\"synovia_study\":1,\"name\":\"pressed\",\"draws\":0,\"pressure\":" options                                        \
  ",\"cases\":[{\"name\":\"one\",\"shape\":"                                                                           \
  "\"hip\",\"parameters\":{\"ce\":30,\"alpha\":60,\"resolution\":3,\"cartilage-edge\":82},\"bone_only\":true}],"       \
  "\"analyses\":[\"fai\",\"pressure\"]}"

static void a_case_has_its_pressures_and_correlations(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("pressed"));
  const syn_study_options options = options_for(folder);
  syn_study *study = open_study(
      NULL, "pressed.json",
      PRESSED("{\"method\":\"foundation\",\"steps\":6,\"edge_mm\":4,\"force_n\":800,\"direction\":[-74,15,249]}"));
  check_counts(study, &options, 1, 0, 0);
  check_counts(study, &options, 0, 1, 0);
  json_t *answer = read_json(folder, "one/result.json");
  const json_t *pressure = json_object_get(json_object_get(answer, "result"), "pressure");
  assert_int_equal(json_array_size(json_object_get(pressure, "peaks_mpa")), 7);
  assert_int_equal(json_array_size(json_object_get(pressure, "curvilinear_mm")), 31);
  const json_t *all = json_object_get(pressure, "stresses_mpa");
  for (size_t i = 0; i < 31; ++i) {
    double most = 0;
    for (int k = 0; k < 2; ++k)
      most = fmax(most, json_number_value(json_array_get(
                            json_object_get(pressure, k ? "zone_stresses_mpa" : "labrum_stresses_mpa"), i)));
    assert_true(most <= json_number_value(json_array_get(all, i)));
    if (i == 30) assert_true(most > 0);
  }
  ASSERT_NEAR(json_number_value(json_object_get(pressure, "reached_percent")), 100, 1e-9);
  assert_string_equal(json_string_value(json_object_get(pressure, "stress")), "peak_pressure");
  assert_true(json_number_value(json_object_get(pressure, "curvilinear_r")) > 0.4);
  assert_true(json_number_value(json_object_get(pressure, "curvilinear_p")) < 0.02);
  assert_true(json_number_value(json_object_get(pressure, "curvilinear_labrum_p")) < 1);
  json_decref(answer);
  syn_study_destroy(study);
  /* Other options: other results. */
  study = open_study(NULL, "pressed.json", PRESSED("{\"method\":\"foundation\",\"steps\":2,\"edge_mm\":4}"));
  check_counts(study, &options, 1, 0, 0);
  syn_study_destroy(study);
}

/* Two poses in which the cartilage is pressed through: the table says so beside their peak. */
static void steps_that_are_not_valid_are_counted(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("overloaded"));
  const syn_study_options options = options_for(folder);
  static const char *const loads[] = {
      PRESSED("{\"method\":\"foundation\",\"steps\":1,\"edge_mm\":4,\"force_n\":800}"),
      PRESSED("{\"method\":\"foundation\",\"steps\":1,\"edge_mm\":4,\"force_n\":60000}")};
  for (int i = 0; i < 2; ++i) {
    syn_study *study = open_study(NULL, "overloaded.json", loads[i]);
    check_counts(study, &options, 1, 0, 0);
    json_t *answer = read_json(folder, "one/result.json");
    const json_t *pressure = json_object_get(json_object_get(answer, "result"), "pressure");
    assert_int_equal(json_integer_value(json_object_get(pressure, "invalid_steps")), i ? 2 : 0);
    json_decref(answer);
    syn_study_destroy(study);
  }
}

static void options_that_make_no_sense_are_named(void **state) {
  (void)state;
  static const char *const wrong[][2] = {
      {PRESSED("3"), "pressure"},
      {PRESSED("{\"steps\":0}"), "pressure.steps"},
      {PRESSED("{\"edge_mm\":\"2\"}"), "pressure.edge_mm"},
      {PRESSED("{\"direction\":[1,2]}"), "pressure.direction"},
      {PRESSED("{\"speed\":1}"), "speed"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    syn_error error;
    syn_study *study;
    const char *path = temporary_path("wrong.json");
    write_text_file(path, wrong[i][0]);
    ASSERT_FAILS(syn_study_read(NULL, path, NULL, &study, &error), SYN_BAD_FORMAT, wrong[i][1]);
  }
}

/* ---- the page ------------------------------------------------------------------------------------------------------
 */

/* All 25 hips, with results that were made up: pressures that grow with both angles, so that shape can tell them. */
static syn_study *open_25(void) {
  static char text[8000];
  size_t used =
      (size_t)sprintf(text, "{\"synovia_study\":1,\"name\":\"p25\",\"analyses\":[\"pressure\"],\"page\":\"" WORKS
                            "arbabi2009-pressure.json\",\"cases\":[");
  for (int k = 0; k < 25; ++k)
    used += (size_t)sprintf(
        text + used, "%s{\"name\":\"h%d\",\"shape\":\"hip\",\"parameters\":{\"ce\":%d,\"alpha\":%d,\"resolution\":2}}",
        k ? "," : "", k, 10 * (k / 5), 40 + 10 * (k % 5));
  sprintf(text + used, "]}");
  return open_study(NULL, "p25.json", text);
}

static json_t *made_up(int k) {
  const bool deep = k / 5 + k % 5 >= 4;
  json_t *at = json_array(), *peaks = json_array(), *means = json_array(), *areas = json_array();
  json_t *depths = json_array(), *stresses = json_array(); /* which rise together up to the middle of the motion */
  for (int s = 0; s <= 10; ++s) {
    json_array_append_new(at, json_real(0.1 * s));
    json_array_append_new(peaks, json_real(1 + 0.02 * (k / 5) + 0.03 * (k % 5) + 0.1 * s));
    json_array_append_new(means, json_real(0.5 + 0.1 * s));
    json_array_append_new(areas, json_real(900 - 10 * s));
    json_array_append_new(depths, json_real(deep ? s : 0));
    json_array_append_new(stresses, json_real(s <= 5 ? s : 0));
  }
  json_t *pressure =
      json_pack("{ss,sf,sf,ss,so,so,sf,sf,so,so,so,so}", "method", "foundation", "reached_percent", 100.0, "peak_mpa",
                2.0, "stress", "von_mises", "curvilinear_r", deep ? json_real(0.5) : json_null(), "curvilinear_p",
                json_real(0.01), "curvilinear_labrum_r", 0.75, "curvilinear_labrum_p", 0.002, "at", at, "peaks_mpa",
                peaks, "means_mpa", means, "areas_mm2", areas);
  json_object_set(pressure, "stress_at", at);
  json_object_set_new(pressure, "curvilinear_mm", depths);
  json_object_set(pressure, "stresses_mpa", stresses);
  json_object_set_new(pressure, "labrum_stresses_mpa", stresses);
  return json_pack("{so}", "pressure", pressure);
}

static void the_25_hips_stand_beside_the_published_pressures(void **state) {
  (void)state;
  syn_error error;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("p25"));
  syn_study *study = open_25();
  mkdir(folder, 0777);
  for (int k = 0; k < 25; ++k) {
    char name[64], path[1024];
    snprintf(name, sizeof name, "h%d", k);
    mkdir(in_folder(folder, name, path), 0777);
    snprintf(name, sizeof name, "h%d/result.json", k);
    json_t *answer = json_pack("{sssosO}", "input_sha256", study->cases[k].input_sha256, "result", made_up(k), "input",
                               (json_t *)(uintptr_t)study->cases[k].description);
    ASSERT_OK(syn_json_write(NULL, answer, in_folder(folder, name, path), &error));
    json_decref(answer);
  }
  syn_study_summary *summary;
  const syn_study_options options = options_for(folder);
  ASSERT_OK(syn_study_summarise(study, &options, NULL, &summary, &error));
  char *page = read_text(folder, "report.html");
  assert_non_null(strstr(page, "-0.32, p 0.33; labrum -0.32, p 0.33 (published: 0.97)"));
  assert_non_null(strstr(page, "n.p. (published: 0.31)"));
  /* Over the half of the motion that the published study reached. */
  assert_non_null(strstr(page, "1.00, p 0; labrum 1.00, p 0 (published: 0.95)"));
  assert_non_null(strstr(page, "25 of 25 cells agree with Table 8"));
  assert_non_null(strstr(page, "100 %; peak 2.0 MPa (published: 50 %)"));
  assert_non_null(strstr(page, "25 of 25 cells reach 99.9 %, 20 in Table 11"));
  assert_non_null(strstr(page, "Table 12 of the published study mean 5.14 %, standard deviation 9.09 %, median 1.85 %, "
                               "inside the grid 1.62 %."));
  assert_non_null(strstr(page, "Table 13 of the published study mean 4.85 %"));
  assert_non_null(strstr(page, "shape alone. Over the 25 cells where both have a number: mean"));
  assert_null(strstr(page, "Over the 24 cells"));
  assert_non_null(strstr(page, "shape alone. Over the 20 cells where both have a number: mean"));
  free(page);
  syn_study_summary_destroy(summary);
  syn_study_destroy(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_correlation_is_as_likely_as_students_density_says),
      cmocka_unit_test(published_pairs_belong_together),
      cmocka_unit_test(what_never_changes_has_no_correlation),
      cmocka_unit_test(a_case_has_its_pressures_and_correlations),
      cmocka_unit_test(steps_that_are_not_valid_are_counted),
      cmocka_unit_test(options_that_make_no_sense_are_named),
      cmocka_unit_test(the_25_hips_stand_beside_the_published_pressures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Statistics against closed forms and published tables. */
#include "support.h"

#include "base/statistics.h"
#include "base/vec.h"

/* Arbabi 2009, Table 12: alpha by CE. */
static const double table_12[25] = {4.64, 3.75, 1.58, 1.78, 1.85, 4.52, 2.79, 1.84, 1.21, 43.59, 4.93, 1.22, 0.78,
                                    1.00, 1.69, 4.42, 3.00, 1.65, 1.11, 5.34, 8.66, 1.71, 2.41,  0.90, 22.17};

static void the_published_table_has_its_published_mean_and_spread(void **state) {
  (void)state;
  double copy[25], inner[9];
  for (int i = 0; i < 9; ++i) inner[i] = table_12[(i / 3 + 1) * 5 + i % 3 + 1];
  memcpy(copy, table_12, sizeof copy);
  ASSERT_NEAR(syn_mean(table_12, 25), 5.14, 0.005);
  ASSERT_NEAR(syn_standard_deviation(table_12, 25), 9.09, 0.015); /* 9.1 in the text */
  ASSERT_NEAR(syn_median(copy, 25), 1.85, 0);
  ASSERT_NEAR(syn_mean(inner, 9), 1.62, 0.005);
  ASSERT_NEAR(syn_standard_deviation(inner, 9), 0.79, 0.005);
}

static void few_values_have_what_can_be_said_of_them(void **state) {
  (void)state;
  double one[] = {3}, two[] = {5, 2};
  assert_true(isnan(syn_mean(one, 0)) && isnan(syn_median(one, 0)) && isnan(syn_standard_deviation(one, 1)));
  ASSERT_NEAR(syn_median(one, 1), 3, 0);
  ASSERT_NEAR(syn_median(two, 2), 3.5, 0);
  ASSERT_NEAR(syn_standard_deviation(two, 2), 3 / sqrt(2), 1e-15);
}

static void straight_lines_correlate_wholly_and_constants_not_at_all(void **state) {
  (void)state;
  const double x[] = {1, 2, 4, 7}, up[] = {5, 7, 11, 17}, down[] = {-1, -2, -4, -7}, flat[] = {0.1, 0.1, 0.1, 0.1};
  const double even[] = {-1, 1, 1, -1}, odd[] = {-1, -1, 1, 1};
  ASSERT_NEAR(syn_correlation(x, up, 4), 1, 1e-15);
  ASSERT_NEAR(syn_correlation(x, down, 4), -1, 1e-15);
  ASSERT_NEAR(syn_correlation(even, odd, 4), 0, 0);
  assert_true(isnan(syn_correlation(x, flat, 4)) && isnan(syn_correlation(flat, x, 4)));
  assert_true(isnan(syn_correlation(x, up, 1)) && isnan(syn_correlation(x, up, 0)));
  double thirds[27], line[27]; /* their mean is not exactly one of them */
  for (int i = 0; i < 27; ++i) thirds[i] = 1.0 / 3 * 1e5, line[i] = i;
  assert_true(isnan(syn_correlation(thirds, line, 27)));
}

/* With 3, 4 and 6 values the distribution of the coefficient has a density of (1 - r²) to the power of -1/2, 0, 1. */
static void the_chance_of_a_correlation_is_that_of_closed_forms(void **state) {
  (void)state;
  for (int i = 0; i <= 40; ++i) {
    const double r = i / 40.0;
    ASSERT_NEAR(syn_correlation_p(r, 3), 1 - 2 / SYN_PI * asin(r), 1e-13);
    ASSERT_NEAR(syn_correlation_p(-r, 4), 1 - r, 1e-13);
    ASSERT_NEAR(syn_correlation_p(r, 6), 1 - (3 * r - r * r * r) / 2, 1e-13);
  }
  ASSERT_NEAR(syn_correlation_p(0.9, 30) / 1.3166060698e-11, 1, 1e-9); /* by integrating the density */
  assert_true(syn_correlation_p(0.999999, 1000) >= 0 && isnan(syn_correlation_p(0.5, 2)) &&
              isnan(syn_correlation_p(NAN, 30)));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_published_table_has_its_published_mean_and_spread),
                                     cmocka_unit_test(few_values_have_what_can_be_said_of_them),
                                     cmocka_unit_test(straight_lines_correlate_wholly_and_constants_not_at_all),
                                     cmocka_unit_test(the_chance_of_a_correlation_is_that_of_closed_forms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Contours of head and neck: evening knows neither a first hour of the clock nor holes. */
#include "clinic/measure/measure_contour.h"

#include "support.h"

static void fill_random_contours(syn_contours *contours, test_random *random) {
  const double hole = NAN;
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k)
    for (int i = 0; i < SYN_POLAR_SAMPLES; ++i)
      contours->distance[k][i] = random_between(random, 0, 1) < 0.1 ? hole : random_between(random, 20, 30);
}

/* Turned by any number of hours before, or after: the same. */
static void the_clock_has_no_first_hour(void **state) {
  (void)state;
  test_random random = {17};
  syn_contours *contours = malloc(sizeof *contours), *turned = malloc(sizeof *turned);
  for (int shift = 1; shift < SYN_CLOCK_STEPS; shift += 5) {
    fill_random_contours(contours, &random);
    for (int k = 0; k < SYN_CLOCK_STEPS; ++k)
      memcpy(turned->distance[(k + shift) % SYN_CLOCK_STEPS], contours->distance[k], sizeof contours->distance[k]);
    syn_contours_even(contours, 1);
    syn_contours_even(turned, 1);
    for (int k = 0; k < SYN_CLOCK_STEPS; ++k)
      for (int i = 0; i < SYN_POLAR_SAMPLES; ++i) {
        const double a = contours->distance[k][i], b = turned->distance[(k + shift) % SYN_CLOCK_STEPS][i];
        assert_int_equal(isnan(a), isnan(b));
        if (!isnan(a)) ASSERT_NEAR(a, b, 1e-12);
      }
  }
  free(contours);
  free(turned);
}

/* One step that stands out is shared with both neighbours alike, by the normal distribution of one step; along a
 * contour the same with three samples, and less far at its ends. */
static void a_step_is_shared_by_the_normal_distribution(void **state) {
  (void)state;
  enum { MIDDLE = SYN_POLAR_SAMPLES / 2 };
  syn_contours *contours = malloc(sizeof *contours);
  for (int hour = 0; hour < SYN_CLOCK_STEPS; hour += SYN_CLOCK_STEPS / 4) {
    for (int k = 0; k < SYN_CLOCK_STEPS; ++k)
      for (int i = 0; i < SYN_POLAR_SAMPLES; ++i) contours->distance[k][i] = k == hour ? 26 : 25;
    syn_contours_even(contours, 1);
    const double near = exp(-0.5), far = exp(-2.0), sum = 1 + 2 * near + 2 * far;
    for (int k = 0; k < SYN_CLOCK_STEPS; ++k) {
      const int apart = (k - hour + SYN_CLOCK_STEPS) % SYN_CLOCK_STEPS,
                steps = apart < SYN_CLOCK_STEPS - apart ? apart : SYN_CLOCK_STEPS - apart;
      const double share = steps == 0 ? 1 / sum : steps == 1 ? near / sum : steps == 2 ? far / sum : 0;
      for (int i = 0; i < SYN_POLAR_SAMPLES; i += MIDDLE) ASSERT_NEAR(contours->distance[k][i], 25 + share, 1e-12);
    }
  }
  free(contours);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_clock_has_no_first_hour),
      cmocka_unit_test(a_step_is_shared_by_the_normal_distribution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

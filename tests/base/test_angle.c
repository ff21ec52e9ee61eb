/* Sines and angles against those with more digits: the nearest double, each time. */
#include <float.h>
#include <math.h>

#include "base/angle.h"
#include "support.h"

enum { ROUNDS = 200000 };

/* Half a unit in the last place, and what the longer number may itself be off. */
static void assert_nearest(double found, long double exact) {
  const double size = fabs(found), unit = nextafter(size, INFINITY) - size;
  if (fabsl((long double)found - exact) > 0.501L * unit) fail_msg("%.17g is not the nearest to %.21Lg", found, exact);
}

static bool has_more_digits(void) { return LDBL_MANT_DIG >= 64; }

static void sines_are_the_nearest_doubles(void **state) {
  (void)state;
  test_random random = {3};
  if (!has_more_digits()) SKIP("long double has no more digits here");
  for (int i = 0; i < ROUNDS; ++i) {
    const double wide = random_between(&random, -7, 7),
                 angle = i % 3 ? wide : wide * pow(10, random_between(&random, -9, 3));
    assert_nearest(syn_sin(angle), sinl(angle));
    assert_nearest(syn_cos(angle), cosl(angle));
  }
}

static void angles_and_lengths_are_the_nearest_doubles(void **state) {
  (void)state;
  test_random random = {4};
  if (!has_more_digits()) SKIP("long double has no more digits here");
  for (int i = 0; i < ROUNDS; ++i) {
    const double y = random_between(&random, -1, 1) * (i % 3 ? 1 : pow(10, random_between(&random, -12, 12)));
    const double x = random_between(&random, -1, 1) * (i % 5 ? 1 : pow(10, random_between(&random, -12, 12)));
    assert_nearest(syn_atan2(y, x), atan2l(y, x));
    assert_nearest(syn_hypot(x, y), hypotl(x, y));
  }
}

/* Where there is nothing to round the C library has its say. */
static void special_values_are_those_of_the_library(void **state) {
  (void)state;
  static const double values[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, 1e300, -1e-300, 5e-324, (double)NAN};
  enum { COUNT = sizeof values / sizeof *values };
  for (int i = 0; i < COUNT; ++i) {
    if (i < 2 || i > 3) {
      const double found[2] = {syn_sin(values[i]), syn_cos(values[i])}, expected[2] = {sin(values[i]), cos(values[i])};
      for (int k = 0; k < 2; ++k) assert_true(found[k] == expected[k] || (isnan(found[k]) && isnan(expected[k])));
      assert_int_equal(signbit(found[0]), signbit(expected[0]));
    }
    for (int k = 0; k < COUNT; ++k) {
      const double angle = syn_atan2(values[i], values[k]), plain = atan2(values[i], values[k]);
      assert_true(angle == plain || (isnan(angle) && isnan(plain)));
      assert_int_equal(signbit(angle), signbit(plain));
      const double length = syn_hypot(values[i], values[k]), usual = hypot(values[i], values[k]);
      assert_true(length == usual || (isnan(length) && isnan(usual)));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sines_are_the_nearest_doubles),
      cmocka_unit_test(angles_and_lengths_are_the_nearest_doubles),
      cmocka_unit_test(special_values_are_those_of_the_library),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

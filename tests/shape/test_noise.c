#include "support.h"

#include "base/vec.h"
#include "shape/noise.h"

static void it_stays_within_one_and_uses_the_room(void **state) {
  (void)state;
  test_random random = {3};
  double low = 1, high = -1, sum = 0;
  enum { COUNT = 20000 };
  for (int i = 0; i < COUNT; ++i) {
    const double value = syn_noise(9, random_vec3(&random, 1000));
    assert_true(value >= -1 && value <= 1);
    assert_true(fabs(syn_noise_octaves(9, random_vec3(&random, 1000), 4)) <= 1);
    low = fmin(low, value);
    high = fmax(high, value);
    sum += value;
  }
  assert_true(low < -0.8 && high > 0.8);
  ASSERT_NEAR(sum / COUNT, 0, 0.02);
}

/* Also across the lattice planes, negative ones included. */
static void it_is_smooth(void **state) {
  (void)state;
  test_random random = {4};
  for (int i = 0; i < 5000; ++i) {
    syn_vec3 p = random_vec3(&random, 20);
    if (i % 2) p.x = floor(p.x);
    const double h = 1e-4, left = syn_noise(1, vec3(p.x - h, p.y, p.z)), here = syn_noise(1, p),
                 right = syn_noise(1, vec3(p.x + h, p.y, p.z));
    ASSERT_NEAR(right, left, 2 * h * 4);                        /* slope at most 15/8 of the greatest step, 2 */
    ASSERT_NEAR((right - 2 * here + left) / (h * h), 0, 2 * 6); /* curvature at most 10/sqrt(3) of it */
  }
}

static void seeds_differ_and_repeat(void **state) {
  (void)state;
  const syn_vec3 p = {0.3, -7.7, 2.2};
  assert_true(syn_noise(1, p) == syn_noise(1, p));
  assert_true(syn_noise(1, p) != syn_noise(2, p));
  assert_true(syn_noise_octaves(1, p, 1) == syn_noise(1, p));
  assert_true(syn_noise(1, p) != syn_noise(1, vec3_neg(p)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_stays_within_one_and_uses_the_room),
      cmocka_unit_test(it_is_smooth),
      cmocka_unit_test(seeds_differ_and_repeat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

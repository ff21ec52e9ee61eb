/* The noise of segmentations: its variance, its covariance, and that a value does not depend on what else is asked. */
#include "support.h"

#include "base/vec.h"
#include "motion/rom/noise_field.h"

static const double kernel_mm = 5;

static syn_noise_field field_over(syn_arena *arena, uint64_t seed, syn_vec3 low, syn_vec3 high) {
  syn_error error;
  syn_noise_field field;
  const syn_box box = {low, high};
  ASSERT_OK(syn_noise_field_make(arena, seed, kernel_mm, &box, &field, &error));
  return field;
}

/* Over many seeds, at points everywhere between the nodes. */
static void its_variance_is_one_and_its_covariance_that_of_the_kernel(void **state) {
  (void)state;
  enum { SEEDS = 400, POINTS = 40, DISTANCES = 5 };
  const double distances[DISTANCES] = {0, 2, 4, 6, 15};
  double sums[DISTANCES] = {0}, mean = 0;
  test_random random = {3};
  for (uint64_t seed = 0; seed < SEEDS; ++seed) {
    syn_arena arena = {.context = NULL};
    const syn_noise_field field = field_over(&arena, seed, vec3(-60, -60, -60), vec3(60, 60, 60));
    for (int i = 0; i < POINTS; ++i) {
      const syn_vec3 place = random_vec3(&random, 40), way = vec3_unit(random_vec3(&random, 1));
      const double here = syn_noise_field_at(&field, place);
      mean += here / (SEEDS * POINTS);
      for (int d = 0; d < DISTANCES; ++d)
        sums[d] += here * syn_noise_field_at(&field, vec3_madd(place, distances[d], way)) / (SEEDS * POINTS);
    }
    syn_arena_release(&arena);
  }
  ASSERT_NEAR(mean, 0, 0.03);
  for (int d = 0; d < DISTANCES; ++d)
    ASSERT_NEAR(sums[d], exp(-distances[d] * distances[d] / (kernel_mm * kernel_mm)), 0.05);
}

/* A part of a mesh moves as the whole does. */
static void a_value_does_not_depend_on_the_box(void **state) {
  (void)state;
  syn_arena arena = {.context = NULL};
  const syn_noise_field large = field_over(&arena, 7, vec3(-50, -40, -30), vec3(50, 60, 70)),
                        small = field_over(&arena, 7, vec3(-3, -2, -1), vec3(4, 5, 6)),
                        other = field_over(&arena, 8, vec3(-3, -2, -1), vec3(4, 5, 6));
  test_random random = {5};
  for (int i = 0; i < 100; ++i) {
    const syn_vec3 p =
        vec3(random_between(&random, -3, 4), random_between(&random, -2, 5), random_between(&random, -1, 6));
    assert_true(syn_noise_field_at(&large, p) == syn_noise_field_at(&small, p));
    assert_true(syn_noise_field_at(&large, p) != syn_noise_field_at(&other, p));
  }
  assert_true(isfinite(syn_noise_field_at(&small, vec3(-3, -2, -1)) + syn_noise_field_at(&small, vec3(4, 5, 6))));
  syn_arena_release(&arena);
}

static void a_box_without_bounds_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_noise_field field;
  syn_arena arena = {.context = NULL};
  const syn_box boxes[] = {{{0, 0, 0}, {1e9, 1, 1}}, {{1e30, 0, 0}, {1e30, 1, 1}}, {{0, 0, 0}, {NAN, 1, 1}}};
  for (int i = 0; i < 3; ++i)
    ASSERT_FAILS(syn_noise_field_make(&arena, 1, kernel_mm, &boxes[i], &field, &error), SYN_TOO_LARGE, "too large");
  syn_arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_variance_is_one_and_its_covariance_that_of_the_kernel),
      cmocka_unit_test(a_value_does_not_depend_on_the_box),
      cmocka_unit_test(a_box_without_bounds_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

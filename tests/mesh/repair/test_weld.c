#include "base/vec.h"
#include "mesh/repair/weld.h"
#include "support.h"

enum { MOST = 300 };

static void brute_exact(const syn_vec3 *p, uint32_t n, uint32_t *representative) {
  for (uint32_t i = 0; i < n; ++i) {
    representative[i] = i;
    for (uint32_t j = 0; j < i && representative[i] == i; ++j)
      if (p[j].x == p[i].x && p[j].y == p[i].y && p[j].z == p[i].z) representative[i] = j;
  }
}

static void brute_within(const syn_vec3 *p, uint32_t n, double distance, uint32_t *representative) {
  for (uint32_t i = 0; i < n; ++i) {
    representative[i] = i;
    for (uint32_t j = 0; j < i && representative[i] == i; ++j)
      if (representative[j] == j && vec3_distance(p[j], p[i]) < distance) representative[i] = j;
  }
}

static void compare(const uint32_t *found, const uint32_t *expected, uint32_t n, uint32_t merged) {
  uint32_t others = 0;
  for (uint32_t i = 0; i < n; ++i) {
    if (found[i] != expected[i]) fail_msg("point %u joined %u instead of %u", i, found[i], expected[i]);
    others += expected[i] != i;
  }
  assert_int_equal(merged, others);
}

static void equal_points_have_the_first_as_representative(void **state) {
  (void)state;
  test_random random = {1};
  const double values[] = {0.0, -0.0, 1, -1, 1e-320, 0.1};
  for (int round = 0; round < 500; ++round) {
    const uint32_t n = random_below(&random, MOST);
    syn_vec3 p[MOST];
    for (uint32_t i = 0; i < n; ++i)
      p[i] = (syn_vec3){values[random_below(&random, 6)], values[random_below(&random, 6)],
                        values[random_below(&random, round % 2 ? 6 : 2)]};
    uint32_t found[MOST], expected[MOST], merged;
    syn_error error;
    ASSERT_OK(syn_weld_exact(NULL, p, n, found, &merged, &error));
    brute_exact(p, n, expected);
    compare(found, expected, n, merged);
  }
}

static void near_points_join_the_lowest_representative(void **state) {
  (void)state;
  test_random random = {2};
  for (int round = 0; round < 3000; ++round) {
    const uint32_t n = random_below(&random, MOST / 3);
    const double distance = pow(10, random_between(&random, -4, 0.5));
    const double far = round % 3 == 0 ? pow(10, random_between(&random, 0, 15)) : 0;
    syn_vec3 p[MOST];
    for (uint32_t i = 0; i < n; ++i) { /* clumps about the size of the distance, also across the cells' borders */
      const syn_vec3 center =
          round % 2 ? (syn_vec3){4 * distance * random_below(&random, 3), 0, 0} : random_vec3(&random, 3 * distance);
      p[i] = vec3_add(vec3_add(center, random_vec3(&random, distance)), (syn_vec3){far, -far, 0});
    }
    uint32_t found[MOST], expected[MOST], merged;
    syn_error error;
    ASSERT_OK(syn_weld_within(NULL, p, n, distance, found, &merged, &error));
    brute_within(p, n, distance, expected);
    compare(found, expected, n, merged);
  }
}

static void extreme_distances_and_places_are_right(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 p[7] = {{1e308, 0, 0},     {-1e308, 0, 0}, {1e308, 0, 0},      {0, 0, 0},
                         {-0.0, 1e-310, 0}, {1, 1, 1},      {1, 1 + 0x1p-52, 1}};
  uint32_t found[7], merged;
  ASSERT_OK(syn_weld_within(NULL, p, 7, 1e-320, found, &merged, &error));
  const uint32_t tiny[7] = {0, 1, 0, 3, 4, 5, 6};
  compare(found, tiny, 7, merged);
  ASSERT_OK(syn_weld_within(NULL, p, 7, 1e-300, found, &merged, &error));
  const uint32_t small[7] = {0, 1, 0, 3, 3, 5, 6};
  compare(found, small, 7, merged);
  ASSERT_OK(syn_weld_within(NULL, p, 7, 1e308, found, &merged, &error));
  const uint32_t huge[7] = {0, 1, 0, 3, 3, 3, 3};
  compare(found, huge, 7, merged);
}

/* A chain of steps shorter than the distance does not collapse into one point. */
static void chains_do_not_collapse(void **state) {
  (void)state;
  syn_error error;
  syn_vec3 p[100];
  uint32_t found[100], merged;
  for (uint32_t i = 0; i < 100; ++i) p[i] = (syn_vec3){i * 0.75, 0, 0};
  ASSERT_OK(syn_weld_within(NULL, p, 100, 1, found, &merged, &error));
  assert_int_equal(merged, 50);
  for (uint32_t i = 0; i < 100; ++i) assert_int_equal(found[i], i & ~1u);
}

/* Doubling the points may not quadruple the time: many coincident and gridded points are done at once. */
static void many_points_are_no_effort(void **state) {
  (void)state;
  enum { N = 300000 };
  syn_error error;
  syn_vec3 *p = malloc(N * sizeof *p);
  uint32_t *found = malloc(N * sizeof *found), merged;
  for (uint32_t i = 0; i < N; ++i) p[i] = (syn_vec3){i % 100, i / 100 % 50, i / 5000 % 20};
  ASSERT_OK(syn_weld_exact(NULL, p, N, found, &merged, &error));
  assert_int_equal(merged, N - 100000);
  ASSERT_OK(syn_weld_within(NULL, p, N, 0.5, found, &merged, &error));
  assert_int_equal(merged, N - 100000);
  ASSERT_OK(syn_weld_within(NULL, p, N, 1e-9, found, &merged, &error));
  assert_int_equal(merged, N - 100000);
  free(p);
  free(found);
}

static syn_status weld_both(const syn_context *context, void *user, syn_error *error) {
  const syn_vec3 *p = user;
  uint32_t found[4], merged;
  syn_status status = syn_weld_exact(context, p, 4, found, &merged, error);
  return status == SYN_OK ? syn_weld_within(context, p, 4, 0.1, found, &merged, error) : status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0.01, 0, 0}};
  check_every_allocation(weld_both, p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_points_have_the_first_as_representative),
      cmocka_unit_test(near_points_join_the_lowest_representative),
      cmocka_unit_test(extreme_distances_and_places_are_right),
      cmocka_unit_test(chains_do_not_collapse),
      cmocka_unit_test(many_points_are_no_effort),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Small systems against the equations they solve. */
#include "support.h"

#include "geometry/small_matrix.h"

enum { MOST = 6 };

/* A = G G^T for a random square G has full rank unless G is singular. */
static void random_system(test_random *random, int n, double *a, double *b, double *x) {
  double g[MOST * MOST];
  for (int i = 0; i < n * n; ++i) g[i] = random_between(random, -1, 1);
  for (int i = 0; i < n; ++i) x[i] = random_between(random, -5, 5);
  for (int i = 0; i < n; ++i) {
    b[i] = 0;
    for (int j = 0; j < n; ++j) {
      a[i * n + j] = i == j ? 0.5 : 0;
      for (int k = 0; k < n; ++k) a[i * n + j] += g[i * n + k] * g[j * n + k];
      b[i] += a[i * n + j] * x[j];
    }
  }
}

static void the_solution_fulfils_its_equations(void **state) {
  (void)state;
  test_random random = {11};
  for (int round = 0; round < 3000; ++round) {
    const int n = 1 + (int)random_below(&random, MOST);
    double a[MOST * MOST], b[MOST], x[MOST];
    random_system(&random, n, a, b, x);
    assert_true(syn_solve_symmetric(a, b, n, 1e-12));
    for (int i = 0; i < n; ++i) ASSERT_NEAR(b[i], x[i], 1e-11);
  }
}

/* Rows are mixed, so that nothing is symmetric and pivots are needed. */
static void elimination_solves_any_system(void **state) {
  (void)state;
  test_random random = {12};
  for (int round = 0; round < 3000; ++round) {
    const int n = 1 + (int)random_below(&random, MOST);
    double a[MOST * MOST], b[MOST], x[MOST];
    random_system(&random, n, a, b, x);
    for (int i = 0; i + 1 < n; ++i) {
      for (int j = 0; j < n; ++j) a[i * n + j] -= 2 * a[(i + 1) * n + j];
      b[i] -= 2 * b[i + 1];
    }
    assert_true(syn_solve_pivoted(a, b, n, 1e-12));
    for (int i = 0; i < n; ++i) ASSERT_NEAR(b[i], x[i], 1e-10);
  }
  double crossed[4] = {0, 2, 3, 0}, b[2] = {4, 9}, singular[4] = {1, 2, 2, 4};
  assert_true(syn_solve_pivoted(crossed, b, 2, 1e-12));
  assert_true(b[0] == 3 && b[1] == 2);
  assert_false(syn_solve_pivoted(singular, b, 2, 1e-12));
}

static void only_the_lower_half_is_read(void **state) {
  (void)state;
  double a[4] = {4, NAN, 2, 3}, b[2] = {8, 7};
  assert_true(syn_solve_symmetric(a, b, 2, 1e-12));
  ASSERT_NEAR(b[0], 1.25, 1e-15);
  ASSERT_NEAR(b[1], 1.5, 1e-15);
}

static void what_is_not_determined_is_refused(void **state) {
  (void)state;
  double singular[4] = {1, 1, 1, 1}, zero[4] = {0}, broken[4] = {1, 0, 0, NAN}, b[2] = {1, 1};
  assert_false(syn_solve_symmetric(singular, b, 2, 1e-12));
  assert_false(syn_solve_symmetric(zero, b, 2, 1e-12));
  assert_false(syn_solve_symmetric(broken, b, 2, 1e-12));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_solution_fulfils_its_equations),
      cmocka_unit_test(elimination_solves_any_system),
      cmocka_unit_test(only_the_lower_half_is_read),
      cmocka_unit_test(what_is_not_determined_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

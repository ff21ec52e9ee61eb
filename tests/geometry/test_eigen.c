/* Eigenvectors against the equation they solve. */
#include "support.h"

#include "base/vec.h"
#include "geometry/small_matrix.h"

static void eigenvectors_solve_their_equation(void **state) {
  (void)state;
  test_random random = {21};
  for (int round = 0; round < 2000; ++round) {
    const int size = 2 + (int)random_below(&random, 3);
    double a[4][4] = {{0}}, work[4][4], values[4], v[4][4];
    for (int r = 0; r < size; ++r)
      for (int c = 0; c <= r; ++c)
        a[r][c] = a[c][r] = round % 7 ? random_between(&random, -5, 5) : (r == c) * (round % 3);
    memcpy(work, a, sizeof a);
    syn_symmetric_eigen(work, size, values, v);
    for (int i = 0; i < size; ++i) {
      if (i) assert_true(values[i - 1] <= values[i]);
      for (int r = 0; r < size; ++r) {
        double image = 0, product = 0;
        for (int c = 0; c < size; ++c) {
          image += a[r][c] * v[i][c];
          product += v[r][c] * v[i][c];
        }
        ASSERT_NEAR(image, values[i] * v[i][r], 1e-12);
        ASSERT_NEAR(product, r == i, 1e-13);
      }
    }
  }
}

static syn_tensor random_tensor(test_random *random, int round) {
  syn_tensor tensor = {{0}};
  const int vectors = 1 + (int)random_below(random, 8);
  for (int i = 0; i < vectors; ++i) {
    syn_vec3 a = random_vec3(random, 3);
    if (round % 5 == 0) a.z *= 1e-4;                         /* nearly flat */
    if (round % 7 == 0) a = vec3(floor(a.x), floor(a.y), 0); /* ties and zeros */
    tensor_add(&tensor, random_between(random, 0.1, 2), a);
  }
  return tensor;
}

/* No direction stretches more than the main one. */
static void the_main_direction_stretches_most(void **state) {
  (void)state;
  test_random random = {5};
  for (int round = 0; round < 2000; ++round) {
    const syn_tensor tensor = random_tensor(&random, round);
    const syn_vec3 main = syn_main_direction(&tensor);
    double matrix[4][4] = {{tensor.e[0], tensor.e[3], tensor.e[5]},
                           {tensor.e[3], tensor.e[1], tensor.e[4]},
                           {tensor.e[5], tensor.e[4], tensor.e[2]}},
           values[4], vectors[4][4];
    syn_symmetric_eigen(matrix, 3, values, vectors);
    const double most = values[2], reached = vec3_dot(main, tensor_apply(&tensor, main));
    if (!(most > 0)) continue;
    ASSERT_NEAR(vec3_length(main), 1, 1e-13);
    /* nearly equal eigenvalues need more than 256 powers, and have nearly equal directions instead */
    assert_true(reached >= most * (1 - 0.01) && reached <= most * (1 + 1e-12));
    if (values[1] < 0.8 * most) ASSERT_NEAR(reached, most, 1e-12 * most);
    for (int i = 0; i < 20; ++i) {
      const syn_vec3 other = vec3_unit(random_vec3(&random, 1));
      assert_true(vec3_dot(other, tensor_apply(&tensor, other)) <= most * (1 + 1e-12));
    }
  }
}

static void of_nothing_no_direction_is_given(void **state) {
  (void)state;
  const syn_tensor nothing = {{0}};
  assert_true(vec3_length(syn_main_direction(&nothing)) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvectors_solve_their_equation),
      cmocka_unit_test(the_main_direction_stretches_most),
      cmocka_unit_test(of_nothing_no_direction_is_given),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

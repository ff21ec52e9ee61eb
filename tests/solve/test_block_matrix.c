/* Sparse blocks and their factorisation against dense matrices. */
#include "base/vec.h"
#include "solve/block_matrix.h"
#include "support.h"

enum { MOST = 40 };

typedef struct dense {
  uint32_t count; /* unknowns */
  double a[3 * MOST][3 * MOST];
} dense;

static double dense_entry(const syn_pattern *pattern, const double (*blocks)[9], uint32_t row, uint32_t column) {
  if (row / 3 > column / 3) return dense_entry(pattern, blocks, column, row);
  const uint32_t slot = syn_pattern_find(pattern, row / 3, column / 3);
  return slot == SYN_NONE ? 0 : blocks[slot][3 * (row % 3) + column % 3];
}

static void make_dense(const syn_pattern *pattern, const double (*blocks)[9], dense *out) {
  out->count = 3 * pattern->node_count;
  for (uint32_t i = 0; i < out->count; ++i)
    for (uint32_t j = 0; j < out->count; ++j) out->a[i][j] = dense_entry(pattern, blocks, i, j);
}

/* Gauss with pivots: the slow, obvious solver. */
static void dense_solve(dense *m, double *b) {
  for (uint32_t k = 0; k < m->count; ++k) {
    uint32_t pivot = k;
    for (uint32_t i = k + 1; i < m->count; ++i)
      if (fabs(m->a[i][k]) > fabs(m->a[pivot][k])) pivot = i;
    for (uint32_t j = 0; j < m->count; ++j) {
      const double t = m->a[k][j];
      m->a[k][j] = m->a[pivot][j];
      m->a[pivot][j] = t;
    }
    const double t = b[k];
    b[k] = b[pivot];
    b[pivot] = t;
    for (uint32_t i = 0; i < m->count; ++i) {
      if (i == k) continue;
      const double factor = m->a[i][k] / m->a[k][k];
      for (uint32_t j = k; j < m->count; ++j) m->a[i][j] -= factor * m->a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (uint32_t k = 0; k < m->count; ++k) b[k] /= m->a[k][k];
}

typedef struct sample {
  syn_pattern *pattern;
  double (*blocks)[9];
  uint32_t pairs[4 * MOST][2];
  size_t pair_count;
} sample;

/* Random pairs, repetitions and self-pairs included; the sum of u u^T over them and a small diagonal is positive
 * definite. */
static sample make_sample(test_random *random) {
  sample s = {.pair_count = random_below(random, 4 * MOST)};
  const uint32_t count = 1 + random_below(random, MOST);
  syn_error error;
  for (size_t i = 0; i < s.pair_count; ++i)
    for (int c = 0; c < 2; ++c) s.pairs[i][c] = random_below(random, count);
  ASSERT_OK(syn_pattern_create(NULL, count, (const uint32_t(*)[2])s.pairs, s.pair_count, &s.pattern, &error));
  s.blocks = calloc(syn_block_count(s.pattern), sizeof *s.blocks);
  for (uint32_t i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) s.blocks[s.pattern->row_start[i]][4 * c] = 0.5;
  for (size_t i = 0; i < s.pair_count; ++i) {
    const uint32_t a = s.pairs[i][0], b = s.pairs[i][1];
    if (a == b) continue;
    const syn_vec3 u = random_vec3(random, 1), w = random_vec3(random, 1);
    const double p[3] = {u.x, u.y, u.z}, q[3] = {w.x, w.y, w.z};
    double aa[9], bb[9], ab[9];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        aa[3 * r + c] = p[r] * p[c];
        bb[3 * r + c] = q[r] * q[c];
        ab[3 * r + c] = p[r] * q[c];
      }
    syn_block_add(s.blocks, s.pattern->row_start[a], false, aa);
    syn_block_add(s.blocks, s.pattern->row_start[b], false, bb);
    syn_block_add(s.blocks, syn_pattern_find(s.pattern, a < b ? a : b, a < b ? b : a), a > b, ab);
  }
  return s;
}

static void free_sample(sample *s) {
  syn_pattern_destroy(s->pattern);
  free(s->blocks);
}

static void a_pattern_has_every_pair_once_and_in_order(void **state) {
  (void)state;
  test_random random = {1};
  for (int round = 0; round < 500; ++round) {
    sample s = make_sample(&random);
    const uint32_t count = s.pattern->node_count;
    size_t expected = 0;
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t j = i; j < count; ++j) {
        bool there = i == j;
        for (size_t k = 0; k < s.pair_count; ++k)
          there |= (s.pairs[k][0] == i && s.pairs[k][1] == j) || (s.pairs[k][0] == j && s.pairs[k][1] == i);
        assert_int_equal(syn_pattern_find(s.pattern, i, j) != SYN_NONE, there);
        expected += there;
      }
    assert_int_equal(syn_block_count(s.pattern), expected);
    for (uint32_t i = 0; i < count; ++i) {
      assert_int_equal(s.pattern->columns[s.pattern->row_start[i]], i);
      for (uint32_t k = s.pattern->row_start[i] + 1; k < s.pattern->row_start[i + 1]; ++k)
        assert_true(s.pattern->columns[k - 1] < s.pattern->columns[k]);
    }
    free_sample(&s);
  }
}

static void products_and_solutions_agree_with_dense_ones(void **state) {
  (void)state;
  test_random random = {2};
  dense *m = malloc(sizeof *m);
  for (int round = 0; round < 300; ++round) {
    sample s = make_sample(&random);
    const uint32_t count = s.pattern->node_count;
    syn_vec3 x[MOST], y[MOST];
    uint8_t held[MOST];
    for (uint32_t i = 0; i < count; ++i) {
      x[i] = random_vec3(&random, 1);
      held[i] = random_between(&random, 0, 1) < 0.3 ? (uint8_t)random_below(&random, 8) : 0;
    }
    make_dense(s.pattern, (const double(*)[9])s.blocks, m);
    syn_block_multiply(s.pattern, (const double(*)[9])s.blocks, x, y);
    const double *in = (const double *)x, *out = (const double *)y;
    for (uint32_t i = 0; i < m->count; ++i) {
      double sum = 0;
      for (uint32_t j = 0; j < m->count; ++j) sum += m->a[i][j] * in[j];
      ASSERT_NEAR(sum, out[i], 1e-12 * m->count);
    }
    double b[3 * MOST];
    for (uint32_t i = 0; i < m->count; ++i) {
      b[i] = held[i / 3] >> i % 3 & 1 ? 0 : in[i];
      for (uint32_t j = 0; j < m->count; ++j)
        if ((held[i / 3] >> i % 3 & 1) || (held[j / 3] >> j % 3 & 1)) m->a[i][j] = i == j;
    }
    dense_solve(m, b);
    syn_system *system;
    syn_error error;
    syn_system_options how = syn_default_system_options();
    how.prescribed = held;
    ASSERT_OK(syn_system_create(NULL, s.pattern, &how, &system, &error));
    for (int again = 0; again < 2; ++again) { /* the second time with everything allocated */
      ASSERT_OK(syn_system_update(system, (const double(*)[9])s.blocks, NULL, &error));
      ASSERT_OK(syn_system_solve(system, 1, x, y, &error));
      for (uint32_t i = 0; i < m->count; ++i) ASSERT_NEAR(out[i], b[i], 1e-10);
    }
    assert_true(syn_system_describe(system).bytes >= m->count * sizeof(double));
    syn_system_destroy(system);
    free_sample(&s);
  }
  free(m);
}

static void a_matrix_that_is_not_definite_is_reported_with_its_node(void **state) {
  (void)state;
  syn_pattern *pattern;
  syn_system *system;
  syn_error error;
  ASSERT_OK(syn_pattern_create(NULL, 3, NULL, 0, &pattern, &error));
  double blocks[3][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, -1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  ASSERT_OK(syn_system_create(NULL, pattern, NULL, &system, &error));
  uint32_t node;
  ASSERT_FAILS(syn_system_update(system, (const double(*)[9])blocks, &node, &error), SYN_NOT_CONVERGED, "not held");
  assert_int_equal(node, 1);
  blocks[1][4] = 4;
  syn_vec3 x[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  ASSERT_OK(syn_system_update(system, (const double(*)[9])blocks, &node, &error));
  ASSERT_OK(syn_system_solve(system, 1, x, x, &error));
  ASSERT_NEAR(x[1].y, 0.25, 1e-15);
  assert_int_equal(node, SYN_NONE);
  syn_system_destroy(system);
  syn_pattern_destroy(pattern);
}

/* Several loads at once have the solutions of one after the other; the first block holds the third node. */
static void a_system_says_what_it_is_and_takes_many_loads(void **state) {
  (void)state;
  static const uint32_t pairs[2][2] = {{0, 1}, {1, 2}};
  const uint8_t prescribed[3] = {0, SYN_Y, SYN_XYZ};
  const double blocks[5][9] = {{4, 0, 0, 0, 4, 0, 0, 0, 4},
                               {-1, 0, 0, 0, -1, 0, 0, 0, -1},
                               {4, 0, 0, 0, 4, 0, 0, 0, 4},
                               {-1, 0, 0, 0, -1, 0, 0, 0, -1},
                               {4, 0, 0, 0, 4, 0, 0, 0, 4}};
  syn_vec3 loads[6] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-2, 0, 1}, {0, 3, 0}, {1, 1, 1}}, alone[3];
  syn_pattern *pattern;
  syn_system *system;
  syn_error error;
  syn_system_options how = syn_default_system_options();
  ASSERT_OK(syn_pattern_create(NULL, 3, pairs, 2, &pattern, &error));
  how.prescribed = prescribed;
  how.method = "cholmod";
  ASSERT_OK(syn_system_create(NULL, pattern, &how, &system, &error));
  ASSERT_OK(syn_system_update(system, blocks, NULL, &error));
  ASSERT_OK(syn_system_solve(system, 1, loads + 3, alone, &error));
  ASSERT_OK(syn_system_solve(system, 2, loads, loads, &error));
  ASSERT_OK(syn_system_solve(system, 0, NULL, NULL, &error));
  assert_memory_equal(alone, loads + 3, sizeof alone);
  ASSERT_NEAR(4 * loads[0].x - loads[1].x, 1, 1e-14);
  assert_true(loads[1].y == 0 && loads[2].x == 0 && loads[2].y == 0 && loads[2].z == 0);
  const syn_system_report report = syn_system_describe(system);
  assert_string_equal(report.method, "cholmod");
  assert_int_equal(report.unknowns, 6);
  assert_int_equal(report.iterations, 1);
  assert_null(syn_system_owned(system));
  syn_system_destroy(system);
  how.method = "gauss";
  ASSERT_FAILS(syn_system_create(NULL, pattern, &how, &system, &error), SYN_BAD_ARGUMENT, "no solver 'gauss'");
  assert_null(system);
  syn_pattern_destroy(pattern);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pattern_has_every_pair_once_and_in_order),
      cmocka_unit_test(products_and_solutions_agree_with_dense_ones),
      cmocka_unit_test(a_system_says_what_it_is_and_takes_many_loads),
      cmocka_unit_test(a_matrix_that_is_not_definite_is_reported_with_its_node),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

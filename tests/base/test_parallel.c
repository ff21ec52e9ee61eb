#include "support.h"

#include "base/parallel.h"

enum { MOST = 700000 };
static const int thread_counts[] = {1, 2, 3, 8};

typedef struct coverage {
  uint8_t *hits;
  size_t count, grain;
  bool wrong; /* cmocka's assertions belong to the main thread */
} coverage;

static void cover(void *user, size_t begin, size_t end) {
  coverage *c = user;
  if (begin % c->grain != 0 || end <= begin || end - begin > c->grain || (end != c->count && end - begin != c->grain))
    c->wrong = true;
  for (size_t i = begin; i < end; ++i) ++c->hits[i];
}

static void every_index_is_visited_once_in_fixed_ranges(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 2, 63, 64, 65, 10007}, grains[] = {1, 7, 64, 100000};
  for (size_t t = 0; t < 4; ++t)
    for (size_t n = 0; n < sizeof counts / sizeof *counts; ++n)
      for (size_t g = 0; g < 4; ++g) {
        syn_context context = syn_default_context();
        context.threads = thread_counts[t];
        coverage c = {calloc(counts[n] + 1, 1), counts[n], grains[g], false};
        syn_parallel_for(&context, counts[n], grains[g], cover, &c);
        assert_false(c.wrong);
        for (size_t i = 0; i < counts[n]; ++i) assert_int_equal(c.hits[i], 1);
        assert_int_equal(c.hits[counts[n]], 0);
        free(c.hits);
      }
  /* a grain of nothing is a grain of one */
  coverage c = {calloc(4, 1), 3, 1, false};
  syn_parallel_for(NULL, 3, 0, cover, &c);
  assert_true(!c.wrong && c.hits[0] == 1 && c.hits[2] == 1 && c.hits[3] == 0);
  free(c.hits);
}

static double wild_term(const void *user, size_t index) { return ((const double *)user)[index]; }

static void sums_have_the_same_bits_on_any_number_of_threads(void **state) {
  (void)state;
  static const size_t counts[] = {0, 1, 1023, 1024, 1025, 300000, MOST};
  test_random random = {95};
  double *terms = calloc(MOST, sizeof *terms);
  /* magnitudes so different that every other order would show */
  for (size_t i = 0; i < MOST; ++i) terms[i] = ldexp(random_between(&random, -1, 1), (int)random_below(&random, 80));
  for (size_t n = 0; n < sizeof counts / sizeof *counts; ++n) {
    double first = 0;
    for (size_t t = 0; t < 4; ++t) {
      syn_context context = syn_default_context();
      context.threads = thread_counts[t];
      const double sum = syn_parallel_sum(&context, counts[n], wild_term, terms);
      if (t == 0) first = sum;
      assert_memory_equal(&sum, &first, sizeof sum);
    }
  }
  free(terms);
}

static double whole(const void *user, size_t index) { return (double)index + *(const double *)user; }

static void sums_of_whole_numbers_are_exact(void **state) {
  (void)state;
  const double half = 0.5;
  static const size_t counts[] = {0, 1, 2, 1024, 4097, 262144, 262145, MOST};
  for (size_t n = 0; n < sizeof counts / sizeof *counts; ++n) {
    const double count = (double)counts[n];
    assert_true(syn_parallel_sum(NULL, counts[n], whole, &half) == count * count / 2);
  }
}

static void threads_are_as_many_as_asked_for(void **state) {
  (void)state;
  syn_context context = syn_default_context();
  assert_true(syn_thread_count(NULL) >= 1 && syn_thread_count(&context) == syn_thread_count(NULL));
  context.threads = 5;
  assert_int_equal(syn_thread_count(&context), 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_index_is_visited_once_in_fixed_ranges),
      cmocka_unit_test(sums_have_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(sums_of_whole_numbers_are_exact),
      cmocka_unit_test(threads_are_as_many_as_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

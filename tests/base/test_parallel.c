#include "support.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
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

/* ---- callers of all kinds ---------------------------------------------------------------------------------------- */

/* Counts into 10 007 places with so many threads; true where each was visited once. */
static bool covers(int threads) {
  enum { COUNT = 10007 };
  syn_context context = syn_default_context();
  context.threads = threads;
  coverage c = {calloc(COUNT, 1), COUNT, 64, false};
  syn_parallel_for(&context, c.count, c.grain, cover, &c);
  bool good = !c.wrong;
  for (size_t i = 0; i < COUNT; ++i) good = good && c.hits[i] == 1;
  free(c.hits);
  return good;
}

static void *cover_often(void *user) {
  bool *good = user;
  for (int i = 0; i < 200; ++i) *good = covers(1 + i % 5) && *good;
  return NULL;
}

static void several_threads_call_at_once(void **state) {
  (void)state;
  enum { CALLERS = 4 };
  pthread_t callers[CALLERS];
  bool good[CALLERS];
  for (int i = 0; i < CALLERS; ++i) {
    good[i] = true;
    assert_int_equal(pthread_create(&callers[i], NULL, cover_often, &good[i]), 0);
  }
  for (int i = 0; i < CALLERS; ++i) {
    pthread_join(callers[i], NULL);
    assert_true(good[i]);
  }
}

static void cover_inside(void *user, size_t begin, size_t end) {
  uint8_t *good = user;
  for (size_t i = begin; i < end; ++i) good[i] = covers(3);
}

static void a_loop_inside_a_loop_covers_all(void **state) {
  (void)state;
  uint8_t good[40] = {0};
  syn_context context = syn_default_context();
  context.threads = 4;
  syn_parallel_for(&context, sizeof good, 1, cover_inside, good);
  for (size_t i = 0; i < sizeof good; ++i) assert_int_equal(good[i], 1);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* In a child process, as limits stay. Returns its exit code, or -1 where a signal ended it. */
static int in_child(bool (*attempt)(void)) {
  const pid_t child = fork();
  if (child == 0) _exit(attempt() ? 0 : 10);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool cover_with_three(void) { return covers(3); }

/* The child has none of the threads that its parent started. */
static void a_child_process_starts_its_own_threads(void **state) {
  (void)state;
  if (SANITIZED) SKIP("sanitizers do not start threads after a fork of several");
  assert_true(covers(3));
  assert_int_equal(in_child(cover_with_three), 0);
  assert_true(covers(3));
}

/* Address space for a few stacks of 64, whatever the process has used up to now. */
static bool cover_without_space(void) {
  char line[64];
  long pages = 0;
  FILE *about = fopen("/proc/self/statm", "r");
  if (!about || !fgets(line, sizeof line, about)) return false;
  fclose(about);
  pages = strtol(line, NULL, 10);
  const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (8 << 20);
  const struct rlimit limit = {most, most};
  return setrlimit(RLIMIT_AS, &limit) == 0 && covers(64) && covers(64);
}

static void threads_that_cannot_be_made_are_done_without(void **state) {
  (void)state;
  if (SANITIZED) SKIP("sanitizers need the address space for themselves");
  assert_int_equal(in_child(cover_without_space), 0);
}

/* ---- tasks --------------------------------------------------------------------------------------------------------
 */

typedef struct task_test {
  const syn_context *context;
  uint8_t *done;
  size_t fail_from; /* this task and every third after it fail */
} task_test;

static syn_status make_and_drop(void *user, size_t i, syn_error *error) {
  const task_test *t = user;
  void *block;
  SYN_TRY(syn_allocate(t->context, i + 1, 8, &block, error));
  syn_free(t->context, block);
  t->done[i] = 1;
  if (i >= t->fail_from && (i - t->fail_from) % 3 == 0) return syn_fail(error, SYN_BAD_MESH, "task %zu fails", i);
  return SYN_OK;
}

static void every_task_runs_and_the_first_failure_counts(void **state) {
  (void)state;
  enum { TASKS = 100 };
  for (size_t k = 0; k < sizeof thread_counts / sizeof *thread_counts; ++k)
    for (size_t fail_from = 0; fail_from <= TASKS; fail_from += 7) {
      uint8_t done[TASKS] = {0};
      syn_context context = syn_default_context();
      syn_error error;
      char expected[32];
      context.threads = thread_counts[k];
      task_test t = {&context, done, fail_from};
      const syn_status status = syn_parallel_tasks(&context, TASKS, make_and_drop, &t, &error);
      snprintf(expected, sizeof expected, "task %zu fails", fail_from);
      assert_int_equal(status, fail_from < TASKS ? SYN_BAD_MESH : SYN_OK);
      if (status != SYN_OK) assert_string_equal(error.message, expected);
      for (size_t i = 0; i < TASKS && i <= fail_from; ++i) assert_int_equal(done[i], 1);
    }
}

/* An allocator of the caller's is not called by two threads at once: the one that counts here has no lock. */
static void tasks_with_an_allocator_of_their_own_take_turns(void **state) {
  (void)state;
  enum { TASKS = 2000 };
  uint8_t done[TASKS] = {0};
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  context.threads = 8;
  task_test t = {&context, done, TASKS};
  ASSERT_OK(syn_parallel_tasks(&context, TASKS, make_and_drop, &t, &error));
  assert_int_equal(memory.allocations, TASKS);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_index_is_visited_once_in_fixed_ranges),
      cmocka_unit_test(sums_have_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(sums_of_whole_numbers_are_exact),
      cmocka_unit_test(threads_are_as_many_as_asked_for),
      cmocka_unit_test(several_threads_call_at_once),
      cmocka_unit_test(a_loop_inside_a_loop_covers_all),
      cmocka_unit_test(a_child_process_starts_its_own_threads),
      cmocka_unit_test(every_task_runs_and_the_first_failure_counts),
      cmocka_unit_test(tasks_with_an_allocator_of_their_own_take_turns),
      cmocka_unit_test(threads_that_cannot_be_made_are_done_without),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

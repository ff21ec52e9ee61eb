/* The buffer between the two threads: nothing torn, nothing older than before, the newest at the end. */
#include "support.h"

#include <pthread.h>

#include "tissue/haptics/haptics.h"

enum { WORDS = 64, WRITES = 20000 };

typedef struct shared {
  syn_triple triple;
  unsigned buffers[3][WORDS];
} shared;

static void *write_all(void *user) {
  shared *s = user;
  for (unsigned i = 1; i <= WRITES; ++i) {
    for (int w = 0; w < WORDS; ++w) s->buffers[s->triple.back][w] = i;
    syn_triple_publish(&s->triple);
  }
  return NULL;
}

static void a_reader_sees_whole_and_rising_contents(void **state) {
  (void)state;
  static shared s;
  pthread_t writer;
  syn_triple_start(&s.triple);
  assert_false(syn_triple_take(&s.triple));
  assert_int_equal(pthread_create(&writer, NULL, write_all, &s), 0);
  unsigned last = 0, changes = 0;
  while (last < WRITES) {
    const bool fresh = syn_triple_take(&s.triple);
    const unsigned *front = s.buffers[s.triple.front], first = front[0];
    for (int w = 1; w < WORDS; ++w)
      if (front[w] != first) fail_msg("word %d is of write %u, the first of %u", w, front[w], first);
    assert_true(fresh ? first > last : first == last);
    changes += fresh;
    last = first;
  }
  pthread_join(writer, NULL);
  assert_false(syn_triple_take(&s.triple));
  print_message("%u of %d writes were seen\n", changes, WRITES);
}

/* One thread, in every order: the reader always gets what was last published. */
static void the_newest_is_taken(void **state) {
  (void)state;
  test_random random = {7};
  shared s = {0};
  unsigned published = 0;
  syn_triple_start(&s.triple);
  for (int i = 0; i < 10000; ++i) {
    if (random_below(&random, 2)) {
      s.buffers[s.triple.back][0] = ++published;
      syn_triple_publish(&s.triple);
    } else {
      syn_triple_take(&s.triple);
      assert_int_equal(s.buffers[s.triple.front][0], published);
    }
    assert_int_not_equal(s.triple.front, s.triple.back);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_reader_sees_whole_and_rising_contents),
      cmocka_unit_test(the_newest_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Sweep and prune, against every box tried with every other. */
#include "support.h"

#include "base/vec.h"
#include "collide/world/sweep.h"

enum { BOXES = 40 };

/* On a coarse grid many ends are equal and many boxes touch. */
static syn_box random_box(test_random *random, bool grid) {
  syn_vec3 a = random_vec3(random, 3), b = vec3_madd(a, 1, random_vec3(random, 2));
  if (grid) {
    a = vec3(round(a.x), round(a.y), round(a.z));
    b = vec3(round(b.x), round(b.y), round(b.z));
  }
  syn_box box = box_empty();
  box_add(&box, a);
  box_add(&box, b);
  return box;
}

static size_t check_pairs(sweep *s, const syn_box *boxes) {
  size_t next = 0;
  syn_error error;
  ASSERT_OK(syn_sweep_pairs(s, &error));
  for (uint32_t low = 0; low < s->count; ++low)
    for (uint32_t high = low + 1; high < s->count; ++high) {
      if (!box_overlap(&boxes[low], &boxes[high])) continue;
      assert_true(next < s->pair_count);
      assert_int_equal(s->pairs[next].low, low);
      assert_int_equal(s->pairs[next++].high, high);
    }
  assert_int_equal(s->pair_count, next);
  return next;
}

static void moving_boxes_give_the_same_as_trying_all(void **state) {
  (void)state;
  test_random random = {71};
  syn_error error;
  size_t total = 0;
  for (int round = 0; round < 100; ++round) {
    sweep s = {0};
    syn_box boxes[BOXES];
    const uint32_t count = random_below(&random, BOXES + 1);
    for (int step = 0; step < 30; ++step) {
      if (s.count < count && step % 3 == 0)
        for (uint32_t i = random_below(&random, count - s.count) + 1; i > 0; --i) {
          boxes[s.count] = i % 7 ? random_box(&random, round % 2) : box_empty();
          ASSERT_OK(syn_sweep_add(&s, &boxes[s.count], &error));
        }
      for (uint32_t b = 0; b < s.count; ++b) {
        if (random_below(&random, 4) == 0) continue;
        const syn_vec3 by = round % 2 ? vec3(random_below(&random, 3) - 1.0, 0, random_below(&random, 3) - 1.0)
                                      : random_vec3(&random, 0.3);
        if (random_below(&random, 8) == 0) /* far, so that boxes jump over others */
          boxes[b] = random_box(&random, round % 2);
        else
          boxes[b] = (syn_box){vec3_add(boxes[b].min, by), vec3_add(boxes[b].max, by)};
        syn_sweep_move(&s, b, &boxes[b]);
      }
      total += check_pairs(&s, boxes);
    }
    syn_sweep_release(&s);
  }
  assert_true(total > 10000);
}

static syn_status sweep_some(const syn_context *context, void *user, syn_error *error) {
  test_random random = {72};
  sweep s = {.context = context};
  syn_status status = SYN_OK;
  (void)user;
  for (int i = 0; i < 20 && status == SYN_OK; ++i) {
    const syn_box box = random_box(&random, true);
    status = syn_sweep_add(&s, &box, error);
  }
  if (status == SYN_OK) status = syn_sweep_pairs(&s, error);
  syn_sweep_release(&s);
  return status;
}

static void every_allocation_may_be_refused(void **state) {
  (void)state;
  check_every_allocation(sweep_some, NULL);
}

/* Memory that is refused once is not a pair that is lost. */
static void pairs_come_back_after_memory_was_refused(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  test_random random = {73};
  sweep s = {.context = &context};
  syn_box boxes[BOXES];
  syn_error error;
  for (uint32_t i = 0; i < BOXES; ++i) {
    boxes[i] = random_box(&random, false);
    ASSERT_OK(syn_sweep_add(&s, &boxes[i], &error));
  }
  memory.refuse_at = memory.allocations + 1;
  ASSERT_FAILS(syn_sweep_pairs(&s, &error), SYN_NO_MEMORY, NULL);
  memory.refuse_at = 0;
  assert_true(check_pairs(&s, boxes) > 20);
  syn_sweep_release(&s);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moving_boxes_give_the_same_as_trying_all),
      cmocka_unit_test(every_allocation_may_be_refused),
      cmocka_unit_test(pairs_come_back_after_memory_was_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

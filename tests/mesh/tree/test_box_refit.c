#include "base/status.h"
#include "base/vec.h"
#include "mesh/tree/box_refit.h"
#include "support.h"

static syn_box random_box(test_random *random) {
  const syn_vec3 at = random_vec3(random, 10), size = random_vec3(random, 1);
  return (syn_box){vec3_min(at, vec3_add(at, size)), vec3_max(at, vec3_add(at, size))};
}

static void check_same(const syn_box_tree *a, const syn_box_tree *b) {
  for (uint32_t i = 0; i < a->node_count; ++i)
    if (i != 1) assert_memory_equal(&a->nodes[i], &b->nodes[i], sizeof *a->nodes);
}

/* Any part of the items moves; the tree must become what refitting everything gives, again and again. */
static void a_partial_refit_equals_a_full_one(void **state) {
  (void)state;
  enum { N = 300 };
  static syn_box boxes[N], moved[N];
  static uint32_t items[N];
  test_random random = {7};
  syn_error error;
  for (uint32_t count = 1; count <= N; count += 23) {
    syn_box_tree *part, *whole;
    syn_box_refit *refit;
    for (uint32_t i = 0; i < count; ++i) boxes[i] = random_box(&random);
    ASSERT_OK(syn_box_tree_create(NULL, boxes, count, &part, &error));
    ASSERT_OK(syn_box_tree_create(NULL, boxes, count, &whole, &error));
    ASSERT_OK(syn_box_refit_create(part, &refit, &error));
    for (int round = 0; round < 100; ++round) {
      const uint32_t share = random_below(&random, 101);
      uint32_t chosen = 0;
      for (uint32_t i = 0; i < count; ++i) {
        if (random_below(&random, 100) >= share) continue;
        boxes[i] = moved[chosen] = random_box(&random);
        items[chosen++] = i;
      }
      syn_box_refit_some(refit, items, moved, chosen);
      syn_box_tree_refit(whole, boxes);
      check_same(part, whole);
    }
    syn_box_refit_destroy(refit);
    syn_box_tree_destroy(part);
    syn_box_tree_destroy(whole);
  }
}

static void one_item_costs_no_more_than_its_ancestors(void **state) {
  (void)state;
  enum { N = 1024 };
  static syn_box boxes[N];
  syn_error error;
  test_random random = {8};
  syn_box_tree *tree;
  syn_box_refit *refit;
  for (int i = 0; i < N; ++i) boxes[i] = random_box(&random);
  ASSERT_OK(syn_box_tree_create(NULL, boxes, N, &tree, &error));
  ASSERT_OK(syn_box_refit_create(tree, &refit, &error));
  for (uint32_t i = 0; i < N; ++i) assert_true(syn_box_refit_some(refit, &i, &boxes[i], 1) <= 40);
  uint32_t all[N];
  for (uint32_t i = 0; i < N; ++i) all[i] = i;
  assert_int_equal(syn_box_refit_some(refit, all, boxes, N), 2 * N - 1); /* every node exactly once */
  syn_box_refit_destroy(refit);
  syn_box_tree_destroy(tree);
}

static syn_status make(const syn_context *context, void *user, syn_error *error) {
  (void)user;
  const syn_box boxes[3] = {{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, {{2, 0, 0}, {3, 1, 1}}};
  syn_box_tree *tree;
  syn_box_refit *refit = NULL;
  SYN_TRY(syn_box_tree_create(context, boxes, 3, &tree, error));
  syn_status status = syn_box_refit_create(tree, &refit, error);
  syn_box_refit_destroy(refit);
  syn_box_tree_destroy(tree);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  check_every_allocation(make, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_partial_refit_equals_a_full_one),
      cmocka_unit_test(one_item_costs_no_more_than_its_ancestors),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

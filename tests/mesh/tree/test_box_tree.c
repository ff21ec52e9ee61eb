#include "support.h"

#include "base/status.h"
#include "base/vec.h"
#include "mesh/tree/box_tree.h"

/* ---- boxes of every kind ----------------------------------------------------------------------------------------- */

enum { KINDS = 6, MOST = 300 };

static syn_box random_box(test_random *random, int kind) {
  const double sizes[KINDS] = {0.1, 0, 1, 1e-7, 0.02, 0.3};
  syn_vec3 center = random_vec3(random, 1), half = vec3_scale(random_vec3(random, 1), sizes[kind]);
  half = vec3(fabs(half.x), fabs(half.y), fabs(half.z));
  if (kind == 2) center = vec3(0, 0, 0);                                          /* all around the same position */
  if (kind == 3) center = vec3_add(vec3_scale(center, 1e-7), vec3(1e6, -1e6, 1)); /* below the floats' resolution */
  if (kind == 4) center = vec3_scale(center, pow(2, random_between(random, -140, 0))); /* dense towards the origin */
  if (kind == 5) { /* on a grid: boxes that just touch, and many equal ones */
    center = vec3(floor(center.x * 4) / 2, floor(center.y * 4) / 2, floor(center.z * 2));
    half = vec3(0.25, 0.25, 0.5);
  }
  return (syn_box){vec3_sub(center, half), vec3_add(center, half)};
}

static void random_boxes(test_random *random, int kind, syn_box *boxes, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) boxes[i] = random_box(random, kind);
}

static bool rounded_touch(const syn_box *a, const syn_box *b) {
  const syn_box_node x = syn_box_round(a), y = syn_box_round(b);
  bool touch = true;
  for (int k = 0; k < 3; ++k) touch = touch && x.min[k] <= y.max[k] && y.min[k] <= x.max[k];
  return touch;
}

/* ---- the promises of the layout ---------------------------------------------------------------------------------- */

static void check_subtree(const syn_box_tree *tree, uint32_t at, uint32_t depth, uint32_t *leaves, bool *seen) {
  const syn_box_node *node = &tree->nodes[at];
  assert_true(at < tree->node_count && at != 1 && depth <= SYN_BOX_TREE_DEPTH);
  if (node->count == 1) {
    assert_false(seen[node->child]);
    seen[node->child] = true;
    ++*leaves;
    return;
  }
  assert_true(node->child > at && node->child % 2 == 0);
  uint32_t below = 0;
  for (uint32_t side = 0; side < 2; ++side) {
    const syn_box_node *child = &tree->nodes[node->child + side];
    for (int k = 0; k < 3; ++k) assert_true(node->min[k] <= child->min[k] && child->max[k] <= node->max[k]);
    check_subtree(tree, node->child + side, depth + 1, &below, seen);
  }
  assert_int_equal(below, node->count);
  *leaves += below;
}

static void check_layout(const syn_box_tree *tree) {
  bool *seen = calloc(tree->item_count + 1, sizeof *seen);
  uint32_t leaves = 0;
  if (tree->item_count > 0) check_subtree(tree, 0, 0, &leaves, seen);
  assert_int_equal(leaves, tree->item_count);
  assert_int_equal(tree->node_count, 2 * tree->item_count);
  assert_int_equal((uintptr_t)tree->nodes % 64, 0);
  free(seen);
}

/* ---- queries against all pairs ----------------------------------------------------------------------------------- */

typedef struct hits {
  uint8_t found[MOST][MOST];
  size_t count, stop_after;
} hits;

static bool note_pair(void *user, uint32_t a, uint32_t b) {
  hits *h = user;
  ++h->found[a][b];
  return ++h->count != h->stop_after;
}

static bool note_item(void *user, uint32_t item) { return note_pair(user, 0, item); }

static void check_queries(test_random *random, int kind, const syn_box_tree *tree, const syn_box *boxes, uint32_t n) {
  static hits self, single;
  self = (hits){0};
  assert_true(syn_box_tree_self_pairs(tree, note_pair, &self));
  for (uint32_t a = 0; a < n; ++a)
    for (uint32_t b = 0; b < n; ++b) assert_int_equal(self.found[a][b], a < b && rounded_touch(&boxes[a], &boxes[b]));
  for (int query = 0; query < 10; ++query) {
    const syn_box box = random_box(random, kind);
    single = (hits){0};
    assert_true(syn_box_tree_overlaps(tree, &box, note_item, &single));
    for (uint32_t i = 0; i < n; ++i) assert_int_equal(single.found[0][i], rounded_touch(&box, &boxes[i]));
  }
}

static void queries_find_what_comparing_all_boxes_finds(void **state) {
  (void)state;
  test_random random = {51};
  syn_error error;
  static syn_box boxes[MOST];
  for (int round = 0; round < 8 * KINDS; ++round) {
    const int kind = round % KINDS;
    const uint32_t n = round < KINDS ? (uint32_t)round % 3 : 1 + random_below(&random, MOST);
    syn_box_tree *tree;
    random_boxes(&random, kind, boxes, n);
    ASSERT_OK(syn_box_tree_create(NULL, boxes, n, &tree, &error));
    check_layout(tree);
    check_queries(&random, kind, tree, boxes, n);
    random_boxes(&random, kind, boxes, n); /* a refit to boxes that have nothing to do with the old ones */
    syn_box_tree_refit(tree, boxes);
    check_layout(tree);
    check_queries(&random, kind, tree, boxes, n);
    syn_box_tree_destroy(tree);
  }
}

/* How many subtrees of at most eight items there are below the others. */
static uint32_t count_bunches(const syn_box_tree *tree, uint32_t node) {
  const syn_box_node *n = &tree->nodes[node];
  return n->count <= 8 ? 1 : count_bunches(tree, n->child) + count_bunches(tree, n->child + 1);
}

static void a_tree_for_bunches_has_fuller_ones_and_finds_the_same(void **state) {
  (void)state;
  test_random random = {56};
  syn_error error;
  static syn_box boxes[MOST];
  uint32_t plain = 0, bunched = 0;
  for (int round = 0; round < 4 * KINDS; ++round) {
    const int kind = round % KINDS;
    const uint32_t n = 9 + random_below(&random, MOST - 9);
    syn_box_tree *tree, *other;
    random_boxes(&random, kind, boxes, n);
    ASSERT_OK(syn_box_tree_create_bunched(NULL, boxes, n, 8, &tree, &error));
    check_layout(tree);
    check_queries(&random, kind, tree, boxes, n);
    ASSERT_OK(syn_box_tree_create(NULL, boxes, n, &other, &error));
    bunched += count_bunches(tree, 0);
    plain += count_bunches(other, 0);
    syn_box_tree_destroy(tree);
    syn_box_tree_destroy(other);
  }
  assert_true(bunched < plain);
}

static void two_trees_give_the_pairs_that_comparing_all_boxes_gives(void **state) {
  (void)state;
  test_random random = {52};
  syn_error error;
  static syn_box boxes_a[MOST], boxes_b[MOST];
  static hits pairs;
  for (int round = 0; round < 5 * KINDS; ++round) {
    const uint32_t n = random_below(&random, MOST), m = random_below(&random, round % 2 ? MOST : 4);
    syn_box_tree *a, *b;
    random_boxes(&random, round % KINDS, boxes_a, n);
    random_boxes(&random, (round + round / KINDS) % KINDS, boxes_b, m);
    ASSERT_OK(syn_box_tree_create(NULL, boxes_a, n, &a, &error));
    ASSERT_OK(syn_box_tree_create(NULL, boxes_b, m, &b, &error));
    pairs = (hits){0};
    assert_true(syn_box_tree_pairs(a, b, note_pair, &pairs));
    for (uint32_t i = 0; i < n; ++i)
      for (uint32_t j = 0; j < m; ++j) assert_int_equal(pairs.found[i][j], rounded_touch(&boxes_a[i], &boxes_b[j]));
    syn_box_tree_destroy(a);
    syn_box_tree_destroy(b);
  }
}

static void a_visitor_stops_the_query(void **state) {
  (void)state;
  syn_error error;
  static syn_box boxes[50];
  static hits h;
  for (int i = 0; i < 50; ++i) boxes[i] = (syn_box){vec3(0, 0, 0), vec3(1, 1, 1)};
  syn_box_tree *tree;
  ASSERT_OK(syn_box_tree_create(NULL, boxes, 50, &tree, &error));
  h = (hits){.stop_after = 3};
  assert_false(syn_box_tree_overlaps(tree, &boxes[0], note_item, &h));
  assert_int_equal(h.count, 3);
  h = (hits){.stop_after = 4};
  assert_false(syn_box_tree_self_pairs(tree, note_pair, &h));
  assert_int_equal(h.count, 4);
  h = (hits){.stop_after = 5};
  assert_false(syn_box_tree_pairs(tree, tree, note_pair, &h));
  assert_int_equal(h.count, 5);
  syn_box_tree_destroy(tree);
}

/* ---- rounding, depth, memory ------------------------------------------------------------------------------------- */

static void floats_are_rounded_outward_by_one_step_at_most(void **state) {
  (void)state;
  test_random random = {53};
  for (int i = 0; i < 20000; ++i) {
    const double x = ldexp(random_between(&random, -1, 1), (int)random_below(&random, 320) - 170);
    const syn_box_node node = syn_box_round(&(syn_box){vec3(x, x, x), vec3(x, x, x)});
    assert_true((double)node.min[0] <= x && x <= (double)node.max[0]);
    assert_true(node.max[1] == node.min[1] || node.max[1] == nextafterf(node.min[1], INFINITY));
  }
  const syn_box_node huge = syn_box_round(&(syn_box){vec3(-1e300, 1e300, 0), vec3(-1e300, 1e300, 0)});
  assert_true(huge.min[0] == -INFINITY && huge.max[0] < 0 && huge.max[1] == INFINITY && huge.min[1] > 0);
}

/* Centres that halve from one to the next make every cut one-sided; some boxes reach to infinity. */
static void the_depth_is_bounded_for_boxes_that_resist_balance(void **state) {
  (void)state;
  enum { N = 4000 };
  syn_error error;
  static syn_box boxes[N];
  syn_box_tree *tree;
  for (int i = 0; i < N; ++i) {
    const double x = ldexp(1 + i * 1e-4, 127 - i / 16), y = ldexp(1, 100 - i / 20), z = i % 100 == 0 ? 1e300 : 0;
    boxes[i] = (syn_box){vec3(x, -y, -z), vec3(x, -y, z)};
  }
  ASSERT_OK(syn_box_tree_create(NULL, boxes, N, &tree, &error));
  check_layout(tree);
  syn_box_tree_destroy(tree);
}

static syn_status make_tree(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  syn_box_tree *tree;
  SYN_TRY(syn_box_tree_of_mesh(&mesh, &tree, error));
  syn_box_tree_destroy(tree);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(make_tree, cube);
  syn_trimesh_destroy(cube);
  syn_box_tree_destroy(NULL);
}

static void too_many_items_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_box_tree *tree;
  ASSERT_FAILS(syn_box_tree_create(NULL, NULL, (size_t)1 << 31, &tree, &error), SYN_TOO_LARGE, "2^31");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(queries_find_what_comparing_all_boxes_finds),
      cmocka_unit_test(a_tree_for_bunches_has_fuller_ones_and_finds_the_same),
      cmocka_unit_test(two_trees_give_the_pairs_that_comparing_all_boxes_gives),
      cmocka_unit_test(a_visitor_stops_the_query),
      cmocka_unit_test(floats_are_rounded_outward_by_one_step_at_most),
      cmocka_unit_test(the_depth_is_bounded_for_boxes_that_resist_balance),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(too_many_items_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

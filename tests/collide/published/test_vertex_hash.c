#include "support.h"

#include "base/vec.h"
#include "collide/published/hash.h"

enum { MOST = 400 };

typedef struct tally {
  uint32_t seen[MOST];
} tally;

static bool count_vertex(void *user, uint32_t vertex) {
  ++((tally *)user)->seen[vertex];
  return true;
}

static bool inside(const syn_box *box, syn_vec3 p) {
  const syn_box point = {p, p};
  return box_overlap(box, &point);
}

/* Everything in a box is visited, nothing twice, and nothing much further away than a cell. */
static void boxes_see_their_vertices_once_after_any_number_of_fillings(void **state) {
  (void)state;
  test_random random = {161};
  syn_error error;
  vertex_hash hash;
  static const double cells[] = {0.1, 0.5, 1e-3, 1e-9, 100, 0, NAN};
  ASSERT_OK(syn_vertex_hash_create(NULL, MOST, &hash, &error));
  for (int round = 0; round < 140; ++round) {
    const double cell = cells[round % 7];
    syn_vec3 places[MOST];
    bool used[MOST];
    for (int v = 0; v < MOST; ++v) {
      places[v] = random_vec3(&random, 1);
      used[v] = random_below(&random, 4) != 0;
    }
    syn_vertex_hash_fill(&hash, places, used, cell);
    for (int q = 0; q < 15; ++q) {
      const syn_vec3 a = random_vec3(&random, 1.3), size = random_vec3(&random, q % 2 ? 0.1 : 1);
      const syn_box box = {a, vec3_add(a, vec3(fabs(size.x), fabs(size.y), fabs(size.z)))};
      tally t = {{0}};
      assert_true(syn_vertex_hash_visit(&hash, &box, count_vertex, &t));
      const syn_vec3 near = vec3(1.001 * cell, 1.001 * cell, 1.001 * cell);
      const syn_box wide = {vec3_sub(box.min, near), vec3_add(box.max, near)};
      for (int v = 0; v < MOST; ++v) {
        assert_true(t.seen[v] <= (used[v] ? 1 : 0));
        if (used[v] && inside(&box, places[v])) assert_int_equal(t.seen[v], 1);
        if (cell >= 0.1 && t.seen[v]) assert_true(inside(&wide, places[v]));
      }
    }
  }
  syn_vertex_hash_release(&hash);
}

/* What is of an earlier filling must not come to life again. */
static void a_filling_forgets_the_one_before(void **state) {
  (void)state;
  syn_error error;
  vertex_hash hash;
  const syn_vec3 places[2] = {{0, 0, 0}, {5, 5, 5}};
  const bool both[2] = {true, true}, first[2] = {true, false};
  const syn_box all = {{-9, -9, -9}, {9, 9, 9}};
  ASSERT_OK(syn_vertex_hash_create(NULL, 2, &hash, &error));
  syn_vertex_hash_fill(&hash, places, both, 1);
  syn_vertex_hash_fill(&hash, places, first, 1);
  tally t = {{0}};
  syn_vertex_hash_visit(&hash, &all, count_vertex, &t);
  assert_int_equal(t.seen[0], 1);
  assert_int_equal(t.seen[1], 0);
  syn_vertex_hash_release(&hash);
}

static bool stop(void *user, uint32_t vertex) {
  (void)vertex;
  ++*(int *)user;
  return false;
}

static void a_visit_may_be_stopped_and_too_many_vertices_are_refused(void **state) {
  (void)state;
  syn_error error;
  vertex_hash hash;
  const syn_vec3 places[3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  const bool used[3] = {true, true, true};
  const syn_box all = {{-9, -9, -9}, {9, 9, 9}};
  ASSERT_OK(syn_vertex_hash_create(NULL, 3, &hash, &error));
  for (int i = 0; i < 2; ++i) {
    int visited = 0;
    syn_vertex_hash_fill(&hash, places, used, i ? 1e-4 : 10); /* by blocks, by cells */
    assert_false(syn_vertex_hash_visit(&hash, &all, stop, &visited));
    assert_int_equal(visited, 1);
  }
  syn_vertex_hash_release(&hash);
  ASSERT_FAILS(syn_vertex_hash_create(NULL, 1u << 30, &hash, &error), SYN_TOO_LARGE, "hashed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_see_their_vertices_once_after_any_number_of_fillings),
      cmocka_unit_test(a_filling_forgets_the_one_before),
      cmocka_unit_test(a_visit_may_be_stopped_and_too_many_vertices_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

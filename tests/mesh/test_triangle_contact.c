#include "support.h"

#include "base/vec.h"
#include "exact_triangles.h"
#include "mesh/self_intersection.h"

enum { POINTS = 7 };

static int shared_vertices(const syn_triangle *a, const syn_triangle *b) {
  int shared = 0;
  for (uint32_t v = 0; v < POINTS; ++v) {
    bool in_a = a->v[0] == v || a->v[1] == v || a->v[2] == v, in_b = b->v[0] == v || b->v[1] == v || b->v[2] == v;
    shared += in_a && in_b;
  }
  return shared;
}

/* Few points on a small grid: places coincide under different numbers, corners repeat, triangles are flat, folded onto
 * each other, pierced at a shared vertex. */
static void sharing_triangles_meet_elsewhere_exactly_when_they_should(void **state) {
  (void)state;
  test_random random = {31};
  int seen[4][2] = {{0}};
  for (int i = 0; i < 40000; ++i) {
    grid_point grid[POINTS];
    syn_vec3 points[POINTS];
    const uint32_t extent = 2 + random_below(&random, 4), flatness = random_below(&random, extent + 1);
    for (int v = 0; v < POINTS; ++v) {
      for (int k = 0; k < 3; ++k) grid[v].x[k] = random_below(&random, k == 2 ? flatness + 1 : extent + 1);
      points[v] = vec3((double)grid[v].x[0], (double)grid[v].x[1], (double)grid[v].x[2]);
    }
    syn_triangle a, b;
    for (int c = 0; c < 3; ++c) {
      a.v[c] = random_below(&random, POINTS);
      b.v[c] = random_below(&random, POINTS);
    }
    const bool expected = exact_triangles_meet_elsewhere(grid, &a, &b);
    if (syn_triangles_meet_elsewhere(points, &a, &b) != expected)
      fail_msg("case %d: triangles (%u %u %u) and (%u %u %u), expected %d", i, a.v[0], a.v[1], a.v[2], b.v[0], b.v[1],
               b.v[2], expected);
    assert_int_equal(syn_triangles_meet_elsewhere(points, &b, &a), expected);
    ++seen[shared_vertices(&a, &b)][expected];
  }
  for (int shared = 0; shared < 3; ++shared) assert_true(seen[shared][0] > 500 && seen[shared][1] > 500);
  assert_true(seen[3][1] > 50 && seen[3][0] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sharing_triangles_meet_elsewhere_exactly_when_they_should),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

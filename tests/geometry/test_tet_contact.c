#include "support.h"

#include "base/vec.h"
#include "geometry/convex_contact.h"

/* ---- the slow twin: whole numbers and every direction in which the closest points of two hulls can lie ------------
 */

typedef struct grid3 {
  int64_t x, y, z;
} grid3;

static grid3 minus(grid3 a, grid3 b) { return (grid3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static grid3 cross(grid3 a, grid3 b) {
  return (grid3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static int64_t dot(grid3 a, grid3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static bool separates(grid3 axis, const grid3 *a, int n, const grid3 *b, int m) {
  int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {INT64_MIN, INT64_MIN};
  for (int i = 0; i < n + m; ++i) {
    const int side = i >= n;
    const int64_t at = dot(axis, side ? b[i - n] : a[i]);
    if (at < low[side]) low[side] = at;
    if (at > high[side]) high[side] = at;
  }
  return high[0] < low[1] || high[1] < low[0];
}

/* Corner to corner and corner to edge; corner to face and edge to edge. */
static bool hulls_meet(const grid3 *a, int n, const grid3 *b, int m) {
  const grid3 *sets[2] = {a, b};
  const int counts[2] = {n, m};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      if (separates(minus(a[i], b[j]), a, n, b, m)) return false;
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < counts[s]; ++i)
      for (int j = i + 1; j < counts[s]; ++j) {
        const grid3 edge = minus(sets[s][j], sets[s][i]);
        for (int k = j + 1; k < counts[s]; ++k)
          if (separates(cross(edge, minus(sets[s][k], sets[s][i])), a, n, b, m)) return false;
        for (int k = 0; k < counts[!s]; ++k) {
          const grid3 way = minus(sets[!s][k], sets[s][i]);
          if (separates(cross(edge, cross(way, edge)), a, n, b, m)) return false;
          for (int l = k + 1; l < counts[!s]; ++l)
            if (separates(cross(edge, minus(sets[!s][l], sets[!s][k])), a, n, b, m)) return false;
        }
      }
  return true;
}

static int64_t volume6(const grid3 t[4]) { return dot(cross(minus(t[1], t[0]), minus(t[2], t[0])), minus(t[3], t[0])); }

static void random_points(test_random *random, uint32_t range, int count, grid3 *grid, syn_vec3 *points) {
  for (int i = 0; i < count; ++i) {
    grid[i] = (grid3){random_below(random, range), random_below(random, range), random_below(random, range)};
    points[i] = vec3((double)grid[i].x, (double)grid[i].y, (double)grid[i].z);
  }
}

static void grid_points_triangles_and_tetrahedra_meet_as_their_hulls_do(void **state) {
  (void)state;
  test_random random = {121};
  int meetings[3] = {0}, rounds = 15000;
  for (int round = 0; round < rounds; ++round) {
    grid3 a[4], b[4];
    syn_vec3 p[4], q[4];
    const uint32_t range = 2 + random_below(&random, 7); /* small ranges are full of flat and touching ones */
    random_points(&random, range, 4, a, p);
    random_points(&random, range, 4, b, q);
    const bool point = volume6(b) != 0 && hulls_meet(a, 1, b, 4);
    const bool triangle = hulls_meet(a, 3, b, 4), tet = hulls_meet(a, 4, b, 4);
    assert_int_equal(syn_point_in_tet(p[0], q), point);
    assert_int_equal(syn_triangle_meets_tet(p, q), triangle);
    assert_int_equal(syn_tets_meet(p, q), tet);
    assert_int_equal(syn_tets_meet(q, p), tet);
    meetings[0] += point;
    meetings[1] += triangle;
    meetings[2] += tet;
  }
  for (int i = 0; i < 3; ++i) assert_true(meetings[i] > 500 && meetings[i] < rounds - 500);
}

static void one_unit_in_the_last_place_decides(void **state) {
  (void)state;
  const syn_vec3 tet[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  syn_vec3 face[3] = {{0.2, 0.2, 0}, {0.3, 0.2, 0}, {0.2, 0.3, 0}};
  assert_true(syn_triangle_meets_tet(face, tet));
  assert_true(syn_point_in_tet(face[0], tet));
  for (int c = 0; c < 3; ++c) face[c].z = -0x1p-60;
  assert_false(syn_triangle_meets_tet(face, tet));
  assert_false(syn_point_in_tet(face[0], tet));
  /* deep inside, far from every face */
  const syn_vec3 large[4] = {{-9, -9, -9}, {90, -9, -9}, {-9, 90, -9}, {-9, -9, 90}};
  assert_true(syn_triangle_meets_tet(face, large));
  assert_true(syn_tets_meet(tet, large) && syn_tets_meet(large, tet));
}

static void the_box_of_points_is_the_smallest(void **state) {
  (void)state;
  const syn_vec3 points[3] = {{1, 5, -2}, {0, 6, 3}, {2, 4, 0}};
  const syn_box box = syn_box_of_points(points, 3);
  assert_true(vec3_equal(box.min, vec3(0, 4, -2)) && vec3_equal(box.max, vec3(2, 6, 3)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grid_points_triangles_and_tetrahedra_meet_as_their_hulls_do),
      cmocka_unit_test(one_unit_in_the_last_place_decides),
      cmocka_unit_test(the_box_of_points_is_the_smallest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

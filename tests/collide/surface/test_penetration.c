/* Whether two bodies overlap as they lie: surfaces that touch do not, those that cross do, whether or not a vertex lies
 * inside; against a twin that asks every edge and triangle. */
#include "support.h"

#include "base/vec.h"
#include "geometry/predicates.h"

static syn_trimesh *make_mesh(const syn_vec3 *points, uint32_t count, const syn_triangle *triangles, uint32_t faces) {
  syn_error error;
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, points, count, triangles, faces, &mesh, &error));
  return mesh;
}

static syn_penetration find(const syn_trimesh *fixed, const syn_trimesh *mobile) {
  syn_error error;
  syn_penetration found;
  ASSERT_OK(syn_penetration_find(fixed, mobile, NULL, &found, &error));
  return found;
}

/* ---- touches ------------------------------------------------------------------------------------------------------
 */

/* A box from `low` to `high`. */
static syn_trimesh *make_box(syn_vec3 low, syn_vec3 high) {
  static const syn_triangle faces[12] = {{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}}, {{0, 1, 4}}, {{1, 5, 4}},
                                         {{2, 6, 3}}, {{3, 6, 7}}, {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};
  syn_vec3 v[8];
  for (int i = 0; i < 8; ++i) v[i] = vec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  return make_mesh(v, 8, faces, 12);
}

/* A tip downwards at `at`. */
static syn_trimesh *make_tip(syn_vec3 at) {
  static const syn_triangle faces[4] = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 3}}, {{1, 2, 3}}};
  const syn_vec3 v[4] = {at, vec3_add(at, vec3(-1, -1, 2)), vec3_add(at, vec3(1, -1, 2)), vec3_add(at, vec3(0, 1, 2))};
  return make_mesh(v, 4, faces, 4);
}

static void check_both_ways(syn_trimesh *a, syn_trimesh *b, bool overlap) {
  assert_int_equal(find(a, b).found, overlap);
  assert_int_equal(find(b, a).found, overlap);
  syn_trimesh_destroy(a);
  syn_trimesh_destroy(b);
}

static void a_touch_is_no_overlap(void **state) {
  (void)state;
  const syn_vec3 low = {-2, -2, -2}, high = {2, 2, 0};
  static const syn_vec3 on[] = {{0.5, 0.25, 0}, {0, 0, 0}, {2, 0.5, 0}, {2, 2, 0}}; /* a face, its edges, a corner */
  for (size_t i = 0; i < sizeof on / sizeof *on; ++i) check_both_ways(make_box(low, high), make_tip(on[i]), false);
  check_both_ways(make_box(low, high), make_tip(vec3(0.5, 0.25, -0.125)), true);
  check_both_ways(make_box(low, high), make_tip(vec3(0.5, 0.25, 0.125)), false);
  check_both_ways(make_box(low, high), make_box(vec3(-1, -1, 0), vec3(1, 1, 1)), false); /* face on face */
  check_both_ways(make_box(low, high), make_box(vec3(2, -1, 0), vec3(3, 1, 1)), false);  /* edge on edge */
}

/* Where a turn begins in a touch there is a range; in an overlap there is none. */
static void a_turn_may_begin_in_a_touch(void **state) {
  (void)state;
  syn_error error;
  for (int overlap = 0; overlap < 2; ++overlap) {
    syn_trimesh *box = make_box(vec3(-2, -2, -2), vec3(2, 2, 0)), *tip = make_tip(vec3(0.5, 0.25, overlap ? -0.25 : 0));
    syn_turn_range range;
    ASSERT_OK(syn_turn_range_find(box, tip, vec3(0, 0, 20), vec3(0, 0, 1), &range, &error));
    assert_int_equal(range.overlap.found, overlap);
    syn_trimesh_destroy(box);
    syn_trimesh_destroy(tip);
  }
}

/* ---- crossings ----------------------------------------------------------------------------------------------------
 */

static bool edge_goes_through(syn_vec3 p, syn_vec3 q, const syn_vec3 t[3]) {
  if (syn_orient3d(t[0], t[1], t[2], p) * syn_orient3d(t[0], t[1], t[2], q) != -1) return false;
  const int a = syn_orient3d(p, q, t[0], t[1]), b = syn_orient3d(p, q, t[1], t[2]), c = syn_orient3d(p, q, t[2], t[0]);
  return a != 0 && a == b && b == c;
}

/* Single triangles on a coarse grid, so that they often touch: sheets have no inside, and only edges decide. */
static void sheets_overlap_where_an_edge_goes_through(void **state) {
  (void)state;
  test_random random = {17};
  static const syn_triangle one = {{0, 1, 2}};
  int overlapping = 0, touching = 0;
  for (int round = 0; round < 4000; ++round) {
    syn_vec3 t[2][3];
    for (int k = 0; k < 2; ++k)
      for (int c = 0; c < 3; ++c)
        t[k][c] = vec3(random_below(&random, 5), random_below(&random, 5), random_below(&random, 5));
    bool expected = false, flat = false;
    for (int k = 0; k < 2; ++k) {
      flat |= vec3_length2(vec3_cross(vec3_sub(t[k][1], t[k][0]), vec3_sub(t[k][2], t[k][0]))) == 0;
      for (int c = 0; c < 3; ++c) expected |= edge_goes_through(t[k][c], t[k][(c + 1) % 3], t[!k]);
    }
    if (flat) continue;
    syn_error error;
    syn_trimesh *a = make_mesh(t[0], 3, &one, 1), *b = make_mesh(t[1], 3, &one, 1);
    syn_clearance clearance;
    ASSERT_OK(syn_clearance_find(a, b, NULL, NULL, &clearance, &error));
    const syn_penetration found = find(a, b);
    assert_int_equal(found.found, expected);
    overlapping += expected;
    touching += clearance.crossing && !expected;
    if (expected) assert_true(clearance.crossing && isnan(found.depth_mm) && vec3_finite(found.point));
    syn_trimesh_destroy(a);
    syn_trimesh_destroy(b);
  }
  assert_true(overlapping > 100 && touching > 100);
}

/* Two bars that cross: no corner of one lies in the other. */
static void bars_cross_without_a_corner_inside(void **state) {
  (void)state;
  syn_trimesh *a = make_box(vec3(-9, -1, -1), vec3(9, 1, 1)), *b = make_box(vec3(-0.5, -8, -0.5), vec3(0.75, 8, 0.5));
  const syn_penetration found = find(a, b);
  assert_true(found.found && isnan(found.depth_mm));
  assert_true(fabs(found.point.x) <= 9 && fabs(found.point.y) <= 1 && fabs(found.point.z) <= 1);
  syn_trimesh_destroy(a);
  syn_trimesh_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_touch_is_no_overlap),
      cmocka_unit_test(a_turn_may_begin_in_a_touch),
      cmocka_unit_test(sheets_overlap_where_an_edge_goes_through),
      cmocka_unit_test(bars_cross_without_a_corner_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

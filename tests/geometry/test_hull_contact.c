/* Hulls of few points: the fast way against the exact one, and both against the distance of convex bodies. */
#include "support.h"

#include "base/vec.h"
#include "geometry/convex_contact.h"

static void random_points(test_random *random, bool grid, double size, syn_vec3 shift, syn_vec3 *points, int count) {
  for (int i = 0; i < count; ++i) {
    points[i] = vec3_add(random_vec3(random, size), shift);
    if (grid) points[i] = vec3(round(points[i].x), round(points[i].y), round(points[i].z));
  }
}

/* On a grid much touches, coincides and lies in a plane. */
static void test_the_fast_way_says_what_the_exact_one_does(void **state) {
  (void)state;
  test_random random = {41};
  int met = 0, rounds = 6000;
  for (int round = 0; round < rounds; ++round) {
    syn_vec3 face[4], hull[8];
    const int face_count = 3 + (int)random_below(&random, 2), hull_count = 4 + (int)random_below(&random, 5);
    const bool grid = round % 2;
    random_points(&random, grid, 2, random_vec3(&random, 2.5), face, face_count);
    random_points(&random, grid, 2, vec3(0, 0, 0), hull, hull_count);
    const bool exact = syn_face_meets_hull_exactly(face, face_count, hull, hull_count);
    assert_int_equal(syn_face_meets_hull(face, face_count, hull, hull_count), exact);
    met += exact;
  }
  assert_in_range(met, rounds / 5, 4 * rounds / 5);
}

static void test_both_say_what_the_distance_of_convex_bodies_does(void **state) {
  (void)state;
  test_random random = {42};
  int compared = 0;
  for (int round = 0; round < 1500; ++round) {
    syn_vec3 face[4], hull[8];
    const int hull_count = 4 + (int)random_below(&random, 5);
    syn_convex *a, *b;
    syn_error error;
    random_points(&random, false, 2, random_vec3(&random, 3), face, 4);
    random_points(&random, false, 2, vec3(0, 0, 0), hull, hull_count);
    ASSERT_OK(syn_convex_create(NULL, face, 4, &a, &error));
    ASSERT_OK(syn_convex_create(NULL, hull, (uint32_t)hull_count, &b, &error));
    const syn_pose pose = syn_pose_identity();
    const syn_convex_options options = syn_default_convex_options();
    syn_convex_result result;
    syn_convex_query(a, b, &pose, &options, NULL, NULL, &result);
    if (result.distance_mm > 1e-9 || result.distance_mm <= 0) {
      ++compared;
      assert_int_equal(syn_face_meets_hull(face, 4, hull, hull_count), result.distance_mm <= 0);
    }
    syn_convex_destroy(a);
    syn_convex_destroy(b);
  }
  assert_true(compared > 1400);
}

/* A quadrilateral that is not plane counts with all that lies between its corners. */
static void test_touching_counts_to_the_last_bit(void **state) {
  (void)state;
  const syn_vec3 cube[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const double next = nextafter(1, 2);
  syn_vec3 face[4] = {{1, 0.2, 0.2}, {1, 0.8, 0.2}, {1, 0.8, 0.8}, {1, 0.2, 0.8}};
  assert_true(syn_face_meets_hull(face, 4, cube, 8));
  for (int c = 0; c < 4; ++c) face[c].x = next;
  assert_false(syn_face_meets_hull(face, 4, cube, 8));
  const syn_vec3 corner[3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 3}};
  assert_true(syn_face_meets_hull(corner, 3, cube, 8));
  const syn_vec3 beyond[3] = {{next, 1, 1}, {2, 1, 1}, {next, 2, 3}};
  assert_false(syn_face_meets_hull(beyond, 3, cube, 8));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_fast_way_says_what_the_exact_one_does),
      cmocka_unit_test(test_both_say_what_the_distance_of_convex_bodies_does),
      cmocka_unit_test(test_touching_counts_to_the_last_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

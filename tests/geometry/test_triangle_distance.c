/* Distances of segments and triangles against their ends and against fine sampling. */
#include "geometry/triangle_pair.h"

#include "base/vec.h"
#include "support.h"

/* The point of a segment nearest to p, by its own formula. */
static double end_distance(syn_vec3 p, syn_vec3 a, syn_vec3 b) {
  const syn_vec3 ab = vec3_sub(b, a);
  const double length2 = vec3_length2(ab);
  const double t = length2 > 0 ? fmax(0, fmin(1, vec3_dot(vec3_sub(p, a), ab) / length2)) : 0;
  return vec3_distance(p, vec3_madd(a, t, ab));
}

static double least_end_distance(const syn_vec3 p[2], const syn_vec3 q[2]) {
  return fmin(fmin(end_distance(p[0], q[0], q[1]), end_distance(p[1], q[0], q[1])),
              fmin(end_distance(q[0], p[0], p[1]), end_distance(q[1], p[0], p[1])));
}

/* Alternating projections between two convex sets end at their distance. */
static double sampled_distance(const syn_vec3 p[2], const syn_vec3 q[2]) {
  enum { STEPS = 400 };
  double least = INFINITY;
  for (int i = 0; i <= STEPS; ++i)
    least = fmin(least, end_distance(vec3_lerp(p[0], p[1], (double)i / STEPS), q[0], q[1]));
  return least;
}

static void check_witness(const syn_witness *w, const syn_vec3 p[2], const syn_vec3 q[2]) {
  ASSERT_NEAR(sqrt(w->distance2), vec3_distance(w->a, w->b), 1e-12);
  assert_true(end_distance(w->a, p[0], p[1]) < 1e-9 && end_distance(w->b, q[0], q[1]) < 1e-9);
}

static void segments_are_as_far_apart_as_sampling_says(void **state) {
  (void)state;
  test_random random = {3};
  int by_end[4] = {0};
  for (int round = 0; round < 4000; ++round) {
    syn_vec3 p[2], q[2];
    for (int k = 0; k < 2; ++k) p[k] = random_vec3(&random, 1), q[k] = random_vec3(&random, 1);
    if (round % 5 == 0) q[1] = q[0]; /* a point */
    const syn_witness w = syn_segment_distance(p[0], p[1], q[0], q[1]);
    const double sampled = sampled_distance(p, q);
    check_witness(&w, p, q);
    assert_true(sqrt(w.distance2) <= sampled + 1e-12);
    assert_true(sqrt(w.distance2) >= sampled - 1e-2);
    assert_true(sqrt(w.distance2) <= least_end_distance(p, q) + 1e-12);
    for (int k = 0; k < 2; ++k) {
      by_end[k] += vec3_equal(w.a, p[k]);
      by_end[2 + k] += vec3_equal(w.b, q[k]);
    }
  }
  for (int k = 0; k < 4; ++k) assert_true(by_end[k] > 100);
}

/* The lines' nearest points lose their digits: an end must never be nearer than the answer. */
static void nearly_parallel_segments_are_no_farther_than_their_ends(void **state) {
  (void)state;
  test_random random = {4};
  for (int round = 0; round < 20000; ++round) {
    const double tilt = pow(10, random_between(&random, -16, -3)), size = pow(10, random_between(&random, -2, 2));
    const syn_vec3 along = vec3_unit(random_vec3(&random, 1)), aside = random_vec3(&random, size);
    const syn_vec3 other = vec3_add(along, vec3_scale(random_vec3(&random, 1), tilt));
    syn_vec3 p[2], q[2];
    p[0] = random_vec3(&random, 10);
    p[1] = vec3_madd(p[0], size * random_between(&random, 0.1, 1), along);
    q[0] = vec3_add(p[0], aside);
    q[1] = vec3_madd(q[0], size * random_between(&random, -1, 1), other);
    const syn_witness w = syn_segment_distance(p[0], p[1], q[0], q[1]);
    const double ends = least_end_distance(p, q);
    assert_true(sqrt(w.distance2) <= ends * (1 + 1e-12) + 1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(segments_are_as_far_apart_as_sampling_says),
      cmocka_unit_test(nearly_parallel_segments_are_no_farther_than_their_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

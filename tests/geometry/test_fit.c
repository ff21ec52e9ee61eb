/* Fits against the shapes that the points were taken from, and against what least squares mean. */
#include "support.h"

#include "base/vec.h"
#include "geometry/fit.h"
#include "geometry/small_matrix.h"

enum { POINTS = 200 };

static double plane_squares(const syn_vec3 *points, const double *weights, syn_vec3 center, syn_vec3 normal) {
  double sum = 0;
  for (int i = 0; i < POINTS; ++i) {
    const double off = vec3_dot(vec3_sub(points[i], center), normal);
    sum += weights[i] * off * off;
  }
  return sum;
}

static void no_plane_nearby_is_nearer_to_the_points(void **state) {
  (void)state;
  test_random random = {3};
  for (int round = 0; round < 100; ++round) {
    const syn_pose pose = random_pose(&random, 50);
    syn_vec3 points[POINTS], center;
    double weights[POINTS];
    for (int i = 0; i < POINTS; ++i) {
      const syn_vec3 p = random_vec3(&random, 20);
      points[i] = syn_pose_point(&pose, vec3(p.x, p.y, round % 2 ? 0.05 * p.z : 0));
      weights[i] = i % 9 ? random_between(&random, 0.1, 1) : 0;
    }
    const syn_vec3 normal = syn_fit_plane(points, weights, POINTS, &center);
    const double least = plane_squares(points, weights, center, normal);
    ASSERT_NEAR(vec3_length(normal), 1, 1e-13);
    if (round % 2 == 0) ASSERT_NEAR(least, 0, 1e-18 * POINTS);
    for (int i = 0; i < 20; ++i) {
      const syn_vec3 other = vec3_unit(vec3_madd(normal, 1e-3, random_vec3(&random, 1)));
      const syn_vec3 moved = vec3_madd(center, random_between(&random, -1e-3, 1e-3), normal);
      assert_true(plane_squares(points, weights, moved, other) >= least - 1e-12);
    }
  }
}

/* Points of a cap of `part` of the half sphere, off by up to `noise`. */
static void take_cap(test_random *random, syn_vec3 center, double radius, double part, double noise, syn_vec3 *points) {
  const syn_vec3 pole = vec3_unit(random_vec3(random, 1));
  for (int i = 0; i < POINTS;) {
    const syn_vec3 way = vec3_unit(random_vec3(random, 1));
    if (vec3_dot(way, pole) < 1 - part) continue;
    points[i++] = vec3_madd(center, radius + random_between(random, -noise, noise), way);
  }
}

static void an_algebraic_fit_finds_the_sphere(void **state) {
  (void)state;
  test_random random = {8};
  for (int round = 0; round < 100; ++round) {
    const syn_vec3 center = random_vec3(&random, 300);
    const double radius = random_between(&random, 5, 40);
    syn_vec3 points[POINTS];
    take_cap(&random, center, radius, random_between(&random, 0.3, 2), 0, points);
    const sphere_spread fit = syn_fit_sphere(points, POINTS, points[0]);
    ASSERT_NEAR(vec3_distance(fit.center, center), 0, 1e-8);
    ASSERT_NEAR(fit.spread, 0, 1e-6); /* the root of a difference of squares: half of the digits */
  }
}

static void what_is_flat_has_its_mean_as_centre(void **state) {
  (void)state;
  const syn_vec3 square[4] = {{1, 1, 0}, {3, 1, 0}, {3, 5, 0}, {1, 5, 0}};
  const sphere_spread fit = syn_fit_sphere(square, 4, square[0]);
  ASSERT_NEAR(vec3_distance(fit.center, vec3(2, 3, 0)), 0, 1e-12);
}

static double add_all(sphere_equations *e, int which, const syn_vec3 *points, syn_vec3 center, double radius) {
  double squares = 0;
  for (int i = 0; i < POINTS; ++i) {
    const syn_vec3 off = vec3_sub(points[i], center);
    const double miss = vec3_length(off) - radius, weight = 1 + i % 3;
    sphere_equations_add(e, which, vec3_unit(off), miss, weight);
    squares += weight * miss * miss;
  }
  return squares;
}

/* One or two spheres from a start some mm off: nothing nearby has fewer squares. */
static void steps_lead_to_the_least_squares(void **state) {
  (void)state;
  test_random random = {13};
  for (int round = 0; round < 60; ++round) {
    const int spheres = 1 + round % 2;
    const syn_vec3 truth = random_vec3(&random, 100);
    syn_vec3 points[2][POINTS], center = vec3_add(truth, random_vec3(&random, 2));
    double radii[2] = {22, 25};
    for (int s = 0; s < spheres; ++s) take_cap(&random, truth, 23 + 3 * s, 1, round % 3 ? 0.3 : 0, points[s]);
    for (int step = 0; step < 30; ++step) {
      sphere_equations e = {.radii = spheres};
      for (int s = 0; s < spheres; ++s) add_all(&e, s, points[s], center, radii[s]);
      assert_true(step % 2 ? syn_solve_symmetric(e.a, e.b, 3 + spheres, 1e-12)
                           : syn_solve_pivoted(e.a, e.b, 3 + spheres, 1e-6));
      center = vec3_add(center, vec3(e.b[0], e.b[1], e.b[2]));
      for (int s = 0; s < spheres; ++s) radii[s] += e.b[3 + s];
    }
    double least = 0;
    sphere_equations unused = {.radii = 2};
    for (int s = 0; s < spheres; ++s) least += add_all(&unused, s, points[s], center, radii[s]);
    if (round % 3 == 0) ASSERT_NEAR(vec3_distance(center, truth), 0, 1e-11);
    for (int i = 0; i < 20; ++i) {
      const syn_vec3 moved = vec3_add(center, random_vec3(&random, 1e-3));
      double squares = 0;
      for (int s = 0; s < spheres; ++s)
        squares += add_all(&unused, s, points[s], moved, radii[s] + random_between(&random, -1e-3, 1e-3));
      assert_true(squares >= least - 1e-12);
    }
  }
}

/* Both ways of a step lead to the same sphere. */
static void improving_ends_where_the_equations_end(void **state) {
  (void)state;
  test_random random = {17};
  uint32_t numbers[POINTS];
  double weights[POINTS];
  for (int i = 0; i < POINTS; ++i) {
    numbers[i] = (uint32_t)(POINTS - 1 - i);
    weights[i] = 1 + i % 3;
  }
  for (int round = 0; round < 60; ++round) {
    const syn_vec3 truth = random_vec3(&random, 100), start = vec3_add(truth, random_vec3(&random, 2));
    syn_vec3 points[POINTS], a = start, b = start;
    double radius = 21, other = 21;
    take_cap(&random, truth, 23, 1, 0.3, points);
    for (int step = 0; step < 30; ++step) {
      sphere_equations e = {.radii = 1};
      assert_true(syn_sphere_improve(points, weights, numbers, POINTS, &a, &radius));
      add_all(&e, 0, points, b, other);
      assert_true(syn_solve_symmetric(e.a, e.b, 4, 1e-12));
      b = vec3_add(b, vec3(e.b[0], e.b[1], e.b[2]));
      other += e.b[3];
      /* after every single step, not only at the end, where the centre rests */
      ASSERT_NEAR(vec3_distance(a, b), 0, 1e-10);
      ASSERT_NEAR(radius, other, 1e-10);
    }
  }
}

static void points_in_one_direction_tell_no_sphere(void **state) {
  (void)state;
  sphere_equations e = {.radii = 1};
  syn_vec3 center = {0, 0, 0}, points[4];
  const double weights[4] = {1, 1, 1, 1};
  const uint32_t numbers[4] = {0, 1, 2, 3};
  double radius = 1;
  for (int i = 0; i < 4; ++i) {
    points[i] = vec3(0, 0, 1 + 0.1 * i);
    sphere_equations_add(&e, 0, vec3(0, 0, 1), 0.1 * i, 1);
  }
  assert_false(syn_sphere_improve(points, weights, numbers, 4, &center, &radius));
  assert_false(syn_solve_symmetric(e.a, e.b, 4, 1e-12));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_plane_nearby_is_nearer_to_the_points),
      cmocka_unit_test(an_algebraic_fit_finds_the_sphere),
      cmocka_unit_test(what_is_flat_has_its_mean_as_centre),
      cmocka_unit_test(steps_lead_to_the_least_squares),
      cmocka_unit_test(improving_ends_where_the_equations_end),
      cmocka_unit_test(points_in_one_direction_tell_no_sphere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

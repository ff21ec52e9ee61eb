#include <time.h>

#include "base/vec.h"
#include "mesh/io/format.h"
#include "support.h"

enum { MOST = 400 };

static double area2(const syn_vec3 *p, const uint32_t *v) {
  return (p[v[1]].x - p[v[0]].x) * (p[v[2]].y - p[v[0]].y) - (p[v[1]].y - p[v[0]].y) * (p[v[2]].x - p[v[0]].x);
}

/* How often the triangles run along a -> b less how often along b -> a. */
static int net_uses(const syn_builder *b, uint32_t from, uint32_t to) {
  int uses = 0;
  for (size_t t = 0; t < b->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t p = b->triangles[t].v[c], q = b->triangles[t].v[(c + 1) % 3];
      uses += (p == from && q == to) - (p == to && q == from);
    }
  return uses;
}

/* The triangles' edges add up to the outline, hence their areas do; where none is turned over they cannot overlap. */
static void check_outline(const syn_builder *b, size_t count) {
  assert_int_equal(b->triangle_count, count - 2);
  for (uint32_t i = 0; i < count; ++i) assert_int_equal(net_uses(b, i, (uint32_t)((i + 1) % count)), 1);
  for (size_t t = 0; t < b->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t p = b->triangles[t].v[c], q = b->triangles[t].v[(c + 1) % 3];
      assert_true(p < count && q < count && p != q);
      if ((p + 1) % count != q && (q + 1) % count != p) assert_int_equal(net_uses(b, p, q), 0);
    }
}

/* Triangulates a polygon in the xy plane, moved anywhere in space, and checks the triangles in the plane. */
static void triangulate(const syn_vec3 *flat, size_t count, const syn_pose *pose, syn_builder *b) {
  syn_error error;
  uint32_t indices[MOST];
  for (uint32_t i = 0; i < count; ++i) {
    indices[i] = i;
    ASSERT_OK(syn_builder_point(b, pose ? syn_pose_point(pose, flat[i]) : flat[i], &error));
  }
  ASSERT_OK(syn_builder_polygon(b, indices, count, &error));
}

static double outline_area2(const syn_vec3 *p, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 a = p[i], b = p[(i + 1) % count];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum;
}

static void check_simple(const syn_vec3 *flat, size_t count, const syn_pose *pose) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_builder b = {.context = &context};
  triangulate(flat, count, pose, &b);
  check_outline(&b, count);
  double sum = 0, smallest = INFINITY;
  for (size_t t = 0; t < b.triangle_count; ++t) {
    const double area = area2(flat, b.triangles[t].v);
    sum += area;
    if (area < smallest) smallest = area;
  }
  const double whole = outline_area2(flat, count);
  ASSERT_NEAR(sum, whole, 1e-9 * fabs(whole));
  if (smallest < -1e-12 * whole) fail_msg("a triangle of %zu corners is turned over: %g", count, smallest);
  syn_builder_release(&b);
  assert_int_equal(memory.live, 0);
}

static syn_vec3 polar(double radius, double angle) { return (syn_vec3){radius * cos(angle), radius * sin(angle), 0}; }

static void star_shaped_polygons_are_covered_once(void **state) {
  (void)state;
  test_random random = {1};
  syn_vec3 p[MOST];
  for (int round = 0; round < 2000; ++round) {
    const uint32_t n = 4 + random_below(&random, round % 20 == 0 ? 200 : 30);
    for (uint32_t i = 0; i < n; ++i)
      p[i] = polar(random_between(&random, 0.05, 1), 2 * acos(-1.0) * (i + random_between(&random, 0, 0.9)) / n);
    const syn_pose pose = random_pose(&random, 50);
    check_simple(p, n, &pose);
  }
}

static void spirals_are_covered_once(void **state) {
  (void)state;
  test_random random = {2};
  syn_vec3 p[MOST];
  for (int round = 0; round < 100; ++round) {
    const uint32_t half = 5 + random_below(&random, MOST / 2 - 5);
    const double turns = random_between(&random, 1, half / 8.0 + 1);
    for (uint32_t i = 0; i < half; ++i) { /* out along one side, back along the other */
      const double angle = 2 * acos(-1.0) * turns * i / (half - 1), radius = 1 + angle;
      p[i] = polar(radius + 2, angle);
      p[2 * half - 1 - i] = polar(radius, angle);
    }
    const syn_pose pose = random_pose(&random, 5);
    check_simple(p, 2 * half, &pose);
  }
}

static void combs_with_many_collinear_points_are_covered_once(void **state) {
  (void)state;
  syn_vec3 p[MOST];
  for (uint32_t teeth = 1; teeth < 60; ++teeth) {
    uint32_t n = 0;
    for (uint32_t i = 0; i <= 2 * teeth; ++i) p[n++] = (syn_vec3){i, 0, 0};
    for (uint32_t i = 2 * teeth + 1; i-- > 0;) p[n++] = (syn_vec3){i, i % 2 ? 1 : 5, 0};
    check_simple(p, n, NULL);
  }
}

/* Every edge of a square is cut by points in between; no triangle may be flat, for there is no need. */
static void collinear_points_give_no_flat_triangles(void **state) {
  (void)state;
  for (uint32_t per_side = 2; per_side < 40; ++per_side) {
    syn_vec3 p[MOST];
    uint32_t n = 0;
    const syn_vec3 corners[5] = {{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}, {0, 0, 0}};
    for (int side = 0; side < 4; ++side)
      for (uint32_t i = 0; i < per_side; ++i)
        p[n++] = vec3_lerp(corners[side], corners[side + 1], i / (double)per_side);
    syn_builder b = {0};
    triangulate(p, n, NULL, &b);
    check_outline(&b, n);
    for (size_t t = 0; t < b.triangle_count; ++t) assert_true(area2(p, b.triangles[t].v) > 1e-9);
    syn_builder_release(&b);
  }
}

static void a_hole_joined_by_a_bridge_is_left_open(void **state) {
  (void)state;
  test_random random = {3};
  for (int round = 0; round < 300; ++round) {
    /* a star around a hole of radius 1; the bridge from (5, 0) to the hole's near side stays inside */
    const uint32_t outer = 9 + random_below(&random, 30), inner = 3 + random_below(&random, 20);
    const double start = random_between(&random, -0.6, 0.6);
    syn_vec3 p[MOST];
    uint32_t n = 0;
    for (uint32_t i = 0; i <= outer; ++i) p[n++] = polar(i % 3 == 1 ? 3 : 5, 2 * acos(-1.0) * (i % outer) / outer);
    for (uint32_t i = 0; i <= inner; ++i) p[n++] = polar(1, start - 2 * acos(-1.0) * (i % inner) / inner);
    check_simple(p, n, NULL);
  }
}

static void quads_take_the_diagonal_inside(void **state) {
  (void)state;
  test_random random = {4};
  for (int round = 0; round < 4000; ++round) {
    syn_vec3 p[4];
    for (int i = 0; i < 4; ++i)
      p[i] = polar(random_between(&random, 0.1, 1), acos(-1.0) / 2 * (i + random_between(&random, 0, 0.95)));
    const syn_pose pose = random_pose(&random, 3);
    check_simple(p, 4, &pose);
  }
  /* convex: the shorter one */
  const syn_vec3 kite[4] = {{0, 0, 0}, {1, -0.2, 0}, {5, 0, 0}, {1, 0.2, 0}};
  syn_builder b = {0};
  triangulate(kite, 4, NULL, &b);
  assert_int_equal(b.triangles[0].v[0], 1);
  assert_int_equal(b.triangles[0].v[2], 3);
  syn_builder_release(&b);
}

static void degenerate_polygons_still_give_all_their_triangles(void **state) {
  (void)state;
  test_random random = {5};
  const double nasty[] = {0, 1, -1, NAN, INFINITY, 1e308, -1e308, 1e-310};
  for (int round = 0; round < 3000; ++round) {
    const uint32_t n = 3 + random_below(&random, round % 10 == 0 ? 150 : 12);
    syn_vec3 p[MOST];
    for (uint32_t i = 0; i < n; ++i) switch (round % 5) {
      case 0: p[i] = (syn_vec3){1, 2, 3}; break;                             /* all in one place */
      case 1: p[i] = (syn_vec3){random_between(&random, 0, 1), 0, 0}; break; /* on a line */
      case 2: p[i] = random_vec3(&random, 1); break;                         /* crossing itself, not flat */
      case 3: p[i] = (syn_vec3){nasty[random_below(&random, 8)], nasty[random_below(&random, 8)], 0}; break;
      default: p[i] = (syn_vec3){random_below(&random, 3), random_below(&random, 3), 0}; break; /* duplicates */
      }
    syn_builder b = {0}, again = {0};
    triangulate(p, n, NULL, &b);
    triangulate(p, n, NULL, &again);
    check_outline(&b, n);
    assert_memory_equal(b.triangles, again.triangles, b.triangle_count * sizeof *b.triangles);
    syn_builder_release(&b);
    syn_builder_release(&again);
  }
}

static void a_hundred_thousand_corners_take_seconds_at_most(void **state) {
  (void)state;
  enum { N = 100000 };
  syn_error error;
  for (int kind = 0; kind < 2; ++kind) {
    syn_builder b = {0};
    uint32_t *indices = malloc(N * sizeof *indices);
    test_random random = {6};
    for (uint32_t i = 0; i < N; ++i) {
      indices[i] = i;
      const double angle = 2 * acos(-1.0) * i / N;
      /* a circle whose every second corner lies a little inside, and a tangle */
      ASSERT_OK(syn_builder_point(&b, kind ? random_vec3(&random, 1) : polar(i % 2 ? 0.9 : 1, angle), &error));
    }
    const clock_t start = clock();
    ASSERT_OK(syn_builder_polygon(&b, indices, N, &error));
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("kind %d: %.2f s\n", kind, seconds);
    assert_int_equal(b.triangle_count, N - 2);
    assert_true(seconds < 20);
    free(indices);
    syn_builder_release(&b);
  }
}

static syn_status one_large_polygon(const syn_context *context, void *user, syn_error *error) {
  (void)user;
  syn_builder b = {.context = context};
  uint32_t indices[100];
  syn_status status = SYN_OK;
  for (uint32_t i = 0; i < 100 && status == SYN_OK; ++i) {
    indices[i] = i;
    status = syn_builder_point(&b, polar(1, i / 16.0), error);
  }
  if (status == SYN_OK) status = syn_builder_polygon(&b, indices, 100, error);
  syn_builder_release(&b);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  check_every_allocation(one_large_polygon, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(star_shaped_polygons_are_covered_once),
      cmocka_unit_test(spirals_are_covered_once),
      cmocka_unit_test(combs_with_many_collinear_points_are_covered_once),
      cmocka_unit_test(collinear_points_give_no_flat_triangles),
      cmocka_unit_test(a_hole_joined_by_a_bridge_is_left_open),
      cmocka_unit_test(quads_take_the_diagonal_inside),
      cmocka_unit_test(degenerate_polygons_still_give_all_their_triangles),
      cmocka_unit_test(a_hundred_thousand_corners_take_seconds_at_most),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

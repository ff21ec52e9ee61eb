#include "support.h"

#include "base/vec.h"
#include "exact_triangles.h"
#include "geometry/triangle_pair.h"

/* A coarse grid makes coincidences of every kind common: equal corners, corners on edges and faces, flat triangles,
 * common planes. Origins and sizes are such that doubles hold the same configuration exactly. */
typedef struct grid {
  double origin, size;
  uint32_t extent; /* coordinates 0 … extent, and fewer in z */
} grid;

static grid_point random_grid_point(test_random *random, const grid *g, uint32_t flatness) {
  grid_point p;
  for (int k = 0; k < 3; ++k) p.x[k] = random_below(random, g->extent + 1);
  if (p.x[2] > flatness) p.x[2] = flatness;
  return p;
}

static syn_vec3 placed(const grid *g, const grid_point *p) {
  return vec3(g->origin + g->size * (double)p->x[0], -g->origin + g->size * (double)p->x[1],
              3 * g->origin + g->size * (double)p->x[2]);
}

typedef struct pair_case {
  grid_point a[3], b[3];
  syn_vec3 p[3], q[3];
} pair_case;

static pair_case random_case(test_random *random, const grid *g) {
  pair_case c;
  const uint32_t flatness = random_below(random, g->extent + 1);
  for (int i = 0; i < 3; ++i) {
    c.a[i] = random_grid_point(random, g, flatness);
    c.b[i] = random_grid_point(random, g, flatness);
    c.p[i] = placed(g, &c.a[i]);
    c.q[i] = placed(g, &c.b[i]);
  }
  return c;
}

static const grid grids[] = {{0, 1, 2},     {0, 1, 3}, {0, 1, 6}, {1048576, 0x1p-20, 3}, {-0x1p30, 0x1p-10, 5},
                             {0, 0x1p60, 4}};
enum { GRIDS = sizeof grids / sizeof *grids };

static void triangles_meet_exactly_when_linear_programming_says_so(void **state) {
  (void)state;
  test_random random = {21};
  int meets = 0, apart = 0;
  for (int i = 0; i < 24000; ++i) {
    pair_case c = random_case(&random, &grids[i % GRIDS]);
    const bool expected = exact_triangles_meet(c.a, c.b, NULL, 0);
    assert_int_equal(syn_triangles_meet(c.p, c.q), expected);
    assert_int_equal(syn_triangles_meet(c.q, (syn_vec3[3]){c.p[1], c.p[0], c.p[2]}), expected);
    meets += expected;
    apart += !expected;
  }
  assert_true(meets > 4000 && apart > 4000);
}

static void segments_and_points_meet_triangles_exactly_when_they_should(void **state) {
  (void)state;
  test_random random = {22};
  int meets[4] = {0};
  for (int i = 0; i < 8000; ++i) {
    pair_case c = random_case(&random, &grids[i % GRIDS]);
    const grid_point segment[3] = {c.a[0], c.a[1], c.a[1]}, point[3] = {c.a[0], c.a[0], c.a[0]};
    const grid_point other[3] = {c.b[0], c.b[1], c.b[1]};
    const bool expected[4] = {exact_triangles_meet(segment, c.b, NULL, 0),
                              exact_triangles_meet(segment, other, NULL, 0), exact_triangles_meet(point, c.b, NULL, 0),
                              exact_triangles_meet(point, other, NULL, 0)};
    assert_int_equal(syn_segment_meets_triangle(c.p[0], c.p[1], c.q), expected[0]);
    assert_int_equal(syn_segment_meets_triangle(c.p[1], c.p[0], c.q), expected[0]);
    assert_int_equal(syn_segments_meet(c.p[0], c.p[1], c.q[0], c.q[1]), expected[1]);
    assert_int_equal(syn_point_in_triangle(c.p[0], c.q), expected[2]);
    assert_int_equal(syn_point_on_segment(c.p[0], c.q[0], c.q[1]), expected[3]);
    for (int k = 0; k < 4; ++k) meets[k] += expected[k];
  }
  for (int k = 0; k < 4; ++k) assert_in_range(meets[k], 200, 7800);
}

static void flat_triangles_and_sides_are_told(void **state) {
  (void)state;
  test_random random = {23};
  for (int i = 0; i < 4000; ++i) {
    pair_case c = random_case(&random, &grids[i % GRIDS]);
    int64_t u[3], v[3];
    for (int k = 0; k < 3; ++k) {
      u[k] = c.a[1].x[k] - c.a[0].x[k];
      v[k] = c.a[2].x[k] - c.a[0].x[k];
    }
    const bool flat = u[0] * v[1] == u[1] * v[0] && u[1] * v[2] == u[2] * v[1] && u[2] * v[0] == u[0] * v[2];
    assert_int_equal(syn_triangle_is_flat(c.p), flat);
    /* the mirror image of a corner in the middle of the opposite edge lies on the other side of it */
    const syn_vec3 mirrored = vec3_sub(vec3_add(c.p[0], c.p[1]), c.p[2]);
    assert_false(syn_on_same_side(c.p[0], c.p[1], c.p[2], mirrored));
    assert_int_equal(syn_on_same_side(c.p[0], c.p[1], c.p[2], vec3_sub(vec3_add(c.p[2], c.p[2]), c.p[0])), !flat);
  }
}

/* A needle that passes a triangle's edge at one unit in the last place, inside or outside. */
static void one_unit_in_the_last_place_decides(void **state) {
  (void)state;
  const syn_vec3 t[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const double half = 0.5, inside = nextafter(half, 0), outside = nextafter(half, 1);
  assert_true(syn_segment_meets_triangle(vec3(half, half, -1), vec3(half, half, 1), t));
  assert_true(syn_segment_meets_triangle(vec3(inside, half, -1), vec3(inside, half, 1), t));
  assert_false(syn_segment_meets_triangle(vec3(outside, half, -1), vec3(outside, half, 1), t));
  assert_true(syn_segment_meets_triangle(vec3(0.2, 0.2, 0), vec3(0.2, 0.2, 1), t));
  assert_false(syn_segment_meets_triangle(vec3(0.2, 0.2, 1e-70), vec3(0.2, 0.2, 1), t));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangles_meet_exactly_when_linear_programming_says_so),
      cmocka_unit_test(segments_and_points_meet_triangles_exactly_when_they_should),
      cmocka_unit_test(flat_triangles_and_sides_are_told),
      cmocka_unit_test(one_unit_in_the_last_place_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Ridges, valleys, peaks and pits decide which triangle a ray hits. */
#include "support.h"

#include "base/status.h"
#include "base/vec.h"
#include "collide/radial/radial_wall.h"

enum { RING_MOST = 9 };

/* A table of the triangles around one vertex, which lies on +z; `radius` has those of the vertex and of the corners
 * around it, which are as many as the triangles. */
typedef struct ring {
  syn_trimesh *mesh;
  radial_table table;
  uint32_t list[1 + RING_MOST]; /* the triangles as they lie around */
} ring;

static ring make_ring(const double *radius, const double *angle, uint32_t count, bool outside) {
  ring r;
  syn_error error;
  syn_vec3 points[1 + RING_MOST] = {{0, 0, radius[0]}};
  syn_triangle triangles[RING_MOST];
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 u = vec3_unit(vec3(0.3 * cos(angle[i]), 0.3 * sin(angle[i]), 1));
    points[1 + i] = vec3_scale(u, radius[1 + i]);
    const uint32_t next = 1 + (i + 1) % count;
    triangles[i] = outside ? (syn_triangle){{0, 1 + i, next}} : (syn_triangle){{0, next, 1 + i}};
  }
  ASSERT_OK(syn_trimesh_create(NULL, points, 1 + count, triangles, count, &r.mesh, &error));
  const syn_collide_options options = syn_default_collide_options();
  ASSERT_OK(syn_radial_table_create(NULL, r.mesh, &options, outside, &r.table, &error));
  r.list[0] = count;
  for (uint32_t t = 0; t < count; ++t) r.list[1 + r.table.names[t]] = t;
  return r;
}

static void release(ring *r) {
  syn_radial_table_release(&r->table);
  syn_trimesh_destroy(r->mesh);
}

/* Which triangle of the list does the ray hit? count: none. */
static uint32_t seen_of(const ring *r, const uint32_t *triangles, uint32_t count, syn_vec3 point) {
  for (uint32_t i = 0; i < count; ++i) {
    syn_vec3 corners[3];
    syn_radial_corners(&r->table, triangles[i], corners);
    if (syn_radial_sees(corners, point)) return i;
  }
  return count;
}

/* Along many rays: is the one that the rule picks the one that is seen? */
static void check_rule(test_random *random, const ring *r, const uint32_t *triangles, uint32_t count, bool least) {
  uint32_t hits = 0;
  for (int k = 0; k < 40; ++k) {
    const syn_vec3 point = {random_between(random, -0.3, 0.3), random_between(random, -0.3, 0.3), 1};
    const uint32_t seen = seen_of(r, triangles, count, point);
    if (seen == count) continue;
    const double ratio = radial_ratio(&r->table, triangles[seen], point);
    for (uint32_t i = 0; i < count; ++i) {
      const double other = radial_ratio(&r->table, triangles[i], point);
      assert_true(least ? other >= ratio - 1e-12 : other <= ratio + 1e-12);
    }
    ++hits;
  }
  assert_true(hits > 0);
}

static void random_ring(test_random *random, double bump, double *radius, double *angle, uint32_t count) {
  radius[0] = 1 + bump;
  for (uint32_t i = 0; i < count; ++i) {
    radius[1 + i] = random_between(random, 0.97, 1.03);
    angle[i] = 2 * SYN_PI * (i + random_between(random, -0.2, 0.2)) / count;
  }
}

static void test_an_edge_is_a_ridge_or_a_valley(void **state) {
  (void)state;
  test_random random = {31};
  uint32_t ridges = 0, valleys = 0;
  for (int round = 0; round < 1000; ++round) {
    double radius[1 + RING_MOST], angle[RING_MOST];
    random_ring(&random, random_between(&random, -0.3, 0.3), radius, angle, 4);
    ring r = make_ring(radius, angle, 4, round % 2);
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t pair[2] = {r.list[1 + i], r.list[1 + (i + 1) % 4]};
      const double bend = syn_radial_bend(&r.table, pair[0], pair[1]);
      assert_true(bend == syn_radial_bend(&r.table, pair[1], pair[0]));
      ++*(bend < 0 ? &valleys : &ridges);
      check_rule(&random, &r, pair, 2, bend < 0);
    }
    release(&r);
  }
  assert_true(ridges > 500 && valleys > 500);
}

static void test_a_peak_a_pit_and_a_saddle_have_their_rules(void **state) {
  (void)state;
  test_random random = {32};
  uint32_t found[3] = {0};
  for (int round = 0; round < 2000; ++round) {
    double radius[1 + RING_MOST], angle[RING_MOST];
    const uint32_t count = 3 + random_below(&random, RING_MOST - 2);
    random_ring(&random, random_between(&random, -0.3, 0.3), radius, angle, count);
    ring r = make_ring(radius, angle, count, round % 2);
    const uint32_t rule = syn_radial_ring_rule(&r.table, r.list);
    ++found[rule == RADIAL_EACH ? 0 : rule == RADIAL_LEAST ? 1 : 2];
    if (rule != RADIAL_EACH) check_rule(&random, &r, r.list + 1, count, rule == RADIAL_LEAST);
    release(&r);
  }
  for (int kind = 0; kind < 3; ++kind) assert_true(found[kind] > 100);
  /* up and down around the vertex: neither */
  const double saddle[] = {1, 1.2, 0.8, 1.2, 0.8}, around[] = {0, SYN_PI / 2, SYN_PI, 3 * SYN_PI / 2};
  ring r = make_ring(saddle, around, 4, true);
  assert_true(syn_radial_ring_rule(&r.table, r.list) == RADIAL_EACH);
  release(&r);
}

/* A needle's plane cannot be trusted beyond its own corners. */
static void test_a_ring_with_a_needle_asks_each_triangle(void **state) {
  (void)state;
  const double radius[] = {1.2, 1, 1, 1, 1}, angle[] = {0, 1e-3, 2, 4};
  ring r = make_ring(radius, angle, 4, true);
  assert_true(syn_radial_ring_rule(&r.table, r.list) == RADIAL_EACH);
  release(&r);
}

/* Of a smooth body nearly every cell is described by one or two triangles or by a ring; each represents all its
 * triangles.
 */
static void test_cells_of_a_ball_need_no_list_of_their_own(void **state) {
  (void)state;
  syn_error error;
  syn_joint *ball;
  const syn_shape_value values[] = {{"resolution", 16}};
  const syn_collide_options options = syn_default_collide_options();
  radial_table table;
  ASSERT_OK(syn_shape_create(NULL, "ball", values, 1, &ball, &error));
  ASSERT_OK(syn_radial_table_create(NULL, ball->bodies[0].surface, &options, false, &table, &error));
  const uint32_t cells = syn_radial_cell_count(&table.grid);
  uint32_t pairs = 0, rings = 0, lists = 0;
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const radial_members members = syn_radial_members(&table.walls, cell);
    if (members.count == 0) continue; /* beyond the border of a side */
    ++*(!members.list ? &pairs : members.rule == RADIAL_EACH ? &lists : &rings);
    const syn_vec3 middle = syn_radial_cell_middle(&table.grid, cell);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < members.count; ++i) {
      syn_vec3 corners[3];
      syn_radial_corners(&table, radial_member(&members, i), corners);
      seen += syn_radial_sees(corners, middle);
    }
    assert_true(seen > 0);
  }
  assert_true(pairs > 4 * rings && rings > 0 && lists < cells / 50);
  syn_radial_table_release(&table);
  syn_joint_destroy(ball);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_an_edge_is_a_ridge_or_a_valley),
      cmocka_unit_test(test_a_peak_a_pit_and_a_saddle_have_their_rules),
      cmocka_unit_test(test_a_ring_with_a_needle_asks_each_triangle),
      cmocka_unit_test(test_cells_of_a_ball_need_no_list_of_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

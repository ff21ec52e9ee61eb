#include "support.h"

#include "base/vec.h"
#include "collide/volume/ball_grid.h"

enum { MOST = 8000 };

/* Every ball with every other. */
static void check_all(const syn_collider *collider, const syn_vec3 *fixed, uint32_t fixed_count, const syn_vec3 *mobile,
                      uint32_t mobile_count, double radius, const syn_pose *pose) {
  static syn_contact contacts[MOST];
  double *field = malloc((mobile_count + 1) * sizeof *field), deepest = -INFINITY;
  syn_contacts result = {.contacts = contacts, .capacity = MOST, .vertex_depth = field};
  syn_collider_query(collider, pose, NULL, &result);
  size_t count = 0;
  uint32_t deepest_ball = SYN_NONE;
  for (uint32_t m = 0; m < mobile_count; ++m) {
    const syn_vec3 middle = syn_pose_point(pose, mobile[m]);
    double depth = -INFINITY;
    for (uint32_t f = 0; f < fixed_count; ++f) {
      const double distance = vec3_distance(middle, fixed[f]);
      if (!(distance < 2 * radius)) continue;
      assert_true(count < result.count && count < MOST);
      const syn_contact *c = &contacts[count++];
      assert_int_equal(c->of, SYN_OF_BALL_BALL);
      assert_int_equal(c->mobile_element, m);
      assert_int_equal(c->fixed_element, f);
      ASSERT_NEAR(c->depth_mm, 2 * radius - distance, 0);
      ASSERT_NEAR(vec3_distance(c->point, middle), distance > 0 ? radius : 0, 1e-12 * (1 + radius));
      /* leaving along the direction by the depth sets them just apart */
      if (distance > 0)
        ASSERT_NEAR(vec3_distance(vec3_madd(middle, c->depth_mm, c->direction), fixed[f]), 2 * radius, 1e-9);
      depth = fmax(depth, c->depth_mm);
    }
    assert_true(field[m] == depth);
    if (depth > deepest) {
      deepest = depth;
      deepest_ball = m;
    }
  }
  assert_int_equal(result.count, count);
  assert_int_equal(result.penetrating, count > 0);
  assert_true(result.max_depth_mm == deepest);
  if (count > 0) assert_true(field[result.max_vertex] == deepest && deepest_ball != SYN_NONE);
  syn_contacts first = {.first_only = true};
  syn_collider_query(collider, pose, NULL, &first);
  assert_int_equal(first.count, count > 0);
  free(field);
}

static syn_collider *make(const syn_trimesh *fixed, const syn_trimesh *mobile, double radius) {
  const syn_body f = {.surface = fixed}, m = {.surface = mobile};
  syn_collide_options options = syn_default_collide_options();
  syn_collider *collider;
  syn_error error;
  options.ball_radius_mm = radius;
  ASSERT_OK(syn_collider_create(NULL, "spheres", &f, &m, &options, &collider, &error));
  return collider;
}

static void random_balls_overlap_as_every_pair_tells(void **state) {
  (void)state;
  test_random random = {141};
  syn_error error;
  for (int round = 0; round < 200; ++round) {
    const uint32_t n = random_below(&random, 60), m = random_below(&random, 60);
    const double radius = pow(10, random_between(&random, -3, 0.5));
    syn_trimesh *fixed = make_soup(NULL, &random, n + 1, 1), *mobile = make_soup(NULL, &random, m + 1, 1);
    syn_collider *collider = make(fixed, mobile, radius);
    for (int i = 0; i < 4; ++i) {
      syn_pose pose = random_pose(&random, i * 0.5);
      check_all(collider, fixed->vertices, n + 1, mobile->vertices, m + 1, radius, &pose);
    }
    /* after an update, with some balls in the same position */
    syn_vec3 places[64];
    for (uint32_t v = 0; v <= n; ++v) places[v] = vec3_scale(random_vec3(&random, 2), v % 3 ? 1 : 0);
    ASSERT_OK(syn_collider_update(collider, places, NULL, &error));
    const syn_pose identity = syn_pose_identity();
    check_all(collider, places, n + 1, mobile->vertices, m + 1, radius, &identity);
    ASSERT_OK(syn_collider_update(collider, NULL, mobile->vertices, &error));
    check_all(collider, places, n + 1, mobile->vertices, m + 1, radius, &identity);
    places[0].x = NAN;
    ASSERT_FAILS(syn_collider_update(collider, places, NULL, &error), SYN_BAD_MESH, "vertex 0 is not finite");
    syn_collider_destroy(collider);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
}

/* Balls that just touch do not collide: the distance must be smaller than both radii together (Maciel 2005,
 * §4.3.1.1). */
static void touching_balls_do_not_overlap(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_collider *collider = make(cube, cube, 0.5);
  syn_contacts result = {0};
  const syn_pose beside = {syn_pose_identity().rotation, vec3(2, 0, 0)};
  const syn_pose nearer = {syn_pose_identity().rotation, vec3(2 - 0x1p-40, 0, 0)};
  syn_collider_query(collider, &beside, NULL, &result);
  assert_false(result.penetrating);
  assert_true(result.max_depth_mm == -HUGE_VAL);
  syn_collider_query(collider, &nearer, NULL, &result);
  assert_int_equal(result.count, 4);
  ASSERT_NEAR(result.max_depth_mm, 0x1p-40, 0);
  syn_collider_destroy(collider);
  syn_trimesh_destroy(cube);
}

typedef struct tally {
  uint32_t seen[50];
} tally;

static bool count_ball(void *user, const grid_ball *ball, double distance) {
  (void)distance;
  ++((tally *)user)->seen[ball->number];
  return true;
}

static void every_ball_may_have_its_own_radius(void **state) {
  (void)state;
  test_random random = {142};
  syn_error error;
  ball_grid grid;
  ASSERT_OK(syn_ball_grid_create(NULL, 50, &grid, &error));
  for (int round = 0; round < 100; ++round) {
    syn_vec3 middles[50];
    double radii[50];
    for (int i = 0; i < 50; ++i) {
      middles[i] = random_vec3(&random, 1);
      radii[i] = pow(10, random_between(&random, -3, 0));
    }
    ASSERT_OK(syn_ball_grid_fill(&grid, middles, radii, 0, &error));
    for (int q = 0; q < 20; ++q) {
      const syn_vec3 middle = random_vec3(&random, 1.5);
      const double radius = random_between(&random, 0, 0.5);
      tally t = {{0}};
      assert_true(syn_ball_grid_overlaps(&grid, middle, radius, count_ball, &t));
      for (int i = 0; i < 50; ++i) assert_int_equal(t.seen[i], vec3_distance(middle, middles[i]) < radius + radii[i]);
    }
  }
  syn_ball_grid_release(&grid);
}

static void bad_radii_are_refused_and_empty_bodies_are_not(void **state) {
  (void)state;
  static const double bad[] = {0, -1, NAN, INFINITY};
  syn_trimesh *cube = make_cube(NULL, 1), *empty;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  const syn_body body = {.surface = cube};
  for (int i = 0; i < 4; ++i) {
    syn_collide_options options = syn_default_collide_options();
    syn_collider *collider;
    options.ball_radius_mm = bad[i];
    ASSERT_FAILS(syn_collider_create(NULL, "spheres", &body, &body, &options, &collider, &error), SYN_BAD_ARGUMENT,
                 "radius");
  }
  syn_collider *a = make(empty, cube, 1), *b = make(cube, empty, 1);
  const syn_pose identity = syn_pose_identity();
  check_all(a, NULL, 0, cube->vertices, 8, 1, &identity);
  check_all(b, cube->vertices, 8, NULL, 0, 1, &identity);
  syn_collider_destroy(a);
  syn_collider_destroy(b);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(empty);
}

static syn_status live(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *cube = user;
  const syn_body body = {.surface = cube};
  syn_collider *collider;
  syn_status status = syn_collider_create(context, "spheres", &body, &body, NULL, &collider, error);
  if (status != SYN_OK) return status;
  syn_vec3 places[8];
  for (int v = 0; v < 8; ++v) places[v] = vec3_scale(cube->vertices[v], 40); /* needs more cells */
  status = syn_collider_update(collider, places, places, error);
  syn_contacts result = {0};
  syn_collider_query(collider, NULL, NULL, &result);
  assert_int_equal(result.count, status == SYN_OK ? 8 : 0);
  syn_collider_destroy(collider);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(live, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_balls_overlap_as_every_pair_tells),
      cmocka_unit_test(touching_balls_do_not_overlap),
      cmocka_unit_test(every_ball_may_have_its_own_radius),
      cmocka_unit_test(bad_radii_are_refused_and_empty_bodies_are_not),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

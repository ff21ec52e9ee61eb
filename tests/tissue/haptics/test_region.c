/* Bodies with a stiffness: what the probe feels is what the whole body does. */
#include "spring_body.h"

#include "base/vec.h"
#include "tissue/haptics/haptics.h"
#include "tissue/simulation/simulation.h"

/* ---- a linear body: springs as they are at rest ---------------------------------------------------------------------
 */

typedef struct linear_state {
  syn_soft *soft;
  void *springs;
  double (*blocks)[9];
  syn_vec3 *moved, *pulled;
} linear_state;

static const syn_soft_model *spring_model; /* whose rest stiffness it is */

static void linear_force(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  (void)v;
  const linear_state *l = state;
  for (uint32_t i = 0; i < l->soft->node_count; ++i) l->moved[i] = vec3_sub(x[i], l->soft->rest[i]);
  syn_block_multiply(l->soft->pattern, (const double(*)[9])l->blocks, l->moved, l->pulled);
  for (uint32_t i = 0; i < l->soft->node_count; ++i) f[i] = vec3_sub(f[i], l->pulled[i]);
}

static void linear_stiffness(const void *state, const syn_vec3 *x, double per_s, bool definite, double (*blocks)[9]) {
  (void)x, (void)per_s, (void)definite;
  const linear_state *l = state;
  memcpy(blocks, l->blocks, syn_block_count(l->soft->pattern) * sizeof *blocks);
}

static void linear_destroy(void *state) {
  linear_state *l = state;
  spring_model->destroy(l->springs);
  free(l->blocks);
  free(l->moved);
  free(l->pulled);
  free(l);
}

static const syn_soft_model linear_model = {.info = {"linear", "Springs as at rest.", true, true},
                                            .destroy = linear_destroy,
                                            .force = linear_force,
                                            .stiffness = linear_stiffness};

static const uint32_t cells[3] = {6, 5, 3};
static const double cell = 5, stiffness = 2;

static void make_linear(syn_soft *soft) {
  linear_state *l = calloc(1, sizeof *l);
  *l = (linear_state){.soft = soft, .springs = soft->state};
  l->blocks = calloc(syn_block_count(soft->pattern), sizeof *l->blocks);
  l->moved = calloc(soft->node_count, sizeof *l->moved);
  l->pulled = calloc(soft->node_count, sizeof *l->pulled);
  soft->model->stiffness(soft->state, soft->rest, 0, false, l->blocks);
  spring_model = soft->model;
  soft->model = &linear_model;
  soft->state = l;
}

/* ---- scenes ---------------------------------------------------------------------------------------------------------
 */

typedef struct scene {
  syn_soft *soft;
  syn_simulation *simulation;
  syn_haptics *haptics;
} scene;

static syn_haptics_options probe_of(double radius) {
  syn_haptics_options options = syn_default_haptics_options();
  options.probe_radius_mm = radius;
  options.probe_length_mm = 50;
  options.reach_mm = 100;
  options.max_points = 256;
  return options;
}

static scene make_scene(bool linear, syn_integrator integrator, const syn_haptics_options *options) {
  syn_error error;
  scene s;
  s.soft = make_spring_block(NULL, cells, cell, vec3(0, 0, 0), stiffness);
  if (linear) make_linear(s.soft);
  syn_simulation_options how = syn_default_simulation_options();
  how.integrator = integrator;
  how.step_s = 1.0 / 30;
  ASSERT_OK(syn_simulation_create(NULL, &how, &s.simulation, &error));
  uint32_t body;
  ASSERT_OK(syn_simulation_add_soft(s.simulation, s.soft, NULL, &body, &error));
  for (uint32_t i = 0; i < s.soft->node_count; ++i)
    if (s.soft->rest[i].z == 0) ASSERT_OK(syn_simulation_prescribe(s.simulation, body, i, 7, SYN_NONE, &error));
  ASSERT_OK(syn_haptics_create(NULL, s.simulation, body, options, &s.haptics, &error));
  return s;
}

static void drop(scene *s) {
  syn_haptics_destroy(s->haptics);
  syn_simulation_destroy(s->simulation);
  syn_soft_destroy(s->soft);
}

static const syn_vec3 middle = {15, 12.5, 15}; /* of the top */

/* ---- the twin -------------------------------------------------------------------------------------------------------
 * All nodes of the body, its stiffness as a dense matrix inverted by Gauss and Jordan, and one unknown force along -z
 * on every node below the tip, found by sweeps until nothing changes. */

static double *dense_inverse(const scene *s, uint32_t *size) {
  const uint32_t nodes = s->soft->node_count, n = 3 * nodes;
  double *k = calloc((size_t)n * n, sizeof *k), *inverse = calloc((size_t)n * n, sizeof *inverse);
  double(*blocks)[9] = calloc(syn_block_count(s->soft->pattern), sizeof *blocks);
  s->soft->model->stiffness(s->soft->state, s->soft->rest, 0, false, blocks);
  for (uint32_t i = 0; i < nodes; ++i)
    for (uint32_t b = s->soft->pattern->row_start[i]; b < s->soft->pattern->row_start[i + 1]; ++b)
      for (uint32_t r = 0; r < 3; ++r)
        for (uint32_t c = 0; c < 3; ++c) {
          const uint32_t row = 3 * i + r, column = 3 * s->soft->pattern->columns[b] + c;
          k[(size_t)row * n + column] = k[(size_t)column * n + row] = blocks[b][3 * r + c];
        }
  for (uint32_t i = 0; i < n; ++i) {
    inverse[(size_t)i * n + i] = 1;
    if (s->soft->rest[i / 3].z != 0) continue; /* held */
    for (uint32_t j = 0; j < n; ++j) k[(size_t)i * n + j] = k[(size_t)j * n + i] = i == j;
    inverse[(size_t)i * n + i] = 0;
  }
  for (uint32_t p = 0; p < n; ++p) {
    const double by = 1 / k[(size_t)p * n + p];
    for (uint32_t j = 0; j < n; ++j) k[(size_t)p * n + j] *= by, inverse[(size_t)p * n + j] *= by;
    for (uint32_t i = 0; i < n; ++i) {
      const double part = k[(size_t)i * n + p];
      if (i == p || part == 0) continue;
      for (uint32_t j = 0; j < n; ++j) {
        k[(size_t)i * n + j] -= part * k[(size_t)p * n + j];
        inverse[(size_t)i * n + j] -= part * inverse[(size_t)p * n + j];
      }
    }
  }
  free(blocks);
  free(k);
  *size = n;
  return inverse;
}

/* The force on the probe along +z with the whole tip below the top's plane by `depth`. */
static double twin_force(const scene *s, const double *inverse, uint32_t n, double radius, syn_vec3 tip) {
  double *lambda = calloc(n, sizeof *lambda), change = 1, sum = 0;
  for (int sweep = 0; change > 1e-15 && sweep < 100000; ++sweep) {
    change = 0;
    for (uint32_t i = 0; i < s->soft->node_count; ++i) {
      const syn_vec3 rest = s->soft->rest[i];
      if (rest.z != cell * cells[2] || hypot(rest.x - tip.x, rest.y - tip.y) > radius) continue;
      double gap = tip.z - rest.z; /* positive: the tip is above the node; a force -lambda lowers it */
      for (uint32_t j = 0; j < s->soft->node_count; ++j)
        gap += inverse[(size_t)(3 * i + 2) * n + 3 * j + 2] * lambda[j];
      const double step = fmax(-lambda[i], -gap / inverse[(size_t)(3 * i + 2) * n + 3 * i + 2]);
      lambda[i] += step;
      change = fmax(change, fabs(step));
    }
  }
  for (uint32_t i = 0; i < s->soft->node_count; ++i) sum += lambda[i];
  free(lambda);
  return sum;
}

static void the_condensed_force_is_that_of_the_whole_body(void **state) {
  (void)state;
  const double radius = 8.25; /* no node is near the edge, where it would slip off */
  const syn_haptics_options options = probe_of(radius);
  scene s = make_scene(true, SYN_INTEGRATOR_STATIC, &options);
  uint32_t n;
  double *inverse = dense_inverse(&s, &n);
  syn_error error;
  double most = 0, largest = 0;
  ASSERT_OK(syn_haptics_update(s.haptics, vec3(15, 12.5, 16), NULL, &error));
  for (double depth = -0.25; depth < 0.8; depth += 0.125) {
    const syn_vec3 tip = vec3(middle.x, middle.y, middle.z - depth);
    const double expected = twin_force(&s, inverse, n, radius, tip);
    const syn_vec3 force = syn_haptics_force(s.haptics, tip); /* by the points of an older frame */
    ASSERT_OK(syn_haptics_update(s.haptics, tip, NULL, &error));
    const syn_vec3 frame = s.haptics->frame_force, again = syn_haptics_force(s.haptics, tip);
    ASSERT_NEAR(force.z, expected, 1e-9 * fmax(1, expected));
    ASSERT_NEAR(frame.z, expected, 1e-9 * fmax(1, expected));
    ASSERT_NEAR(again.z, expected, 1e-9 * fmax(1, expected));
    ASSERT_NEAR(hypot(force.x, force.y), 0, 1e-12); /* no friction */
    most = fmax(most, fabs(force.z - expected));
    largest = fmax(largest, expected);
  }
  assert_true(largest > 1);
  print_message("forces up to %.4f N, differing by at most %.2g N\n", largest, most);
  free(inverse);
  drop(&s);
}

/* ---- a body that is not linear --------------------------------------------------------------------------------------
 */

static void no_point_is_inside_and_all_forces_balance(const scene *s, const syn_probe *probe, syn_vec3 tip) {
  const syn_vec3 *x = syn_haptics_positions(s->haptics);
  syn_vec3 *f = calloc(s->soft->node_count, sizeof *f), pushed = vec3(0, 0, 0);
  s->soft->model->force(s->soft->state, x, NULL, f);
  for (uint32_t i = 0; i < s->soft->node_count; ++i) {
    if (s->soft->rest[i].z == 0) continue;
    syn_vec3 normal;
    const double distance = syn_probe_distance(probe, tip, x[i], &normal);
    assert_true(distance > -1e-6);
    if (distance > 1e-6) ASSERT_NEAR(vec3_length(f[i]), 0, 1e-7); /* nothing else pushes */
    assert_true(vec3_dot(f[i], normal) < 1e-7);                   /* the body pushes back, never pulls */
    pushed = vec3_add(pushed, f[i]);
  }
  assert_true(vec3_distance(pushed, s->haptics->frame_force) < 1e-6 * (1 + vec3_length(pushed)));
  free(f);
}

static void large_deformations_reach_equilibrium(void **state) {
  (void)state;
  const syn_haptics_options options = probe_of(8.25);
  scene s = make_scene(false, SYN_INTEGRATOR_STATIC, &options);
  syn_error error;
  syn_vec3 tip = middle;
  int differ = 0;
  for (int i = 0; i < 40; ++i) {
    const double way = i < 30 ? 0.1 : 0; /* pressed by 3 of 15 mm, then held */
    syn_vec3 force;
    ASSERT_OK(syn_haptics_update(s.haptics, vec3(tip.x, tip.y, tip.z - way), NULL, &error));
    for (int k = 1; k <= 33; ++k) force = syn_haptics_force(s.haptics, vec3(tip.x, tip.y, tip.z - way * k / 33));
    tip.z -= way;
    const syn_vec3 frame = s.haptics->frame_force;
    differ += vec3_distance(force, frame) > 2e-3 * vec3_length(frame) + 1e-6;
  }
  assert_true(differ <= 1); /* in one frame a node slips off the tip's edge, in the body before in the points */
  no_point_is_inside_and_all_forces_balance(&s, &s.haptics->probe, tip);
  assert_true(s.haptics->frame_force.z > 1);
  drop(&s);
}

/* A probe that sweeps sideways pushes the body with its side. */
static void the_side_of_the_probe_pushes_too(void **state) {
  (void)state;
  const syn_haptics_options options = probe_of(4);
  scene s = make_scene(false, SYN_INTEGRATOR_STATIC, &options);
  syn_error error;
  syn_vec3 tip = vec3(-6, middle.y, 8);
  for (int i = 0; i < 60; ++i) {
    tip.x += i < 40 ? 0.1 : 0;
    ASSERT_OK(syn_haptics_update(s.haptics, tip, NULL, &error));
    syn_haptics_force(s.haptics, tip);
  }
  const syn_vec3 force = syn_haptics_force(s.haptics, tip);
  assert_true(force.x < -0.5 && fabs(force.z) < 0.5 * fabs(force.x));
  drop(&s);
}

/* ---- motion ---------------------------------------------------------------------------------------------------------
 */

static void implicit_steps_come_to_the_static_force(void **state) {
  (void)state;
  const syn_haptics_options options = probe_of(8.25);
  scene resting = make_scene(false, SYN_INTEGRATOR_STATIC, &options),
        moving = make_scene(false, SYN_INTEGRATOR_IMPLICIT, &options);
  syn_error error;
  const syn_vec3 tip = vec3(middle.x, middle.y, middle.z - 1);
  for (int i = 0; i < 60; ++i) ASSERT_OK(syn_haptics_update(moving.haptics, tip, NULL, &error));
  for (int i = 0; i < 10; ++i) ASSERT_OK(syn_haptics_update(resting.haptics, tip, NULL, &error));
  const double expected = resting.haptics->frame_force.z;
  ASSERT_NEAR(moving.haptics->frame_force.z, expected, 1e-3 * expected);
  ASSERT_NEAR(syn_haptics_force(moving.haptics, tip).z, expected, 1e-3 * expected);
  drop(&resting);
  drop(&moving);
}

/* ---- promises -------------------------------------------------------------------------------------------------------
 */

static void the_same_calls_give_the_same_bits(void **state) {
  (void)state;
  const syn_haptics_options options = probe_of(8.25);
  scene a = make_scene(false, SYN_INTEGRATOR_STATIC, &options), b = make_scene(false, SYN_INTEGRATOR_STATIC, &options);
  syn_error error;
  test_random random = {3};
  for (int i = 0; i < 300; ++i) {
    const syn_vec3 tip =
        vec3(random_between(&random, 5, 25), random_between(&random, 5, 20), random_between(&random, 12, 17));
    if (i % 33 == 0) ASSERT_OK(syn_haptics_update(a.haptics, tip, NULL, &error));
    if (i % 33 == 0) ASSERT_OK(syn_haptics_update(b.haptics, tip, NULL, &error));
    const syn_vec3 one = syn_haptics_force(a.haptics, tip), other = syn_haptics_force(b.haptics, tip);
    assert_memory_equal(&one, &other, sizeof one);
  }
  drop(&a);
  drop(&b);
}

static void a_force_allocates_nothing(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const syn_haptics_options options = probe_of(8.25);
  scene s = make_scene(false, SYN_INTEGRATOR_STATIC, &options);
  syn_error error;
  syn_haptics_destroy(s.haptics);
  ASSERT_OK(syn_haptics_create(&context, s.simulation, 0, &options, &s.haptics, &error));
  ASSERT_OK(syn_haptics_update(s.haptics, middle, NULL, &error));
  const size_t before = memory.allocations;
  for (int i = 0; i < 100; ++i) syn_haptics_force(s.haptics, vec3(middle.x, middle.y, middle.z - 0.01 * i));
  assert_int_equal(memory.allocations, before);
  drop(&s);
  assert_int_equal(memory.live, 0);
}

/* More points than it may hand on: the nearest count, and the rest are reported. */
static void points_beyond_the_limit_are_reported(void **state) {
  (void)state;
  syn_haptics_options options = probe_of(8.25);
  options.max_points = 5;
  scene s = make_scene(false, SYN_INTEGRATOR_STATIC, &options);
  syn_error error;
  ASSERT_OK(syn_haptics_update(s.haptics, vec3(middle.x, middle.y, middle.z - 0.5), NULL, &error));
  assert_int_equal(s.haptics->points, 5);
  assert_true(s.haptics->left_off > 50);
  drop(&s);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  scene *s = user;
  syn_haptics *haptics;
  syn_status status = syn_haptics_create(context, s->simulation, 0, NULL, &haptics, error);
  if (status) return status;
  status = syn_haptics_update(haptics, middle, NULL, error);
  syn_haptics_destroy(haptics);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  scene s = make_scene(false, SYN_INTEGRATOR_STATIC, NULL);
  check_every_allocation(attempt, &s);
  drop(&s);
}

static void what_cannot_be_felt_is_refused(void **state) {
  (void)state;
  scene s = make_scene(false, SYN_INTEGRATOR_STATIC, NULL), fast = {0};
  syn_error error;
  syn_haptics *haptics;
  ASSERT_FAILS(syn_haptics_create(NULL, s.simulation, 1, NULL, &haptics, &error), SYN_BAD_ARGUMENT, "not a soft body");
  syn_haptics_options options = syn_default_haptics_options();
  options.probe_radius_mm = 0;
  ASSERT_FAILS(syn_haptics_create(NULL, s.simulation, 0, &options, &haptics, &error), SYN_BAD_ARGUMENT, "radius");
  options = syn_default_haptics_options();
  options.probe_axis = vec3(0, 0, 0);
  ASSERT_FAILS(syn_haptics_create(NULL, s.simulation, 0, &options, &haptics, &error), SYN_BAD_ARGUMENT, "axis");
  options = syn_default_haptics_options();
  options.max_points = 0;
  ASSERT_FAILS(syn_haptics_create(NULL, s.simulation, 0, &options, &haptics, &error), SYN_BAD_ARGUMENT, "points");
  options = syn_default_haptics_options();
  options.force_hz = NAN;
  ASSERT_FAILS(syn_haptics_create(NULL, s.simulation, 0, &options, &haptics, &error), SYN_BAD_ARGUMENT, "force_hz");
  ASSERT_FAILS(syn_haptics_update(s.haptics, vec3(NAN, 0, 0), NULL, &error), SYN_BAD_ARGUMENT, "finite");
  syn_simulation_options how = syn_default_simulation_options();
  how.integrator = SYN_INTEGRATOR_RK4;
  ASSERT_OK(syn_simulation_create(NULL, &how, &fast.simulation, &error));
  uint32_t body;
  ASSERT_OK(syn_simulation_add_soft(fast.simulation, s.soft, NULL, &body, &error));
  ASSERT_FAILS(syn_haptics_create(NULL, fast.simulation, body, NULL, &haptics, &error), SYN_BAD_ARGUMENT, "rk4");
  syn_simulation_destroy(fast.simulation);
  drop(&s);
}

/* ---- the probe ------------------------------------------------------------------------------------------------------
 */

/* The nearest of many points on the cylinder's surface. */
static double twin_distance(const syn_probe *p, syn_vec3 tip, syn_vec3 q) {
  enum { AROUND = 720, ALONG = 400 };
  const syn_vec3 a = vec3_unit(p->axis), u = vec3_any_normal(a), v = vec3_cross(a, u);
  double least = INFINITY;
  for (int i = 0; i < AROUND; ++i) {
    const double angle = 2 * SYN_PI * i / AROUND;
    const syn_vec3 out = vec3_add(vec3_scale(u, cos(angle)), vec3_scale(v, sin(angle)));
    for (int k = 0; k <= ALONG; ++k) {
      const double part = (double)k / ALONG;
      const syn_vec3 side = vec3_madd(vec3_madd(tip, p->radius_mm, out), part * p->length_mm, a),
                     face = vec3_madd(tip, part * p->radius_mm, out), end = vec3_madd(face, p->length_mm, a);
      least = fmin(least, fmin(vec3_distance(q, side), fmin(vec3_distance(q, face), vec3_distance(q, end))));
    }
  }
  return least;
}

static void distances_to_the_probe_are_right(void **state) {
  (void)state;
  test_random random = {11};
  for (int i = 0; i < 20; ++i) {
    const syn_probe probe = {random_between(&random, 2, 6), random_between(&random, 3, 20), random_vec3(&random, 1)};
    const syn_vec3 tip = random_vec3(&random, 5), a = vec3_unit(probe.axis);
    const syn_vec3 q = vec3_add(vec3_madd(tip, probe.length_mm / 2, a), random_vec3(&random, 10));
    syn_vec3 normal;
    const double distance = syn_probe_distance(&probe, tip, q, &normal);
    const double height = vec3_dot(vec3_sub(q, tip), a),
                 beside = vec3_length(vec3_madd(vec3_sub(q, tip), -height, a)) - probe.radius_mm;
    const bool inside = height > 0 && height < probe.length_mm && beside < 0;
    assert_true((distance < 0) == inside);
    ASSERT_NEAR(fabs(distance), twin_distance(&probe, tip, q), 0.05);
    ASSERT_NEAR(vec3_length(normal), 1, 1e-12);
    ASSERT_NEAR(syn_probe_distance(&probe, tip, vec3_madd(q, -distance, normal), NULL), 0, 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_condensed_force_is_that_of_the_whole_body),
      cmocka_unit_test(large_deformations_reach_equilibrium),
      cmocka_unit_test(the_side_of_the_probe_pushes_too),
      cmocka_unit_test(implicit_steps_come_to_the_static_force),
      cmocka_unit_test(the_same_calls_give_the_same_bits),
      cmocka_unit_test(a_force_allocates_nothing),
      cmocka_unit_test(points_beyond_the_limit_are_reported),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
      cmocka_unit_test(what_cannot_be_felt_is_refused),
      cmocka_unit_test(distances_to_the_probe_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every integrator against closed forms: its order, its energy, its equilibrium, and what it says when it diverges. */
#include "spring_body.h"

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

static syn_simulation *simulate(syn_integrator integrator, double step, syn_soft *soft) {
  syn_error error;
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = integrator;
  options.step_s = step;
  syn_simulation *s;
  uint32_t body;
  ASSERT_OK(syn_simulation_create(NULL, &options, &s, &error));
  ASSERT_OK(syn_simulation_add_soft(s, soft, NULL, &body, &error));
  assert_int_equal(body, 0);
  return s;
}

/* A mass of 1e-3 t on a spring of 4 N/mm, stretched by 1 mm: x = 11 + cos(omega t) with omega^2 = 4000 / s^2. */
static const double STIFFNESS = 4, MASS = 1e-3;

static syn_simulation *oscillator(syn_integrator integrator, double step, syn_soft **soft) {
  syn_error error;
  *soft = make_spring_pair(vec3(1, 0, 0), vec3(11, 0, 0), STIFFNESS, MASS);
  syn_simulation *s = simulate(integrator, step, *soft);
  const syn_vec3 x[2] = {{1, 0, 0}, {12, 0, 0}};
  syn_simulation_set_motion(s, 0, x, NULL);
  ASSERT_OK(syn_simulation_prescribe(s, 0, 0, 7, SYN_NONE, &error));
  ASSERT_OK(syn_simulation_prescribe(s, 0, 1, 6, SYN_NONE, &error));
  return s;
}

static double error_after(syn_integrator integrator, double time, int steps) {
  syn_error error;
  syn_soft *soft;
  syn_simulation *s = oscillator(integrator, time / steps, &soft);
  for (int i = 0; i < steps; ++i) ASSERT_OK(syn_simulation_step(s, &error));
  const syn_vec3 x = syn_simulation_positions(s, 0)[1];
  assert_true(x.y == 0 && x.z == 0);
  syn_simulation_destroy(s);
  syn_soft_destroy(soft);
  return fabs(x.x - 11 - cos(sqrt(STIFFNESS / MASS) * time));
}

static void errors_fall_with_the_order_of_the_method(void **state) {
  (void)state;
  static const struct {
    syn_integrator integrator;
    double order;
  } known[] = {{SYN_INTEGRATOR_EXPLICIT, 1},
               {SYN_INTEGRATOR_SYMPLECTIC, 1},
               {SYN_INTEGRATOR_RK4, 4},
               {SYN_INTEGRATOR_IMPLICIT, 1},
               {SYN_INTEGRATOR_POSITIONS, 1}};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    const int steps = known[i].order > 1 ? 20 : 400; /* above the noise of rounding */
    const double coarse = error_after(known[i].integrator, 0.02, steps),
                 fine = error_after(known[i].integrator, 0.02, 2 * steps);
    ASSERT_NEAR(log2(coarse / fine), known[i].order, 0.15);
  }
}

/* A simulation whose step is halved goes on as one that was made with the half. */
static void steps_can_be_made_shorter(void **state) {
  (void)state;
  syn_error error;
  for (syn_integrator k = 0; k < SYN_INTEGRATORS; ++k) {
    syn_soft *soft[2];
    syn_simulation *s[2] = {oscillator(k, 0.002, &soft[0]), oscillator(k, 0.001, &soft[1])};
    syn_tissue_step r;
    ASSERT_OK(syn_simulation_set_step(s[0], 0.001, &error));
    ASSERT_FAILS(syn_simulation_set_step(s[0], 0, &error), SYN_BAD_ARGUMENT, "step_s");
    ASSERT_FAILS(syn_simulation_set_step(s[0], INFINITY, &error), SYN_BAD_ARGUMENT, "step_s");
    for (int step = 0; step < 2; ++step)
      for (int i = 0; i < 2; ++i) ASSERT_OK(syn_simulation_step(s[i], &error));
    assert_memory_equal(syn_simulation_positions(s[0], 0), syn_simulation_positions(s[1], 0), 2 * sizeof(syn_vec3));
    syn_simulation_report(s[0], &r);
    ASSERT_NEAR(r.time_s, 0.002, 1e-15);
    for (int i = 0; i < 2; ++i) {
      syn_simulation_destroy(s[i]);
      syn_soft_destroy(soft[i]);
    }
  }
}

static syn_soft *make_linear_cube(void) {
  static const syn_vec3 nodes[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  static const uint32_t corners[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const syn_fem_mesh mesh = {
      .element = SYN_ELEMENT_HEX8, .node_count = 8, .nodes = nodes, .element_count = 1, .elements = corners};
  syn_soft_options options = syn_default_soft_options();
  options.law = SYN_LAW_LINEAR;
  options.material = (syn_material){1, 0.3, 1000};
  syn_error error;
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &mesh, &options, &soft, &error));
  return soft;
}

/* Linear tissue is factorised once, whatever its loads and however many steps; another length of the step, or other
 * nodes that are held, make the matrix another one. */
static void a_factorisation_serves_as_long_as_its_matrix(void **state) {
  (void)state;
  syn_error error;
  for (int still = 0; still < 2; ++still) {
    syn_soft *soft = make_linear_cube();
    syn_simulation *s = simulate(still ? SYN_INTEGRATOR_STATIC : SYN_INTEGRATOR_IMPLICIT, 1e-3, soft);
    for (uint32_t i = 0; i < 4; ++i) ASSERT_OK(syn_simulation_prescribe(s, 0, i, 7, SYN_NONE, &error));
    for (int step = 1; step <= 3; ++step) {
      syn_simulation_load(s, 0, 6, vec3(1e-3 * step, 0, 0));
      ASSERT_OK(syn_simulation_step(s, &error));
      assert_int_equal(s->factorisations, 1);
    }
    ASSERT_OK(syn_simulation_set_step(s, 5e-4, &error));
    ASSERT_OK(syn_simulation_step(s, &error));
    assert_int_equal(s->factorisations, still ? 1 : 2);
    const uint64_t before = s->factorisations;
    ASSERT_OK(syn_simulation_prescribe(s, 0, 4, 7, SYN_NONE, &error));
    ASSERT_OK(syn_simulation_step(s, &error));
    assert_int_equal(s->factorisations, before + 1);
    syn_simulation_destroy(s);
    syn_soft_destroy(soft);
  }
}

static void symplectic_steps_keep_the_energy_and_explicit_ones_gain(void **state) {
  (void)state;
  syn_error error;
  for (int kind = 0; kind < 2; ++kind) {
    syn_soft *soft;
    syn_simulation *s = oscillator(kind ? SYN_INTEGRATOR_EXPLICIT : SYN_INTEGRATOR_SYMPLECTIC, 1e-4, &soft);
    syn_tissue_step r;
    double least = INFINITY, most = 0;
    for (int i = 0; i < 10000; ++i) {
      ASSERT_OK(syn_simulation_step(s, &error));
      syn_simulation_report(s, &r);
      least = fmin(least, r.kinetic_nmm + r.elastic_nmm);
      most = fmax(most, r.kinetic_nmm + r.elastic_nmm);
    }
    assert_int_equal(r.step, 10000);
    ASSERT_NEAR(r.time_s, 1, 1e-9);
    if (kind)
      assert_true(most > 1.4 * least);
    else
      assert_true(most - least < 0.01 * most);
    syn_simulation_destroy(s);
    syn_soft_destroy(soft);
  }
}

typedef struct hanging {
  syn_integrator integrator;
  double step_s;
  uint32_t sweeps;
  int steps;
} hanging;

/* A block that hangs on its first layer of nine nodes, under its weight and a load on its last node. */
static syn_simulation *hang(const hanging *how, syn_soft *soft) {
  syn_error error;
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = how->integrator;
  options.gravity = vec3(0, 0, 9810);
  options.step_s = how->step_s;
  options.iterations = how->sweeps;
  syn_simulation *s;
  uint32_t body;
  ASSERT_OK(syn_simulation_create(NULL, &options, &s, &error));
  ASSERT_OK(syn_simulation_add_soft(s, soft, NULL, &body, &error));
  for (uint32_t i = 0; i < 9; ++i) ASSERT_OK(syn_simulation_prescribe(s, body, i, 7, SYN_NONE, &error));
  syn_simulation_load(s, body, soft->node_count - 1, vec3(0.5, 0, 1));
  syn_vec3 *still = calloc(soft->node_count, sizeof *still);
  for (int i = 0; i < how->steps; ++i) {
    ASSERT_OK(syn_simulation_step(s, &error));
    if (i % 40 == 0) syn_simulation_set_motion(s, body, NULL, still); /* takes the energy out */
  }
  free(still);
  return s;
}

static double farthest(const syn_vec3 *a, const syn_vec3 *b, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; ++i) most = fmax(most, vec3_distance(a[i], b[i]));
  return most;
}

/* What holds it carries its weight and the load. */
static void check_reactions(const syn_simulation *s, const syn_soft *soft, double tolerance) {
  syn_vec3 *hold = malloc(soft->node_count * sizeof *hold), sum = {0};
  double weight = 0;
  syn_simulation_forces(s, 0, NULL, hold);
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    sum = vec3_add(sum, hold[i]);
    weight += 9810 * soft->mass[i];
  }
  ASSERT_NEAR(sum.x, -0.5, tolerance);
  ASSERT_NEAR(sum.z, -1 - weight, tolerance);
  free(hold);
}

static void equilibrium_is_the_same_by_all_that_find_it(void **state) {
  (void)state;
  const uint32_t cells[3] = {2, 2, 3};
  syn_soft *soft = make_spring_block(NULL, cells, 5, vec3(0, 0, 0), 2);
  syn_simulation *exact = hang(&(hanging){SYN_INTEGRATOR_STATIC, 1, 0, 1}, soft);
  check_reactions(exact, soft, 1e-8);
  syn_simulation *s = hang(&(hanging){SYN_INTEGRATOR_IMPLICIT, 0.1, 0, 100}, soft);
  const syn_vec3 *expected = syn_simulation_positions(exact, 0);
  assert_true(farthest(syn_simulation_positions(s, 0), expected, soft->node_count) < 1e-7);
  check_reactions(s, soft, 1e-8);
  syn_simulation_destroy(s);
  /* XPBD's springs turn while it sweeps over them, the less the shorter the parts of a step are: long steps are cut. */
  for (int i = 0; i < 2; ++i) {
    s = hang(&(hanging){SYN_INTEGRATOR_POSITIONS, i ? 2e-5 : 1e-4, 20, i ? 20000 : 4000}, soft);
    const double off = farthest(syn_simulation_positions(s, 0), expected, soft->node_count);
    print_message("steps of %g s: off by %g mm\n", i ? 2e-5 : 1e-4, off);
    syn_simulation_destroy(s);
    assert_true(off < 0.002);
  }
  syn_simulation_destroy(exact);
  syn_soft_destroy(soft);
}

static void divergence_is_reported_and_undone(void **state) {
  (void)state;
  syn_error error;
  syn_soft *soft;
  syn_simulation *s = oscillator(SYN_INTEGRATOR_EXPLICIT, 0.1, &soft); /* far above 2 / omega */
  syn_vec3 before[2];
  syn_status status = SYN_OK;
  int steps = 0;
  for (; steps < 1000 && status == SYN_OK; ++steps) {
    memcpy(before, syn_simulation_positions(s, 0), sizeof before);
    status = syn_simulation_step(s, &error);
  }
  assert_int_equal(status, SYN_NOT_CONVERGED);
  char expected[64];
  snprintf(expected, sizeof expected, "step %d diverges at node 1 of body 0", steps);
  check_message(&error, SYN_NOT_CONVERGED, expected);
  assert_memory_equal(before, syn_simulation_positions(s, 0), sizeof before);
  assert_true(isfinite(before[1].x));
  syn_simulation_destroy(s);
  syn_soft_destroy(soft);
}

static void nodes_follow_rigid_bodies(void **state) {
  (void)state;
  syn_error error;
  const uint32_t cells[3] = {1, 1, 4};
  for (int kind = 0; kind < SYN_INTEGRATORS; ++kind) {
    syn_soft *soft = make_spring_block(NULL, cells, 5, vec3(0, 0, 0), 2);
    syn_trimesh *plate = make_cube(NULL, 5);
    syn_simulation *s = simulate((syn_integrator)kind, 1e-5, soft);
    uint32_t rigid;
    ASSERT_OK(syn_simulation_add_rigid(s, plate, NULL, &rigid, &error));
    for (uint32_t i = 0; i < 4; ++i) ASSERT_OK(syn_simulation_prescribe(s, 0, i, 7, rigid, &error));
    for (int i = 1; i <= 20; ++i) {
      const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(1, 0, 0), 0.001 * i);
      syn_simulation_move(s, rigid, &pose);
      ASSERT_OK(syn_simulation_step(s, &error));
      for (uint32_t k = 0; k < 4; ++k)
        ASSERT_NEAR(vec3_distance(syn_simulation_positions(s, 0)[k], syn_pose_point(&pose, soft->rest[k])), 0, 1e-12);
    }
    syn_simulation_destroy(s);
    syn_soft_destroy(soft);
    syn_trimesh_destroy(plate);
  }
}

/* Nodes that are held on the move have the speed of what moves them, along the axes in which they are held: by it comes
 * the kinetic energy that is told. */
static void moved_holds_have_their_speed(void **state) {
  (void)state;
  syn_error error;
  const uint32_t cells[3] = {1, 1, 2};
  static const unsigned axes[] = {7, 4, 3};
  for (int kind = 0; kind < SYN_INTEGRATORS; ++kind)
    for (size_t a = 0; a < sizeof axes / sizeof *axes; ++a) {
      const double step = 1e-5;
      syn_soft *soft = make_spring_block(NULL, cells, 5, vec3(0, 0, 0), 2);
      syn_simulation *s = simulate((syn_integrator)kind, step, soft);
      for (uint32_t i = 0; i < soft->node_count; ++i)
        ASSERT_OK(syn_simulation_prescribe(s, 0, i, axes[a], SYN_NONE, &error));
      syn_vec3 last = {0, 0, 0};
      for (int n = 1; n <= 4; ++n) {
        const syn_vec3 now = vec3(2e-4 * n, -1e-4 * n * n, 3e-4 * n), way = vec3_sub(now, last);
        double energy = 0;
        for (uint32_t i = 0; i < soft->node_count; ++i) syn_simulation_move_node(s, 0, i, vec3_add(soft->rest[i], now));
        ASSERT_OK(syn_simulation_step(s, &error));
        last = now;
        if (kind == SYN_INTEGRATOR_STATIC) continue; /* which knows no time */
        for (uint32_t i = 0; i < soft->node_count; ++i) {
          const syn_vec3 v = syn_simulation_velocities(s, 0)[i];
          for (int k = 0; k < 3; ++k) ASSERT_NEAR(vec3_at(v, k), axes[a] >> k & 1 ? vec3_at(way, k) / step : 0, 1e-6);
          energy += soft->mass[i] / 2 * vec3_length2(v);
        }
        syn_tissue_step report;
        syn_simulation_report(s, &report);
        ASSERT_NEAR(report.kinetic_nmm, energy, 1e-9 * energy);
      }
      syn_simulation_destroy(s);
      syn_soft_destroy(soft);
    }
}

static void what_cannot_be_simulated_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_simulation *s;
  syn_simulation_options options = syn_default_simulation_options();
  options.step_s = 0;
  ASSERT_FAILS(syn_simulation_create(NULL, &options, &s, &error), SYN_BAD_ARGUMENT, "step_s");
  options.step_s = (double)NAN;
  ASSERT_FAILS(syn_simulation_create(NULL, &options, &s, &error), SYN_BAD_ARGUMENT, "step_s");
  ASSERT_OK(syn_simulation_create(NULL, NULL, &s, &error));
  ASSERT_FAILS(syn_simulation_step(s, &error), SYN_BAD_ARGUMENT, "no soft body");
  syn_trimesh *cube = make_cube(NULL, 1);
  uint32_t a, b;
  ASSERT_OK(syn_simulation_add_rigid(s, cube, NULL, &a, &error));
  ASSERT_OK(syn_simulation_add_rigid(s, cube, NULL, &b, &error));
  ASSERT_FAILS(syn_simulation_touch(s, a, b, NULL, &error), SYN_BAD_ARGUMENT, "rigid");
  ASSERT_FAILS(syn_simulation_prescribe(s, a, 0, 7, SYN_NONE, &error), SYN_BAD_ARGUMENT, "not a soft body");
  syn_simulation_destroy(s);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_fall_with_the_order_of_the_method),
      cmocka_unit_test(steps_can_be_made_shorter),
      cmocka_unit_test(a_factorisation_serves_as_long_as_its_matrix),
      cmocka_unit_test(symplectic_steps_keep_the_energy_and_explicit_ones_gain),
      cmocka_unit_test(equilibrium_is_the_same_by_all_that_find_it),
      cmocka_unit_test(divergence_is_reported_and_undone),
      cmocka_unit_test(moved_holds_have_their_speed),
      cmocka_unit_test(nodes_follow_rigid_bodies),
      cmocka_unit_test(what_cannot_be_simulated_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Tissue that remembers (Maciel 2005, §3.3.1): relaxation, creep, sensitivity to rate and hysteresis as curves, against
 * the closed forms of a standard linear solid; damping; checkpoints. */
#include "lattice_body.h"

#include "base/vec.h"
#include "tissue/molecule/molecule.h"

/* One spring of 10 mm and 100 mm2 along x: k = 2 N/mm for 0.2 MPa. */
static syn_soft *make_spring(double relaxing_part, double relaxing_s, double damping_s) {
  static const syn_vec3 centers[2] = {{0, 0, 0}, {10, 0, 0}};
  static const double radii[2] = {5, 5};
  static const uint32_t connection[1][2] = {{0, 1}};
  syn_molecules m = {0};
  m.count = 2;
  m.centers = centers;
  m.radii_mm = radii;
  m.connections = connection;
  m.connection_count = 1;
  m.spring_area_mm2 = 100;
  m.bare = true;
  syn_soft_options options = soft_options(0.2, 0.3, SYN_SPRINGS_LINEAR);
  options.relaxing_part = relaxing_part;
  options.relaxing_s = relaxing_s;
  options.damping_s = damping_s;
  syn_error error;
  syn_soft *soft;
  ASSERT_OK(syn_molecules_create(NULL, &m, &options, &soft, &error));
  return soft;
}

/* Force that pulls the two together while they are that much farther apart than at rest. */
static double pull_at(const syn_soft *soft, double elongation, double speed) {
  const syn_vec3 x[2] = {{0, 0, 0}, {10 + elongation, 0, 0}}, v[2] = {{0, 0, 0}, {speed, 0, 0}};
  syn_vec3 f[2];
  syn_soft_forces(soft, x, v, f);
  return f[0].x;
}

static void pass(const syn_soft *soft, double elongation, double step_s) {
  const syn_vec3 x[2] = {{0, 0, 0}, {10 + elongation, 0, 0}};
  soft->model->advance(soft->state, x, step_s);
}

/* Stretched and held: the force falls from k e to (1 - part) k e. */
static void force_relaxes_at_a_fixed_length(void **state) {
  (void)state;
  const double part = 0.4, time = 2, e = 1.5;
  syn_soft *soft = make_spring(part, time, 0);
  double last = INFINITY;
  for (int k = 0; k <= 100; ++k) {
    const double t = 0.1 * k, force = pull_at(soft, e, 0);
    ASSERT_NEAR(force, 2 * e * (1 - part + part * exp(-t / time)), 1e-12);
    assert_true(force < last);
    last = force;
    pass(soft, e, 0.1);
  }
  syn_soft_destroy(soft);
}

/* Loaded and left: it lengthens from F / k to F / ((1 - part) k), in a time that is longer than that of relaxation. */
static void length_creeps_under_a_fixed_force(void **state) {
  (void)state;
  const double part = 0.4, time = 2, force = 3, step = 0.001;
  syn_soft *soft = make_spring(part, time, 0);
  const molecules *m = soft->state;
  double last = 0;
  for (int k = 0; k <= 20000; ++k) {
    const double e = force / 2 + m->no_force[0] - m->length[0], t = step * k; /* equilibrium: k (e - crept) = F */
    const double expected = force / (2 * (1 - part)) * (1 - part * exp(-t * (1 - part) / time));
    ASSERT_NEAR(e, expected, 2e-3 * expected);
    assert_true(e > last);
    last = e;
    pass(soft, e, step);
  }
  syn_soft_destroy(soft);
}

/* Loaded and unloaded at one speed: the way back lies below the way there. Energy is lost, least for very fast and very
 * slow cycles; a faster pull meets more force. */
typedef struct cycle {
  double lost, peak;
} cycle;

static cycle run_cycle(double seconds) {
  enum { STEPS = 2000 };
  syn_soft *soft = make_spring(0.5, 1, 0);
  cycle c = {0, 0};
  double last_force = 0, last_e = 0, up[STEPS / 2 + 1];
  for (int k = 1; k <= STEPS; ++k) {
    const double e = 2 * (k <= STEPS / 2 ? k : STEPS - k) / (STEPS / 2.0), force = pull_at(soft, e, 0);
    c.lost += (force + last_force) / 2 * (e - last_e);
    c.peak = max2(c.peak, force);
    if (k <= STEPS / 2)
      up[k] = force;
    else if (k < STEPS)
      assert_true(force < up[STEPS - k]);
    last_force = force;
    last_e = e;
    pass(soft, e, seconds / STEPS);
  }
  syn_soft_destroy(soft);
  return c;
}

static void cycles_lose_energy_and_depend_on_speed(void **state) {
  (void)state;
  const cycle fast = run_cycle(0.01), middle = run_cycle(4), slow = run_cycle(1000);
  print_message("lost in cycles of 0.01, 4 and 1000 s: %.3f, %.3f, %.3f N mm; peaks %.3f, %.3f, %.3f N\n", fast.lost,
                middle.lost, slow.lost, fast.peak, middle.peak, slow.peak);
  assert_true(fast.lost > 0 && slow.lost > 0 && middle.lost > 5 * fast.lost && middle.lost > 5 * slow.lost);
  assert_true(fast.peak > middle.peak && middle.peak > slow.peak);
  ASSERT_NEAR(fast.peak, 4, 0.02);
  ASSERT_NEAR(slow.peak, 2, 0.02);
}

/* A whole body relaxes as one spring does, its volume modes and fibres as well. */
static void bodies_relax_in_all_their_parts(void **state) {
  (void)state;
  syn_error error;
  syn_soft *soft;
  lattice_body b = make_lattice(3, 3, 3, vec3(1, 1, 1), LATTICE_EDGES | LATTICE_FACES);
  syn_soft_options options = soft_options(1, 0.4, SYN_SPRINGS_MODULI);
  options.relaxing_part = 0.6;
  options.relaxing_s = 0.5;
  options.fibre = vec3(0, 0, 1);
  options.fibre_mpa = 3;
  ASSERT_OK(syn_molecules_create(NULL, &b.molecules, &options, &soft, &error));
  const uint32_t count = soft->node_count;
  syn_vec3 x[27], first[27], later[27];
  test_random random = {9};
  for (uint32_t i = 0; i < count; ++i) x[i] = vec3_add(soft->rest[i], random_vec3(&random, 0.1));
  syn_soft_forces(soft, x, NULL, first);
  double *kept = NULL;
  size_t number;
  for (int k = 0; k < 7; ++k) soft->model->advance(soft->state, x, 0.05);
  const double left = 1 - 0.6 + 0.6 * exp(-0.35 / 0.5);
  syn_soft_forces(soft, x, NULL, later);
  for (uint32_t i = 0; i < count; ++i) ASSERT_NEAR(vec3_distance(later[i], vec3_scale(first[i], left)), 0, 1e-12);
  /* a checkpoint brings that state back */
  double *history = soft->model->history(soft->state, &number);
  assert_true(number > 0);
  kept = malloc(number * sizeof *kept);
  memcpy(kept, history, number * sizeof *kept);
  for (int k = 0; k < 9; ++k) soft->model->advance(soft->state, soft->rest, 0.05);
  memcpy(history, kept, number * sizeof *kept);
  syn_soft_forces(soft, x, NULL, first);
  assert_memory_equal(first, later, count * sizeof *first);
  free(kept);
  syn_soft_destroy(soft);
  drop_lattice(&b);
}

/* A damped spring with a mass swings as exp(-b t / 2 m) cos. */
static void damping_is_that_of_a_damped_oscillator(void **state) {
  (void)state;
  syn_soft *soft = make_spring(0, 1, 1e-4);
  const double mass = soft->mass[1], k = 2, damper = 1e-4 * k, rate = damper / (2 * mass);
  const double frequency = sqrt(k / mass - rate * rate), step = 1e-7;
  double e = 0.5, speed = 0;
  for (int n = 1; n <= 200000; ++n) {
    speed -= step * pull_at(soft, e, speed) / mass;
    e += step * speed;
    if (n % 1000) continue;
    const double t = n * step;
    const double expected = 0.5 * exp(-rate * t) * (cos(frequency * t) + rate / frequency * sin(frequency * t));
    ASSERT_NEAR(e, expected, 2e-3);
  }
  syn_soft_destroy(soft);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_relaxes_at_a_fixed_length),        cmocka_unit_test(length_creeps_under_a_fixed_force),
      cmocka_unit_test(cycles_lose_energy_and_depend_on_speed), cmocka_unit_test(bodies_relax_in_all_their_parts),
      cmocka_unit_test(damping_is_that_of_a_damped_oscillator),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

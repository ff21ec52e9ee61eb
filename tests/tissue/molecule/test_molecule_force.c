/* Forces between molecules: against a plain loop over springs, against differences of energy, and as conservation
 * laws. */
#include "lattice_body.h"

#include "base/simd.h"
#include "base/vec.h"
#include "tissue/molecule/molecule.h"

enum { MOST = 400 };

/* A lattice that is bent out of shape, with all that the options can switch on. */
static syn_soft *make_body(uint32_t nx, uint32_t ny, uint32_t nz, const syn_soft_options *options) {
  syn_error error;
  syn_soft *soft;
  lattice_body b = make_lattice(nx, ny, nz, vec3(2, 2, 2), LATTICE_EDGES | LATTICE_FACES);
  test_random random = {nx * 100 + ny * 10 + nz};
  for (uint32_t i = 0; i < b.molecules.count; ++i) b.centers[i] = vec3_add(b.centers[i], random_vec3(&random, 0.2));
  ASSERT_OK(syn_molecules_create(NULL, &b.molecules, options, &soft, &error));
  drop_lattice(&b);
  return soft;
}

static void move(const syn_soft *soft, double by, uint64_t seed, syn_vec3 *x, syn_vec3 *v) {
  test_random random = {seed};
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    x[i] = vec3_add(soft->rest[i], random_vec3(&random, by));
    v[i] = random_vec3(&random, 3);
  }
}

/* ---- the plain loop -------------------------------------------------------------------------------------------------
 */

/* Maciel 2005, Eq. 3.8 to 3.16, connection by connection as they stand there, and strain modes by their definition. */
static void plain_forces(const syn_soft *soft, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  const molecules *m = soft->state;
  memset(f, 0, m->count * sizeof *f);
  for (uint32_t i = 0; i < m->count; ++i) {
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
      const uint32_t j = m->other[s];
      const syn_vec3 d = vec3_sub(x[i], x[j]), speed = vec3_sub(v[i], v[j]);
      const double r = vec3_length(d);
      const syn_vec3 n = vec3_scale(d, 1 / r), along = vec3_scale(d, vec3_dot(speed, d) / (r * r));
      const syn_vec3 spring = vec3_scale(n, -m->stiffness[s] * (r - m->length[s]));
      const syn_vec3 damping = vec3_scale(along, -m->damping_s * m->stiffness[s]);
      const syn_vec3 normal = vec3_add(spring, damping), across = vec3_sub(speed, along);
      const syn_vec3 friction = vec3_scale(vec3_unit(across), -m->friction * vec3_length(normal));
      f[i] = vec3_add(f[i], vec3_add(normal, friction));
    }
    const double drag = SYN_PI * m->radius[i] * m->radius[i] * m->medium * vec3_length(v[i]);
    f[i] = vec3_madd(f[i], -drag - m->damping_per_s * m->mass[i], v[i]);
    for (int k = 0; k < m->mode_count; ++k) {
      double strain = 0;
      for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
        const syn_vec3 d = vec3_sub(x[m->other[s]], x[i]);
        const double r = vec3_length(d), speed = vec3_dot(vec3_sub(v[m->other[s]], v[i]), d) / r;
        strain += m->modes[k].own[s] * (r - m->length[s] + m->damping_s * speed);
      }
      for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
        const syn_vec3 n = vec3_unit(vec3_sub(x[m->other[s]], x[i]));
        const double tension = m->modes[k].stiffness[i] * strain * m->modes[k].own[s];
        f[i] = vec3_madd(f[i], tension, n);
        f[m->other[s]] = vec3_madd(f[m->other[s]], -tension, n);
      }
    }
  }
}

static double largest(const syn_vec3 *f, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; ++i) most = max2(most, vec3_length(f[i]));
  return most;
}

static void forces_are_those_of_a_plain_loop(void **state) {
  (void)state;
  for (int round = 0; round < 12; ++round) {
    syn_soft_options options = soft_options(0.7, 0.4, round % 3 == 0 ? SYN_SPRINGS_MODULI : SYN_SPRINGS_STATISTICAL);
    if (round % 2) options.damping_s = 0.01;
    if (round > 2) options.damping_per_s = 5;
    if (round > 4) options.friction = 0.2;
    if (round > 6) options.medium_kg_m3 = 900;
    if (round > 8) options.fibre = vec3(1, 2, 3), options.fibre_mpa = 5;
    syn_soft *soft = make_body(2 + (uint32_t)round % 3, 3, 4, &options);
    syn_vec3 x[MOST], v[MOST], f[MOST], plain[MOST];
    move(soft, 0.4, (uint64_t)round + 1, x, v);
    syn_soft_forces(soft, x, v, f);
    plain_forces(soft, x, v, plain);
    const double scale = largest(plain, soft->node_count);
    for (uint32_t i = 0; i < soft->node_count; ++i) ASSERT_NEAR(vec3_distance(f[i], plain[i]), 0, 1e-12 * scale);
    syn_soft_destroy(soft);
  }
}

static void vector_units_give_the_same_bits(void **state) {
  (void)state;
#if SYN_AVX2
  if (!syn_has_avx2()) SKIP("this processor has no AVX2");
  for (int round = 0; round < 8; ++round) {
    syn_soft_options options = soft_options(0.7, 0.3, round & 1 ? SYN_SPRINGS_MODULI : SYN_SPRINGS_LINEAR);
    options.damping_s = 0.02;
    if (round & 4) options.fibre = vec3(0, 1, 1), options.fibre_mpa = 3;
    syn_soft *soft = make_body(3, 4, 5, &options);
    syn_vec3 x[MOST], v[MOST], fast[MOST] = {{0, 0, 0}}, slow[MOST] = {{0, 0, 0}};
    move(soft, 0.4, (uint64_t)round + 1, x, v);
    x[7] = x[3]; /* molecules in one place */
    syn_molecule_springs_avx2(soft->state, x, round & 2 ? v : NULL, fast);
    syn_molecule_springs(soft->state, x, round & 2 ? v : NULL, slow);
    assert_memory_equal(fast, slow, soft->node_count * sizeof *fast);
    for (uint32_t i = 0; i < soft->node_count; ++i) assert_true(vec3_finite(fast[i]));
    syn_soft_destroy(soft);
  }
#else
  SKIP("built without AVX2");
#endif
}

/* ---- energy and stiffness -------------------------------------------------------------------------------------------
 */

static void forces_are_the_negative_gradient_of_energy(void **state) {
  (void)state;
  for (int round = 0; round < 3; ++round) {
    syn_soft_options options = soft_options(0.7, 0.42, round ? SYN_SPRINGS_MODULI : SYN_SPRINGS_ANGLES);
    if (round == 2) options.fibre = vec3(1, 0, 1), options.fibre_mpa = 4;
    syn_soft *soft = make_body(3, 3, 3, &options);
    syn_vec3 x[MOST], v[MOST], f[MOST];
    move(soft, 0.3, 5, x, v);
    syn_soft_forces(soft, x, NULL, f);
    for (uint32_t i = 0; i < soft->node_count; ++i)
      for (int k = 0; k < 3; ++k) {
        double *at = &x[i].x + k;
        const double kept = *at, h = 1e-5;
        *at = kept + h;
        const double above = syn_soft_energy(soft, x);
        *at = kept - h;
        const double below = syn_soft_energy(soft, x);
        *at = kept;
        ASSERT_NEAR(-(above - below) / (2 * h), vec3_at(f[i], k), 1e-7);
      }
    syn_soft_destroy(soft);
  }
}

/* f at x + t u, and v + t w. */
static void forces_along(const syn_soft *soft, const syn_vec3 *x, const syn_vec3 *u, double t, const syn_vec3 *w,
                         syn_vec3 *f) {
  syn_vec3 moved[MOST], speed[MOST];
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    moved[i] = vec3_madd(x[i], t, u[i]);
    speed[i] = vec3_scale(w[i], t);
  }
  syn_soft_forces(soft, moved, speed, f);
}

static void stiffness_is_the_derivative_of_forces(void **state) {
  (void)state;
  for (int round = 0; round < 4; ++round) {
    syn_soft_options options =
        soft_options(0.7, round == 3 ? 0.1 : 0.42, round ? SYN_SPRINGS_MODULI : SYN_SPRINGS_PLANE);
    options.damping_s = 0.03;
    options.damping_per_s = 2;
    if (round == 2) options.fibre = vec3(1, 0, 1), options.fibre_mpa = 4;
    syn_soft *soft = make_body(3, 3, 3, &options);
    const uint32_t count = soft->node_count;
    syn_vec3 x[MOST], u[MOST], v[MOST], w[MOST], above[MOST], below[MOST], product[MOST];
    const double per_s = 50, h = 1e-5;
    move(soft, 0.3, 6, x, v);
    move(soft, 1, 7, v, u);
    for (uint32_t i = 0; i < count; ++i) w[i] = vec3_scale(u[i], per_s);
    double(*blocks)[9] = calloc(syn_block_count(soft->pattern), sizeof *blocks);
    soft->model->stiffness(soft->state, x, per_s, false, blocks);
    syn_block_multiply(soft->pattern, (const double(*)[9])blocks, u, product);
    forces_along(soft, x, u, h, w, above);
    forces_along(soft, x, u, -h, w, below);
    const double scale = largest(product, count);
    for (uint32_t i = 0; i < count; ++i) {
      const syn_vec3 difference = vec3_scale(vec3_sub(below[i], above[i]), 1 / (2 * h));
      ASSERT_NEAR(vec3_distance(difference, product[i]), 0, 1e-6 * scale);
    }
    free(blocks);
    syn_soft_destroy(soft);
  }
}

/* Without damping, also as a product that forms no blocks; and a definite one never gives a negative energy. */
static void products_agree_and_definite_ones_are_never_negative(void **state) {
  (void)state;
  for (int round = 0; round < 4; ++round) {
    syn_soft_options options =
        soft_options(0.7, round & 1 ? 0.1 : 0.45, round & 2 ? SYN_SPRINGS_MODULI : SYN_SPRINGS_SPACE);
    syn_soft *soft = make_body(3, 4, 3, &options);
    const molecules *m = soft->state;
    syn_vec3 x[MOST], u[MOST], v[MOST], product[MOST], other[MOST];
    slot_tangent *tangents = calloc(m->slot_count, sizeof *tangents);
    double(*blocks)[9] = calloc(syn_block_count(soft->pattern), sizeof *blocks);
    for (int definite = 0; definite < 2; ++definite)
      for (uint64_t trial = 0; trial < 20; ++trial) {
        double energy = 0;
        move(soft, 0.8, 8 + trial, x, v);
        move(soft, 1, 90 + trial, v, u);
        soft->model->stiffness(soft->state, x, 0, definite, blocks);
        syn_block_multiply(soft->pattern, (const double(*)[9])blocks, u, product);
        syn_molecule_tangents(m, x, definite, tangents);
        syn_molecule_apply(m, tangents, definite, u, other);
        const double scale = largest(product, m->count);
        for (uint32_t i = 0; i < m->count; ++i) {
          ASSERT_NEAR(vec3_distance(product[i], other[i]), 0, 1e-12 * scale);
          energy += vec3_dot(product[i], u[i]);
        }
        if (definite) assert_true(energy >= 0);
      }
    free(blocks);
    free(tangents);
    syn_soft_destroy(soft);
  }
}

/* ---- conservation ---------------------------------------------------------------------------------------------------
 */

static void forces_change_no_momentum(void **state) {
  (void)state;
  syn_soft_options options = soft_options(0.7, 0.45, SYN_SPRINGS_MODULI);
  options.damping_s = 0.02;
  options.fibre = vec3(1, 1, 0);
  options.fibre_mpa = 5;
  syn_soft *soft = make_body(4, 4, 4, &options);
  for (uint64_t round = 1; round < 20; ++round) {
    syn_vec3 x[MOST], v[MOST], f[MOST], sum = {0, 0, 0}, turn = {0, 0, 0};
    move(soft, 0.5, round, x, v);
    syn_soft_forces(soft, x, v, f);
    for (uint32_t i = 0; i < soft->node_count; ++i) {
      sum = vec3_add(sum, f[i]);
      turn = vec3_add(turn, vec3_cross(x[i], f[i]));
    }
    const double scale = largest(f, soft->node_count);
    ASSERT_NEAR(vec3_length(sum), 0, 1e-12 * scale);
    ASSERT_NEAR(vec3_length(turn), 0, 1e-11 * scale);
  }
  syn_soft_destroy(soft);
}

static double kinetic(const syn_soft *soft, const syn_vec3 *v) {
  double sum = 0;
  for (uint32_t i = 0; i < soft->node_count; ++i) sum += soft->mass[i] * vec3_length2(v[i]) / 2;
  return sum;
}

static void undamped_motion_keeps_its_energy(void **state) {
  (void)state;
  for (int round = 0; round < 2; ++round) {
    const syn_soft_options options = soft_options(0.7, 0.4, round ? SYN_SPRINGS_MODULI : SYN_SPRINGS_ITERATIVE);
    syn_soft *soft = make_body(3, 3, 4, &options);
    const uint32_t count = soft->node_count;
    syn_vec3 x[MOST], v[MOST], f[MOST];
    move(soft, 0.1, 3, x, v);
    for (uint32_t i = 0; i < count; ++i) v[i] = vec3(0, 0, 0);
    const double start = syn_soft_energy(soft, x), step = 2e-6; /* periods are above 1e-4 s */
    double lowest = INFINITY, highest = 0;
    for (int k = 0; k < 10000; ++k) {
      syn_soft_forces(soft, x, NULL, f);
      for (uint32_t i = 0; i < count; ++i) {
        v[i] = vec3_madd(v[i], step / soft->mass[i], f[i]);
        x[i] = vec3_madd(x[i], step, v[i]);
      }
      if (k < 9000) continue;
      const double energy = syn_soft_energy(soft, x) + kinetic(soft, v);
      lowest = min2(lowest, energy);
      highest = max2(highest, energy);
    }
    const double drift = (lowest + highest) / 2 / start - 1;
    print_message("energy drift after 10,000 steps: %.2g, swing %.2g\n", drift, (highest - lowest) / start);
    ASSERT_NEAR(drift, 0, 0.01);
    syn_soft_destroy(soft);
  }
}

/* ---- constraints ----------------------------------------------------------------------------------------------------
 */

/* Sweeps that go on for long reach what an implicit step asks for: M (x - x0) / h^2 = f(x). */
static void many_sweeps_of_xpbd_solve_an_implicit_step(void **state) {
  (void)state;
  for (int round = 0; round < 2; ++round) {
    const syn_soft_options options = soft_options(0.7, 0.35, round ? SYN_SPRINGS_MODULI : SYN_SPRINGS_STATISTICAL);
    syn_soft *soft = make_body(3, 3, 3, &options);
    const uint32_t count = soft->node_count;
    const double step = 2e-5;
    syn_vec3 start[MOST], x[MOST], v[MOST], f[MOST];
    double inverse_mass[MOST], *lambda = calloc(soft->constraint_count, sizeof *lambda);
    move(soft, 0.002, 4, start, v); /* directions hardly change: the steps of XPBD go along those of their time */
    memcpy(x, start, count * sizeof *x);
    for (uint32_t i = 0; i < count; ++i) inverse_mass[i] = i ? 1 / soft->mass[i] : 0;
    for (int sweep = 0; sweep < 400; ++sweep) soft->model->project(soft->state, step, inverse_mass, x, lambda);
    syn_soft_forces(soft, x, NULL, f);
    assert_true(vec3_equal(x[0], start[0]));
    const double scale = largest(f, count);
    for (uint32_t i = 1; i < count; ++i) {
      const syn_vec3 inertia = vec3_scale(vec3_sub(x[i], start[i]), soft->mass[i] / (step * step));
      ASSERT_NEAR(vec3_distance(inertia, f[i]), 0, 0.02 * scale);
    }
    free(lambda);
    syn_soft_destroy(soft);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_are_those_of_a_plain_loop),
      cmocka_unit_test(vector_units_give_the_same_bits),
      cmocka_unit_test(forces_are_the_negative_gradient_of_energy),
      cmocka_unit_test(stiffness_is_the_derivative_of_forces),
      cmocka_unit_test(products_agree_and_definite_ones_are_never_negative),
      cmocka_unit_test(forces_change_no_momentum),
      cmocka_unit_test(undamped_motion_keeps_its_energy),
      cmocka_unit_test(many_sweeps_of_xpbd_solve_an_implicit_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

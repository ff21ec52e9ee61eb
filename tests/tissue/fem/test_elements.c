/* Every kind of element with every law: forces against the energy, stiffness against forces, patch tests, masses. */
#include "element_box.h"

#include "base/vec.h"
#include "solve/block_matrix.h"
#include "tissue/fem/fem.h"

static syn_soft *make_soft(const element_box *box, const syn_soft_options *options) {
  syn_error error;
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box->mesh, options, &soft, &error));
  return soft;
}

/* A rotation, a stretch and some noise. */
static void deform(const syn_soft *soft, test_random *random, double size, syn_vec3 *x) {
  const syn_pose turn = random_pose(random, 3);
  syn_mat3 stretch;
  for (int i = 0; i < 3; ++i) stretch.row[i] = random_vec3(random, size);
  stretch.row[0].x += 1, stretch.row[1].y += 1, stretch.row[2].z += 1;
  for (uint32_t i = 0; i < soft->node_count; ++i)
    x[i] = vec3_add(syn_pose_point(&turn, mat3_apply(&stretch, soft->rest[i])), random_vec3(random, 0.2 * size));
}

static double *coordinate(syn_vec3 *x, uint32_t k) { return (double *)&x[k / 3] + k % 3; }

static void put_history(const syn_soft *soft, test_random *random) {
  size_t count;
  double *history = soft->model->history(soft->state, &count);
  for (size_t i = 0; i < count; ++i) history[i] = random_between(random, -0.2, 0.2);
}

/* ---- derivatives ---------------------------------------------------------------------------------------------------
 */

static void check_force(const syn_soft *soft, syn_vec3 *x) {
  const double step = 1e-6;
  syn_vec3 *f = malloc(soft->node_count * sizeof *f);
  syn_soft_forces(soft, x, NULL, f);
  double most = 0;
  for (uint32_t k = 0; k < 3 * soft->node_count; ++k) most = fmax(most, fabs(*coordinate(f, k)));
  for (uint32_t k = 0; k < 3 * soft->node_count; ++k) {
    const double kept = *coordinate(x, k);
    *coordinate(x, k) = kept + step;
    const double above = syn_soft_energy(soft, x);
    *coordinate(x, k) = kept - step;
    const double below = syn_soft_energy(soft, x);
    *coordinate(x, k) = kept;
    ASSERT_NEAR(*coordinate(f, k), (below - above) / (2 * step), 2e-7 * most);
  }
  free(f);
}

/* The block matrix times a random direction, against the change of forces along it. */
static void check_stiffness(const syn_soft *soft, test_random *random, syn_vec3 *x) {
  const double step = 1e-6;
  const uint32_t n = soft->node_count;
  syn_vec3 *along = malloc(n * sizeof *along), *product = malloc(n * sizeof *product),
           *moved = malloc(n * sizeof *moved);
  syn_vec3 *above = malloc(n * sizeof *above), *below = malloc(n * sizeof *below);
  double(*blocks)[9] = malloc(syn_block_count(soft->pattern) * sizeof *blocks), most = 0;
  soft->model->stiffness(soft->state, x, 0, false, blocks);
  for (int round = 0; round < 3; ++round) {
    for (uint32_t i = 0; i < n; ++i) along[i] = random_vec3(random, 1);
    syn_block_multiply(soft->pattern, (const double(*)[9])blocks, along, product);
    for (uint32_t i = 0; i < n; ++i) moved[i] = vec3_madd(x[i], step, along[i]);
    syn_soft_forces(soft, moved, NULL, above);
    for (uint32_t i = 0; i < n; ++i) moved[i] = vec3_madd(x[i], -step, along[i]);
    syn_soft_forces(soft, moved, NULL, below);
    for (uint32_t i = 0; i < n; ++i) most = fmax(most, vec3_length(product[i]));
    for (uint32_t i = 0; i < n; ++i)
      ASSERT_NEAR(vec3_distance(product[i], vec3_scale(vec3_sub(below[i], above[i]), 0.5 / step)), 0, 2e-7 * most);
  }
  free(along), free(product), free(moved), free(above), free(below), free(blocks);
}

static void check_derivatives(syn_element element, syn_law law, bool plain, bool remembers, double poisson) {
  test_random random = {(uint64_t)(10 * element + law + 1)};
  element_box box = make_element_box(element, 2, 2, 2, vec3(1, 1.2, 0.9));
  shake_element_box(&box, &random, 0.2);
  box.mesh.plain = plain;
  syn_soft_options options = elastic_options(2, poisson, law);
  options.relaxing_part = remembers ? 0.4 : 0;
  syn_soft *soft = make_soft(&box, &options);
  syn_vec3 *x = malloc(soft->node_count * sizeof *x);
  for (int round = 0; round < 3; ++round) {
    deform(soft, &random, round == 2 ? 0.8 : 0.25, x); /* the last one has inverted elements */
    if (remembers) put_history(soft, &random);
    check_force(soft, x);
    check_stiffness(soft, &random, x);
  }
  free(x);
  syn_soft_destroy(soft);
  drop_element_box(&box);
}

static void forces_and_stiffness_are_derivatives_of_the_energy(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element)
    for (int law = 0; law < SYN_LAWS; ++law) {
      check_derivatives((syn_element)element, (syn_law)law, false, false, 0.3);
      check_derivatives((syn_element)element, (syn_law)law, true, false, 0.45);
      check_derivatives((syn_element)element, (syn_law)law, false, true, 0.2);
    }
}

/* Forces are linear in the velocities: (stiffness(per_s) - stiffness(0)) v / per_s is what velocities take away. */
static void check_damping(syn_element element, syn_law law, bool plain, bool consistent) {
  test_random random = {7};
  element_box box = make_element_box(element, 2, 1, 1, vec3(1, 1, 1));
  box.mesh.plain = plain;
  syn_soft_options options = elastic_options(2, 0.4, law);
  options.damping_per_s = 1e8;
  options.damping_s = 0.3;
  options.consistent_mass = consistent;
  syn_soft *soft = make_soft(&box, &options);
  const uint32_t n = soft->node_count;
  const size_t count = syn_block_count(soft->pattern);
  syn_vec3 *x = malloc(n * sizeof *x), *v = malloc(n * sizeof *v), *still = malloc(n * sizeof *still);
  syn_vec3 *moving = malloc(n * sizeof *moving), *product = malloc(n * sizeof *product);
  double(*fast)[9] = malloc(count * sizeof *fast), (*slow)[9] = malloc(count * sizeof *slow), power = 0;
  deform(soft, &random, 0.2, x);
  for (uint32_t i = 0; i < n; ++i) v[i] = random_vec3(&random, 1);
  syn_soft_forces(soft, x, NULL, still);
  syn_soft_forces(soft, x, v, moving);
  soft->model->stiffness(soft->state, x, 0, false, slow);
  soft->model->stiffness(soft->state, x, 5, false, fast);
  for (size_t k = 0; k < count; ++k)
    for (int i = 0; i < 9; ++i) fast[k][i] = (fast[k][i] - slow[k][i]) / 5;
  syn_block_multiply(soft->pattern, (const double(*)[9])fast, v, product);
  for (uint32_t i = 0; i < n; ++i) {
    ASSERT_NEAR(vec3_distance(product[i], vec3_sub(still[i], moving[i])), 0, 1e-10 * (1 + vec3_length(product[i])));
    power += vec3_dot(vec3_sub(moving[i], still[i]), v[i]);
  }
  assert_true(power < 0);
  free(x), free(v), free(still), free(moving), free(product), free(fast), free(slow);
  syn_soft_destroy(soft);
  drop_element_box(&box);
}

static void damping_is_in_force_and_stiffness_alike(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element)
    for (int law = 0; law < SYN_LAWS; ++law) {
      check_damping((syn_element)element, (syn_law)law, false, false);
      check_damping((syn_element)element, (syn_law)law, true, true);
    }
}

/* At rest, Rayleigh's second coefficient is the stiffness times seconds. */
static void viscous_stress_at_rest_is_seconds_times_the_stiffness(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element)
    for (int law = 0; law < SYN_LAWS; ++law) {
      element_box box = make_element_box((syn_element)element, 1, 1, 1, vec3(1, 1, 1));
      syn_soft_options options = elastic_options(2, 0.4, (syn_law)law);
      options.damping_s = 0.25;
      syn_soft *soft = make_soft(&box, &options);
      const size_t count = syn_block_count(soft->pattern);
      double(*still)[9] = malloc(count * sizeof *still), (*moving)[9] = malloc(count * sizeof *moving);
      soft->model->stiffness(soft->state, soft->rest, 0, false, still);
      soft->model->stiffness(soft->state, soft->rest, 8, false, moving);
      for (size_t k = 0; k < count; ++k)
        for (int i = 0; i < 9; ++i) ASSERT_NEAR(moving[k][i], 3 * still[k][i], 1e-12);
      free(still), free(moving);
      syn_soft_destroy(soft);
      drop_element_box(&box);
    }
}

/* ---- patch tests ---------------------------------------------------------------------------------------------------
 */

static bool on_border(const element_box *box, uint32_t node) {
  const uint32_t x = node % box->grid[0], y = node / box->grid[0] % box->grid[1],
                 z = node / (box->grid[0] * box->grid[1]);
  return x == 0 || y == 0 || z == 0 || x + 1 == box->grid[0] || y + 1 == box->grid[1] || z + 1 == box->grid[2];
}

static syn_vec3 strained(syn_vec3 p, double size) {
  const syn_mat3 m = {{{0.9, 0.2, -0.3}, {0.4, -0.7, 0.6}, {-0.1, 0.5, 0.8}}};
  return vec3_add(p, vec3_scale(mat3_apply(&m, p), size));
}

/* The border is moved as a uniform strain moves it, the inside is solved for: it must follow, and stress be the same
 * everywhere. */
static void check_patch(syn_element element, syn_law law, bool plain, double poisson) {
  test_random random = {3};
  element_box box = make_element_box(element, 3, 3, 3, vec3(3, 3, 3));
  shake_element_box(&box, &random, 0.2);
  box.mesh.plain = plain;
  const syn_soft_options options = elastic_options(1, poisson, law);
  syn_soft *soft = make_soft(&box, &options);
  const double size = law == SYN_LAW_LINEAR ? 0.01 : 0.1;
  syn_vec3 *x = malloc(soft->node_count * sizeof *x);
  syn_sym3 *stress = malloc(soft->node_count * sizeof *stress), *strain = malloc(soft->node_count * sizeof *strain);
  uint8_t *held = calloc(soft->node_count, 1);
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    held[i] = on_border(&box, i) ? SYN_XYZ : 0;
    x[i] = strained(soft->rest[i], size);
    if (!held[i]) x[i] = vec3_add(x[i], random_vec3(&random, 0.05));
  }
  settle(soft, held, NULL, x);
  syn_soft_stress(soft, x, NULL, stress, strain);
  for (uint32_t i = 0; i < soft->node_count; ++i) {
    ASSERT_NEAR(vec3_distance(x[i], strained(soft->rest[i], size)), 0, 1e-10);
    const double *one = &stress[i].xx, *first = &stress[0].xx, *e = &strain[i].xx, *e0 = &strain[0].xx;
    for (int k = 0; k < 6; ++k) ASSERT_NEAR(one[k], first[k], 1e-10 / (1 - 2 * poisson));
    for (int k = 0; k < 6; ++k) ASSERT_NEAR(e[k], e0[k], 1e-10);
  }
  free(x), free(stress), free(strain), free(held);
  syn_soft_destroy(soft);
  drop_element_box(&box);
}

static void uniform_strain_is_exact_in_any_mesh(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element)
    for (int law = 0; law < SYN_LAWS; ++law) {
      check_patch((syn_element)element, (syn_law)law, false, 0.3);
      check_patch((syn_element)element, (syn_law)law, true, 0.3);
    }
}

/* ---- mass ----------------------------------------------------------------------------------------------------------
 */

/* The whole mass, and that of a linear field squared, which every element interpolates exactly: the integral of x^2
 * over the block. */
static void masses_add_up(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    test_random random = {5};
    element_box box = make_element_box((syn_element)element, 3, 3, 3, vec3(3, 2, 1));
    shake_element_box(&box, &random, 0.08);
    syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_LINEAR);
    options.consistent_mass = true;
    syn_soft *soft = make_soft(&box, &options);
    double lumped = 0, whole = 0, square = 0;
    for (uint32_t row = 0; row < soft->node_count; ++row) {
      assert_true(soft->mass[row] > 0);
      lumped += soft->mass[row];
      for (uint32_t k = soft->pattern->row_start[row]; k < soft->pattern->row_start[row + 1]; ++k) {
        const uint32_t column = soft->pattern->columns[k];
        const double mass = soft->consistent_mass[k] * (column == row ? 1 : 2);
        whole += mass;
        square += mass * soft->rest[row].x * soft->rest[column].x;
      }
    }
    ASSERT_NEAR(lumped, 6e-9, 1e-20);
    ASSERT_NEAR(whole, 6e-9, 1e-20);
    ASSERT_NEAR(square, 1e-9 * 2 * 27 / 3, 1e-19);
    syn_soft_destroy(soft);
    drop_element_box(&box);
  }
}

/* Products of two quadratic shape functions over a straight tetrahedron (Zienkiewicz's formula for powers of
 * barycentric coordinates): the matrix in units of volume / 420. */
static void quadratic_mass_is_the_closed_form(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 corners[4] = {{0, 0, 0}, {2, 0.1, 0}, {0.3, 1, 0}, {0.2, 0.4, 3}};
  const uint32_t elements[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  static const uint8_t edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  syn_vec3 nodes[10];
  memcpy(nodes, corners, sizeof corners);
  for (int e = 0; e < 6; ++e) nodes[4 + e] = vec3_lerp(corners[edges[e][0]], corners[edges[e][1]], 0.5);
  syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_LINEAR);
  options.consistent_mass = true;
  const syn_fem_mesh mesh = {SYN_ELEMENT_TET10, 10, 1, nodes, elements, false, NULL, NULL};
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &mesh, &options, &soft, &error));
  const double volume = vec3_dot(vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0])),
                                 vec3_sub(corners[3], corners[0])) /
                        6;
  for (uint32_t a = 0; a < 10; ++a)
    for (uint32_t b = a; b < 10; ++b) {
      double expected;
      if (b < 4)
        expected = a == b ? 6 : 1;
      else if (a < 4)
        expected = edges[b - 4][0] == a || edges[b - 4][1] == a ? -4 : -6;
      else {
        const bool touch = edges[a - 4][0] == edges[b - 4][0] || edges[a - 4][0] == edges[b - 4][1] ||
                           edges[a - 4][1] == edges[b - 4][0] || edges[a - 4][1] == edges[b - 4][1];
        expected = a == b ? 32 : touch ? 16 : 8;
      }
      const double mass = soft->consistent_mass[syn_pattern_find(soft->pattern, a, b)];
      ASSERT_NEAR(mass / (1e-9 * volume / 420), expected, 1e-10);
    }
  syn_soft_destroy(soft);
}

/* ---- what is definite ----------------------------------------------------------------------------------------------
 */

static void definite_stiffness_takes_energy_in_every_direction(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element)
    for (int law = 0; law < SYN_LAWS; ++law) {
      test_random random = {11};
      element_box box = make_element_box((syn_element)element, 1, 1, 1, vec3(1, 1, 1));
      const syn_soft_options options = elastic_options(1, 0.4, (syn_law)law);
      syn_soft *soft = make_soft(&box, &options);
      const size_t count = syn_block_count(soft->pattern);
      const uint32_t n = soft->node_count;
      syn_vec3 *x = malloc(n * sizeof *x), *along = malloc(n * sizeof *along), *product = malloc(n * sizeof *product);
      double(*blocks)[9] = malloc(count * sizeof *blocks), (*exact)[9] = malloc(count * sizeof *exact);
      soft->model->stiffness(soft->state, soft->rest, 0, true, blocks);
      soft->model->stiffness(soft->state, soft->rest, 0, false, exact);
      assert_memory_equal(blocks, exact, count * sizeof *blocks); /* at rest nothing is changed */
      bool indefinite = false;
      for (int round = 0; round < 20; ++round) {
        deform(soft, &random, 1, x);
        soft->model->stiffness(soft->state, x, 0, true, blocks);
        soft->model->stiffness(soft->state, x, 0, false, exact);
        /* Along the direction of least stiffness, by a few steps down the gradient. */
        for (uint32_t i = 0; i < n; ++i) along[i] = random_vec3(&random, 1);
        for (int k = 0; k < 60; ++k) {
          double length = 0;
          syn_block_multiply(soft->pattern, (const double(*)[9])exact, along, product);
          for (uint32_t i = 0; i < n; ++i) {
            along[i] = vec3_madd(along[i], -0.05, product[i]);
            length += vec3_length2(along[i]);
          }
          for (uint32_t i = 0; i < n; ++i) along[i] = vec3_scale(along[i], 1 / sqrt(length));
        }
        double exact_energy = 0, energy = 0;
        syn_block_multiply(soft->pattern, (const double(*)[9])exact, along, product);
        for (uint32_t i = 0; i < n; ++i) exact_energy += vec3_dot(along[i], product[i]);
        syn_block_multiply(soft->pattern, (const double(*)[9])blocks, along, product);
        for (uint32_t i = 0; i < n; ++i) energy += vec3_dot(along[i], product[i]);
        indefinite = indefinite || exact_energy < -1e-3;
        assert_true(energy > -1e-9);
      }
      assert_int_equal(indefinite, law != SYN_LAW_LINEAR);
      free(x), free(along), free(product), free(blocks), free(exact);
      syn_soft_destroy(soft);
      drop_element_box(&box);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_and_stiffness_are_derivatives_of_the_energy),
      cmocka_unit_test(damping_is_in_force_and_stiffness_alike),
      cmocka_unit_test(viscous_stress_at_rest_is_seconds_times_the_stiffness),
      cmocka_unit_test(uniform_strain_is_exact_in_any_mesh),
      cmocka_unit_test(masses_add_up),
      cmocka_unit_test(quadratic_mass_is_the_closed_form),
      cmocka_unit_test(definite_stiffness_takes_energy_in_every_direction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The rotation of a deformation, the force loop of linear tetrahedra, and the constraints of XPBD, each against a slow
 * twin. */
#include "element_box.h"

#include "base/simd.h"
#include "base/vec.h"
#include "tissue/fem/fem.h"

static syn_soft *make_soft(const element_box *box, const syn_soft_options *options) {
  syn_error error;
  syn_soft *soft;
  ASSERT_OK(syn_soft_fem_create(NULL, &box->mesh, options, &soft, &error));
  return soft;
}

/* ---- rotations -----------------------------------------------------------------------------------------------------
 */

static double determinant(const double m[9]) {
  double c[9];
  m9_cofactor(m, c);
  return m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
}

static void check_rotation(const double r[9], double tolerance) {
  double product[9];
  m9_transposed_multiply(r, r, product);
  for (int i = 0; i < 9; ++i) ASSERT_NEAR(product[i], i % 4 == 0, tolerance);
  ASSERT_NEAR(determinant(r), 1, tolerance);
}

static void random_rotation(test_random *random, double r[9]) {
  const syn_pose pose = random_pose(random, 1);
  for (int i = 0; i < 3; ++i)
    r[3 * i] = pose.rotation.row[i].x, r[3 * i + 1] = pose.rotation.row[i].y, r[3 * i + 2] = pose.rotation.row[i].z;
}

/* F = U diag(a, b, c) W^T with chosen principal values; the nearest rotation is then U W^T where c carries the sign. */
static void the_rotation_is_the_nearest_one(void **state) {
  (void)state;
  test_random random = {1};
  static const double values[][3] = {{1, 1, 1},       {1.1, 1, 0.9},    {3, 2, 1},          {5, 0.1, 0.01},
                                     {1, 0.5, -0.2},  {2, 1.5, -1},     {1, 1, -0.99},      {1, 1e-4, 1e-5},
                                     {1, 1e-7, 1e-9}, {1e3, 1, 1e-3},   {1e-5, 1e-5, 1e-5}, {1, 1, 0},
                                     {4, 3, -2.9},    {1, 0.01, -0.009}};
  for (size_t k = 0; k < 40 * sizeof values / sizeof *values; ++k) {
    const double *v = values[k / 40];
    double u[9], w[9], stretched[9], f[9], r[9], twin[9], expected[9];
    random_rotation(&random, u);
    random_rotation(&random, w);
    for (int i = 0; i < 9; ++i) stretched[i] = u[i] * v[i % 3];
    m9_multiply_transposed(stretched, w, f);
    m9_multiply_transposed(u, w, expected);
    const double trace = syn_fem_polar(f, r),
                 gap = (v[1] + v[2]) / v[0]; /* where it is small, many are nearly as near */
    ASSERT_NEAR(trace, v[0] + v[1] + v[2], 1e-13 * v[0] / gap);
    check_rotation(r, 1e-9);
    syn_fem_polar_by_eigenvectors(f, twin);
    for (int i = 0; i < 9; ++i) {
      ASSERT_NEAR(r[i], expected[i], 1e-14 / gap + 1e-11);
      ASSERT_NEAR(twin[i], expected[i], 1e-14 / gap + 1e-12);
    }
  }
}

static void what_has_no_rotation_gets_some(void **state) {
  (void)state;
  const double none[9] = {0}, line[9] = {2, 0, 0, 0, 0, 0, 0, 0, 0}, mirrored[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1};
  const double *const nasty[] = {none, line, mirrored};
  for (size_t i = 0; i < 3; ++i) {
    double r[9];
    assert_true(isfinite(syn_fem_polar(nasty[i], r)));
    check_rotation(r, 1e-12);
  }
  double lost[9] = {NAN}, r[9];
  syn_fem_polar(lost, r); /* ends */
}

/* Along a path that turns a tetrahedron inside out, the rotation hardly changes while two stretches stay larger than
 * the inverted one. */
static void a_rotation_does_not_flip_with_the_sign_of_the_volume(void **state) {
  (void)state;
  double last[9];
  for (int i = 0; i <= 100; ++i) {
    const double f[9] = {1, 0.2, 0, -0.1, 1.1, 0.1, 0, 0.05, 1 - 0.018 * i};
    double r[9], change = 0;
    syn_fem_polar(f, r);
    check_rotation(r, 1e-9);
    for (int k = 0; i > 0 && k < 9; ++k) change = fmax(change, fabs(r[k] - last[k]));
    assert_true(change < 0.05);
    memcpy(last, r, sizeof last);
  }
}

/* ---- forces --------------------------------------------------------------------------------------------------------
 */

/* One element after the other from the stresses of the law. */
static void slow_forces(const syn_soft *soft, const syn_vec3 *x, syn_vec3 *f) {
  const fem_state *fem = soft->state;
  memset(f, 0, soft->node_count * sizeof *f);
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    double stress[9];
    syn_fem_evaluate(fem, e, x, NULL, FEM_STRESS, &work);
    syn_fem_elastic_stress(&work, 0, stress);
    for (int a = 0; a < 4; ++a) {
      const double *g = fem_gradients_at(fem, e, 0)[a], v = -fem->weights[e];
      syn_vec3 *to = &f[fem_nodes_of(fem, e)[a]];
      to->x += v * (stress[0] * g[0] + stress[1] * g[1] + stress[2] * g[2]);
      to->y += v * (stress[3] * g[0] + stress[4] * g[1] + stress[5] * g[2]);
      to->z += v * (stress[6] * g[0] + stress[7] * g[1] + stress[8] * g[2]);
    }
  }
}

static void check_forces(const syn_soft *soft, const syn_vec3 *x) {
  const uint32_t n = soft->node_count;
  syn_vec3 *fast = calloc(n, sizeof *fast), *slow = malloc(n * sizeof *slow), *portable = calloc(n, sizeof *portable);
  double most = 0;
  syn_fem_tets_force(soft->state, x, fast);
  syn_fem_tets_force_portable(soft->state, x, portable);
  slow_forces(soft, x, slow);
  assert_memory_equal(fast, portable, n * sizeof *fast);
  for (uint32_t i = 0; i < n; ++i) most = fmax(most, vec3_length(slow[i]));
  for (uint32_t i = 0; i < n; ++i) ASSERT_NEAR(vec3_distance(fast[i], slow[i]), 0, 1e-11 * (most + 1));
  free(fast), free(slow), free(portable);
}

static void four_at_a_time_are_as_good_as_one(void **state) {
  (void)state;
  for (int law = 0; law < SYN_LAWS; ++law) {
    test_random random = {9};
    element_box box = make_element_box(SYN_ELEMENT_TET4, 3, 3, 3, vec3(1, 1, 1));
    shake_element_box(&box, &random, 0.1);
    box.mesh.element_count -= 3; /* not a multiple of four; no node is lost */
    const syn_soft_options options = elastic_options(1, 0.45, (syn_law)law);
    syn_soft *soft = make_soft(&box, &options);
    syn_vec3 *x = malloc(soft->node_count * sizeof *x);
    for (int round = 0; round < 40; ++round) {
      const syn_pose pose = random_pose(&random, 5);
      const double noise = round < 10 ? 0 : round < 20 ? 1e-3 : round < 30 ? 0.1 : 0.6;
      for (uint32_t i = 0; i < soft->node_count; ++i)
        x[i] = vec3_add(syn_pose_point(&pose, soft->rest[i]), random_vec3(&random, noise));
      if (round == 35)
        for (uint32_t i = 0; i < soft->node_count; ++i) x[i].z = 0; /* flat */
      if (round == 36)
        for (uint32_t i = 0; i < soft->node_count; ++i) x[i] = vec3(0, 0, 0);
      check_forces(soft, x);
    }
    free(x);
    syn_soft_destroy(soft);
    drop_element_box(&box);
  }
}

/* A node that is lost takes its neighbours along, and nobody else. */
static void a_node_at_no_place_is_seen_in_the_forces(void **state) {
  (void)state;
  element_box box = make_element_box(SYN_ELEMENT_TET4, 4, 1, 1, vec3(4, 1, 1));
  const syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_COROTATIONAL);
  syn_soft *soft = make_soft(&box, &options);
  syn_vec3 *x = malloc(soft->node_count * sizeof *x), *f = malloc(soft->node_count * sizeof *f);
  memcpy(x, soft->rest, soft->node_count * sizeof *x);
  x[0].y = NAN;
  syn_soft_forces(soft, x, NULL, f);
  assert_true(isnan(f[0].x));
  for (uint32_t i = 0; i < soft->node_count; ++i)
    if (soft->rest[i].x > 1.5) ASSERT_NEAR(vec3_length(f[i]), 0, 1e-12);
  free(x), free(f);
  syn_soft_destroy(soft);
  drop_element_box(&box);
}

/* The stiffness of a point, four nodes side by side, against sums as they are written, and with and without AVX2. */
static void stiffness_of_a_point_is_the_plain_sum(void **state) {
  (void)state;
  test_random random = {21};
  static const int counts[] = {4, 8, 10};
  for (int round = 0; round < 30; ++round) {
    const int n = counts[round % 3];
    double tangent[9][9], gradients[FEM_NODES][3];
    fem_matrix fast = {{{{{0}}}}}, portable = {{{{{0}}}}};
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j) tangent[i][j] = random_between(&random, -1, 1);
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) gradients[a][i] = random_between(&random, -1, 1);
    syn_fem_add_point_portable((const double(*)[9])tangent, (const double(*)[3])gradients, 0.3, n, &portable);
#if SYN_AVX2
    if (syn_has_avx2()) {
      syn_fem_add_point_avx2((const double(*)[9])tangent, (const double(*)[3])gradients, 0.3, n, &fast);
      assert_memory_equal(&fast, &portable, sizeof fast);
    }
#endif
    for (int a = 0; a < n; ++a)
      for (int b = a; b < n; ++b)
        for (int i = 0; i < 3; ++i)
          for (int k = 0; k < 3; ++k) {
            double sum = 0;
            for (int j = 0; j < 3; ++j)
              for (int l = 0; l < 3; ++l)
                sum += 0.3 * gradients[a][j] * tangent[3 * i + j][3 * k + l] * gradients[b][l];
            ASSERT_NEAR(portable.of[a][i][k][b], sum, 1e-14);
          }
  }
}

/* ---- XPBD ----------------------------------------------------------------------------------------------------------
 */

/* Adds forces of the same body with another law. */
static void add_forces(const element_box *box, syn_law law, double scale, const syn_vec3 *x, syn_vec3 *f) {
  syn_soft_options options = elastic_options(0.1, 0.4, law);
  if (law == SYN_LAW_FIBRES) options.fibre_mpa = 0.2;
  syn_soft *soft = make_soft(box, &options);
  syn_vec3 *part = malloc(soft->node_count * sizeof *part);
  syn_soft_forces(soft, x, NULL, part);
  for (uint32_t i = 0; i < soft->node_count; ++i) f[i] = vec3_madd(f[i], scale, part[i]);
  free(part);
  syn_soft_destroy(soft);
}

/* Sweeps without end come to the implicit step, mass (x - inertial) / step^2 = forces, but for what directions of
 * constraints turn on the way there: a part of the forces that falls with the square of the step. */
static double projection_error(syn_law law, double step) {
  test_random random = {2};
  element_box box = make_element_box(SYN_ELEMENT_TET4, 2, 1, 1, vec3(20, 10, 10));
  syn_soft_options options = elastic_options(0.1, 0.4, law);
  if (law == SYN_LAW_FIBRES) options.fibre_mpa = 0.2;
  syn_soft *soft = make_soft(&box, &options);
  const uint32_t n = soft->node_count;
  syn_vec3 *x = malloc(n * sizeof *x), *inertial = malloc(n * sizeof *inertial), *f = calloc(n, sizeof *f);
  double *inverse = malloc(n * sizeof *inverse), *lambda = calloc(soft->constraint_count, sizeof *lambda);
  double error = 0, most = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const bool held = soft->rest[i].x == 0;
    inverse[i] = held ? 0 : 1 / soft->mass[i];
    inertial[i] = held ? soft->rest[i] : vec3_add(vec3_scale(soft->rest[i], 1.02), random_vec3(&random, 0.02));
    x[i] = inertial[i];
  }
  for (int sweep = 0; sweep < 2000; ++sweep) soft->model->project(soft->state, step, inverse, x, lambda);
  add_forces(&box, SYN_LAW_COROTATIONAL, 1, x, f);
  if (law == SYN_LAW_FIBRES) { /* the fibres alone */
    add_forces(&box, SYN_LAW_FIBRES, 1, x, f);
    add_forces(&box, SYN_LAW_NEO_HOOKEAN, -1, x, f);
  }
  for (uint32_t i = 0; i < n; ++i) {
    if (inverse[i] == 0) assert_true(vec3_equal(x[i], soft->rest[i]));
    if (inverse[i] == 0) continue;
    const syn_vec3 inertia = vec3_scale(vec3_sub(x[i], inertial[i]), soft->mass[i] / (step * step));
    error = fmax(error, vec3_distance(inertia, f[i]));
    most = fmax(most, vec3_length(f[i]));
  }
  free(x), free(inertial), free(f), free(inverse), free(lambda);
  syn_soft_destroy(soft);
  drop_element_box(&box);
  return error / most;
}

static void projections_come_to_the_implicit_step(void **state) {
  (void)state;
  const syn_law laws[] = {SYN_LAW_COROTATIONAL, SYN_LAW_FIBRES};
  for (int i = 0; i < 2; ++i) {
    const double coarse = projection_error(laws[i], 2e-4), fine = projection_error(laws[i], 2e-5);
    assert_true(coarse < 0.1 && fine < 1e-3 && fine < coarse / 50);
  }
}

static void a_body_at_rest_stays_there(void **state) {
  (void)state;
  element_box box = make_element_box(SYN_ELEMENT_TET4, 2, 2, 2, vec3(20, 10, 10));
  const syn_soft_options options = elastic_options(0.1, 0.4999, SYN_LAW_FIBRES);
  syn_soft *soft = make_soft(&box, &options);
  syn_vec3 *x = malloc(soft->node_count * sizeof *x);
  double *inverse = malloc(soft->node_count * sizeof *inverse);
  double *lambda = calloc(soft->constraint_count, sizeof *lambda);
  const syn_pose pose = syn_pose_about_axis(vec3(5, 1, 2), vec3(1, 2, 3), 2);
  for (uint32_t i = 0; i < soft->node_count; ++i) x[i] = syn_pose_point(&pose, soft->rest[i]), inverse[i] = 1e9;
  for (int sweep = 0; sweep < 100; ++sweep) soft->model->project(soft->state, 0.1, inverse, x, lambda);
  for (uint32_t i = 0; i < soft->node_count; ++i)
    ASSERT_NEAR(vec3_distance(x[i], syn_pose_point(&pose, soft->rest[i])), 0, 1e-12);
  free(x), free(inverse), free(lambda);
  syn_soft_destroy(soft);
  drop_element_box(&box);
}

static void only_linear_tetrahedra_have_constraints(void **state) {
  (void)state;
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    element_box box = make_element_box((syn_element)element, 1, 1, 1, vec3(1, 1, 1));
    const syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_COROTATIONAL);
    syn_soft *soft = make_soft(&box, &options);
    const bool linear = element == SYN_ELEMENT_TET4;
    assert_int_equal(soft->model->project != NULL, linear);
    assert_int_equal(soft->constraint_count, linear ? 12 : 0);
    syn_soft_destroy(soft);
    drop_element_box(&box);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rotation_is_the_nearest_one),
      cmocka_unit_test(what_has_no_rotation_gets_some),
      cmocka_unit_test(a_rotation_does_not_flip_with_the_sign_of_the_volume),
      cmocka_unit_test(four_at_a_time_are_as_good_as_one),
      cmocka_unit_test(a_node_at_no_place_is_seen_in_the_forces),
      cmocka_unit_test(stiffness_of_a_point_is_the_plain_sum),
      cmocka_unit_test(projections_come_to_the_implicit_step),
      cmocka_unit_test(a_body_at_rest_stays_there),
      cmocka_unit_test(only_linear_tetrahedra_have_constraints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

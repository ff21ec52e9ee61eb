/* The three solvers against the printed equations as a dense matrix, on small random closed meshes with all
 * constraints. */
#include "vdm_twin.h"

#include "base/vec.h"
#include "geometry/small_matrix.h"

static syn_soft *make_soft(const syn_trimesh *mesh, syn_vdm_solver solver) {
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){.young_mpa = 1, .poisson = 0.3, .density_kg_m3 = 1055};
  options.vdm_solver = solver;
  const syn_body body = {.name = "blob", .material = syn_material_unknown(), .surface = mesh};
  syn_soft *soft;
  syn_error error;
  ASSERT_OK(syn_soft_create(NULL, "vdm", &body, &options, &soft, &error));
  return soft;
}

/* Random moduli; about a third of the nodes are held or pushed, some in single directions; loads of size `load`. */
static void randomise(test_random *random, vdm_twin *twin, double load) {
  for (uint32_t i = 0; i < twin->mesh->vertex_count; ++i) {
    twin->bulk[i] =
        vec3(random_between(random, 0.2, 3), random_between(random, 0.2, 3), random_between(random, 0.2, 3));
    const uint32_t kind = random_below(random, 8);
    for (int c = 0; c < 3; ++c)
      twin->constraint[i][c] = kind < 4 && (kind != 3 || random_below(random, 2)) ? (uint8_t)kind : SYN_VDM_FREE;
    if (random_below(random, 12) == 0) twin->bulk[i].y = INFINITY;
    twin->value[i] = random_vec3(random, load);
  }
  for (uint32_t p = 0; p < twin->pair_count; ++p) twin->connectivity[p] = random_between(random, 0, 2);
  twin->gravity = random_vec3(random, 9810);
  twin->density = 1055e-12;
}

static double greatest_difference(const vdm_twin *twin, const syn_vec3 *x, const double *l) {
  double most = 0;
  for (uint32_t i = 0; i < twin->mesh->vertex_count; ++i) {
    const syn_vec3 moved = vec3_sub(x[i], twin->mesh->vertices[i]);
    most = fmax(most, vec3_length(vec3_sub(moved, vec3(l[3 * i], l[3 * i + 1], l[3 * i + 2]))));
  }
  return most;
}

enum { MOST = 200 };

static void the_linear_solver_gives_the_dense_solution(void **state) {
  (void)state;
  test_random random = {1};
  for (int round = 0; round < 30; ++round) {
    syn_trimesh *mesh = make_blob(NULL, &random, 3 + random_below(&random, 4), 4 + random_below(&random, 5), 0.3);
    syn_soft *soft = make_soft(mesh, SYN_VDM_LINEAR);
    vdm_twin twin = make_vdm_twin(soft, 1, 1);
    twin_shape rest = measure_twin(mesh, mesh->vertices);
    for (int again = 0; again < 3; ++again) {
      randomise(&random, &twin, 0.2);
      if (again == 2)
        for (uint32_t i = 0; i < mesh->vertex_count; ++i) twin.bulk[i] = vec3(0.7, 0.7, 0.7); /* one factor for all */
      give_to_soft(&twin, soft);
      syn_vec3 x[MOST];
      double l[3 * MOST + 1];
      syn_vdm_report report;
      syn_error error;
      assert_true(solve_twin(&twin, &rest, mesh->vertices, 0, l));
      ASSERT_OK(syn_vdm_solve(soft, x, &report, &error));
      ASSERT_NEAR(greatest_difference(&twin, x, l), 0, 1e-12);
      ASSERT_NEAR(report.pressure_mpa, l[3 * mesh->vertex_count], 2e-12);
    }
    drop_twin_shape(&rest);
    drop_vdm_twin(&twin);
    syn_soft_destroy(soft);
    syn_trimesh_destroy(mesh);
  }
}

/* Eq. 3.32 and 3.34 hold nodes by a large number on the diagonal; we take them out. */
static void a_growing_penalty_leads_to_what_we_give(void **state) {
  (void)state;
  test_random random = {2};
  syn_trimesh *mesh = make_blob(NULL, &random, 5, 7, 0.3);
  syn_soft *soft = make_soft(mesh, SYN_VDM_LINEAR);
  vdm_twin twin = make_vdm_twin(soft, 1, 1);
  twin_shape rest = measure_twin(mesh, mesh->vertices);
  randomise(&random, &twin, 0.1);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) twin.bulk[i] = vec3(1, 2, 3);
  give_to_soft(&twin, soft);
  syn_vec3 x[MOST];
  double l[3 * MOST + 1];
  syn_error error;
  ASSERT_OK(syn_vdm_solve(soft, x, NULL, &error));
  for (double penalty = 1e3; penalty < 1e10; penalty *= 100) {
    assert_true(solve_twin(&twin, &rest, mesh->vertices, penalty, l));
    const double off = greatest_difference(&twin, x, l);
    print_message("penalty %g: %g mm off\n", penalty, off);
    assert_true(off < 40 / penalty && off > 1e-3 / penalty);
  }
  drop_twin_shape(&rest);
  drop_vdm_twin(&twin);
  syn_soft_destroy(soft);
  syn_trimesh_destroy(mesh);
}

/* The inverse of a dense matrix, column by column. */
static void invert(const double *k, int n, double *inverse) {
  double *work = malloc((size_t)n * (size_t)n * sizeof *work), column[3 * MOST + 1];
  for (int c = 0; c < n; ++c) {
    memcpy(work, k, (size_t)n * (size_t)n * sizeof *work);
    for (int i = 0; i < n; ++i) column[i] = i == c;
    assert_true(syn_solve_pivoted(work, column, n, 1e-14));
    for (int i = 0; i < n; ++i) inverse[i * n + c] = column[i];
  }
  free(work);
}

/* Eq. 3.46 with u the last unit vector and the denominator 1 + v K^-1 u. */
static void sherman_morrison(double *inverse, int n, const double *v) {
  double left[3 * MOST + 1], right[3 * MOST + 1], below = 1;
  for (int i = 0; i < n; ++i) {
    left[i] = inverse[i * n + n - 1];
    right[i] = 0;
    for (int j = 0; j < n; ++j) right[i] += v[j] * inverse[j * n + i];
    below += v[i] * left[i];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) inverse[i * n + j] -= left[i] * right[j] / below;
}

/* Algorithm 2: the last row follows the shape. */
static void iterate_algorithm_2(const vdm_twin *twin, const twin_shape *rest, double *l) {
  const uint32_t nodes = twin->mesh->vertex_count;
  const int n = (int)(3 * nodes + 1);
  double *k = malloc((size_t)n * (size_t)n * sizeof *k), *inverse = malloc((size_t)n * (size_t)n * sizeof *k);
  double r[3 * MOST + 1], v[3 * MOST + 1], row[3 * MOST + 1];
  fill_twin(twin, rest, twin->mesh->vertices, 0, k, r);
  invert(k, n, inverse);
  memcpy(row, &k[(size_t)(n - 1) * (size_t)n], (size_t)n * sizeof *row);
  memset(l, 0, (size_t)n * sizeof *l);
  for (int step = 0; step < 12; ++step) {
    syn_vec3 x[MOST];
    for (uint32_t i = 0; i < nodes; ++i)
      x[i] = vec3_add(twin->mesh->vertices[i], vec3(l[3 * i], l[3 * i + 1], l[3 * i + 2]));
    twin_shape now = measure_twin(twin->mesh, x);
    r[n - 1] = rest->volume - now.volume;
    v[n - 1] = 0;
    for (uint32_t i = 0; i < 3 * nodes; ++i) {
      const double derivative = vec3_at(now.vector[i / 3], (int)(i % 3));
      v[i] = derivative - row[i];
      row[i] = derivative;
      r[n - 1] += derivative * l[i];
    }
    drop_twin_shape(&now);
    sherman_morrison(inverse, n, v);
    for (int i = 0; i < n; ++i) {
      l[i] = 0;
      for (int j = 0; j < n; ++j) l[i] += inverse[i * n + j] * r[j];
    }
  }
  free(inverse);
  free(k);
}

static void the_quasi_linear_solver_is_algorithm_2(void **state) {
  (void)state;
  test_random random = {3};
  for (int round = 0; round < 4; ++round) {
    syn_trimesh *mesh = make_blob(NULL, &random, 4, 5, 0.2);
    syn_soft *soft = make_soft(mesh, SYN_VDM_QUASI_LINEAR);
    vdm_twin twin = make_vdm_twin(soft, 1, 1);
    twin_shape rest = measure_twin(mesh, mesh->vertices);
    randomise(&random, &twin, 0.15);
    twin.gravity = vec3_scale(twin.gravity, 100);
    give_to_soft(&twin, soft);
    syn_vec3 x[MOST];
    double l[3 * MOST + 1];
    syn_vdm_report report;
    syn_error error;
    ASSERT_OK(syn_vdm_solve(soft, x, &report, &error));
    iterate_algorithm_2(&twin, &rest, l);
    ASSERT_NEAR(greatest_difference(&twin, x, l), 0, 1e-9);
    ASSERT_NEAR(report.volume_error, 0, 1e-9);
    ASSERT_NEAR(syn_soft_volume(soft, x) / rest.volume, 1, 1e-9);
    drop_twin_shape(&rest);
    drop_vdm_twin(&twin);
    syn_soft_destroy(soft);
    syn_trimesh_destroy(mesh);
  }
}

/* Constraints come and go; the kept factorisation follows, and the answers are those of a body made for them. */
static void changed_constraints_are_followed_without_a_factorisation(void **state) {
  (void)state;
  test_random random = {4};
  syn_trimesh *mesh = make_blob(NULL, &random, 8, 12, 0.2);
  syn_soft *kept = make_soft(mesh, SYN_VDM_QUASI_LINEAR);
  syn_error error;
  syn_vdm_report report;
  syn_vec3 x[MOST], y[MOST];
  for (uint32_t i = 0; i < 10; ++i)
    ASSERT_OK(syn_vdm_prescribe(kept, i, SYN_XYZ, SYN_VDM_FIXED, vec3(0, 0, 0), &error));
  ASSERT_OK(syn_vdm_solve(kept, x, &report, &error));
  for (int round = 0; round < 20; ++round) {
    syn_soft *fresh = make_soft(mesh, SYN_VDM_QUASI_LINEAR);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      const bool moved = i >= 10 && random_below(&random, 6) == 0;
      const unsigned axes = moved ? 1 + random_below(&random, 7) : SYN_XYZ;
      const syn_vdm_constraint kind = i < 10 ? SYN_VDM_FIXED : moved ? SYN_VDM_CONSTRAINED : SYN_VDM_FREE;
      const syn_vec3 value = random_vec3(&random, 0.05);
      ASSERT_OK(syn_vdm_prescribe(kept, i, SYN_XYZ, SYN_VDM_FREE, value, &error));
      ASSERT_OK(syn_vdm_prescribe(kept, i, axes, kind, value, &error));
      ASSERT_OK(syn_vdm_prescribe(fresh, i, axes, kind, value, &error));
    }
    ASSERT_OK(syn_vdm_solve(kept, x, &report, &error));
    ASSERT_OK(syn_vdm_solve(fresh, y, NULL, &error));
    assert_int_equal(report.factorisations, 1);
    assert_true(report.updates > 0);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) ASSERT_NEAR(vec3_distance(x[i], y[i]), 0, 1e-11);
    syn_soft_destroy(fresh);
  }
  syn_vdm_prescribe(kept, SYN_NONE, SYN_XYZ, SYN_VDM_FREE, (syn_vec3){0, 0, 0}, NULL);
  ASSERT_OK(syn_vdm_solve(kept, x, &report, &error));
  assert_int_equal(report.factorisations, 2);
  syn_soft_destroy(kept);
  syn_trimesh_destroy(mesh);
}

/* Bi-conjugate gradients as printed, with both sequences, on the whole matrix. Returns its steps. */
static int full_bicg(const double *k, const double *r, int n, double *l) {
  enum { SIZE = 3 * MOST + 1 };
  static double a[SIZE], b[SIZE], p[SIZE], q[SIZE], kp[SIZE], kq[SIZE];
  double before = 0;
  for (int step = 0; step < 10 * n; ++step) {
    double size = 0, product = 0, slope = 0;
    for (int i = 0; i < n && step == 0; ++i) {
      a[i] = r[i];
      for (int j = 0; j < n; ++j) a[i] -= k[i * n + j] * l[j];
      b[i] = a[i];
    }
    for (int i = 0; i < n; ++i) {
      size = fmax(size, fabs(a[i]));
      product += a[i] * b[i];
    }
    if (size < 1e-13) return step;
    for (int i = 0; i < n; ++i) {
      p[i] = a[i] + (step ? product / before * p[i] : 0);
      q[i] = b[i] + (step ? product / before * q[i] : 0);
    }
    before = product;
    for (int i = 0; i < n; ++i) {
      kp[i] = kq[i] = 0;
      for (int j = 0; j < n; ++j) {
        kp[i] += k[i * n + j] * p[j];
        kq[i] += k[j * n + i] * q[j];
      }
      slope += q[i] * kp[i];
    }
    for (int i = 0; i < n; ++i) {
      l[i] += product / slope * p[i];
      a[i] -= product / slope * kp[i];
      b[i] -= product / slope * kq[i];
    }
  }
  return -1;
}

/* At the shape that the nonlinear solver gives, the printed equations with the areas and normals of that shape give
 * the same shape, by elimination and by BiCG, and the volume is kept. */
static void the_nonlinear_solver_agrees_with_its_own_shape(void **state) {
  (void)state;
  test_random random = {5};
  for (int round = 0; round < 6; ++round) {
    syn_trimesh *mesh = make_blob(NULL, &random, 4, 6, 0.1);
    syn_soft *soft = make_soft(mesh, SYN_VDM_NONLINEAR);
    vdm_twin twin = make_vdm_twin(soft, 1, 1);
    randomise(&random, &twin, 0.08);
    for (uint32_t p = 0; p < twin.pair_count; ++p) twin.connectivity[p] /= 4;
    twin.gravity = vec3_scale(twin.gravity, 100);
    give_to_soft(&twin, soft);
    syn_vec3 x[MOST];
    syn_vdm_report report;
    syn_error error;
    ASSERT_OK(syn_vdm_solve(soft, x, &report, &error));
    twin_shape now = measure_twin(mesh, x);
    ASSERT_NEAR(report.volume_error, 0, 1e-9);
    const int n = (int)(3 * mesh->vertex_count + 1);
    double *k = malloc((size_t)n * (size_t)n * sizeof *k), r[3 * MOST + 1], l[3 * MOST + 1];
    fill_twin(&twin, &now, x, 0, k, r);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      const syn_vec3 moved = vec3_sub(x[i], mesh->vertices[i]);
      for (uint32_t c = 0; c < 3; ++c) {
        l[3 * i + c] = vec3_at(moved, (int)c);
        r[n - 1] += k[(n - 1) * n + (int)(3 * i + c)] * l[3 * i + c];
      }
    }
    memset(l, 0, sizeof l);
    const int steps = full_bicg(k, r, n, l);
    print_message("%d unknowns: BiCG of the whole matrix %d steps; ours %u in %u shapes\n", n, steps, report.bicg_steps,
                  report.iterations);
    assert_true(steps > 0);
    ASSERT_NEAR(greatest_difference(&twin, x, l), 0, 1e-6);
    assert_true(syn_solve_pivoted(k, r, n, 1e-14));
    ASSERT_NEAR(greatest_difference(&twin, x, r), 0, 1e-6);
    ASSERT_NEAR(report.pressure_mpa, r[n - 1], 1e-6);
    /* From there nothing is left to do. */
    syn_vdm_report again;
    ASSERT_OK(syn_vdm_solve(soft, x, &again, &error));
    assert_true(again.bicg_steps * 4 < report.bicg_steps);
    free(k);
    drop_twin_shape(&now);
    drop_vdm_twin(&twin);
    syn_soft_destroy(soft);
    syn_trimesh_destroy(mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_linear_solver_gives_the_dense_solution),
      cmocka_unit_test(a_growing_penalty_leads_to_what_we_give),
      cmocka_unit_test(the_quasi_linear_solver_is_algorithm_2),
      cmocka_unit_test(changed_constraints_are_followed_without_a_factorisation),
      cmocka_unit_test(the_nonlinear_solver_agrees_with_its_own_shape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

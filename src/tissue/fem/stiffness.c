/* Computes the stiffness of the elements, and adds it to the blocks of the pattern. */
#pragma GCC diagnostic ignored "-Wframe-larger-than=" /* the matrices of some elements have 24 KB */
#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "geometry/small_matrix.h"
#include "tissue/fem/fem.h"

/* ==== projection to positive semidefinite ========================================================================= */

/* Projects a symmetric matrix to a positive semidefinite one: eigenvalues by Jacobi's rotations, negative ones
 * replaced by their absolute values. That leaves no direction without stiffness, as zeros would where many elements
 * are alike, and takes shorter steps along those directions (Chen et al. 2024). Most tangents need no projection,
 * which a factorisation tests first. */

enum { N = 9, SWEEPS = 12 };

/* Tests whether matrix + tiny 1 is positive definite, by Cholesky factorisation. */
static bool is_definite(double matrix[N][N], double tiny) {
  double lower[N][N];
  for (int j = 0; j < N; ++j) {
    double pivot = matrix[j][j] + tiny;
    for (int k = 0; k < j; ++k) pivot -= lower[j][k] * lower[j][k];
    if (!(pivot > 0)) return false;
    lower[j][j] = sqrt(pivot);
    for (int i = j + 1; i < N; ++i) {
      double sum = matrix[i][j];
      for (int k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = sum / lower[j][j];
    }
  }
  return true;
}

static double off_diagonal(double matrix[N][N]) {
  double sum = 0;
  for (int p = 0; p < N; ++p)
    for (int q = p + 1; q < N; ++q) sum += fabs(matrix[p][q]);
  return sum;
}

/* Makes a symmetric matrix positive semidefinite: replaces negative eigenvalues by their absolute values. */
static void fem_make_definite(double matrix[N][N]) {
  double size = 0, vectors[N][N] = {{0}}, work[N][N];
  for (int i = 0; i < N; ++i) size += fabs(matrix[i][i]);
  if (!isfinite(size) || is_definite(matrix, 1e-12 * size)) return;
  memcpy(work, matrix, sizeof work);
  for (int i = 0; i < N; ++i) vectors[i][i] = 1;
  for (int sweep = 0; sweep < SWEEPS && off_diagonal(work) > 1e-15 * size; ++sweep)
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) jacobi_turn(&work[0][0], &vectors[0][0], N, N, p, q);
  memset(matrix, 0, sizeof work);
  for (int k = 0; k < N; ++k) {
    const double value = fabs(work[k][k]);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) matrix[i][j] += value * vectors[k][i] * vectors[k][j];
  }
}

/* ==== stiffness =================================================================================================== */

#define LANES_FUNCTION
#define LANES_NAME syn_fem_add_point_portable
#include "tissue/fem/stiffness_lanes.h"
#if SYN_AVX2
#undef LANES_FUNCTION
#undef LANES_NAME
#define LANES_FUNCTION AVX2
#define LANES_NAME syn_fem_add_point_avx2
#include "tissue/fem/stiffness_lanes.h"
#endif

/* ---- tangent at a point --------------------------------------------------------------------------------------------
 */

/* The relaxed stress rotates with F. */
static void subtract_relaxed(const double q[6], double tangent[9][9]) {
  const double relaxed[3][3] = {{q[0], q[3], q[5]}, {q[3], q[1], q[4]}, {q[5], q[4], q[2]}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < 3; ++l) tangent[3 * i + j][3 * i + l] -= relaxed[j][l];
}

/* Derivative of the viscous stress without its pressure by the rate of F; see add_viscous_shape in fem_force.c. */
static void add_viscous(const double f[9], double scale, double tangent[9][9]) {
  double left[9];
  m9_multiply_transposed(f, f, left);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          tangent[3 * i + j][3 * k + l] += scale * ((j == l) * left[3 * i + k] + f[3 * i + l] * f[3 * k + j] -
                                                    2.0 / 3 * f[3 * i + j] * f[3 * k + l]);
}

/* Adds scale a a^T. */
static void add_square(const double a[9], double scale, double tangent[9][9]) {
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) tangent[i][j] += scale * a[i] * a[j];
}

/* The tangent without the part of mean dilatations, which couples the whole element. */
static void point_tangent(const fem_state *fem, const fem_work *work, uint32_t element, int point, double per_s,
                          bool definite, double tangent[9][9]) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const fem_response *at = &work->at[point];
  for (int a = 0; a < 9; ++a)
    for (int b = 0; b < 9; ++b) tangent[a][b] = at->tangent[a][b] + work->pressure[point] * at->hessian[a][b];
  if (fem->relaxed && !at->small) subtract_relaxed(fem->relaxed + 6 * fem_point(fem, element, point), tangent);
  add_square(at->gradient, work->material->bulk_here, tangent);
  if (definite) fem_make_definite(tangent);
  const double viscous = per_s * fem->damping_s;
  if (!(viscous > 0)) return;
  add_viscous(at->small ? unit : work->f[point], viscous * work->material->mu, tangent);
  add_square(at->gradient, viscous * work->material->bulk_here, tangent);
  double slope[9];
  if (work->material->fibre_mpa > 0 && syn_fem_fibre_strain(work->material, work->f[point], slope) >= 0)
    add_square(slope, viscous * work->material->fibre_mpa, tangent);
}

/* ---- one element ---------------------------------------------------------------------------------------------------
 */

static void add_point(const double tangent[9][9], const double (*gradients)[3], double weight, int n,
                      fem_matrix *matrix) {
#if SYN_AVX2
  if (syn_has_avx2()) {
    syn_fem_add_point_avx2(tangent, gradients, weight, n, matrix);
    return;
  }
#endif
  syn_fem_add_point_portable(tangent, gradients, weight, n, matrix);
}

/* The derivative of the mean dilatation is direction_a . dx_a / volume. */
static void add_mean(const fem_state *fem, const fem_work *work, uint32_t element, double bulk, fem_matrix *matrix) {
  const int n = fem->element->node_count;
  double direction[FEM_NODES][3] = {{0}};
  for (int q = 0; q < fem->element->point_count; ++q) {
    const double(*gradients)[3] = fem_gradients_at(fem, element, q);
    const double *slope = work->at[q].gradient, weight = fem->weights[fem_point(fem, element, q)];
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i)
        direction[a][i] += weight * (slope[3 * i] * gradients[a][0] + slope[3 * i + 1] * gradients[a][1] +
                                     slope[3 * i + 2] * gradients[a][2]);
  }
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < 3; ++i) {
      const double scale = bulk / work->volume * direction[a][i];
      for (int k = 0; k < 3; ++k)
        for (int b = a; b < n; ++b) matrix->of[a][i][k][b] += scale * direction[b][k];
    }
}

static void add_blocks(const fem_state *fem, uint32_t element, const fem_matrix *matrix, double (*blocks)[9]) {
  const int n = fem->element->node_count;
  const uint32_t *nodes = fem_nodes_of(fem, element);
  const uint32_t *slot = fem->slots + (size_t)element * (size_t)(n * (n + 1) / 2);
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b) {
      double *to = blocks[*slot++];
      const int row = nodes[a] > nodes[b] ? 1 : 3, column = 4 - row; /* below the diagonal: transposed */
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) to[row * i + column * k] += matrix->of[a][i][k][b];
    }
}

void syn_fem_stiffness(const void *state, const syn_vec3 *x, double per_s, bool definite, double (*blocks)[9]) {
  const fem_state *fem = state;
  const fem_element *kind = fem->element;
  const size_t block_count = syn_block_count(fem->pattern);
  memset(blocks, 0, block_count * sizeof *blocks);
  for (uint32_t n = 0; n < fem_counted(fem); ++n) {
    const uint32_t e = fem_counted_at(fem, n);
    fem_work work;
    fem_matrix matrix;
    double tangent[9][9];
    memset(matrix.of, 0, (size_t)kind->node_count * sizeof *matrix.of);
    syn_fem_evaluate(fem, e, x, NULL, FEM_TANGENT, &work);
    for (int q = 0; q < kind->point_count; ++q) {
      point_tangent(fem, &work, e, q, per_s, definite, tangent);
      add_point((const double(*)[9])tangent, fem_gradients_at(fem, e, q), fem->weights[fem_point(fem, e, q)],
                kind->node_count, &matrix);
    }
    const double bulk = work.material->bulk_mean;
    if (bulk > 0) add_mean(fem, &work, e, bulk * (1 + per_s * fem->damping_s), &matrix);
    add_blocks(fem, e, &matrix, blocks);
  }
  const double drag = per_s * fem->damping_per_s;
  if (!(drag > 0)) return;
  for (uint32_t row = 0; row < fem->node_count; ++row) {
    const uint32_t start = fem->pattern->row_start[row], end = fem->pattern->row_start[row + 1];
    for (uint32_t k = start; k < (fem->soft->consistent_mass ? end : start + 1); ++k)
      for (int i = 0; i < 9; i += 4)
        blocks[k][i] += drag * (fem->soft->consistent_mass ? fem->soft->consistent_mass[k] : fem->soft->mass[row]);
  }
}

/* Linear tetrahedra: forces, four at a time, and constraints of XPBD. */
#include <math.h>

#include "base/simd.h"
#include "base/vec.h"
#include "tissue/fem/fem.h"

/* ==== forces ====================================================================================================== */

/* Linear tetrahedra for the force loop: their data in lanes, and the portable loop. */

#define LANES_INLINE __attribute__((always_inline)) static inline
#define LANES_FUNCTION
#define LANES_NAME syn_fem_tets_force_portable
#include "tissue/fem/tets_lanes.h"

syn_status syn_fem_make_tets(fem_state *fem, syn_error *error) {
  const size_t count = fem_batches(fem);
  SYN_TRY(SYN_NEW(fem->context, &fem->tets, count, error));
  for (size_t i = 0; i < count * FEM_LANES; ++i) {
    const bool real = i < fem->element_count;
    const uint32_t element = real ? (uint32_t)i : fem->element_count - 1;
    const double(*gradients)[3] = fem_gradients_at(fem, element, 0);
    fem_tets *tets = &fem->tets[i / FEM_LANES];
    const size_t lane = i % FEM_LANES;
    for (int k = 0; k < 9; ++k) tets->inverse[k][lane] = gradients[1 + k / 3][k % 3];
    for (int a = 0; a < 4; ++a) tets->node[a][lane] = fem_nodes_of(fem, element)[a];
    tets->volume[lane] = real ? fem->weights[element] : 0;
  }
  return SYN_OK;
}

void syn_fem_tets_force(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f) {
#if SYN_AVX2
  if (syn_has_avx2()) {
    syn_fem_tets_force_avx2(fem, x, f);
    return;
  }
#endif
  syn_fem_tets_force_portable(fem, x, f);
}

/* ==== constraints ================================================================================================= */

/* Linear tetrahedra as constraints of XPBD (Macklin et al. 2016). The corotational energy (fem_laws.c) is half the
 * square of two constraints over their compliances,
 *   C1 = |dev S|, 1 / (2 mu V),   C2 = trace S - 3, 1 / (bulk V),   S = R^T F.
 * Unlike those of the neo-Hookean law (Macklin and Mueller 2021) both vanish at rest, so that a body at rest stays
 * there after any number of sweeps. Fibres add a third one that only pulls. Whatever law the body has, XPBD uses this
 * one: all laws agree for small strains. */

typedef struct tet {
  const double (*gradients)[3];
  const uint32_t *nodes;
  const double *inverse_mass;
  syn_vec3 *x;
} tet;

static void deformation(const tet *t, double f[9]) {
  const syn_vec3 first = t->x[t->nodes[0]];
  for (int i = 0; i < 9; ++i) f[i] = 0;
  for (int a = 1; a < 4; ++a) {
    const syn_vec3 d = vec3_sub(t->x[t->nodes[a]], first);
    const double *g = t->gradients[a];
    for (int j = 0; j < 3; ++j) f[j] += d.x * g[j], f[3 + j] += d.y * g[j], f[6 + j] += d.z * g[j];
  }
}

/* Solves one constraint of this value and derivative by F; the multiplier stays below `most`. */
static void solve(const tet *t, double value, const double slope[9], double compliance, double most, double *lambda) {
  syn_vec3 direction[4];
  double sum = compliance;
  for (int a = 0; a < 4; ++a) {
    const double *g = t->gradients[a];
    direction[a] =
        vec3(slope[0] * g[0] + slope[1] * g[1] + slope[2] * g[2], slope[3] * g[0] + slope[4] * g[1] + slope[5] * g[2],
             slope[6] * g[0] + slope[7] * g[1] + slope[8] * g[2]);
    sum += t->inverse_mass[t->nodes[a]] * vec3_length2(direction[a]);
  }
  if (!(sum > 0)) return;
  const double wanted = *lambda + (-value - compliance * *lambda) / sum, next = wanted < most ? wanted : most;
  for (int a = 0; a < 4; ++a) {
    syn_vec3 *x = &t->x[t->nodes[a]];
    *x = vec3_madd(*x, t->inverse_mass[t->nodes[a]] * (next - *lambda), direction[a]);
  }
  *lambda = next;
}

/* Without a change of shape the gradient has no direction. */
static void solve_shape(const tet *t, double compliance, double *lambda) {
  double f[9], r[9], slope[9], square = 0;
  deformation(t, f);
  const double mean = syn_fem_polar(f, r) / 3;
  for (int i = 0; i < 9; ++i) {
    slope[i] = f[i] - mean * r[i];
    square += slope[i] * slope[i];
  }
  const double value = sqrt(square);
  if (!(value > 1e-12)) return;
  for (int i = 0; i < 9; ++i) slope[i] /= value;
  solve(t, value, slope, compliance, INFINITY, lambda);
}

static void solve_volume(const tet *t, double compliance, double *lambda) {
  double f[9], r[9];
  deformation(t, f);
  const double value = syn_fem_polar(f, r) - 3;
  solve(t, value, r, compliance, INFINITY, lambda);
}

static void solve_fibre(const tet *t, const double a[3], double compliance, double *lambda) {
  double f[9], along[3], slope[9];
  deformation(t, f);
  for (int i = 0; i < 3; ++i) along[i] = f[3 * i] * a[0] + f[3 * i + 1] * a[1] + f[3 * i + 2] * a[2];
  for (int i = 0; i < 9; ++i) slope[i] = along[i / 3] * a[i % 3];
  const double strain = (along[0] * along[0] + along[1] * along[1] + along[2] * along[2] - 1) / 2;
  solve(t, strain, slope, compliance, 0, lambda);
}

uint32_t syn_fem_constraints_per_tet(const fem_state *fem) { return fem->material.fibre_mpa > 0 ? 3 : 2; }

void syn_fem_project(const void *state, double step_s, const double *inverse_mass, syn_vec3 *x, double *lambda) {
  const fem_state *fem = state;
  const fem_material *m = &fem->material;
  const double per_step2 = 1 / (step_s * step_s);
  const uint32_t each = syn_fem_constraints_per_tet(fem);
  for (uint32_t e = 0; e < fem->element_count; ++e, lambda += each) {
    const double per = per_step2 / fem->weights[e];
    const tet t = {fem_gradients_at(fem, e, 0), fem_nodes_of(fem, e), inverse_mass, x};
    solve_shape(&t, per / (2 * m->mu), &lambda[0]);
    solve_volume(&t, per / m->bulk, &lambda[1]);
    if (each == 3) solve_fibre(&t, m->fibre, per / m->fibre_mpa, &lambda[2]);
  }
}

/* The force loop of linear tetrahedra, four in lanes. Included by tets.c and tets_avx2.c, which define LANES_INLINE
 * and LANES_FUNCTION: the same operations in the same order, so that the bits agree. Lanes are independent: an
 * element gives the same force beside any others. */
#include <math.h>
#include <stdint.h>

#include "tissue/fem/fem.h"

typedef double double4 __attribute__((vector_size(32)));
typedef int64_t long4 __attribute__((vector_size(32)));
/* Four consecutive numbers in memory. */
typedef double memory4 __attribute__((vector_size(32), aligned(8), may_alias));
_Static_assert(FEM_LANES == 4, "as the registers");

/* ---- loading and storing -------------------------------------------------------------------------------------------
 */

#ifndef LANES_LOAD
#define LANES_LOAD load_node
LANES_INLINE void load_node(const syn_vec3 *x, const uint32_t node[4], double4 out[3]) {
  const syn_vec3 *a = &x[node[0]], *b = &x[node[1]], *c = &x[node[2]], *d = &x[node[3]];
  out[0] = (double4){a->x, b->x, c->x, d->x};
  out[1] = (double4){a->y, b->y, c->y, d->y};
  out[2] = (double4){a->z, b->z, c->z, d->z};
}
#endif

/* Deformation gradients of four elements. */
LANES_INLINE void lanes_deformation(const fem_tets *tets, const syn_vec3 *x, double4 inverse[9], double4 f[9]) {
  double4 corner[4][3];
  for (int a = 0; a < 4; ++a) LANES_LOAD(x, tets->node[a], corner[a]);
  for (int i = 0; i < 9; ++i) inverse[i] = *(const memory4 *)tets->inverse[i];
  for (int i = 0; i < 3; ++i) {
    const double4 u = corner[1][i] - corner[0][i], v = corner[2][i] - corner[0][i], w = corner[3][i] - corner[0][i];
    for (int j = 0; j < 3; ++j) f[3 * i + j] = u * inverse[j] + v * inverse[3 + j] + w * inverse[6 + j];
  }
}

/* One lane after the other, since elements may share nodes. */
LANES_INLINE void lanes_subtract(const fem_tets *tets, double4 stress[9], const double4 inverse[9], syn_vec3 *f) {
  double out[4][3][4];
  const double4 volume = *(const memory4 *)tets->volume;
  for (int i = 0; i < 3; ++i) {
    double4 sum = {0, 0, 0, 0};
    for (int k = 0; k < 3; ++k) {
      const double4 *g = &inverse[3 * k];
      const double4 force = volume * (stress[3 * i] * g[0] + stress[3 * i + 1] * g[1] + stress[3 * i + 2] * g[2]);
      *(memory4 *)out[k + 1][i] = force;
      sum += force;
    }
    *(memory4 *)out[0][i] = -sum;
  }
  for (int lane = 0; lane < 4; ++lane)
    for (int a = 0; a < 4; ++a) {
      syn_vec3 *to = &f[tets->node[a][lane]];
      to->x -= out[a][0][lane];
      to->y -= out[a][1][lane];
      to->z -= out[a][2][lane];
    }
}

/* ---- invariants ----------------------------------------------------------------------------------------------------
 */

LANES_INLINE void lanes_cofactor(const double4 f[9], double4 c[9]) {
  c[0] = f[4] * f[8] - f[5] * f[7], c[1] = f[5] * f[6] - f[3] * f[8], c[2] = f[3] * f[7] - f[4] * f[6];
  c[3] = f[2] * f[7] - f[1] * f[8], c[4] = f[0] * f[8] - f[2] * f[6], c[5] = f[1] * f[6] - f[0] * f[7];
  c[6] = f[1] * f[5] - f[2] * f[4], c[7] = f[2] * f[3] - f[0] * f[5], c[8] = f[0] * f[4] - f[1] * f[3];
}

LANES_INLINE void lanes_norm2(const double4 a[9], double4 *out) {
  double4 sum = a[0] * a[0];
  for (int i = 1; i < 9; ++i) sum += a[i] * a[i];
  *out = sum;
}

LANES_INLINE void lanes_sqrt(const double4 *a, double4 *out) {
  for (int i = 0; i < 4; ++i) (*out)[i] = sqrt((*a)[i]);
}

/* Tests whether any lane of a comparison is set. */
#ifndef LANES_ANY
#define LANES_ANY lanes_any
LANES_INLINE int lanes_any(const long4 *mask) { return ((*mask)[0] | (*mask)[1] | (*mask)[2] | (*mask)[3]) != 0; }
#endif

/* ---- rotation: see fem_laws.c
 * -----------------------------------------------------------------------------------------
 */

/* Of two batches: the latency of one's divisions is used for the other. */
typedef struct lanes_stretch {
  double4 f[9], cofactor[9];
  double4 norm2, determinant, trace; /* of the stretch: the sum of its principal values */
} lanes_stretch;

LANES_INLINE void lanes_begin_root(lanes_stretch *s, double4 *four) {
  double4 cofactor2;
  lanes_cofactor(s->f, s->cofactor);
  lanes_norm2(s->f, &s->norm2);
  lanes_norm2(s->cofactor, &cofactor2);
  s->determinant = s->f[0] * s->cofactor[0] + s->f[1] * s->cofactor[1] + s->f[2] * s->cofactor[2];
  *four = 4 * cofactor2;
  const double4 three = 3 * s->norm2;
  lanes_sqrt(&three, &s->trace);
}

LANES_INLINE void lanes_step(lanes_stretch *s, const double4 *four, long4 *moves) {
  const double4 t = s->trace, t2 = t * t, square = t2 - s->norm2, eight = 8 * s->determinant;
  const double4 value = square * square - eight * t - *four, slope = 4 * t * square - eight;
  const double4 step = 2 * value * slope / (2 * slope * slope - value * (12 * t2 - 4 * s->norm2));
  s->trace -= (double4)(*moves & (long4)step);
  *moves &= step > 1e-5 * s->trace;
}

LANES_INLINE void lanes_roots(lanes_stretch s[2]) {
  double4 four[2];
  long4 moves[2] = {{-1, -1, -1, -1}, {-1, -1, -1, -1}}, any = moves[0];
  for (int k = 0; k < 2; ++k) lanes_begin_root(&s[k], &four[k]);
  for (int i = 0; i < 40 && LANES_ANY(&any); ++i) {
    for (int k = 0; k < 2; ++k) lanes_step(&s[k], &four[k], &moves[k]);
    any = moves[0] | moves[1];
  }
}

/* Lanes in which the closed form loses digits. */
LANES_INLINE void lanes_rare(const long4 *rare, const double4 f[9], double4 r[9], double4 *t) {
  for (int lane = 0; lane < 4; ++lane) {
    if (!(*rare)[lane]) continue;
    double one[9], turn[9];
    for (int i = 0; i < 9; ++i) one[i] = f[i][lane];
    (*t)[lane] = syn_fem_polar_by_eigenvectors(one, turn);
    for (int i = 0; i < 9; ++i) r[i][lane] = turn[i];
  }
}

LANES_INLINE void lanes_rotation(lanes_stretch *of, double4 r[9]) {
  double4 size;
  const double4 *f = of->f, t = of->trace;
  const double4 denominator = t * (t * t - of->norm2) - 2 * of->determinant;
  lanes_sqrt(&of->norm2, &size);
  const long4 rare = ~(denominator > FEM_POLAR_LEAST * of->norm2 * size);
  const double4 inverse = 1 / denominator;
  const double4 of_f = (t * t + of->norm2) * inverse, of_c = 2 * t * inverse, of_cubic = -2 * inverse;
  double4 s[9]; /* (F^T F) * -2 / denominator + what goes with F */
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      s[3 * i + j] = s[3 * j + i] = of_cubic * (f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j]);
  for (int i = 0; i < 3; ++i) s[4 * i] += of_f;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r[3 * i + j] =
          f[3 * i] * s[j] + f[3 * i + 1] * s[3 + j] + f[3 * i + 2] * s[6 + j] + of_c * of->cofactor[3 * i + j];
  if (LANES_ANY(&rare)) lanes_rare(&rare, of->f, r, &of->trace);
}

/* ---- stresses: the laws of fem_laws.c
 * -----------------------------------------------------------------------------------
 */

LANES_INLINE void lanes_corotational(const fem_material *m, lanes_stretch *of, double4 stress[9]) {
  double4 r[9];
  lanes_rotation(of, r);
  const double twice = 2 * m->mu;
  const double4 of_r = m->lambda * (of->trace - 3) - twice;
  for (int i = 0; i < 9; ++i) stress[i] = twice * of->f[i] + of_r * r[i];
}

LANES_INLINE void lanes_linear(const fem_material *m, const double4 f[9], double4 stress[9]) {
  const double4 pressure = m->lambda * (f[0] + f[4] + f[8] - 3);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) stress[3 * i + j] = m->mu * (f[3 * i + j] + f[3 * j + i]);
  for (int i = 0; i < 3; ++i) stress[4 * i] += pressure - 2 * m->mu;
}

LANES_INLINE void lanes_neo_hookean(const fem_material *m, const double4 f[9], double4 stress[9]) {
  double4 c[9];
  lanes_cofactor(f, c);
  const double4 determinant = f[0] * c[0] + f[1] * c[1] + f[2] * c[2];
  const double4 pressure = (m->lambda + m->mu) * (determinant - 1) - m->mu;
  for (int i = 0; i < 9; ++i) stress[i] = m->mu * f[i] + pressure * c[i];
}

LANES_INLINE void lanes_fibres(const fem_material *m, const double4 f[9], double4 stress[9]) {
  double4 along[3];
  lanes_neo_hookean(m, f, stress);
  for (int i = 0; i < 3; ++i)
    along[i] = f[3 * i] * m->fibre[0] + f[3 * i + 1] * m->fibre[1] + f[3 * i + 2] * m->fibre[2];
  const double4 strain = (along[0] * along[0] + along[1] * along[1] + along[2] * along[2] - 1) / 2;
  const double4 tension = m->fibre_mpa * (double4)((strain >= 0) & (long4)strain);
  for (int i = 0; i < 9; ++i) stress[i] += tension * along[i / 3] * m->fibre[i % 3];
}

/* ---- the loop ------------------------------------------------------------------------------------------------------
 */

/* The number of batches is even. */
LANES_INLINE void lanes_turning_loop(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f) {
  const fem_tets *tets = fem->tets, *end = tets + fem_batches(fem);
  for (; tets < end; tets += 2) {
    double4 inverse[2][9], stress[9];
    lanes_stretch of[2];
    for (int k = 0; k < 2; ++k) lanes_deformation(&tets[k], x, inverse[k], of[k].f);
    lanes_roots(of);
    for (int k = 0; k < 2; ++k) {
      lanes_corotational(&fem->material, &of[k], stress);
      lanes_subtract(&tets[k], stress, inverse[k], f);
    }
  }
}

LANES_INLINE void lanes_loop(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f, syn_law law) {
  const fem_tets *tets = fem->tets, *end = tets + fem_batches(fem);
  for (; tets < end; ++tets) {
    double4 inverse[9], gradient[9], stress[9];
    lanes_deformation(tets, x, inverse, gradient);
    if (law == SYN_LAW_LINEAR) lanes_linear(&fem->material, gradient, stress);
    if (law == SYN_LAW_NEO_HOOKEAN) lanes_neo_hookean(&fem->material, gradient, stress);
    if (law == SYN_LAW_FIBRES) lanes_fibres(&fem->material, gradient, stress);
    lanes_subtract(tets, stress, inverse, f);
  }
}

/* One loop for each law, without branches on the law in it. */
LANES_FUNCTION void LANES_NAME(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f) {
  switch (fem->law_name) {
  case SYN_LAW_COROTATIONAL: lanes_turning_loop(fem, x, f); break;
  case SYN_LAW_LINEAR: lanes_loop(fem, x, f, SYN_LAW_LINEAR); break;
  case SYN_LAW_NEO_HOOKEAN: lanes_loop(fem, x, f, SYN_LAW_NEO_HOOKEAN); break;
  case SYN_LAW_FIBRES: lanes_loop(fem, x, f, SYN_LAW_FIBRES); break;
  case SYN_LAWS: break;
  }
}

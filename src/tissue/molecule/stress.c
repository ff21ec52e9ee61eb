/* Computes stress and strain at molecules.
 *
 * Stress is the virial of the springs that end in a molecule, half of each, over its part of the present volume:
 * Maciel's force by area (2005, Eq. 3.3, §5.4.1) with directions. Strain is the relative elongation of Eq. 3.4 in every
 * direction, U - 1, where U is the stretch of a molecule's neighbours from rest to their present positions. */
#include <string.h>

#include "geometry/small_matrix.h"
#include "tissue/molecule/molecule.h"

typedef double matrix3[3][3];

/* Computes the deformation gradient that fits the neighbours best. Directions that no neighbour spans are
 * undeformed. */
static void deformation(const molecules *m, const syn_vec3 *x, uint32_t i, matrix3 gradient) {
  double moments[4][4] = {{0}}, values[4], vectors[4][4], mixed[3][3] = {{0}};
  for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
    const syn_vec3 a = vec3_sub(m->rest[m->other[s]], m->rest[i]), b = vec3_sub(x[m->other[s]], x[i]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        moments[r][c] += vec3_at(a, r) * vec3_at(a, c);
        mixed[r][c] += vec3_at(b, r) * vec3_at(a, c);
      }
  }
  syn_symmetric_eigen(moments, 3, values, vectors);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) gradient[r][c] = r == c;
  for (int k = 0; k < 3; ++k) {
    if (!(values[k] > 1e-9 * values[2])) continue;
    for (int r = 0; r < 3; ++r) {
      const double moved =
          (mixed[r][0] * vectors[k][0] + mixed[r][1] * vectors[k][1] + mixed[r][2] * vectors[k][2]) / values[k];
      for (int c = 0; c < 3; ++c) gradient[r][c] += (moved - vectors[k][r]) * vectors[k][c];
    }
  }
}

static double determinant(matrix3 a) {
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

static syn_sym3 stretch_less_one(matrix3 f) {
  double squared[4][4] = {{0}}, values[4], v[4][4];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k) squared[r][c] += f[k][r] * f[k][c];
  syn_symmetric_eigen(squared, 3, values, v);
  syn_sym3 e = {0};
  for (int k = 0; k < 3; ++k) {
    const double strain = sqrt(max2(values[k], 0)) - 1;
    e.xx += strain * v[k][0] * v[k][0];
    e.yy += strain * v[k][1] * v[k][1];
    e.zz += strain * v[k][2] * v[k][2];
    e.xy += strain * v[k][0] * v[k][1];
    e.yz += strain * v[k][1] * v[k][2];
    e.zx += strain * v[k][2] * v[k][0];
  }
  return e;
}

/* Σ (half of the springs' tension + that of this molecule's modes) r n n, N mm. */
static syn_sym3 virial(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, uint32_t i) {
  double strain[STRAIN_MODES] = {0};
  syn_tensor sum = {{0}}, by_mode[STRAIN_MODES] = {{{0}}};
  for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
    const syn_vec3 d = vec3_sub(x[m->other[s]], x[i]);
    const double r = spring_length(d);
    double e = r - m->no_force[s];
    if (v) e += m->damping_s * vec3_dot(vec3_sub(v[m->other[s]], v[i]), d) / r;
    tensor_add(&sum, m->stiffness[s] * e / (2 * r), d);
    for (int k = 0; k < m->mode_count; ++k) {
      strain[k] += m->modes[k].own[s] * e;
      tensor_add(&by_mode[k], m->modes[k].own[s] / r, d);
    }
  }
  for (int k = 0; k < m->mode_count; ++k)
    for (int c = 0; c < 6; ++c) sum.e[c] += m->modes[k].stiffness[i] * strain[k] * by_mode[k].e[c];
  return (syn_sym3){sum.e[0], sum.e[1], sum.e[2], sum.e[3], sum.e[4], sum.e[5]};
}

void syn_molecule_stress(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress, syn_sym3 *strain) {
  const molecules *m = state;
  for (uint32_t i = 0; i < m->count; ++i) {
    matrix3 f;
    deformation(m, x, i, f);
    if (strain) strain[i] = stretch_less_one(f);
    if (!stress) continue;
    const double grown = determinant(f), volume = m->volume[i] * (grown > 0 ? grown : 1);
    syn_sym3 w = virial(m, x, v, i);
    stress[i] = (syn_sym3){w.xx / volume, w.yy / volume, w.zz / volume, w.xy / volume, w.yz / volume, w.zx / volume};
  }
}

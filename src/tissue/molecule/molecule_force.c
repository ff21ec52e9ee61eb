/* Forces between molecules (Maciel 2005, Eq. 3.6 to 3.16, without gravity and collisions, which act on all soft bodies
 * alike), their energy, and relaxation.
 *
 * Damping (3.12) acts as if a spring were longer by damping_s times the speed of its elongation. Springs and strain
 * modes are then damped by the same formula. */
#include <string.h>

#include "base/simd.h"
#include "geometry/small_matrix.h"
#include "tissue/molecule/molecule.h"

/* ---- portable kernels: four running sums, as vector units have them -------------------------------------------------
 */

/* (a0 + a2) + (a1 + a3). */
static double sum_lanes(const double lanes[LANES]) { return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]); }

/* Returns the elongation of a slot, including that of damping; and 1 / length. */
static double elongation(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, uint32_t i, uint32_t s, syn_vec3 *d,
                         double *inverse) {
  *d = vec3_sub(x[m->other[s]], x[i]);
  const double square = max2(vec3_length2(*d), 1e-300), r = sqrt(square);
  *inverse = r * (1 / square);
  double e = r - m->no_force[s];
  if (v) e += m->damping_s * (vec3_dot(vec3_sub(v[m->other[s]], v[i]), *d) * *inverse);
  return e;
}

static void mode_forces(const molecules *m, const syn_vec3 *x, const syn_vec3 *v) {
  for (uint32_t i = 0; i < m->count; ++i) {
    double sums[STRAIN_MODES][LANES] = {0};
    for (uint32_t s = m->row[i]; s < m->row[i + 1]; ++s) {
      syn_vec3 d;
      double inverse;
      const double e = elongation(m, x, v, i, s, &d, &inverse);
      for (int k = 0; k < m->mode_count; ++k) sums[k][s % LANES] += m->modes[k].own[s] * e;
    }
    for (int k = 0; k < m->mode_count; ++k)
      m->mode_force[(size_t)k * m->count + i] = m->modes[k].stiffness[i] * sum_lanes(sums[k]);
  }
}

void syn_molecule_mode_forces(const molecules *m, const syn_vec3 *x) { mode_forces(m, x, NULL); }

void syn_molecule_springs(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  if (m->mode_count) mode_forces(m, x, v);
  for (uint32_t i = 0; i < m->count; ++i) {
    double fx[LANES] = {0}, fy[LANES] = {0}, fz[LANES] = {0};
    for (uint32_t s = m->row[i]; s < m->row[i + 1]; ++s) {
      syn_vec3 d;
      double inverse;
      double tension = m->stiffness[s] * elongation(m, x, v, i, s, &d, &inverse);
      for (int k = 0; k < m->mode_count; ++k) {
        const double *force = m->mode_force + (size_t)k * m->count;
        tension += force[i] * m->modes[k].own[s] + force[m->other[s]] * m->modes[k].mirror[s];
      }
      const double scale = tension * inverse;
      fx[s % LANES] += scale * d.x;
      fy[s % LANES] += scale * d.y;
      fz[s % LANES] += scale * d.z;
    }
    f[i] = vec3_add(f[i], vec3(sum_lanes(fx), sum_lanes(fy), sum_lanes(fz)));
  }
}

/* ---- forces of velocities -------------------------------------------------------------------------------------------
 */

/* Sliding friction of one slot (3.13): mu times the force along the spring, against the motion across it. */
static syn_vec3 slot_friction(const molecules *m, const syn_vec3 *x, const syn_vec3 *v, uint32_t i, uint32_t s) {
  syn_vec3 d;
  double inverse;
  const double normal = m->stiffness[s] * elongation(m, x, v, i, s, &d, &inverse);
  const syn_vec3 n = vec3_scale(d, inverse), speed = vec3_sub(v[i], v[m->other[s]]);
  const syn_vec3 across = vec3_sub(speed, vec3_scale(n, vec3_dot(speed, n)));
  return vec3_scale(vec3_unit(across), -fabs(m->friction * normal));
}

/* Drag of the surrounding medium (3.8), and damping by mass. */
static syn_vec3 drag(const molecules *m, uint32_t i, syn_vec3 v) {
  const double area = SYN_PI * m->radius[i] * m->radius[i];
  return vec3_scale(v, -(area * m->medium * vec3_length(v) + m->damping_per_s * m->mass[i]));
}

void syn_molecule_force(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  const molecules *m = state;
  const syn_vec3 *damped = m->damping_s > 0 ? v : NULL;
#if SYN_AVX2
  if (syn_has_avx2())
    syn_molecule_springs_avx2(m, x, damped, f);
  else
#endif
    syn_molecule_springs(m, x, damped, f);
  if (v && m->friction > 0)
    for (uint32_t i = 0; i < m->count; ++i)
      for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s)
        f[i] = vec3_add(f[i], slot_friction(m, x, v, i, s));
  if (v && (m->medium > 0 || m->damping_per_s > 0))
    for (uint32_t i = 0; i < m->count; ++i) f[i] = vec3_add(f[i], drag(m, i, v[i]));
}

/* ---- energy ---------------------------------------------------------------------------------------------------------
 */

double syn_molecule_energy(const void *state, const syn_vec3 *x) {
  const molecules *m = state;
  double sum = 0;
  for (uint32_t i = 0; i < m->count; ++i) {
    double strain[STRAIN_MODES] = {0};
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
      const double e = spring_length(vec3_sub(x[m->other[s]], x[i])) - m->no_force[s];
      if (m->other[s] > i) sum += m->stiffness[s] * e * e / 2;
      for (int k = 0; k < m->mode_count; ++k) strain[k] += m->modes[k].own[s] * e;
    }
    for (int k = 0; k < m->mode_count; ++k) sum += m->modes[k].stiffness[i] * strain[k] * strain[k] / 2;
  }
  return sum;
}

/* ==== stress ====================================================================================================== */

/* Computes stress and strain at molecules.
 *
 * Stress is the virial of the springs that end in a molecule, half of each, over its part of the present volume:
 * Maciel's force by area (2005, Eq. 3.3, §5.4.1) with directions. Strain is the relative elongation of Eq. 3.4 in every
 * direction, U - 1, where U is the stretch of a molecule's neighbours from rest to their present positions. */

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

/* The tangent stiffness of molecules: as blocks, as a product, and as constraints for XPBD.
 *
 * A spring under tension T has k n n + T / r (1 - n n); a strain mode has its stiffness times the dyad of its gradient,
 * and its force times own as additional tension. Negative tensions and negative modes make the tangent
 * indefinite: a definite one omits them. */
#include <string.h>

#include "tissue/molecule/molecule.h"

static slot_tangent tangent_of(const molecules *m, const syn_vec3 *x, uint32_t i, uint32_t s, bool definite) {
  const syn_vec3 d = vec3_sub(x[m->other[s]], x[i]);
  const double r = spring_length(d);
  double tension = m->stiffness[s] * (r - m->no_force[s]);
  for (int k = 0; k < m->mode_count; ++k) {
    const double *force = m->mode_force + (size_t)k * m->count;
    tension += force[i] * m->modes[k].own[s] + force[m->other[s]] * m->modes[k].mirror[s];
  }
  if (definite) tension = max2(tension, 0);
  return (slot_tangent){vec3_scale(d, 1 / r), m->stiffness[s], tension / r};
}

static double mode_stiffness(const molecules *m, int k, uint32_t i, bool definite) {
  return definite ? max2(m->modes[k].stiffness[i], 0) : m->modes[k].stiffness[i];
}

/* ---- the product ----------------------------------------------------------------------------------------------------
 */

void syn_molecule_tangents(const molecules *m, const syn_vec3 *x, bool definite, slot_tangent *tangents) {
  if (m->mode_count) syn_molecule_mode_forces(m, x);
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) tangents[s] = tangent_of(m, x, i, s, definite);
}

/* Computes the changes of the mode forces while the molecules move by u. */
static void mode_changes(const molecules *m, const slot_tangent *tangents, bool definite, const syn_vec3 *u,
                         double *change) {
  for (uint32_t i = 0; i < m->count; ++i) {
    double sum[STRAIN_MODES] = {0};
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
      const double e = vec3_dot(tangents[s].n, vec3_sub(u[m->other[s]], u[i]));
      for (int k = 0; k < m->mode_count; ++k) sum[k] += m->modes[k].own[s] * e;
    }
    for (int k = 0; k < m->mode_count; ++k)
      change[(size_t)k * m->count + i] = mode_stiffness(m, k, i, definite) * sum[k];
  }
}

void syn_molecule_apply(const molecules *m, const slot_tangent *tangents, bool definite, const syn_vec3 *u,
                        syn_vec3 *y) {
  double *change = m->mode_force + (size_t)m->mode_count * m->count;
  if (m->mode_count) mode_changes(m, tangents, definite, u, change);
  for (uint32_t i = 0; i < m->count; ++i) {
    syn_vec3 sum = {0, 0, 0};
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
      const slot_tangent *t = &tangents[s];
      const syn_vec3 apart = vec3_sub(u[i], u[m->other[s]]);
      double along = (t->along - t->across) * vec3_dot(apart, t->n);
      for (int k = 0; k < m->mode_count; ++k) {
        const double *c = change + (size_t)k * m->count;
        along -= c[i] * m->modes[k].own[s] + c[m->other[s]] * m->modes[k].mirror[s];
      }
      sum = vec3_add(sum, vec3_madd(vec3_scale(apart, t->across), along, t->n));
    }
    y[i] = sum;
  }
}

/* ---- blocks ---------------------------------------------------------------------------------------------------------
 */

static void dyad(syn_vec3 a, syn_vec3 b, double scale, double block[9]) {
  const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) block[3 * r + c] = scale * p[r] * q[c];
}

/* Adds a block at (row, column) of two molecules, or of one with itself. */
static void add_block(const syn_pattern *pattern, double (*blocks)[9], uint32_t row, uint32_t column,
                      const double block[9]) {
  const uint32_t slot = row < column ? syn_pattern_find(pattern, row, column) : syn_pattern_find(pattern, column, row);
  syn_block_add(blocks, slot, row > column, block);
}

static void add_spring(const molecules *m, const slot_tangent *t, double viscous, uint32_t i, uint32_t s,
                       const syn_pattern *pattern, double (*blocks)[9]) {
  double block[9];
  dyad(t->n, t->n, t->along * (1 + viscous) - t->across, block);
  for (int k = 0; k < 3; ++k) block[4 * k] += t->across;
  syn_block_add(blocks, pattern->row_start[i], false, block);
  syn_block_add(blocks, pattern->row_start[m->other[s]], false, block);
  for (int k = 0; k < 9; ++k) block[k] = -block[k];
  add_block(pattern, blocks, i, m->other[s], block);
}

/* The gradient of a mode of molecule i: on its slots, and the negative sum on the molecule. */
static syn_vec3 mode_gradient(const molecules *m, const syn_vec3 *x, int k, uint32_t i, uint32_t s) {
  const syn_vec3 d = vec3_sub(x[m->other[s]], x[i]);
  return vec3_scale(d, m->modes[k].own[s] / spring_length(d));
}

static void add_mode(const molecules *m, const syn_vec3 *x, int k, uint32_t i, double stiffness,
                     const syn_pattern *pattern, double (*blocks)[9]) {
  const uint32_t begin = m->row[i], end = begin + m->degree[i];
  syn_vec3 self = {0, 0, 0};
  double block[9];
  for (uint32_t a = begin; a < end; ++a) {
    const syn_vec3 ga = mode_gradient(m, x, k, i, a);
    self = vec3_sub(self, ga);
    for (uint32_t b = a; b < end; ++b) {
      dyad(ga, mode_gradient(m, x, k, i, b), stiffness, block);
      add_block(pattern, blocks, m->other[a], m->other[b], block);
    }
  }
  for (uint32_t a = begin; a < end; ++a) {
    dyad(self, mode_gradient(m, x, k, i, a), stiffness, block);
    add_block(pattern, blocks, i, m->other[a], block);
  }
  dyad(self, self, stiffness, block);
  add_block(pattern, blocks, i, i, block);
}

void syn_molecule_stiffness(const void *state, const syn_vec3 *x, double per_s, bool definite, double (*blocks)[9]) {
  const molecules *m = state;
  const double viscous = m->damping_s * per_s;
  memset(blocks, 0, syn_block_count(m->pattern) * sizeof *blocks);
  if (m->mode_count) syn_molecule_mode_forces(m, x);
  for (uint32_t i = 0; i < m->count; ++i) {
    const double by_mass = m->damping_per_s * m->mass[i] * per_s;
    for (int k = 0; k < 3; ++k) blocks[m->pattern->row_start[i]][4 * k] += by_mass;
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s)
      if (m->other[s] > i) {
        const slot_tangent t = tangent_of(m, x, i, s, definite);
        add_spring(m, &t, viscous, i, s, m->pattern, blocks);
      }
    for (int k = 0; k < m->mode_count; ++k) {
      const double stiffness = mode_stiffness(m, k, i, definite) * (1 + viscous);
      if (stiffness != 0) add_mode(m, x, k, i, stiffness, m->pattern, blocks);
    }
  }
}

/* ---- XPBD -----------------------------------------------------------------------------------------------------------
 */

/* One constraint per spring: its elongation, with the compliance 1 / k. */
static void project_spring(const molecules *m, double per_step2, const double *inverse_mass, uint32_t i, uint32_t s,
                           syn_vec3 *x, double *lambda) {
  const uint32_t j = m->other[s];
  const double weight = inverse_mass[i] + inverse_mass[j], compliance = per_step2 / m->stiffness[s];
  if (!(weight > 0) || !(m->stiffness[s] > 0)) return;
  const syn_vec3 d = vec3_sub(x[j], x[i]);
  const double r = spring_length(d), change = (-(r - m->no_force[s]) - compliance * *lambda) / (weight + compliance);
  *lambda += change;
  x[i] = vec3_madd(x[i], -inverse_mass[i] * change / r, d);
  x[j] = vec3_madd(x[j], inverse_mass[j] * change / r, d);
}

/* One constraint per strain mode: its strain, with the compliance 1 / stiffness. Negative modes cannot be constraints
 * and are left out: a body with Poisson's ratio below 1/4 is then a little stiffer. */
static void project_mode(const molecules *m, int k, double per_step2, const double *inverse_mass, uint32_t i,
                         syn_vec3 *x, double *lambda) {
  const double stiffness = m->modes[k].stiffness[i], *own = m->modes[k].own;
  if (!(stiffness > 0)) return;
  syn_vec3 self = {0, 0, 0};
  double strain = 0, weight = 0;
  for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
    const syn_vec3 gradient = mode_gradient(m, x, k, i, s);
    strain += own[s] * (vec3_distance(x[m->other[s]], x[i]) - m->no_force[s]);
    self = vec3_sub(self, gradient);
    weight += inverse_mass[m->other[s]] * vec3_length2(gradient);
  }
  weight += inverse_mass[i] * vec3_length2(self);
  if (!(weight > 0)) return;
  const double compliance = per_step2 / stiffness, change = (-strain - compliance * *lambda) / (weight + compliance);
  const syn_vec3 middle = x[i];
  *lambda += change;
  for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s) {
    const uint32_t j = m->other[s];
    const syn_vec3 d = vec3_sub(x[j], middle);
    x[j] = vec3_madd(x[j], inverse_mass[j] * change * own[s] / spring_length(d), d);
  }
  x[i] = vec3_madd(middle, inverse_mass[i] * change, self);
}

void syn_molecule_project(const void *state, double step_s, const double *inverse_mass, syn_vec3 *x, double *lambda) {
  const molecules *m = state;
  const double per_step2 = 1 / (step_s * step_s);
  for (uint32_t i = 0; i < m->count; ++i)
    for (uint32_t s = m->row[i]; s < m->row[i] + m->degree[i]; ++s)
      if (m->other[s] > i) project_spring(m, per_step2, inverse_mass, i, s, x, lambda++);
  for (int k = 0; k < m->mode_count; ++k)
    for (uint32_t i = 0; i < m->count; ++i) project_mode(m, k, per_step2, inverse_mass, i, x, lambda++);
}

/* Forces, energy, memory and stress of a body of finite elements. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/fem/fem.h"

/* ==== one element ================================================================================================= */

/* Computes the deformation of one element at its points, and the stress there. */

/* Gathers positions or velocities relative to the first node, so that no digits are lost far from the origin. */
static void gather(const fem_state *fem, uint32_t element, const syn_vec3 *from, double (*to)[3]) {
  const uint32_t *nodes = fem_nodes_of(fem, element);
  const syn_vec3 first = from[nodes[0]];
  for (int a = 0; a < fem->element->node_count; ++a) {
    const syn_vec3 p = from[nodes[a]];
    to[a][0] = p.x - first.x, to[a][1] = p.y - first.y, to[a][2] = p.z - first.z;
  }
}

/* Gradient by the rest positions of a field with these values at the nodes; the first of them is zero. */
static void gradient_of(const fem_state *fem, uint32_t element, int point, const double (*values)[3], double out[9]) {
  const double(*gradients)[3] = fem_gradients_at(fem, element, point);
  memset(out, 0, 9 * sizeof *out);
  for (int a = 1; a < fem->element->node_count; ++a)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out[3 * i + j] += values[a][i] * gradients[a][j];
}

static double mean_of(const fem_state *fem, uint32_t element, double volume, const double *values) {
  const double *weights = fem->weights + fem_point(fem, element, 0);
  double sum = 0;
  for (int q = 0; q < fem->element->point_count; ++q) sum += weights[q] * values[q];
  return sum / volume;
}

static void add_viscous_pressure(const fem_state *fem, uint32_t element, fem_work *work) {
  double rates[FEM_POINTS];
  for (int q = 0; q < fem->element->point_count; ++q) {
    gradient_of(fem, element, q, (const double(*)[3])work->v, work->rate[q]);
    rates[q] = m9_dot(work->at[q].gradient, work->rate[q]);
  }
  const double mean = mean_of(fem, element, work->volume, rates);
  for (int q = 0; q < fem->element->point_count; ++q)
    work->pressure[q] += fem->damping_s * (work->material->bulk_here * rates[q] + work->material->bulk_mean * mean);
}

static double elastic_pressure(const fem_work *work, int point) {
  return work->material->bulk_here * work->at[point].dilatation + work->material->bulk_mean * work->mean;
}

void syn_fem_evaluate(const fem_state *fem, uint32_t element, const syn_vec3 *x, const syn_vec3 *v, fem_depth depth,
                      fem_work *work) {
  double dilatations[FEM_POINTS];
  work->material = fem_material_of(fem, element);
  gather(fem, element, x, work->x);
  if (v) gather(fem, element, v, work->v);
  work->volume = 0;
  for (int q = 0; q < fem->element->point_count; ++q) {
    gradient_of(fem, element, q, (const double(*)[3])work->x, work->f[q]);
    fem->law(work->material, work->f[q], depth, &work->at[q]);
    dilatations[q] = work->at[q].dilatation;
    work->volume += fem->weights[fem_point(fem, element, q)];
  }
  work->mean = mean_of(fem, element, work->volume, dilatations);
  for (int q = 0; q < fem->element->point_count; ++q) work->pressure[q] = elastic_pressure(work, q);
  if (v && fem->damping_s > 0) add_viscous_pressure(fem, element, work);
}

void syn_fem_elastic_stress(const fem_work *work, int point, double stress[9]) {
  const fem_response *at = &work->at[point];
  const double pressure = elastic_pressure(work, point);
  for (int i = 0; i < 9; ++i) stress[i] = at->stress[i] + pressure * at->gradient[i];
}

/* Kelvin and Voigt's viscous stress without its pressure: 2 mu times damping_s times the rate of Green's
 * strain without its dilatation, as a second Piola-Kirchhoff stress. It dissipates energy in every motion but a
 * rigid one. */
static void add_viscous_shape(const fem_state *fem, const fem_work *work, int point, double stress[9]) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double *f = work->at[point].small ? unit : work->f[point];
  double rate[9], strain[9], turned[9];
  m9_transposed_multiply(f, work->rate[point], rate);
  const double mean = (rate[0] + rate[4] + rate[8]) / 3;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) strain[3 * i + j] = (rate[3 * i + j] + rate[3 * j + i]) / 2 - (i == j) * mean;
  m9_multiply(f, strain, turned);
  for (int i = 0; i < 9; ++i) stress[i] += 2 * fem->damping_s * work->material->mu * turned[i];
}

/* Taut fibres resist the rate of their strain in the same way. */
static void add_viscous_fibres(const fem_state *fem, const fem_work *work, int point, double stress[9]) {
  double slope[9];
  if (!(syn_fem_fibre_strain(work->material, work->f[point], slope) >= 0)) return;
  const double tension = fem->damping_s * work->material->fibre_mpa * m9_dot(slope, work->rate[point]);
  for (int i = 0; i < 9; ++i) stress[i] += tension * slope[i];
}

/* The relaxed stress is a second Piola-Kirchhoff stress, so that it rotates with the material. */
static void subtract_relaxed(const fem_state *fem, const fem_work *work, uint32_t element, int point,
                             double stress[9]) {
  const double *q = fem->relaxed + 6 * fem_point(fem, element, point);
  const double relaxed[9] = {q[0], q[3], q[5], q[3], q[1], q[4], q[5], q[4], q[2]};
  double turned[9];
  m9_multiply(work->f[point], relaxed, turned);
  for (int i = 0; i < 9; ++i) stress[i] -= work->at[point].small ? relaxed[i] : turned[i];
}

static void fem_whole_stress(const fem_state *fem, const fem_work *work, uint32_t element, int point, bool moving,
                             double stress[9]) {
  const fem_response *at = &work->at[point];
  for (int i = 0; i < 9; ++i) stress[i] = at->stress[i] + work->pressure[point] * at->gradient[i];
  if (moving && fem->damping_s > 0) {
    add_viscous_shape(fem, work, point, stress);
    if (work->material->fibre_mpa > 0) add_viscous_fibres(fem, work, point, stress);
  }
  if (fem->relaxed) subtract_relaxed(fem, work, element, point, stress);
}

/* ==== forces and energy =========================================================================================== */

/* Computes forces and energy, element by element. Linear tetrahedra without memory or viscous stress use the loop of
 * tets.c, four at a time. */

static void subtract_element_force(const fem_state *fem, uint32_t element, const fem_work *work, bool moving,
                                   syn_vec3 *f) {
  const uint32_t *nodes = fem_nodes_of(fem, element);
  double sum[FEM_NODES][3] = {{0}};
  for (int q = 0; q < fem->element->point_count; ++q) {
    const double(*gradients)[3] = fem_gradients_at(fem, element, q);
    const double weight = fem->weights[fem_point(fem, element, q)];
    double stress[9];
    fem_whole_stress(fem, work, element, q, moving, stress);
    for (int a = 0; a < fem->element->node_count; ++a)
      for (int i = 0; i < 3; ++i)
        sum[a][i] += weight * (stress[3 * i] * gradients[a][0] + stress[3 * i + 1] * gradients[a][1] +
                               stress[3 * i + 2] * gradients[a][2]);
  }
  for (int a = 0; a < fem->element->node_count; ++a)
    f[nodes[a]] = vec3_sub(f[nodes[a]], vec3(sum[a][0], sum[a][1], sum[a][2]));
}

void syn_fem_force(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f) {
  const fem_state *fem = state;
  const bool viscous = v && fem->damping_s > 0;
  if (v && fem->damping_per_s > 0) syn_soft_add_inertia(fem->soft, -fem->damping_per_s, v, f);
  if (fem->tets && !fem->relaxed && !viscous) {
    syn_fem_tets_force(fem, x, f);
    return;
  }
  for (uint32_t n = 0; n < fem_counted(fem); ++n) {
    const uint32_t e = fem_counted_at(fem, n);
    fem_work work;
    syn_fem_evaluate(fem, e, x, viscous ? v : NULL, FEM_STRESS, &work);
    subtract_element_force(fem, e, &work, viscous, f);
  }
}

/* Work of the relaxed stress: times Green's strain, or times the small one. */
static double relaxed_energy(const double q[6], const double f[9], bool small) {
  double c[9];
  m9_transposed_multiply(f, f, c);
  const double e[6] = {small ? f[0] - 1 : (c[0] - 1) / 2, small ? f[4] - 1 : (c[4] - 1) / 2,
                       small ? f[8] - 1 : (c[8] - 1) / 2, small ? f[1] + f[3] : c[1],
                       small ? f[5] + f[7] : c[5],        small ? f[2] + f[6] : c[2]};
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += q[i] * e[i];
  return sum;
}

double syn_fem_energy(const void *state, const syn_vec3 *x) {
  const fem_state *fem = state;
  double total = 0;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    syn_fem_evaluate(fem, e, x, NULL, FEM_ENERGY, &work);
    for (int q = 0; q < fem->element->point_count; ++q) {
      const size_t at = fem_point(fem, e, q);
      const double here = work.at[q].dilatation, mean = work.mean;
      const fem_material *m = work.material;
      double energy = work.at[q].energy + (m->bulk_here * here * here + m->bulk_mean * mean * mean) / 2;
      if (fem->relaxed) energy -= relaxed_energy(fem->relaxed + 6 * at, work.f[q], work.at[q].small);
      total += fem->weights[at] * energy;
    }
  }
  return total;
}

/* ==== memory ====================================================================================================== */

/* Materials with memory: a standard linear solid. Of the elastic second Piola-Kirchhoff stress S, a part g relaxes
 * in the time tau. Stress is S - Q, and Q, the relaxed stress, obeys dQ/dt = (g S - Q) / tau, so that the full
 * stiffness resists a sudden strain, and 1 - g of it remains after a long time. Q is constant within a step and is
 * updated, exactly for a constant strain, when the step is accepted. */

/* The six numbers of a stress, in the order of syn_sym3. */
static void symmetric_part(const double s[9], double out[6]) {
  const double six[6] = {s[0], s[4], s[8], (s[1] + s[3]) / 2, (s[5] + s[7]) / 2, (s[2] + s[6]) / 2};
  memcpy(out, six, sizeof six);
}

/* S = F^-1 P as six numbers; returns false if F is singular: then no stress relaxes. */
static bool second_stress(const double f[9], const double piola[9], bool small, double out[6]) {
  double c[9], s[9];
  m9_cofactor(f, c);
  const double determinant = f[0] * c[0] + f[1] * c[1] + f[2] * c[2];
  if (!small && !(fabs(determinant) > 1e-6)) return false;
  m9_transposed_multiply(c, piola, s);
  for (int i = 0; i < 9; ++i) s[i] = small ? piola[i] : s[i] / determinant;
  symmetric_part(s, out);
  return true;
}

void syn_fem_advance(void *state, const syn_vec3 *x, double step_s) {
  const fem_state *fem = state;
  if (!fem->relaxed || !(step_s > 0)) return;
  const double kept = exp(-step_s / fem->relaxing_s);
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    syn_fem_evaluate(fem, e, x, NULL, FEM_STRESS, &work);
    for (int q = 0; q < fem->element->point_count; ++q) {
      double piola[9], second[6], *relaxed = fem->relaxed + 6 * fem_point(fem, e, q);
      syn_fem_elastic_stress(&work, q, piola);
      if (!second_stress(work.f[q], piola, work.at[q].small, second)) continue;
      for (int i = 0; i < 6; ++i) relaxed[i] = kept * relaxed[i] + (1 - kept) * fem->relaxing_part * second[i];
    }
  }
}

double *syn_fem_history(void *state, size_t *count) {
  const fem_state *fem = state;
  *count = fem->relaxed ? 6 * fem_point(fem, fem->element_count, 0) : 0;
  return fem->relaxed;
}

/* ==== stress at the nodes ========================================================================================= */

/* Computes stress and strain at the nodes: each element extends the values of its points to its nodes (a constant in
 * linear tetrahedra, a linear function in quadratic ones, a trilinear one in hexahedra), and a node takes the mean of
 * its elements weighted by their volumes at rest.
 *
 * Stress is Cauchy's, viscous and relaxed parts included. Strain is that of small displacements for the linear law, and
 * V - 1 for all others, V being the left stretch: engineering strain along the principal directions, in the present
 * configuration. */

/* weights[q]: weight of the value at point q for a node of the element. */
static void extension(const fem_element *kind, int node, double weights[FEM_POINTS]) {
  const double *at = kind->corners[node];
  if (kind->point_count == 1) {
    weights[0] = 1;
  } else if (kind->point_count == 4) { /* points at barycentric coordinates b, a, a, a */
    const double a = kind->points[0].at[0], b = 1 - 3 * a;
    const double local[4] = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int q = 0; q < 4; ++q) weights[q] = (local[q] - a) / (b - a);
  } else { /* the points are the corners of a smaller cube */
    const double out = 1 / kind->points[6].at[0], scaled[3] = {out * at[0], out * at[1], out * at[2]};
    kind->shape(scaled, weights, NULL);
  }
}

static void cauchy(const double f[9], const double piola[9], bool small, double out[6]) {
  double s[9], c[9];
  m9_cofactor(f, c);
  const double determinant = f[0] * c[0] + f[1] * c[1] + f[2] * c[2];
  m9_multiply_transposed(piola, f, s);
  const double divisor = fabs(determinant) > 1e-9 ? determinant : copysign(1e-9, determinant);
  for (int i = 0; i < 9; ++i) s[i] = small ? piola[i] : s[i] / divisor;
  symmetric_part(s, out);
}

static void strain_of(const double f[9], bool small, double out[6]) {
  double r[9], v[9];
  if (small)
    memcpy(v, f, sizeof v);
  else {
    syn_fem_polar(f, r);
    m9_multiply_transposed(f, r, v);
  }
  const double six[6] = {v[0] - 1, v[4] - 1, v[8] - 1, (v[1] + v[3]) / 2, (v[5] + v[7]) / 2, (v[2] + v[6]) / 2};
  memcpy(out, six, sizeof six);
}

static void add_six(syn_sym3 *sum, double weight, const double six[6]) {
  sum->xx += weight * six[0], sum->yy += weight * six[1], sum->zz += weight * six[2];
  sum->xy += weight * six[3], sum->yz += weight * six[4], sum->zx += weight * six[5];
}

void syn_fem_stress(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress, syn_sym3 *strain) {
  const fem_state *fem = state;
  const fem_element *kind = fem->element;
  const bool viscous = v && fem->damping_s > 0;
  if (stress) memset(stress, 0, fem->node_count * sizeof *stress);
  if (strain) memset(strain, 0, fem->node_count * sizeof *strain);
  double share[FEM_NODES][FEM_POINTS];
  for (int a = 0; a < kind->node_count; ++a) extension(kind, a, share[a]);
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    const uint32_t *nodes = fem_nodes_of(fem, e);
    syn_fem_evaluate(fem, e, x, viscous ? v : NULL, FEM_STRESS, &work);
    for (int q = 0; q < kind->point_count; ++q) {
      double piola[9], stresses[6], strains[6] = {0};
      fem_whole_stress(fem, &work, e, q, viscous, piola);
      cauchy(work.f[q], piola, work.at[q].small, stresses);
      if (strain) strain_of(work.f[q], work.at[q].small, strains);
      for (int a = 0; a < kind->node_count; ++a) {
        const double weight = share[a][q] * work.volume / fem->node_volume[nodes[a]];
        if (stress) add_six(&stress[nodes[a]], weight, stresses);
        if (strain) add_six(&strain[nodes[a]], weight, strains);
      }
    }
  }
}

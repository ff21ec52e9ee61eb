/* Computes the deformation of one element at its points, and the stress there. */
#include <string.h>

#include "tissue/fem/fem.h"

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

void syn_fem_whole_stress(const fem_state *fem, const fem_work *work, uint32_t element, int point, bool moving,
                          double stress[9]) {
  const fem_response *at = &work->at[point];
  for (int i = 0; i < 9; ++i) stress[i] = at->stress[i] + work->pressure[point] * at->gradient[i];
  if (moving && fem->damping_s > 0) {
    add_viscous_shape(fem, work, point, stress);
    if (work->material->fibre_mpa > 0) add_viscous_fibres(fem, work, point, stress);
  }
  if (fem->relaxed) subtract_relaxed(fem, work, element, point, stress);
}

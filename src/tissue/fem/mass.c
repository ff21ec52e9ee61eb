/* Computes the mass: lumped to the nodes, and the consistent matrix on request. Lumped masses are the diagonal of
 * the consistent matrix scaled to the mass of the element (Hinton, Rock and Zienkiewicz 1976): positive also for
 * quadratic tetrahedra, whose rows add up to negative corner masses. */
#include <string.h>

#include "tissue/fem/fem.h"

/* Integrals of density N_a N_b over one element. */
static void element_mass(const fem_state *fem, const syn_vec3 *rest, uint32_t element, double density,
                         double mass[FEM_NODES][FEM_NODES]) {
  const fem_element *kind = fem->element;
  const uint32_t *nodes = fem_nodes_of(fem, element);
  double x[FEM_NODES][3], values[FEM_NODES], gradients[FEM_NODES][3];
  for (int a = 0; a < kind->node_count; ++a) {
    const syn_vec3 p = rest[nodes[a]];
    x[a][0] = p.x, x[a][1] = p.y, x[a][2] = p.z;
  }
  memset(mass, 0, FEM_NODES * sizeof *mass);
  for (int q = 0; q < kind->mass_point_count; ++q) {
    const fem_quadrature *point = &kind->mass_points[q];
    const double volume = point->weight * syn_fem_gradients(kind, point->at, (const double(*)[3])x, gradients);
    kind->shape(point->at, values, NULL);
    for (int a = 0; a < kind->node_count; ++a)
      for (int b = 0; b < kind->node_count; ++b) mass[a][b] += density * volume * values[a] * values[b];
  }
}

static void add_lumped(const fem_state *fem, uint32_t element, const double mass[FEM_NODES][FEM_NODES],
                       double *lumped) {
  const int n = fem->element->node_count;
  const uint32_t *nodes = fem_nodes_of(fem, element);
  double whole = 0, diagonal = 0;
  for (int a = 0; a < n; ++a) {
    diagonal += mass[a][a];
    for (int b = 0; b < n; ++b) whole += mass[a][b];
  }
  for (int a = 0; a < n; ++a) lumped[nodes[a]] += mass[a][a] * (whole / diagonal);
}

syn_status syn_fem_make_mass(syn_soft *soft, fem_state *fem, const syn_material *materials, syn_error *error) {
  const double tonnes_per_mm3 = 1e-12; /* of kg / m3 */
  const int n = fem->element->node_count;
  const size_t pairs = (size_t)(n * (n + 1) / 2);
  if (soft->options.consistent_mass)
    SYN_TRY(SYN_NEW_ZEROED(soft->context, &soft->consistent_mass, syn_block_count(soft->pattern), error));
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    double mass[FEM_NODES][FEM_NODES];
    const double density = materials ? materials[e].density_kg_m3 : soft->material.density_kg_m3;
    element_mass(fem, soft->rest, e, tonnes_per_mm3 * density, mass);
    add_lumped(fem, e, (const double(*)[FEM_NODES])mass, soft->mass);
    const uint32_t *slot = fem->slots + pairs * e;
    for (int a = 0; soft->consistent_mass && a < n; ++a)
      for (int b = a; b < n; ++b) soft->consistent_mass[*slot++] += mass[a][b];
  }
  return SYN_OK;
}

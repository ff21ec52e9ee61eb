/* Selects a share of the elements, for one of several processes; and adds barriers to tissue between bones. */
#include "tissue/fem/fem.h"

syn_status syn_fem_choose(syn_soft *soft, bool (*wanted)(const void *user, uint32_t node), const void *user,
                          syn_error *error) {
  fem_state *fem = soft->state;
  if (!fem->chosen) SYN_TRY(SYN_NEW(fem->context, &fem->chosen, fem->element_count, error));
  fem->chosen_count = 0;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    const uint32_t *nodes = fem_nodes_of(fem, e);
    bool any = false;
    for (int a = 0; a < fem->element->node_count && !any; ++a) any = wanted(user, nodes[a]);
    if (any) fem->chosen[fem->chosen_count++] = e;
  }
  return SYN_OK;
}

/* Barrier energy density at the volume 0, relative to the bulk modulus: bone on bone. With a weaker one thin tissue
 * folds before it resists. */
static const double barrier_at_zero = 20;

static void add_barrier(fem_material *m) { m->barrier = barrier_at_zero * m->bulk / (FEM_SQUEEZED * FEM_SQUEEZED); }

void syn_fem_add_barriers(syn_soft *soft) {
  fem_state *fem = soft->state;
  if (fem->law_name != SYN_LAW_NEO_HOOKEAN || fem->tets) return;
  add_barrier(&fem->material);
  for (uint32_t e = 0; fem->materials && e < fem->element_count; ++e) add_barrier(&fem->materials[e]);
}

uint32_t syn_fem_squeezed(const syn_soft *soft, const syn_vec3 *x) {
  const fem_state *fem = soft->state;
  uint32_t count = 0;
  for (uint32_t e = 0; e < fem->element_count; ++e) {
    fem_work work;
    bool squeezed = false;
    syn_fem_evaluate(fem, e, x, NULL, FEM_ENERGY, &work);
    for (int q = 0; q < fem->element->point_count; ++q) squeezed = squeezed || work.at[q].dilatation < FEM_SQUEEZED - 1;
    count += squeezed;
  }
  return count;
}

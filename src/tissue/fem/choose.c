/* A share of the elements: what one of several processes computes. */
#include "tissue/fem/fem.h"

syn_status fem_choose(syn_soft *soft, bool (*wanted)(const void *user, uint32_t node), const void *user,
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

/* Linear tetrahedra for the force loop: their data in lanes, and the portable loop. */
#include "base/simd.h"
#include "tissue/fem/fem.h"

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

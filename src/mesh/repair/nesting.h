/* Which closed components of a surface lie inside which. */
#ifndef SYN_MESH_NESTING_H
#define SYN_MESH_NESTING_H

#include <synovia/mesh.h>

#include "base/memory.h"

typedef struct syn_nesting {
  uint32_t *depth;  /* of each component: inside how many others it lies */
  uint32_t *around; /* the innermost of those, SYN_NONE where the depth is 0 */
} syn_nesting;

/* Only components with closed[component], those without a boundary, can be around another or inside; the rest get depth
 * 0. A component is inside another when all its vertices are: bodies that merely overlap are not
 * nested. The direction of faces does not matter. Decided exactly by counting the faces that a ray along x passes;
 * about n log n. The arrays live in the arena. */
syn_status syn_nesting_find(syn_arena *arena, const syn_trimesh *mesh, const syn_topology *topology,
                            const uint8_t *closed, syn_nesting *nesting, syn_error *error);

#endif

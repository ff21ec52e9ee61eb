/* Finds which closed components of a surface are inside which. */
#ifndef SYN_MESH_NESTING_H
#define SYN_MESH_NESTING_H

#include <synovia/mesh.h>

#include "base/memory.h"

typedef struct syn_nesting {
  uint32_t *depth;  /* of each component: count of components that contain it */
  uint32_t *around; /* the innermost of those, SYN_NONE for depth 0 */
} syn_nesting;

/* Finds the nesting. Only components with closed[component], those without a boundary, can contain others or be inside;
 * the rest get depth 0. A component is inside another if all its vertices are: bodies that merely overlap are not
 * nested. The direction of faces does not matter. Decided exactly by counting the faces that a ray along x crosses;
 * about n log n. The arrays are allocated in the arena. */
syn_status syn_nesting_find(syn_arena *arena, const syn_trimesh *mesh, const syn_topology *topology,
                            const uint8_t *closed, syn_nesting *nesting, syn_error *error);

#endif

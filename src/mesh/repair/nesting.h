/* Finds which closed components of a surface are inside which. */
#ifndef SYN_MESH_NESTING_H
#define SYN_MESH_NESTING_H

#include "base/status.h"
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

/* Finds the closed shells of a surface: which bound a solid from outside, and which are cavities of which solid. */
typedef struct syn_shells {
  uint32_t count;  /* components of the surface */
  uint32_t *outer; /* of each: itself if it bounds a solid from outside, else the shell that it is a cavity of */
  uint32_t *shell; /* of each triangle */
} syn_shells;

/* Finds the shells of a closed, manifold, oriented surface without self-intersections. SYN_BAD_MESH if a shell has the
 * wrong orientation for its position. Release in any case, with the mesh's context. */
syn_status syn_shells_find(const syn_trimesh *mesh, syn_shells *shells, syn_error *error);
void syn_shells_release(const syn_context *context, syn_shells *shells);

#endif

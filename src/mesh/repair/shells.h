/* Finds the closed shells of a surface: which bound a solid from outside, and which are cavities of which solid. */
#ifndef SYN_MESH_SHELLS_H
#define SYN_MESH_SHELLS_H

#include <synovia/mesh.h>

#include "base/status.h"

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

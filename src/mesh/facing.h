/* Finds which way the triangles of a surface face: outward from what it encloses, or inward. */
#ifndef SYN_MESH_FACING_H
#define SYN_MESH_FACING_H

#include "mesh/derived.h"

/* A component is closed here if at each of its edges as many triangles run one way as the other, so that it has an
 * inside. It is inside out if it encloses a negative volume, unless it is the wall of a cavity: inside an odd number of
 * other closed components, as after syn_trimesh_repair with `orient`. Open components have no inside to be wrong. */
typedef struct syn_facing {
  const syn_context *context;
  uint32_t inside_out_count;    /* components */
  uint32_t inside_out_triangle; /* one of the largest of them; SYN_NONE if there are none */
} syn_facing;

extern const syn_derivation syn_derive_facing; /* a syn_facing */

/* Creates the same surface with inside-out components turned outward. If the largest component is inside out, a program
 * has written all triangles reversed: all are flipped first, with walls of cavities and open parts. The result is then
 * independent of the orientation in the file. NULL if nothing is inside out. */
syn_status syn_trimesh_turn_outward(const syn_trimesh *mesh, syn_trimesh **turned, syn_error *error);

static inline const syn_facing *derived_facing(const syn_derived *derived) { return derived->made; }

#endif

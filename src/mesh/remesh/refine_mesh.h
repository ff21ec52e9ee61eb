/* Refines a part of a mesh. */
#ifndef SYN_MESH_REFINE_H
#define SYN_MESH_REFINE_H

#include <synovia/mesh.h>

/* Splits edges until none with an end or its middle in the region is longer than `edge_mm`. The surface stays where it
 * is: old vertices keep their places and come first, new ones are middles of edges. Splitting spreads beyond the region
 * as far as it must so that no triangle becomes a needle (Rivara 1984). */
syn_status syn_trimesh_refine_where(const syn_trimesh *mesh, bool (*in_region)(const void *user, syn_vec3 point),
                                    const void *user, double edge_mm, syn_trimesh **finer, syn_error *error);

#endif

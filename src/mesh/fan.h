/* The triangles around one vertex. */
#ifndef SYN_MESH_FAN_H
#define SYN_MESH_FAN_H

#include <synovia/mesh.h>

/* Returns whether the triangles of a vertex in use form one fan, closed or open, as around every vertex of a manifold.
 */
bool syn_is_one_fan(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex);

#endif

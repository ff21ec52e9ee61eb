/* The parts of a mesh's health that distances need. */
#ifndef SYN_MESH_HEALTH_H
#define SYN_MESH_HEALTH_H

#include <synovia/mesh.h>

/* Returns whether the mesh is closed, oriented and of positive volume: syn_health's `outward`, without the rest of the
 * check. */
bool syn_mesh_is_outward(const syn_trimesh *mesh, const syn_topology *topology);
/* Returns whether the mesh is open and oriented, with no edge of more than two triangles: it has a front and a back. */
bool syn_mesh_is_sheet(const syn_trimesh *mesh, const syn_topology *topology);

/* Returns whether as many triangles run along the edge one way as the other, and there are two or more. */
bool syn_edge_is_balanced(const syn_trimesh *mesh, const syn_topology *topology, uint32_t edge);

/* The triangles around one vertex. */
/* Returns whether the triangles of a vertex in use form one fan, closed or open, as around every vertex of a manifold.
 */
bool syn_is_one_fan(const syn_trimesh *mesh, const syn_topology *topology, uint32_t vertex);

#endif

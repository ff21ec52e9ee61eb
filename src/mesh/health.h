/* The parts of a mesh's health that distances need. */
#ifndef SYN_MESH_HEALTH_H
#define SYN_MESH_HEALTH_H

#include <synovia/mesh.h>

/* Closed, oriented and of positive volume: syn_health's `outward`, without the rest of the check. */
bool syn_mesh_is_outward(const syn_trimesh *mesh, const syn_topology *topology);
/* Open and oriented, no edge with more than two triangles: it has a front and a back. */
bool syn_mesh_is_sheet(const syn_trimesh *mesh, const syn_topology *topology);

/* Do as many triangles run along the edge one way as the other, and are they two or more? */
bool syn_edge_is_balanced(const syn_trimesh *mesh, const syn_topology *topology, uint32_t edge);

#endif

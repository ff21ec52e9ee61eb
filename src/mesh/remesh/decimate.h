/* syn_trimesh_decimate that also returns the vertices kept, for values on them. */
#ifndef SYN_MESH_DECIMATE_H
#define SYN_MESH_DECIMATE_H

#include "base/status.h"
#include <synovia/mesh.h>

/* *kept (NULL: not wanted) gets an array to syn_free: the mesh's vertex for each vertex of *coarser. Without
 * `keep_topology` the surface may be pinched and small parts may vanish, which is several times faster on bones as they
 * are scanned: for pictures. */
syn_status syn_decimate_mapped(const syn_trimesh *mesh, uint32_t target_triangles, bool keep_topology,
                               syn_trimesh **coarser, uint32_t **kept, double *error_mm, syn_error *error);

#endif

/* syn_trimesh_decimate that also returns the vertices kept, for values on them. */
#ifndef SYN_MESH_DECIMATE_H
#define SYN_MESH_DECIMATE_H

#include "base/status.h"
#include <synovia/mesh.h>

/* *kept (NULL: not wanted) gets an array to syn_free: the mesh's vertex for each vertex of *coarser. */
syn_status syn_decimate_mapped(const syn_trimesh *mesh, uint32_t target_triangles, syn_trimesh **coarser,
                               uint32_t **kept, double *error_mm, syn_error *error);

#endif

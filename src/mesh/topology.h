/* Shared by the topologies of triangles and tetrahedra. */
#ifndef SYN_MESH_TOPOLOGY_H
#define SYN_MESH_TOPOLOGY_H

#include <synovia/mesh.h>

#include "base/status.h"

/* Turns "cell -> its `corners` indices below `buckets`" into "index -> its cells, ascending": the members of i are
 * members[start[i]] … members[start[i+1]-1]. Both arrays are new; on failure what was made must still be freed. */
syn_status syn_invert_cells(const syn_context *context, const uint32_t *indices, size_t corners, size_t cells,
                            size_t buckets, uint32_t **start, uint32_t **members, syn_error *error);

#endif

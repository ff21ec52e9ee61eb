/* Checks the invariants of every mesh: finite coordinates, indices in range, counts that fit 32 bits. */
#ifndef SYN_MESH_VALIDATE_H
#define SYN_MESH_VALIDATE_H

#include <synovia/mesh.h>

#include "base/status.h"

syn_status syn_validate_points(const syn_vec3 *points, size_t count, syn_error *error);
/* `indices` holds cell_count cells of `corners` indices each; `what` names a cell in messages. */
syn_status syn_validate_cells(const uint32_t *indices, uint32_t corners, size_t cell_count, size_t point_count,
                              const char *what, syn_error *error);

#endif

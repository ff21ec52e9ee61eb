/* Which faces of a tetrahedral mesh are the same face. Face number 4 t + f is the one of tet t opposite its vertex f.
 */
#ifndef SYN_MESH_TET_FACES_H
#define SYN_MESH_TET_FACES_H

#include <synovia/mesh.h>

#include "base/status.h"

/* Corners of face f, counter-clockwise seen from outside a tet of positive volume. */
static const uint8_t syn_tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

/* *next is a new array of 4 * tet_count: following it from a face leads through all faces over the same three vertices
 * and back. So next[i] == i is a face of the surface, and next[next[i]] == i one between two tets. In a ring of several
 * only the lowest face leads to a higher one. Linear time; at most 2^30 - 1 tets. */
syn_status syn_tet_same_faces(const syn_tetmesh *mesh, uint32_t **next, syn_error *error);

#endif

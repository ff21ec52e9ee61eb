/* Finds the coincident faces of a tetrahedral mesh. Face number 4 t + f is the one of tet t opposite its vertex f. */
#ifndef SYN_MESH_TET_FACES_H
#define SYN_MESH_TET_FACES_H

#include <synovia/mesh.h>

#include "base/status.h"
#include "geometry/convex_contact.h"

/* *next is a new array of 4 * tet_count: following it from a face leads through all faces over the same three vertices
 * and back. So next[i] == i is a face of the surface, and next[next[i]] == i one between two tets. In a ring of several
 * only the lowest face leads to a higher one. Linear time; at most 2^30 - 1 tets. */
syn_status syn_tet_same_faces(const syn_tetmesh *mesh, uint32_t **next, syn_error *error);

/* The surface alone, in less time and memory: bit f of faces[t] is set where face f of tet t equals no other. `faces`
 * has tet_count entries; working memory comes from the given context. */
syn_status syn_tet_surface_faces(const syn_context *context, const syn_tetmesh *mesh, uint8_t *faces, syn_error *error);

#endif

/* Prepares the data that queries derive from meshes, in parallel. */
#ifndef SYN_COLLIDE_PREPARE_H
#define SYN_COLLIDE_PREPARE_H

#include "mesh/derived.h"

/* Derives everything that distances, rotations and crossing triangles need from these meshes, and stores it with the
 * meshes for later users. A mesh unfit for one of these is left to the query that needs it; only SYN_NO_MEMORY is a
 * failure. Meanwhile the caller's thread runs `own(user, error)`, which may use no more of the meshes than their
 * topology, and may fail; NULL: the thread takes part in the work. */
syn_status syn_meshes_prepare(const syn_context *context, const syn_trimesh *const *meshes, size_t count,
                              syn_status (*own)(void *user, syn_error *error), void *user, syn_error *error);

#endif

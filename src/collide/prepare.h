/* What queries derive from meshes, made ahead on several threads. */
#ifndef SYN_COLLIDE_PREPARE_H
#define SYN_COLLIDE_PREPARE_H

#include "mesh/derived.h"

/* Makes all that distances, rotations and crossing triangles derive from these meshes, which keep it: later users find
 * it there. What a mesh is not fit for is left to whoever asks for it; only SYN_NO_MEMORY is a failure. Meanwhile the
 * caller's thread does `own(user, error)`, which needs no more of the meshes than their topology, and may fail; NULL:
 * it helps. */
syn_status syn_meshes_prepare(const syn_context *context, const syn_trimesh *const *meshes, size_t count,
                              syn_status (*own)(void *user, syn_error *error), void *user, syn_error *error);

#endif

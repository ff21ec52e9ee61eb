/* What the methods on tetrahedra share: two volumes with the places of their vertices, which updates change. */
#ifndef SYN_COLLIDE_VOLUME_H
#define SYN_COLLIDE_VOLUME_H

#include "collide/method.h"

typedef struct volume {
  const syn_context *context;
  const syn_tetmesh *mesh; /* for its topology */
  syn_vec3 *places;        /* of its vertices, own copy */
} volume;

syn_status syn_volume_create(const syn_context *context, const syn_tetmesh *mesh, volume *made, syn_error *error);
void syn_volume_release(volume *v);
/* On failure the volume stays as it was. */
syn_status syn_volume_update(volume *v, const syn_vec3 *places, syn_error *error);

static inline void volume_corners(const volume *v, uint32_t tet, syn_vec3 corners[4]) {
  for (int c = 0; c < 4; ++c) corners[c] = v->places[v->mesh->tets[tet].v[c]];
}

#endif

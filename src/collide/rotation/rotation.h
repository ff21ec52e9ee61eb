/* What the range of motion of a hip needs of rotations besides the public part. */
#ifndef SYN_COLLIDE_ROTATION_H
#define SYN_COLLIDE_ROTATION_H

#include <synovia/collide.h>

/* One of two bodies, changed without a copy of its mesh. */
typedef struct syn_rotation_part {
  const syn_trimesh *mesh;
  const syn_vec3 *vertices; /* other places of its vertices; NULL: as the mesh has them */
  syn_vec3 shift;           /* of them all */
  /* Triangles t with left_out[t] not 0 are no part of the body; their edges and vertices are where another triangle has
   * them. NULL: all are. Elements keep their numbers. */
  const uint8_t *left_out;
} syn_rotation_part;

/* `like`: a rotation of the same meshes with the same triangles left out, about any centre and with any places, which
 * saves most of the time; or NULL. It need not outlive the new one. */
syn_status syn_rotation_create_of(const syn_rotation_part *fixed, const syn_rotation_part *mobile, syn_vec3 center,
                                  const syn_rotation *like, syn_rotation **rotation, syn_error *error);

#endif

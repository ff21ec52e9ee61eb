/* Internal functions for rotations that the range of motion of a hip needs. */
#ifndef SYN_COLLIDE_ROTATION_H
#define SYN_COLLIDE_ROTATION_H

#include <synovia/collide.h>

/* One of two bodies, modified without a copy of its mesh. */
typedef struct syn_rotation_part {
  const syn_trimesh *mesh;
  const syn_vec3 *vertices; /* other positions of its vertices; NULL: those of the mesh */
  syn_vec3 shift;           /* shift of all vertices */
  /* Triangles t with left_out[t] not 0 are excluded; of their edges and vertices those shared with other triangles
   * remain. NULL: none is excluded. Elements keep their numbers. */
  const uint8_t *left_out;
} syn_rotation_part;

/* `like`: a rotation of the same meshes with the same triangles left out, about any centre and with any positions,
 * which saves most of the time; or NULL. It need not outlive the new one. */
syn_status syn_rotation_create_of(const syn_rotation_part *fixed, const syn_rotation_part *mobile, syn_vec3 center,
                                  const syn_rotation *like, syn_rotation **rotation, syn_error *error);

#endif

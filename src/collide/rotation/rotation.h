/* What the range of motion of a hip needs of rotations besides the public part. */
#ifndef SYN_COLLIDE_ROTATION_H
#define SYN_COLLIDE_ROTATION_H

#include <synovia/collide.h>

/* syn_rotation_create with the fixed body shifted first, without a shifted copy of its mesh, and without the triangles
 * t of the mobile one where left_out[t] is not 0 (NULL: all count); their edges and vertices count where another
 * triangle has them. Elements keep their numbers. */
syn_status syn_rotation_create_shifted(const syn_trimesh *fixed, syn_vec3 shift, const syn_trimesh *mobile,
                                       const uint8_t *left_out, syn_vec3 center, syn_rotation **rotation,
                                       syn_error *error);

#endif

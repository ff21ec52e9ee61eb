/* What the range of motion of a hip needs of rotations besides the public part. */
#ifndef SYN_COLLIDE_ROTATION_H
#define SYN_COLLIDE_ROTATION_H

#include <synovia/collide.h>

/* syn_rotation_create with the fixed body shifted first, without a shifted copy of its mesh. */
syn_status syn_rotation_create_shifted(const syn_trimesh *fixed, syn_vec3 shift, const syn_trimesh *mobile,
                                       syn_vec3 center, syn_rotation **rotation, syn_error *error);

#endif

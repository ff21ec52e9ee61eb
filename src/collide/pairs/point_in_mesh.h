/* Decides exactly whether a point is inside a closed surface, by the parity of the crossings of a ray. */
#ifndef SYN_COLLIDE_POINT_IN_MESH_H
#define SYN_COLLIDE_POINT_IN_MESH_H

#include "mesh/tree/box_tree.h"

typedef enum syn_inclusion { SYN_OUTSIDE = -1, SYN_ON_SURFACE = 0, SYN_INSIDE = 1 } syn_inclusion;

/* `tree` is over triangles, `corners` has three points for each, and every edge belongs to an even number of them;
 * `pose` (NULL: identity) moves the surface before the test. Points that the surface encloses an odd number of times
 * are inside. Exact for the corners as syn_pose_point rounds them. About log n on usual surfaces; allocates nothing. */
syn_inclusion syn_point_in_mesh(const syn_box_tree *tree, const syn_vec3 *corners, const syn_pose *pose,
                                syn_vec3 point);

#endif

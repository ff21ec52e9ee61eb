/* The hash of spherical sliding (Maciel 2005, §4.3.1.4, Algorithms 3 and 4): a square table keyed by the two angles of
 * a direction (Eq. 4.22), each cell stores one triangle of the fixed body whose centre is in it. */
#ifndef SYN_COLLIDE_SLIDING_HASH_H
#define SYN_COLLIDE_SLIDING_HASH_H

#include <synovia/collide.h>

/* Returns the cell (row times side plus column) of a direction of any length but 0. */
uint32_t syn_sliding_cell(uint32_t side, syn_vec3 direction);

/* Counts contacts of two surfaces at a pose. `options` as for the collider: centre, roles, normals and table size; may
 * be NULL. */
syn_status syn_sliding_count(const syn_context *context, const syn_trimesh *fixed, const syn_trimesh *mobile,
                             const syn_collide_options *options, const syn_pose *pose, syn_sliding_counts *counts,
                             syn_error *error);

#endif

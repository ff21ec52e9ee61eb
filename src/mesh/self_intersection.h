/* syn_trimesh_self_intersections, and whether it gave up counting. */
#ifndef SYN_MESH_SELF_INTERSECTION_H
#define SYN_MESH_SELF_INTERSECTION_H

#include <synovia/mesh.h>

/* *stopped: *count is a lower bound, which is the same on every machine. */
syn_status syn_find_self_intersections(const syn_trimesh *mesh, syn_triangle_pair *pairs, size_t capacity,
                                       uint64_t *count, bool *stopped, syn_error *error);

#endif

/* syn_trimesh_self_intersections, and whether it gave up counting. */
#ifndef SYN_MESH_SELF_INTERSECTION_H
#define SYN_MESH_SELF_INTERSECTION_H

#include <synovia/mesh.h>

/* *stopped: *count is a lower bound, which is the same on every machine. */
syn_status syn_find_self_intersections(const syn_trimesh *mesh, syn_triangle_pair *pairs, size_t capacity,
                                       uint64_t *count, bool *stopped, syn_error *error);

/* Contact between two triangles of the same mesh. */
/* Do two triangles over `vertices` have a point in common that is not on a vertex or edge they share by number? Exact.
 * Two triangles over the same three vertices always do. Triangles of zero area count as the segments or points they
 * are. */
bool syn_triangles_meet_elsewhere(const syn_vec3 *vertices, const syn_triangle *a, const syn_triangle *b);

#endif

/* Contact between two triangles of the same mesh. */
#ifndef SYN_MESH_TRIANGLE_CONTACT_H
#define SYN_MESH_TRIANGLE_CONTACT_H

#include <synovia/mesh.h>

/* Do two triangles over `vertices` have a point in common that is not on a vertex or edge they share by number? Exact.
 * Two triangles over the same three vertices always do. Triangles of zero area count as the segments or points they
 * are. */
bool syn_triangles_meet_elsewhere(const syn_vec3 *vertices, const syn_triangle *a, const syn_triangle *b);

#endif

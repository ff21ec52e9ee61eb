/* Parts of a surface: the triangles inside a ball, and a mesh of selected triangles. */
#ifndef SYN_MESH_PART_H
#define SYN_MESH_PART_H

#include <synovia/mesh.h>

/* Sets marks[t] to 1 for each triangle whose corners are all inside the ball; other marks stay. Returns how many. */
size_t syn_mesh_mark_inside(const syn_trimesh *mesh, syn_vec3 center, double radius, uint8_t *marks);
/* The triangles t of a mesh with marks[t] equal to `value`, and their vertices. */
syn_status syn_mesh_part(const syn_trimesh *mesh, const uint8_t *marks, uint8_t value, syn_trimesh **part,
                         syn_error *error);

#endif

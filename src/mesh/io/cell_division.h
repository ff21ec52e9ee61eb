/* Divides convex cells that are not tetrahedra into tetrahedra. */
#ifndef SYN_MESH_IO_CELL_DIVISION_H
#define SYN_MESH_IO_CELL_DIVISION_H

#include <synovia/mesh.h>

typedef enum syn_divided {
  SYN_DIVIDED_HEXAHEDRON,
  SYN_DIVIDED_VOXEL,
  SYN_DIVIDED_WEDGE,
  SYN_DIVIDED_PYRAMID
} syn_divided;

enum { SYN_DIVISION_MOST = 6 };

/* Writes up to six tetrahedra of positive volume (where the cell is convex) to `tets` and returns their number.
 * `points` are all points of the mesh, `nodes` the corners of the cell in the order of VTK. Cells that share a face
 * divide it in the same way, since every face is divided from its corner of lowest number (Dompierre et al. 1999).
 * Coincident corners give fewer tetrahedra. */
size_t syn_divide_cell(syn_divided shape, const syn_vec3 *points, const uint32_t *nodes,
                       syn_tet tets[SYN_DIVISION_MOST]);

#endif

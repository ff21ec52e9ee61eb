/* The arrays that the VTK writers put out, each as a rule that gives value number i, so that one loop writes them all
 * in any encoding. Cells are numbered triangles first, then tetrahedra. */
#ifndef SYN_MESH_IO_VTK_COLUMNS_H
#define SYN_MESH_IO_VTK_COLUMNS_H

#include <stdio.h>

#include <synovia/mesh.h>

#include "mesh/io/numbers.h"

typedef struct syn_vtk_column {
  const char *name;
  syn_number_type type;
  uint32_t components;
  size_t tuples;
  double (*value)(const struct syn_vtk_column *column, size_t index);
  const syn_geometry *geometry;
  const syn_field *on_points, *on_triangles, *on_tets; /* NULL: none */
} syn_vtk_column;

syn_vtk_column syn_vtk_points(const syn_geometry *geometry, bool single);
syn_vtk_column syn_vtk_connectivity(const syn_geometry *geometry, bool tets);
syn_vtk_column syn_vtk_offsets(const syn_geometry *geometry, bool tets); /* the end of each cell */
syn_vtk_column syn_vtk_types(const syn_geometry *geometry);
syn_vtk_column syn_vtk_rows(const syn_geometry *geometry,
                            bool tets); /* legacy: each cell's node count, then its nodes */

/* Walks over the fields on points or on cells: start with *cursor = 0 until false. A field on triangles and one on
 * tetrahedra with the same name and width are one column; where there is only one, the other cells get NaN. */
bool syn_vtk_next_field(const syn_geometry *geometry, bool on_cells, bool tets, bool single, size_t *cursor,
                        syn_vtk_column *column);

/* Returns the count of values: components times tuples. */
size_t syn_vtk_column_values(const syn_vtk_column *column);
/* Encodes the values from `begin` to before `end`. */
void syn_vtk_column_encode(const syn_vtk_column *column, size_t begin, size_t end, bool big_endian, void *bytes);
/* Writes all values as text, nine on a line. Returns how many of them are not finite. */
size_t syn_vtk_column_print(const syn_vtk_column *column, FILE *stream);

#endif

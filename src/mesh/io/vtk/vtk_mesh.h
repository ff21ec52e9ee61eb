/* Shared by the legacy and the XML readers of the VTK formats: pieces of points, cells and values per point or cell,
 * joined into one builder. */
#ifndef SYN_MESH_IO_VTK_MESH_H
#define SYN_MESH_IO_VTK_MESH_H

#include "mesh/io/cells.h"
#include "mesh/io/format.h"
#include "mesh/io/numbers.h"

enum { SYN_VTK_COMPONENTS_MAX = 256 }; /* fields with more values per place are left out */

/* Cells as VTK lays them out: cell i has the nodes from ends[i - 1] (0 for the first) to ends[i] of the connectivity.
 * Without `types` all have `shape`. */
typedef struct syn_vtk_cells {
  int64_t line; /* for messages, 0: unknown */
  syn_cell_shape shape;
  syn_numbers ends, connectivity, types;
} syn_vtk_cells;

/* Values that belong to the points or to the input cells, gathered piece by piece. */
typedef struct syn_vtk_field {
  char *name;
  bool on_cells;
  uint32_t components;
  syn_numbers numbers;
} syn_vtk_field;

typedef struct syn_vtk_mesh {
  const syn_context *context;
  const char *file;
  syn_builder *builder;
  syn_cells cells;
  syn_vtk_field *fields;
  size_t field_count, field_capacity;
} syn_vtk_mesh;

void syn_vtk_mesh_begin(syn_vtk_mesh *mesh, const syn_source *source, syn_builder *builder);
/* Appends points from x y z x y z …; the count must be a multiple of three. */
syn_status syn_vtk_mesh_points(syn_vtk_mesh *mesh, const syn_numbers *numbers, syn_error *error);
/* Appends cells over the points from number `first_point` on. */
syn_status syn_vtk_mesh_cells(syn_vtk_mesh *mesh, const syn_vtk_cells *cells, size_t first_point, syn_error *error);
/* The field to append a piece's values to: the one with this name, place and width, or a new one. NULL, with a warning,
 * when it has too many components. */
syn_status syn_vtk_mesh_field(syn_vtk_mesh *mesh, const char *name, size_t name_length, bool on_cells,
                              uint64_t components, syn_vtk_field **field, syn_error *error);
/* Gives the fields to the builder, after the last piece, and warns of everything left out. */
syn_status syn_vtk_mesh_finish(syn_vtk_mesh *mesh, syn_error *error);
void syn_vtk_mesh_release(syn_vtk_mesh *mesh);
void syn_vtk_cells_release(const syn_context *context, syn_vtk_cells *cells);

#endif

/* Adds cells of any shape to a builder: faces become triangles, solids tetrahedra, the others are counted and reported
 * once. Records the input cell of each, so that values per cell can be assigned. */
#ifndef SYN_MESH_IO_CELLS_H
#define SYN_MESH_IO_CELLS_H

#include "base/status.h"
#include "mesh/builder.h"
#include <synovia/mesh.h>

/* Shapes by the numbers of the VTK file formats; other formats translate theirs. Any number from 0 to 255 is allowed:
 * those not named here are left out as "cells of type N". */
typedef enum syn_cell_shape {
  SYN_CELL_EMPTY = 0,
  SYN_CELL_VERTEX = 1,
  SYN_CELL_POLY_VERTEX = 2,
  SYN_CELL_LINE = 3,
  SYN_CELL_POLY_LINE = 4,
  SYN_CELL_TRIANGLE = 5,
  SYN_CELL_STRIP = 6,
  SYN_CELL_POLYGON = 7,
  SYN_CELL_PIXEL = 8, /* a rectangle whose corners come row by row */
  SYN_CELL_QUAD = 9,
  SYN_CELL_TET = 10,
  SYN_CELL_VOXEL = 11,
  SYN_CELL_HEXAHEDRON = 12,
  SYN_CELL_WEDGE = 13,
  SYN_CELL_PYRAMID = 14,
  SYN_CELL_QUADRATIC_LINE = 21,
  SYN_CELL_QUADRATIC_TRIANGLE = 22, /* of quadratic ones only the corner nodes are used, with a warning */
  SYN_CELL_QUADRATIC_QUAD = 23,
  SYN_CELL_QUADRATIC_TET = 24,
  SYN_CELL_QUADRATIC_HEXAHEDRON = 25,
  SYN_CELL_QUADRATIC_WEDGE = 26,
  SYN_CELL_QUADRATIC_PYRAMID = 27,
  SYN_CELL_BIQUADRATIC_QUAD = 28,
  SYN_CELL_BIQUADRATIC_TRIANGLE = 34,
  SYN_CELL_POLYHEDRON = 42,
  SYN_CELL_SHAPES = 256
} syn_cell_shape;

/* Start from syn_cells_begin. Release in any case; the builder stays the caller's. */
typedef struct syn_cells {
  syn_builder *builder;
  const char *file;                   /* for messages */
  int64_t line;                       /* of the cell being added, kept up to date by the reader; 0: unknown */
  size_t count;                       /* input cells so far, those left out included */
  uint32_t *triangle_cell, *tet_cell; /* input cell of each triangle and tetrahedron of the builder */
  size_t triangle_capacity, tet_capacity;
  size_t seen[SYN_CELL_SHAPES]; /* input cells per shape */
  size_t degenerate;            /* polygons and strips with fewer than three corners */
} syn_cells;

/* The builder may already hold points, but neither triangles nor tetrahedra; only syn_cells_add may add those. */
void syn_cells_begin(syn_cells *cells, syn_builder *builder, const char *file);
/* Adds the next input cell. `nodes` are indices of points that the builder already has: SYN_BAD_FORMAT otherwise, or
 * when the shape needs another number of nodes. */
syn_status syn_cells_add(syn_cells *cells, unsigned shape, const uint32_t *nodes, size_t node_count, syn_error *error);
/* Makes fields of the builder from `components` values per input cell: one on the triangles when there are any, one on
 * the tetrahedra when there are any. Where both are there, the kind whose values are all NaN gets none: writers fill up
 * with NaN what a field does not say. Call after the last cell. */
syn_status syn_cells_field(const syn_cells *cells, const char *name, size_t name_length, uint32_t components,
                           const double *values, syn_error *error);
/* Warns once about everything that was skipped or simplified. */
void syn_cells_warn(const syn_cells *cells);
void syn_cells_release(syn_cells *cells);

/* Divides convex cells that are not tetrahedra into tetrahedra. */
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

/* Maps the node numbers of a file to indices. Files number from 0, from 1, with gaps or at random; in any case a
 * look-up costs at most log n and usually a subtraction. */
typedef struct syn_id_entry {
  uint64_t id;
  uint32_t index;
} syn_id_entry;

/* Zero-initialise with a context, add all, finish once, then find. */
typedef struct syn_id_map {
  const syn_context *context;
  size_t count, capacity;
  syn_id_entry *entries; /* sorted by id once finished */
} syn_id_map;

syn_status syn_id_map_add(syn_id_map *map, uint64_t id, uint32_t index, syn_error *error);
/* Sorts. SYN_BAD_FORMAT if a number is repeated; `file` (may be NULL) and `what`, e.g. "node", are for the message. */
syn_status syn_id_map_finish(syn_id_map *map, const char *file, const char *what, syn_error *error);
/* Returns the index, or SYN_NONE. */
uint32_t syn_id_map_find(const syn_id_map *map, uint64_t id);
void syn_id_map_release(syn_id_map *map);

#endif

/* Inside Gmsh's format: numbers that are text or bytes, and the element types. */
#ifndef SYN_MESH_IO_MSH_H
#define SYN_MESH_IO_MSH_H

#include "base/text.h"
#include "mesh/io/cells.h"
#include "mesh/io/format.h"

/* A cursor over a file whose section names are text and whose numbers are text or bytes. */
typedef struct syn_msh_cursor {
  const syn_source *source;
  syn_text text;
  bool binary, swapped; /* numbers are bytes; of the other byte order */
} syn_msh_cursor;

/* Fails at the line, or at the byte where the numbers are bytes. */
syn_status syn_msh_fail(const syn_msh_cursor *in, syn_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
syn_status syn_msh_int(syn_msh_cursor *in, const char *what, int64_t *value, syn_error *error);   /* 4 bytes */
syn_status syn_msh_size(syn_msh_cursor *in, const char *what, uint64_t *value, syn_error *error); /* 8 bytes */
syn_status syn_msh_double(syn_msh_cursor *in, const char *what, double *value, syn_error *error);
/* After a number that is text in any case: where bytes follow, they begin behind the end of its line. */
void syn_msh_begin_values(syn_msh_cursor *in);
/* Reads the four bytes that define the byte order. */
syn_status syn_msh_byte_order(syn_msh_cursor *in, syn_error *error);

enum { SYN_MSH_MAX_NODES = 125 };
/* Nodes of an element type (0: unknown), and its syn_cell_shape (-1: points and lines, which are passed over). */
int syn_msh_element_nodes(int64_t type);
int syn_msh_element_shape(int64_t type);

/* ---- data sections ------------------------------------------------------------------------------------------------
 */

/* Values by name, gathered over sections: a field may come in parts, some for triangles, some for tetrahedra. */
typedef struct syn_msh_field {
  char *name;
  bool on_nodes;
  uint32_t components;
  size_t count;   /* nodes or cells */
  double *values; /* NaN if the file gives none */
} syn_msh_field;

typedef struct syn_msh_fields {
  const syn_context *context;
  syn_msh_field *fields;
  size_t count, capacity;
  uint64_t values; /* of all fields together */
} syn_msh_fields;

/* Reads the inside of $NodeData or $ElementData; `ids` gives the node or cell of a number, `count` their number. */
syn_status syn_msh_read_data(syn_msh_cursor *in, bool on_nodes, const syn_id_map *ids, size_t count,
                             syn_msh_fields *fields, syn_error *error);
/* Moves all collected fields to the builder. */
syn_status syn_msh_finish_data(const syn_msh_fields *fields, const syn_cells *cells, syn_error *error);
void syn_msh_release_data(syn_msh_fields *fields);

syn_status syn_msh_write(const syn_context *context, const syn_geometry *geometry, const syn_write_options *options,
                         FILE *stream, syn_error *error);

#endif

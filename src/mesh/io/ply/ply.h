/* What the header of a PLY file declares. Shared by the files that read the header, read the data and write. */
#ifndef SYN_MESH_IO_PLY_H
#define SYN_MESH_IO_PLY_H

#include "base/text.h"
#include "mesh/io/format.h"

typedef enum ply_type {
  PLY_NO_TYPE,
  PLY_INT8,
  PLY_UINT8,
  PLY_INT16,
  PLY_UINT16,
  PLY_INT32,
  PLY_UINT32,
  PLY_FLOAT32,
  PLY_FLOAT64
} ply_type;

typedef enum ply_encoding { PLY_ASCII, PLY_LITTLE, PLY_BIG } ply_encoding;

typedef struct ply_property {
  syn_word name;
  ply_type type, count_type; /* count_type is PLY_NO_TYPE unless this is a list */
  double *to;                /* where the values go, `step` apart; NULL: read and dropped */
  size_t step;
} ply_property;

typedef struct ply_element {
  syn_word name;
  uint64_t count;
  size_t first_property, property_count;
} ply_element;

typedef struct ply_header {
  ply_encoding encoding;
  ply_element *elements;
  ply_property *properties; /* of all elements, in order */
  size_t element_count, element_capacity, property_count, property_capacity;
  syn_space space;
} ply_header;

/* Bytes of a value in a binary file. */
size_t syn_ply_type_size(ply_type type);

/* Reads up to and with the line "end_header". Release in any case. */
syn_status syn_ply_read_header(const syn_context *context, syn_text *text, ply_header *header, syn_error *error);
void syn_ply_release_header(const syn_context *context, ply_header *header);

syn_status syn_ply_write(const syn_context *context, const syn_geometry *geometry, const syn_write_options *options,
                         FILE *stream, syn_error *error);

#endif

/* The interface of a file format: recognition, reading and writing. */
#ifndef SYN_MESH_IO_FORMAT_H
#define SYN_MESH_IO_FORMAT_H

#include <stdio.h>

#include <synovia/mesh.h>

#include "mesh/builder.h"

/* A file in memory, terminated by a zero byte that is not counted. */
typedef struct syn_source {
  const syn_context *context;
  const char *name; /* path or name for messages, never NULL */
  bool on_disk;     /* `name` is a path whose siblings may be read (TetGen) */
  const char *bytes;
  size_t size;
  const syn_read_options *options;
} syn_source;

typedef struct syn_format {
  syn_format_info info;
  /* The one cell or point field that a format without fields still holds, such as MEDIT's "ref". NULL: none. */
  const char *own_field;
  /* Returns whether the content looks like this format. Fast, and never reads past the size. NULL: decided by the name
   * alone. */
  bool (*sniff)(const syn_source *source);
  /* Appends the content. The caller checks indices and coordinates, applies scale and space, and releases the builder
   * on failure. NULL: not readable. */
  syn_status (*read)(const syn_source *source, syn_builder *builder, syn_error *error);
  /* Writes everything to `stream`; stream errors are checked by the caller. NULL: not writable. */
  syn_status (*write)(const syn_context *context, const syn_geometry *geometry, const syn_write_options *options,
                      FILE *stream, syn_error *error);
} syn_format;

/* Fails at a byte of the source. */
syn_status syn_source_fail(const syn_source *source, size_t byte, syn_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A comment or header that says "SPACE=LPS" or "SPACE=RAS", as 3D Slicer writes; SYN_SPACE_UNKNOWN otherwise. */
syn_space syn_space_in_text(const char *text, size_t length);

/* Adds a polygon of `count` >= 3 points as count - 2 triangles that do not overlap, also where it is not convex.
 * Indices must be below builder->point_count. */
syn_status syn_builder_polygon(syn_builder *builder, const uint32_t *indices, size_t count, syn_error *error);

/* Returns whether the name ends in one of the space-separated endings. */
bool syn_name_fits(const char *name, const char *extensions);

/* Adds the file name to the error of an invalid mesh; returns `status`. */
syn_status syn_name_the_file(syn_status status, const char *path, syn_error *error);

/* The table, in the order in which content is recognised. */
extern const syn_format *const syn_formats[];
extern const size_t syn_formats_count;

#endif

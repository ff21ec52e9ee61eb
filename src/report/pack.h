/* Packs meshes and fields as blobs, in the layout of web/src/model.ts. */
#ifndef SYN_REPORT_PACK_H
#define SYN_REPORT_PACK_H

#include <stdio.h>

#include "base/status.h"
#include "report/display.h"
#include "report/page_content.h"
#include "report/scale.h"

/* ---- blob ------------------------------------------------------------------------------------------------------ */
/* Binary data of a page: base64 of raw deflate, each under the name "blob-N". */

typedef struct syn_blob {
  unsigned char *bytes; /* until packed */
  size_t size;
  char *text; /* once packed */
  size_t length;
} syn_blob;

/* Zero-initialise with a context. */
typedef struct syn_blobs {
  const syn_context *context;
  syn_blob *items;
  size_t count, capacity;
} syn_blobs;

/* Adds a blob; *number is its N. Takes ownership of the bytes, allocated by the context, also on failure. */
syn_status syn_blobs_add(syn_blobs *blobs, unsigned char *bytes, size_t size, size_t *number, syn_error *error);
/* Compresses and encodes all blobs, several at once. */
syn_status syn_blobs_pack(syn_blobs *blobs, syn_error *error);
void syn_blobs_release(syn_blobs *blobs);

/* Writes the <script> element of a blob whose name begins with `prefix`. */
void syn_blob_put(FILE *to, const char *prefix, size_t number, const char *text, size_t length);
/* Returns what syn_blob_put writes before the text of "blob-N", for reading it back. */
char *syn_blob_opening(size_t number, char room[96]);

/* ---- pack ------------------------------------------------------------------------------------------------------ */

/* position = origin + step * stored */
typedef struct syn_packed_mesh {
  size_t blob;
  syn_vec3 origin;
  double step;
  double error_mm; /* max distance of a vertex from its stored position */
} syn_packed_mesh;

/* value = low + step * stored; 65535 is "none" */
typedef struct syn_packed_field {
  size_t blob;
  double low, step;
} syn_packed_field;

/* component = step * stored, stored being a signed 16-bit number; -32768 is "none" */
typedef struct syn_packed_vectors {
  size_t blob;
  double step, longest; /* the max length */
} syn_packed_vectors;

syn_status syn_pack_mesh(syn_blobs *blobs, const syn_trimesh *mesh, syn_packed_mesh *packed, syn_error *error);
/* Packs a field: it has `analysed` values in each step; those of the displayed vertices are stored. */
syn_status syn_pack_field(syn_blobs *blobs, const syn_report_field *field, size_t analysed, const syn_display *display,
                          syn_packed_field *packed, syn_error *error);
syn_status syn_pack_vectors(syn_blobs *blobs, const syn_report_vectors *vectors, size_t analysed,
                            const syn_display *display, syn_packed_vectors *packed, syn_error *error);

#endif

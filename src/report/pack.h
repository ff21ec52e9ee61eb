/* Packs meshes and fields as blobs, in the layout of web/src/model.ts. */
#ifndef SYN_REPORT_PACK_H
#define SYN_REPORT_PACK_H

#include <synovia/report.h>

#include "report/blob.h"
#include "report/display.h"
#include "report/scale.h"

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

/* Voxels as most formats store them: numbers of one type, row after row, in a file of their own or behind a header.
 * A reader of a format fills in a raster; the rest is common. */
#ifndef SYN_IMAGE_RASTER_H
#define SYN_IMAGE_RASTER_H

#include "image/io/byte_stream.h"
#include "image/label_tally.h"

typedef enum voxel_type {
  VOXEL_UINT8,
  VOXEL_INT8,
  VOXEL_UINT16,
  VOXEL_INT16,
  VOXEL_UINT32,
  VOXEL_INT32,
  VOXEL_UINT64,
  VOXEL_INT64,
  VOXEL_FLOAT,
  VOXEL_DOUBLE,
  VOXEL_TYPES
} voxel_type;
extern const uint8_t syn_voxel_bytes[VOXEL_TYPES];

typedef struct raster {
  syn_arena *arena;         /* of names and texts below */
  const char *header_path;  /* for messages and the name of a mask */
  const char *format;       /* static storage */
  uint32_t size[3];         /* of the grid; 0 until known */
  syn_vec3 origin, step[3]; /* in LPS, mm */
  bool oriented;
  voxel_type type;
  bool big;                /* most significant byte first */
  uint32_t layers;         /* numbers per voxel, side by side: layers of a label map */
  double slope, intercept; /* value = slope * number + intercept; slope 0 counts as 1 */
  char *data_path;         /* the file with the numbers; NULL: the one of the header */
  uint64_t offset;         /* where they begin in that file, */
  bool packed;             /* packed by gzip or zlib from there on, */
  uint64_t skip;           /* and then after so many unpacked bytes */
  syn_label *labels;       /* what the file says of labels: value, layer, name, part, side. In the arena */
  size_t label_count;
} raster;

/* Reads the voxels that are wanted. `file` is open on the file of the header, `path` its name. */
syn_status syn_raster_read(const raster *r, byte_stream *file, const syn_image_read_options *options, syn_image **image,
                           syn_error *error);

/* Sets the affine from a row-major 3x4 matrix from voxels to RAS or LPS (`ras`), times `mm`. */
void syn_raster_set_affine(raster *r, const double matrix[12], bool ras, double mm);
/* Names labels by the dataset.json in the folder of the image, if there is one. */
syn_status syn_dataset_labels_find(syn_arena *arena, const char *image_path, label_tally *tally, syn_error *error);
/* The name of a file without folder and endings. In the arena. */
syn_status syn_image_stem(syn_arena *arena, const char *path, const char **stem, syn_error *error);
/* The path of a file named in a header: relative to the folder of `header`. In the arena. */
syn_status syn_raster_beside(syn_arena *arena, const char *header, const char *name, size_t length, char **path,
                             syn_error *error);

/* Decodes `count` numbers of this type and order of bytes. 64-bit integers beyond 2^53 are rounded. */
void syn_raster_decode(voxel_type type, bool big, const unsigned char *bytes, size_t count, double *values);

#endif

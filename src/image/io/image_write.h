/* What writers of image formats share. */
#ifndef SYN_IMAGE_IMAGE_WRITE_H
#define SYN_IMAGE_IMAGE_WRITE_H

#include <stdio.h>
#include <zlib.h>

#include "image/image_shared.h"

typedef struct image_writer {
  const syn_context *context;
  const syn_image *image;
  syn_image grid; /* as `image`, on the grid that is written */
  const char *path;
  size_t bytes; /* of a voxel: 1 or 2 for labels, 4 for floats */
  FILE *stream;
  bool packing;
  z_stream z;
} image_writer;

/* The image itself, or the grid of the file that it was read from; only size, origin and file_first differ. */
syn_image syn_image_to_write(const syn_image *image, bool whole);
bool syn_image_fits_bytes(const syn_image *image);

/* From here on everything is packed by gzip. */
syn_status syn_image_begin_packing(image_writer *writer, syn_error *error);
syn_status syn_image_put(image_writer *writer, const void *bytes, size_t size, syn_error *error);
syn_status syn_image_put_voxels(image_writer *writer, syn_error *error);

syn_status syn_image_put_nifti(image_writer *writer, bool packed, syn_error *error);
syn_status syn_image_put_nrrd(image_writer *writer, syn_error *error);

#endif

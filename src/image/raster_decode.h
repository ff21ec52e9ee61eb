/* Numbers of a file as doubles. */
#ifndef SYN_IMAGE_RASTER_DECODE_H
#define SYN_IMAGE_RASTER_DECODE_H

#include "image/raster.h"

/* Decodes `count` numbers of this type and order of bytes. 64-bit integers beyond 2^53 are rounded. */
void syn_raster_decode(voxel_type type, bool big, const unsigned char *bytes, size_t count, double *values);

#endif

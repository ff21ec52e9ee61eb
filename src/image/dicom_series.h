/* A scan as a folder of DICOM files, one for each slice. */
#ifndef SYN_IMAGE_DICOM_SERIES_H
#define SYN_IMAGE_DICOM_SERIES_H

#include "image/image_shared.h"

/* The paths of `count` files, sorted. The series with most slices is read. */
syn_status syn_dicom_series_read(const syn_context *context, const char *folder, char *const *paths, size_t count,
                                 const syn_image_read_options *options, syn_image **image, syn_error *error);

#endif

/* Folders: masks with a file for each structure, or the slices of a DICOM series. */
#ifndef SYN_IMAGE_IMAGE_FOLDER_H
#define SYN_IMAGE_IMAGE_FOLDER_H

#include "base/files/file.h"
#include "image/image_shared.h"

/* One file of any format. */
syn_status syn_image_read_file(const syn_context *context, const char *path, const syn_image_read_options *options,
                               syn_image **image, syn_error *error);
syn_status syn_image_read_folder(const syn_context *context, const char *path, const syn_image_read_options *options,
                                 syn_image **image, syn_error *error);

#endif

/* The interface of an image format: recognition by content, and reading. */
#ifndef SYN_IMAGE_IMAGE_FORMAT_H
#define SYN_IMAGE_IMAGE_FORMAT_H

#include "image/io/raster.h"

/* An image file while it is read. */
typedef struct image_input {
  const char *path; /* or a name for messages */
  byte_stream *stream;
  const syn_image_read_options *options;
  syn_arena *arena; /* released after reading */
  const char *head; /* the first bytes, unpacked */
  size_t head_size;
  bool packed; /* the file as a whole */
} image_input;
enum { IMAGE_HEAD = 1024, IMAGE_MOST_HEADER = 1 << 20 };

typedef struct image_format {
  const char *name;
  bool (*sniff)(const char *head, size_t size);
  syn_status (*read)(const image_input *input, syn_image **image, syn_error *error);
} image_format;

extern const image_format syn_nifti_format, syn_nrrd_format, syn_metaimage_format, syn_dicom_format;

/* Reads the text header of a file into the arena, terminated: up to IMAGE_MOST_HEADER of its first bytes. */
syn_status syn_image_header_text(const image_input *input, char **text, size_t *size, syn_error *error);

/* ---- several files ------------------------------------------------------------------------------------------------
 */

/* One file of any format. */
syn_status syn_image_read_file(const syn_context *context, const char *path, const syn_image_read_options *options,
                               syn_image **image, syn_error *error);
/* A folder of masks, with a file for each structure, or of DICOM files. */
syn_status syn_image_read_folder(const syn_context *context, const char *path, const syn_image_read_options *options,
                                 syn_image **image, syn_error *error);
/* A scan as DICOM files, one for each slice: the paths of `count` of them, sorted. The series with most slices is
 * read. */
syn_status syn_dicom_series_read(const syn_context *context, const char *folder, char *const *paths, size_t count,
                                 const syn_image_read_options *options, syn_image **image, syn_error *error);

#endif

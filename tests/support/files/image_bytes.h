/* Image files, byte by byte, as their formats are described. */
#ifndef TEST_IMAGE_BYTES_H
#define TEST_IMAGE_BYTES_H

#include "support.h"

enum { IMAGE_ROOM = 1 << 16, IMAGE_VOXELS = 5 * 4 * 3 };

typedef struct image_bytes {
  unsigned char bytes[IMAGE_ROOM];
  size_t size;
} image_bytes;

/* Numbers in either order of bytes. */
void put_number(image_bytes *file, size_t at, double value, char type, bool big); /* type: b B h H i I q Q f d */
size_t type_size(char type);
void add_number(image_bytes *file, double value, char type, bool big);
void add_text(image_bytes *file, const char *text);

/* A NIfTI file of 5 x 4 x 3 voxels, whose values are `values` before the scale. */
typedef struct nifti_kind {
  bool second, big, pair;
  char type;
  bool sform, qform;
  double slope, intercept;
  const char *extension; /* content; NULL: none */
} nifti_kind;
/* With `pair` only the header; the voxels come from add_voxels. */
void make_nifti(const nifti_kind *kind, const double values[IMAGE_VOXELS], image_bytes *file);
void add_voxels(image_bytes *file, const double values[IMAGE_VOXELS], char type, bool big);
/* Where the voxel of that header lies, in LPS. */
syn_vec3 nifti_point(double i, double j, double k);

/* An element of DICOM. The meta header, group 2, is always explicit. A text is padded. */
void add_dicom(image_bytes *file, bool implicit, uint32_t tag, const char *vr, const void *value, size_t length);
void add_dicom_text(image_bytes *file, bool implicit, uint32_t tag, const char *vr, const char *text);

/* Writes it, packed by gzip where `packed`; in two pieces, as some programs do, where `pieces`. */
const char *save_image(const image_bytes *file, const char *name, bool packed);
/* Packs into `packed`; `window` 15 for zlib, 31 for gzip. */
void pack_bytes(const image_bytes *file, int window, image_bytes *packed);

/* Labels 0 to 7, about half of them 0; voxel (0, 0, 0) is 0. */
void random_labels(test_random *random, double values[IMAGE_VOXELS]);
/* The image is of this grid and these labels: whole, or cropped. */
void check_labels(const syn_image *image, const double values[IMAGE_VOXELS]);

#endif

/* What a DICOM SEG says, before its voxels are looked at. */
#ifndef SYN_IMAGE_DICOM_SEG_H
#define SYN_IMAGE_DICOM_SEG_H

#include "image/io/dicom_elements.h"
#include "image/io/image_format.h"

typedef struct seg_frame {
  uint16_t segment;
  syn_vec3 position; /* centre of its first pixel */
  uint32_t slice;    /* in the grid */
} seg_frame;

typedef struct dicom_seg {
  const image_input *input;
  char sop_class[80], type[24], fractional[24];
  uint16_t rows, columns, bits;
  size_t frame_count, frame_room;
  seg_frame *frames;
  double orientation[6], spacing[2], between, thickness; /* spacing: of rows, of columns; 0: not given */
  bool has_orientation, has_spacing;
  syn_label *segments; /* value, name, part, side; then count and box. In the arena */
  size_t segment_count;
  dicom_element pixels;
} dicom_seg;

/* Fills in everything but slices. */
syn_status syn_dicom_seg_header(dicom_cursor *cursor, dicom_seg *seg, syn_error *error);

#endif

/* The signed field of one label of a map, slice by slice: its smoothed indicator against that of its strongest
 * neighbour. Where the field is positive, the label is the strongest.
 *
 * The lattice has the voxel centres of a box around the label; where the image ends, it has one layer more, with the
 * sign of outside, so that a surface closes half a voxel beyond the last centre. */
#ifndef SYN_IMAGE_LABEL_FIELD_H
#define SYN_IMAGE_LABEL_FIELD_H

#include <synovia/image.h>

#include "base/memory.h"

typedef struct syn_row_range {
  int32_t from, to; /* both included; from > to: empty */
} syn_row_range;

/* No value is nearer to zero, in sigmas. */
#define SYN_FIELD_LEAST 0.03
enum { SYN_FIELD_RADIUS = 16, SYN_FIELD_STEPS = 256 }; /* of a kernel, voxels: the largest */

typedef struct syn_label_field {
  const syn_image *image;
  const uint16_t *voxels;   /* of the label's layer */
  const syn_label *own;     /* the label */
  const syn_label **others; /* labels of the same layer that may be near it, `other_count` of them */
  size_t other_count;
  int32_t low[3], size[3]; /* first lattice point, in voxels (-1: before the image), and the size of the lattice */
  int32_t radius[3];       /* of the kernels, voxels */
  double kernel[3][2 * SYN_FIELD_RADIUS + 1];
  double edge[SYN_FIELD_STEPS + 1]; /* difference of the indicators at equal steps from a plane, up to */
  double edge_reach;                /* this many sigmas */
  syn_row_range *rows;       /* per (y, z) of the lattice: where the field is computed; it is negative elsewhere */
  syn_row_range *slice_rows; /* the same for the kernel's reach in z */
  syn_row_range *blur_rows;  /* and for that in y */
  double **slots;            /* slices smoothed in x and y: per label (own first) 2 radius + 1 of them */
  int32_t next;              /* slice that enters the slots next */
  double *line, *plane, *sum, *most;
  double gap;             /* in sigmas: how far the surface keeps from the wall between two labels; 0 after the start */
  uint64_t disagreements; /* voxels on the wrong side of the surface, so far */
} syn_label_field;

/* Everything lives in the arena. `sigma` in voxels per axis; `others` (any order, `own` may be among them) are the
 * labels that compete: all other voxels count as background. */
syn_status syn_label_field_start(syn_arena *arena, const syn_image *image, const syn_label *own,
                                 const syn_label *const *others, size_t other_count, const double sigma[3],
                                 syn_label_field *field, syn_error *error);
/* The values of lattice slice k; call it for 0, 1, 2 … in order. values and near have size[0] * size[1] entries; only
 * those of `rows` are filled. `near`: 1 where another label's indicator is felt. */
void syn_label_field_slice(syn_label_field *field, int32_t k, double *values, uint8_t *near);
/* Where a row of the lattice has values. */
syn_row_range syn_label_field_row(const syn_label_field *field, int32_t y, int32_t k);

#endif

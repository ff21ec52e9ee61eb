/* Noise of a segmented surface: a random field in space, correlated over some millimetres. */
#ifndef SYN_MOTION_NOISE_FIELD_H
#define SYN_MOTION_NOISE_FIELD_H

#include "base/memory.h"

typedef struct syn_noise_field {
  double spacing;       /* of the nodes, mm */
  int64_t corner[3];    /* first node */
  size_t size[3];       /* count of nodes */
  const double *values; /* of the nodes: white noise */
} syn_noise_field;

/* Makes the field of a seed, at all points of a box. Its covariance is nearly exp(-d² / kernel_mm²), and its variance 1
 * everywhere. The value at a point does not depend on the box. */
syn_status syn_noise_field_make(syn_arena *arena, uint64_t seed, double kernel_mm, const syn_box *box,
                                syn_noise_field *field, syn_error *error);
double syn_noise_field_at(const syn_noise_field *field, syn_vec3 point);

#endif

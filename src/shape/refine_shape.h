/* Finer meshes of shapes whose form is fixed by few triangles. */
#ifndef SYN_SHAPE_REFINE_H
#define SYN_SHAPE_REFINE_H

#include "shape/shape.h"

/* The parameter that such shapes share. */
#define SYN_SHAPE_LEVEL                                                                                                \
  { "level", "", 0, 0, 5, true, "each level splits every triangle into four" }

/* Splits every surface of the shape `level` times. */
syn_status syn_shape_refine(syn_joint *shape, uint32_t level, syn_error *error);

#endif

/* What one file of this folder offers: its description and how it is made. */
#ifndef SYN_SHAPE_SHAPE_H
#define SYN_SHAPE_SHAPE_H

#include <synovia/shape.h>

#include "base/memory.h"

typedef struct syn_shape_maker {
  syn_shape_info info;
  /* `values` holds one checked number per parameter, in the table's order. Bodies already added are released by the
   * caller on failure. */
  syn_status (*make)(const double *values, syn_shape *shape, syn_error *error);
} syn_shape_maker;

/* Adds a body and takes over its meshes (either may be NULL; a missing surface is later taken from the volume). There
 * is always room: see SYN_SHAPE_BODIES. */
syn_shape_body *syn_shape_add(syn_shape *shape, const char *name, syn_tissue tissue, bool moves, syn_trimesh *surface,
                              syn_tetmesh *volume);

#endif

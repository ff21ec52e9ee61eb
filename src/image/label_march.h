/* Marching tetrahedra over the field of a label: the closed surface where the field is zero. */
#ifndef SYN_IMAGE_LABEL_MARCH_H
#define SYN_IMAGE_LABEL_MARCH_H

#include "image/label_field.h"
#include "mesh/builder.h"

/* A surface under construction: builder, in lattice coordinates (voxels), and which of its vertices keep their place,
 * because a neighbour's wall is there or near. */
typedef struct syn_label_march {
  syn_builder builder;
  uint8_t *fixed; /* per vertex */
  size_t fixed_capacity;
} syn_label_march;

/* Triangles face away from where the field is positive if the lattice is right-handed. `march` is zero but for the
 * builder's context; release it with syn_label_march_release. */
syn_status syn_label_march_run(syn_arena *arena, syn_label_field *field, syn_label_march *march, syn_error *error);
void syn_label_march_release(syn_label_march *march);

#endif

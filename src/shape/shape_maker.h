/* The interface of a shape: its description and how it is created. */
#ifndef SYN_SHAPE_MAKER_H
#define SYN_SHAPE_MAKER_H

#include <synovia/shape.h>

#include "base/memory.h"
#include "base/status.h"

typedef struct syn_shape_maker {
  syn_shape_info info;
  /* `values` holds one checked number per parameter, in the table's order. Bodies already added are released by the
   * caller on failure. */
  syn_status (*make)(const double *values, syn_joint *shape, syn_error *error);
} syn_shape_maker;

/* Returns the shape of that name; NULL if there is none. */
SYN_PROGRAM_API const syn_shape_info *syn_shape_named(const char *name);

/* The right hip that `synovia demo` shows: in the proportions of an adult, with labrum and cartilage and a cam in front
 * and above. `resolution` is that of the shape "hip". */
SYN_PROGRAM_API syn_status syn_demo_hip_create(const syn_context *context, double resolution, syn_joint **hip,
                                               syn_error *error);

/* Adds a body with the material of its tissue and takes over its meshes, also where it fails. Either may be NULL; a
 * missing surface is later taken from the volume. */
syn_status syn_shape_add(syn_joint *shape, const char *name, syn_tissue tissue, bool moves, syn_trimesh *surface,
                         syn_tetmesh *volume, syn_error *error);
/* Sets the axes through the centre about which the mobile bodies rotate. */
void syn_shape_turns(syn_joint *shape, syn_vec3 center, syn_joint_axes axes);

/* The parameter of shapes whose form is fixed by few triangles. */
#define SYN_SHAPE_LEVEL                                                                                                \
  { "level", "", 0, 0, 5, true, "each level splits every triangle into four" }

/* Splits every surface of the shape `level` times. */
syn_status syn_shape_refine(syn_joint *shape, uint32_t level, syn_error *error);

#endif

/* Synovia: generated models. One table describes every shape and its parameters, so that programs, bindings and tests
 * can list them; one call makes any of them. Every surface is closed, oriented outward and free of self-intersections
 * at every resolution in range. */
#ifndef SYNOVIA_SHAPE_H
#define SYNOVIA_SHAPE_H

#include <synovia/joint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct syn_shape_parameter {
  const char *name; /* as on the command line without dashes: "neck-shaft" */
  const char *unit; /* "mm", "deg", "" for counts and ratios */
  double standard, min, max;
  bool whole; /* counts */
  const char *help;
} syn_shape_parameter;

typedef struct syn_shape_info {
  const char *name, *summary;
  size_t parameter_count;
  const syn_shape_parameter *parameters;
} syn_shape_info;

/* All shapes. */
enum { SYN_SHAPES = 14 };
SYN_API extern const syn_shape_info *const syn_shapes[SYN_SHAPES];

typedef struct syn_shape_value {
  const char *name;
  double value;
} syn_shape_value;

/* Makes the named shape as a joint. Its bodies have meshes and the materials of their tissues; a body with a volume
 * also has its surface. Shapes that turn have a centre and axes. Parameters not given have their default values.
 * SYN_BAD_ARGUMENT names an unknown shape or parameter, or a value out of range. Release with syn_joint_destroy. */
SYN_API syn_status syn_shape_create(const syn_context *context, const char *name, const syn_shape_value *values,
                                    size_t value_count, syn_joint **shape, syn_error *error);

/* Its results as field tables; see result.h. */
SYN_API extern const syn_record syn_shape_record; /* of nothing (NULL): the index is that of syn_shapes */

#ifdef __cplusplus
}
#endif
#endif

/* Synovia: generated models. One table describes every shape and its parameters, so that programs, bindings and tests
 * can list them; one call makes any of them. Every surface that comes out is closed, oriented outward and free of
 * self-intersections, at any resolution that its parameter allows. */
#ifndef SYNOVIA_SHAPE_H
#define SYNOVIA_SHAPE_H

#include <synovia/mesh.h>

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

SYN_API size_t syn_shape_count(void);
SYN_API const syn_shape_info *syn_shape_at(size_t index);
/* NULL where there is no such shape. */
SYN_API const syn_shape_info *syn_shape_find(const char *name);

typedef enum syn_tissue {
  SYN_TISSUE_BONE,
  SYN_TISSUE_CARTILAGE,
  SYN_TISSUE_LABRUM,
  SYN_TISSUE_LIGAMENT,
  SYN_TISSUE_MUSCLE
} syn_tissue;
SYN_API const char *syn_tissue_name(syn_tissue tissue); /* "bone", …, as in joint files */

enum { SYN_SHAPE_BODIES = 8 };

/* A body is a surface, or a volume and its surface. */
typedef struct syn_shape_body {
  char name[32];
  syn_trimesh *surface; /* never NULL */
  syn_tetmesh *volume;  /* NULL for a body that does not deform */
  syn_tissue tissue;
  bool moves;
} syn_shape_body;

/* How the bodies form a joint: right-handed rotation of the moving bodies by a positive angle about each axis through
 * the centre is flexion, adduction, internal rotation. */
typedef struct syn_shape_joint {
  bool present;
  syn_vec3 center, flexion, adduction, rotation;
} syn_shape_joint;

typedef struct syn_shape {
  const syn_context *context;
  uint32_t body_count;
  syn_shape_body bodies[SYN_SHAPE_BODIES];
  syn_shape_joint joint;
} syn_shape;

typedef struct syn_shape_value {
  const char *name;
  double value;
} syn_shape_value;

/* Makes the named shape; parameters not given have their standard values. SYN_BAD_ARGUMENT names an unknown shape or
 * parameter, or a value out of range. Release with syn_shape_release. */
SYN_API syn_status syn_shape_make(const syn_context *context, const char *name, const syn_shape_value *values,
                                  size_t value_count, syn_shape *shape, syn_error *error);
SYN_API void syn_shape_release(syn_shape *shape); /* leaves it all zero */
/* The body of that name, or NULL. */
SYN_API const syn_shape_body *syn_shape_body_named(const syn_shape *shape, const char *name);

#ifdef __cplusplus
}
#endif
#endif

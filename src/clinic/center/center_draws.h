/* The centre of a hip in the draws of its 95 % intervals: that of the head on the moved bones. */
#ifndef SYN_CLINIC_CENTER_DRAWS_H
#define SYN_CLINIC_CENTER_DRAWS_H

#include "clinic/center/joint_sphere.h"
#include "motion/rom/band.h"

typedef struct syn_center_draws {
  syn_arena arena;
  bool follows;  /* the hip rotates about the centre of its head */
  syn_mat3 root; /* of the covariance of that centre */
  double reach_mm;
  syn_patch head, socket; /* the latter empty without a shift */
  syn_joint_sphere fit;   /* of the head's patch */
  syn_vec3 shift;         /* as found on both patches */
} syn_center_draws;

/* Prepares the draws of a hip that rotates about `center` after a shift. `pelvis` may be NULL. Release with
 * syn_arena_release(&draws->arena), also after a failure. */
syn_status syn_center_draws_make(const syn_context *context, const syn_trimesh *pelvis, const syn_trimesh *femur,
                                 const syn_anatomy *anatomy, syn_vec3 center, syn_vec3 shift,
                                 const syn_band_options *options, syn_center_draws *draws, syn_error *error);
/* The find of a syn_band_centring, with a syn_center_draws. */
syn_status syn_center_draws_find(const void *draws, const syn_band_drawn *drawn, syn_vec3 *center, syn_vec3 *shift,
                                 syn_error *error);

#endif

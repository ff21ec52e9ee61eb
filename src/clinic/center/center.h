/* Computes the hip centre, method by method. Each returns a centre, or the reason why there is none. */
#ifndef SYN_CLINIC_CENTER_H
#define SYN_CLINIC_CENTER_H

#include "base/status.h"
#include "clinic/hip.h"
#include <math.h>

/* The joint surfaces as points. */
typedef struct syn_joint_points {
  syn_vec3 *head, *lunate; /* of femur and pelvis */
  size_t head_count, lunate_count;
} syn_joint_points;

static inline syn_center center_unknown(const char *why_not) {
  return (syn_center){.radius_mm = NAN, .residual_mm = NAN, .why_not = why_not};
}

/* Fits one centre for both spheres (Arbabi 2009, §4.4.2.2.1). `start` is near the joint. The radius is the head's. */
syn_center syn_center_double_sphere(const syn_joint_points *points, syn_vec3 start);

/* Finds the point of the femur that moves least while the joint surfaces keep their distances through a circumduction
 * (Arbabi 2009, §4.4.2.2.2): all distances `gap_mm`, or, if that is NAN, the distances in the scanned position. */
syn_status syn_center_functional(const syn_context *context, const syn_trimesh *femur, const syn_joint_points *points,
                                 const syn_hip_axes *axes, syn_vec3 start, double gap_mm, syn_center *center,
                                 syn_error *error);

/* Finds the head's centre, and the shift of the head towards the middle of its socket as far as the joint space is
 * shown to be more even there; 0: as scanned. The residual is the spread of the space in the middle, the radius that of
 * the socket. */
syn_status syn_center_equidistant(const syn_trimesh *pelvis, const syn_trimesh *femur, const syn_anatomy *anatomy,
                                  syn_center *center, syn_vec3 *shift, syn_error *error);

/* Finds the pair of points, one of either bone, that move least against each other in a motion (Ehrig et al. 2006). */
syn_center syn_center_score(const syn_pose *motion, size_t count);
syn_center syn_center_of_motion(const syn_motion_center *motion); /* converts an evaluated motion centre */

/* Estimates the centre from the width and depth of the pelvis (Harrington et al. 2007). */
syn_center syn_center_harrington(const syn_anatomy *anatomy);

/* ---- depths about other centres ---------------------------------------------------------------------------------- */

/* The range of the principal motions, in degrees. */
extern const syn_hip_angles syn_principal_ends_deg[SYN_PRINCIPAL_MOTIONS];

/* Cartilage and labrum generated for bones; center_soft.c explains the method. */
typedef struct syn_center_soft {
  syn_trimesh *femoral_cartilage, *acetabular_cartilage, *labrum; /* NULL: not generated */
  double layer_mm;                                                /* thickness of the cartilage */
} syn_center_soft;
/* Generates them. Release with syn_center_soft_release, also after a failure; *soft is zeroed by the caller. */
syn_status syn_center_make_soft(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                syn_center_soft *soft, syn_error *error);
void syn_center_soft_release(syn_center_soft *soft);

/* ---- sensitivity to the centre ----------------------------------------------------------------------------------- */

/* Mean and standard deviation (of a sample) over `count` steps; NAN where there are too few. */
typedef struct syn_spread {
  double mean, sd;
  size_t count;
} syn_spread;

/* Absolute differences of the maximum depths from those about dref, step by step in steps of one degree (Arbabi 2009,
 * Eq. 12 to 14): for each principal motion, and last for all of them together. Radial ones as a percentage of the depth
 * about dref, where that is above 0. */
typedef struct syn_center_sensitivity {
  bool known[SYN_CENTER_METHOD_SLOTS]; /* by method; never dref */
  syn_spread curvilinear_mm[SYN_CENTER_METHOD_SLOTS][SYN_PRINCIPAL_MOTIONS + 1];
  syn_spread radial_percent[SYN_CENTER_METHOD_SLOTS][SYN_PRINCIPAL_MOTIONS + 1];
  double layer_mm; /* thickness of the cartilage that was made where only bones were given; NAN where it was given */
} syn_center_sensitivity;

/* ---- joint space and other centres ------------------------------------------------------------------------------- */

/* "flexion" … "abduction", and "all" beyond them. */
const char *syn_principal_motion_name(size_t motion);
/* Needs dref. The bodies are those of Arbabi 2009, §4.4.2.3: the femur strikes the labrum, femoral cartilage slides on
 * the socket's cartilage and labrum. Where labrum or acetabular cartilage is missing both are made from the bones,
 * which needs `anatomy` (SYN_BAD_MESH if that lacks a head or a rim); else it may be NULL. */
syn_status syn_center_sensitivity_find(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                       const syn_centers *centers, syn_center_sensitivity *sensitivity,
                                       syn_error *error);
typedef struct syn_center_effect_options {
  double band_mm; /* uncertainty of the centre; default 3 (Arbabi 2009, §4.4.1) */
  /* A range of motion of this hip's bones, where there is one: saves the time to make it. NULL: one is made. */
  const syn_rom *bones_rom;
  uint32_t cookie;
} syn_center_effect_options;
syn_center_effect_options syn_default_center_effect_options(void);

/* Computes the range of motion about every known centre and about centres shifted by band_mm. The articular surface of
 * the head is excluded (see syn_hip_leave_out_joint) also for a hip without joint_ball, unless `anatomy` is NULL: about
 * another centre the head would soon hit the socket, which says nothing about the rim. Costs a range of motion for each
 * centre. `options` may be NULL: defaults. */
syn_status syn_center_effect_create(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                    const syn_centers *centers, const syn_center_effect_options *options,
                                    syn_center_effect **effect, syn_error *error);
void syn_center_effect_destroy(syn_center_effect *effect); /* NULL is fine */

#endif

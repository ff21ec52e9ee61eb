/* Computes the hip centre, method by method. Each returns a centre, or the reason why there is none. */
#ifndef SYN_CLINIC_CENTER_H
#define SYN_CLINIC_CENTER_H

#include <math.h>
#include <synovia/clinic.h>

#include "base/status.h"

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

/* Returns the head's centre, unless the joint space is clearly less even with it in the middle of the socket than as
 * scanned. The residual is the spread of the space then, the radius that of the socket. */
syn_status syn_center_equidistant(const syn_trimesh *femur, const syn_anatomy *anatomy, const syn_joint_points *points,
                                  syn_center *center, syn_error *error);

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

#endif

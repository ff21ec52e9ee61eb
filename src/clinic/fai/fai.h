/* Impingement by penetration depth (Arbabi 2009, §4.3), shared by its files. */
#ifndef SYN_CLINIC_FAI_H
#define SYN_CLINIC_FAI_H

#include <synovia/clinic.h>

#include "base/status.h"

/* ---- the turn that led to a pose --------------------------------------------------------------------------------- */

/* From the start of the motion: by `angle`, 0 to pi, about the unit vector `axis` through `center`, the joint's centre
 * at the pose. An angle of 0 has the axis of a neighbour in the motion. */
typedef struct syn_fai_turn {
  syn_vec3 axis, center;
  double angle;
} syn_fai_turn;

/* The turns of the poses from *start, which is the first pose, or the mesh position if no pose turns away from the
 * first. If that gives no turn either, all angles are 0 and the axis is that of flexion. */
void syn_fai_turns(const syn_hip *hip, const syn_pose *motion, size_t count, syn_pose *start, syn_fai_turn *turns);
/* How many turns from the first one on share its axis, sense and centre. */
size_t syn_fai_same_axis(const syn_fai_turn *turns, size_t count);

/* ---- depths of a pair of bodies ---------------------------------------------------------------------------------- */

/* [0]: vertices and edges of the mobile body in the fixed one; [1]: the roles exchanged. */
typedef struct syn_fai_step {
  double depth_mm[2];
  syn_vec3 point[2];
} syn_fai_step;

typedef struct syn_fai_pair {
  const syn_trimesh *fixed, *mobile;
  double *fixed_field, *mobile_field; /* greatest depth of each vertex so far; NULL where not wanted */
  bool between_vertices;              /* curvilinear depths on edges and faces, too */
  double *fixed_steps, *mobile_steps; /* depth of each vertex at each pose so far; NULL where not wanted */
} syn_fai_pair;

/* Deepens steps[0 … count-1] by what the pair does at the poses. `turns` (radial: NULL) share one axis. */
syn_status syn_fai_radial(const syn_context *context, const syn_fai_pair *pair, syn_vec3 center, const syn_pose *poses,
                          size_t count, syn_fai_step *steps, syn_error *error);
syn_status syn_fai_curvilinear(const syn_context *context, const syn_fai_pair *pair, const syn_pose *poses,
                               const syn_fai_turn *turns, size_t count, syn_fai_step *steps, syn_error *error);

/* ---- classes ----------------------------------------------------------------------------------------------------- */

/* Centre-edge angle of the soft tissue in the frontal plane, degrees; NAN where that plane does not cut it. */
double syn_fai_coverage(const syn_hip *hip);
/* Curvilinear and radial depth, each over the upper end of its bands in Table 10 (Fig. 63). */
double syn_fai_difference(double curvilinear_mm, double radial_mm);
/* Depths of the whole motion and the coverage to a class; fai_class.c explains the rule. */
syn_fai_class syn_fai_classify(double curvilinear_mm, double radial_mm, double coverage_deg);

#endif

/* Joint angles to poses and back, for any joint between two bones with frames, and the knee's joint coordinate system
 * (Grood and Suntay 1983): the angles of any joint, except that flexion has the opposite sign of the hip's, and three
 * translations along the axes of rotation. */
#include <math.h>

#include <synovia/motion.h>

#include "base/angle.h"
#include "base/status.h"
#include "base/vec.h"

syn_status syn_joint_axes_from_points(syn_side side, syn_vec3 proximal, syn_vec3 distal, syn_vec3 medial,
                                      syn_vec3 lateral, syn_joint_axes *axes, syn_error *error) {
  const double sign = side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_vec3 up = vec3_unit(vec3_sub(proximal, distal)), across = vec3_unit(vec3_sub(lateral, medial));
  const syn_vec3 beside = vec3_madd(across, -vec3_dot(across, up), up);
  if (!(vec3_length(up) > 0 && vec3_length(beside) > 1e-6))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "a bone's frame needs a long axis and a line across it; these points lie on one line");
  axes->flexion = vec3_scale(vec3_unit(beside), sign);
  axes->rotation = vec3_scale(up, sign);
  axes->adduction = vec3_cross(axes->rotation, axes->flexion);
  return SYN_OK;
}

/* Rows are the axes: maps a vector of the scene to the frame. */
static syn_mat3 to_frame(const syn_joint_axes *axes) {
  return (syn_mat3){{axes->flexion, axes->adduction, axes->rotation}};
}

/* Rotates by flexion, then adduction, then rotation, each about the axis as moved by the rotations before: seen from
 * the proximal bone the last one comes first (Grood and Suntay 1983; Wu et al. 2002). */
static syn_mat3 joint_matrix(syn_joint_angles angles) {
  const double cf = syn_cos(angles.flexion), sf = syn_sin(angles.flexion);
  const double ca = syn_cos(angles.adduction), sa = syn_sin(angles.adduction);
  const double cr = syn_cos(angles.rotation), sr = syn_sin(angles.rotation);
  return (syn_mat3){{{ca * cr, -ca * sr, sa},
                     {cf * sr + sf * sa * cr, cf * cr - sf * sa * sr, -sf * ca},
                     {sf * sr - cf * sa * cr, sf * cr + cf * sa * sr, cf * ca}}};
}

/* Returns outer * middle * inner. */
static syn_mat3 chain(const syn_mat3 *outer, const syn_mat3 *middle, const syn_mat3 *inner) {
  const syn_mat3 first = mat3_multiply(middle, inner);
  return mat3_multiply(outer, &first);
}

syn_pose syn_joint_axes_pose(const syn_joint_axes *proximal, const syn_joint_axes *distal, syn_vec3 center,
                             syn_joint_angles angles) {
  const syn_mat3 to_proximal = to_frame(proximal), from_proximal = mat3_transpose(&to_proximal);
  const syn_mat3 joint = joint_matrix(angles), to_distal = to_frame(distal);
  const syn_mat3 rotation = chain(&from_proximal, &joint, &to_distal);
  return (syn_pose){rotation, vec3_sub(center, mat3_apply(&rotation, center))};
}

syn_joint_angles syn_joint_axes_angles(const syn_joint_axes *proximal, const syn_joint_axes *distal,
                                       const syn_pose *pose) {
  const syn_mat3 to_proximal = to_frame(proximal);
  const syn_mat3 to_distal = to_frame(distal), from_distal = mat3_transpose(&to_distal);
  const syn_mat3 r = chain(&to_proximal, &pose->rotation, &from_distal);
  const double ca = syn_hypot(r.row[0].x, r.row[0].y), adduction = syn_atan2(r.row[0].z, ca);
  if (ca < 1e-12) return (syn_joint_angles){syn_atan2(r.row[2].y, r.row[1].y), adduction, 0};
  return (syn_joint_angles){syn_atan2(-r.row[1].z, r.row[2].z), adduction, syn_atan2(-r.row[0].y, r.row[0].x)};
}

syn_joint_axes syn_joint_axes_turned(const syn_joint_axes *axes, syn_vec3 by) {
  syn_vec3 turn = vec3_scale(axes->flexion, by.x);
  turn = vec3_madd(turn, by.y, axes->adduction);
  turn = vec3_madd(turn, by.z, axes->rotation);
  if (!(vec3_length(turn) > 0)) return *axes;
  const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), turn, vec3_length(turn));
  return (syn_joint_axes){syn_pose_direction(&pose, axes->flexion), syn_pose_direction(&pose, axes->adduction),
                          syn_pose_direction(&pose, axes->rotation)};
}

/* ---- the knee ---------------------------------------------------------------------------------------------------- */

/* Unit axes of the three rotations in the scene: the femur's to the patient's right, the floating one forward, the
 * tibia's up. The first and the last are not at right angles to each other. */
typedef struct turn_axes {
  syn_vec3 right, forward, up;
} turn_axes;

static turn_axes axes_of(const syn_knee *knee, const syn_mat3 *tibia_rotation) {
  const double sign = knee->side == SYN_SIDE_RIGHT ? 1 : -1;
  turn_axes axes = {.right = knee->femur_axes.flexion};
  axes.up = vec3_scale(mat3_apply(tibia_rotation, knee->tibia_axes.rotation), sign);
  axes.forward = vec3_unit(vec3_cross(axes.up, axes.right));
  return axes;
}

static syn_joint_angles bent_the_other_way(syn_joint_angles angles) {
  return (syn_joint_angles){-angles.flexion, angles.adduction, angles.rotation};
}

syn_pose syn_knee_pose(const syn_knee *knee, const syn_knee_coordinates *coordinates) {
  syn_pose pose = syn_joint_axes_pose(&knee->femur_axes, &knee->tibia_axes, knee->tibia_origin,
                                      bent_the_other_way(coordinates->angles));
  const turn_axes axes = axes_of(knee, &pose.rotation);
  /* the translation with the given projections on the three axes */
  const double right = knee->side == SYN_SIDE_RIGHT ? coordinates->lateral_mm : -coordinates->lateral_mm;
  const double up = -coordinates->distraction_mm, skew = vec3_dot(axes.right, axes.up), rest = 1 - skew * skew;
  syn_vec3 shift = vec3_scale(axes.forward, coordinates->anterior_mm);
  shift = vec3_madd(shift, (right - skew * up) / rest, axes.right);
  shift = vec3_madd(shift, (up - skew * right) / rest, axes.up);
  const syn_vec3 origin = vec3_add(knee->femur_origin, shift);
  pose.translation = vec3_sub(origin, mat3_apply(&pose.rotation, knee->tibia_origin));
  return pose;
}

syn_knee_coordinates syn_knee_coordinates_of(const syn_knee *knee, const syn_pose *pose) {
  const turn_axes axes = axes_of(knee, &pose->rotation);
  const syn_vec3 shift = vec3_sub(syn_pose_point(pose, knee->tibia_origin), knee->femur_origin);
  const double right = vec3_dot(shift, axes.right);
  return (syn_knee_coordinates){
      .angles = bent_the_other_way(syn_joint_axes_angles(&knee->femur_axes, &knee->tibia_axes, pose)),
      .lateral_mm = knee->side == SYN_SIDE_RIGHT ? right : -right,
      .anterior_mm = vec3_dot(shift, axes.forward),
      .distraction_mm = -vec3_dot(shift, axes.up)};
}

/* Joint angles to poses and back, for any joint between two bones with frames, and the joint coordinates of Grood and
 * Suntay (1983): these angles and three translations along the axes of rotation. */
#include <math.h>

#include "motion/joint_coordinates.h"

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

/* ---- joint coordinates ---------------------------------------------------------------------------------------------
 */

/* Returns the unit axes of the three angles in the scene. The first and the last are not at right angles. */
static syn_joint_axes angle_axes(const syn_joint_axes *fixed, const syn_joint_axes *mobile, const syn_mat3 *rotation) {
  const syn_vec3 last = mat3_apply(rotation, mobile->rotation);
  return (syn_joint_axes){fixed->flexion, vec3_unit(vec3_cross(last, fixed->flexion)), last};
}

syn_pose syn_joint_coordinates_pose(const syn_joint_axes *fixed, syn_vec3 fixed_origin, const syn_joint_axes *mobile,
                                    syn_vec3 mobile_origin, const syn_joint_coordinates *coordinates) {
  syn_pose pose = syn_joint_axes_pose(fixed, mobile, mobile_origin, coordinates->angles);
  const syn_joint_axes axes = angle_axes(fixed, mobile, &pose.rotation);
  /* the translation with the given projections on the three axes */
  const double *mm = coordinates->shift_mm, skew = vec3_dot(axes.flexion, axes.rotation), rest = 1 - skew * skew;
  syn_vec3 shift = vec3_scale(axes.adduction, mm[1]);
  shift = vec3_madd(shift, (mm[0] - skew * mm[2]) / rest, axes.flexion);
  shift = vec3_madd(shift, (mm[2] - skew * mm[0]) / rest, axes.rotation);
  pose.translation = vec3_sub(vec3_add(fixed_origin, shift), mat3_apply(&pose.rotation, mobile_origin));
  return pose;
}

syn_joint_coordinates syn_joint_coordinates_find(const syn_joint_axes *fixed, syn_vec3 fixed_origin,
                                                 const syn_joint_axes *mobile, syn_vec3 mobile_origin,
                                                 const syn_pose *pose) {
  const syn_joint_axes axes = angle_axes(fixed, mobile, &pose->rotation);
  const syn_vec3 shift = vec3_sub(syn_pose_point(pose, mobile_origin), fixed_origin);
  return (syn_joint_coordinates){
      .angles = syn_joint_axes_angles(fixed, mobile, pose),
      .shift_mm = {vec3_dot(shift, axes.flexion), vec3_dot(shift, axes.adduction), vec3_dot(shift, axes.rotation)}};
}

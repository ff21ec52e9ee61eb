/* The knee's joint coordinate system (Grood and Suntay 1983): the angles of any joint, except that flexion has the
 * opposite sign of the hip's, and three translations along the axes of rotation. */
#include <synovia/motion.h>

#include "base/vec.h"

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

/* Angles between two frames. */
#ifndef SYN_MOTION_JOINT_COORDINATES_H
#define SYN_MOTION_JOINT_COORDINATES_H

#include <synovia/motion.h>

/* The pose of the distal bone for these angles: a rotation about `center`, applied to the bone in its mesh position.
 * All angles are 0 if the two frames agree. */
syn_pose syn_joint_axes_pose(const syn_joint_axes *proximal, const syn_joint_axes *distal, syn_vec3 center,
                             syn_joint_angles angles);
/* The angles of a pose of the distal bone (its translation is ignored); the identity gives the angles of the mesh
 * positions. At 90 degrees of adduction flexion and rotation are about the same axis; rotation is then 0. */
syn_joint_angles syn_joint_axes_angles(const syn_joint_axes *proximal, const syn_joint_axes *distal,
                                       const syn_pose *pose);

/* Axes rotated by a small vector, radians, whose components are along the axes themselves. */
syn_joint_axes syn_joint_axes_turned(const syn_joint_axes *axes, syn_vec3 by);

#endif

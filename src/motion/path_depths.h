/* Depths of the bodies of a joint along a path (Arbabi 2009, §3.6 and §5.3), shared by its files. */
#ifndef SYN_MOTION_PATH_DEPTHS_H
#define SYN_MOTION_PATH_DEPTHS_H

#include <synovia/motion.h>

#include "base/memory.h"

/* ---- the rotation that led to a pose ----------------------------------------------------------------------------- */

/* Rotation from the start of the path: by `angle`, 0 to pi, about the unit vector `axis` through `center`, the joint's
 * centre at the pose. A rotation by 0 takes the axis of a neighbour on the path. */
typedef struct syn_path_turn {
  syn_vec3 axis, center;
  double angle;
} syn_path_turn;

/* Computes the rotations of the poses from *start, which is the first pose, or the mesh position if no pose is rotated
 * against the first. If that gives no rotation either, all angles are 0 and the axis is the first one of the joint. */
void syn_path_turns(const syn_joint *joint, const syn_pose *path, size_t count, syn_pose *start, syn_path_turn *turns);

/* ---- depths of a pair of bodies ---------------------------------------------------------------------------------- */

/* [0]: vertices and edges of the mobile body in the fixed one; [1]: the roles exchanged. */
typedef struct syn_path_step {
  double depth_mm[2];
  syn_vec3 point[2];
} syn_path_step;

typedef struct syn_path_pair {
  const syn_trimesh *fixed, *mobile;
  double *fixed_field, *mobile_field; /* max depth of each vertex so far; NULL where not wanted */
  bool between_vertices;              /* curvilinear depths on edges and faces, too */
  double *fixed_steps, *mobile_steps; /* depth of each vertex at each pose so far; NULL where not wanted */
} syn_path_pair;

/* Raises steps[0 … count-1] to the depths of the pair at the poses. `turns` share one axis. */
syn_status syn_path_radial(const syn_context *context, const syn_path_pair *pair, syn_vec3 center,
                           const syn_pose *poses, size_t count, syn_path_step *steps, syn_error *error);
syn_status syn_path_curvilinear(const syn_context *context, const syn_path_pair *pair, const syn_pose *poses,
                                const syn_path_turn *turns, size_t count, syn_path_step *steps, syn_error *error);

#endif

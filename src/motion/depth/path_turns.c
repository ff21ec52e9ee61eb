/* Finds the direction of approach. A curvilinear depth is the arc by which the femur must be rotated back on its
 * trajectory. For any pose that trajectory is the single rotation from the start to the pose: it ends where the motion
 * began, normally with the bodies apart. (The axis from one pose to the next would lead deeper while the femur is
 * coming out again, and is noise while it rests.) In the motion of Arbabi 2009, §4.3.2.3, one rotation vector in equal
 * parts, both are the same. */
#include "motion/depth/path_depths.h"

#include "base/vec.h"

/* Smaller rotations determine no axis; axes and centres nearer than this are equal. */
static const double least_turn = 1e-9;

static syn_path_turn turn_between(const syn_joint *joint, const syn_pose *start, const syn_pose *pose) {
  const syn_pose back = syn_pose_inverse(start), way = syn_pose_compose(pose, &back);
  const syn_quat q = syn_pose_quat(&way);
  const syn_vec3 half = q.w < 0 ? vec3(-q.x, -q.y, -q.z) : vec3(q.x, q.y, q.z);
  syn_path_turn turn = {vec3_unit(half), syn_pose_point(pose, joint->center), 2 * atan2(vec3_length(half), fabs(q.w))};
  if (turn.angle < least_turn) turn.angle = 0;
  return turn;
}

/* Returns whether any pose is rotated against the start. */
static bool turns_from(const syn_joint *joint, const syn_pose *start, const syn_pose *path, size_t count,
                       syn_path_turn *turns) {
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    turns[i] = turn_between(joint, start, &path[i]);
    any = any || turns[i].angle > 0;
  }
  return any;
}

/* Poses without a rotation take the axis of the next pose that has one, the last ones that of the previous pose. */
static void lend_axes(syn_path_turn *turns, size_t count, syn_vec3 otherwise) {
  for (size_t i = count; i-- > 0;)
    if (!(turns[i].angle > 0)) turns[i].axis = i + 1 < count ? turns[i + 1].axis : vec3(0, 0, 0);
  for (size_t i = 0; i < count; ++i)
    if (!(vec3_length2(turns[i].axis) > 0)) turns[i].axis = i > 0 ? turns[i - 1].axis : otherwise;
}

void syn_path_turns(const syn_joint *joint, const syn_pose *path, size_t count, syn_pose *start, syn_path_turn *turns) {
  *start = path[0];
  if (!turns_from(joint, start, path, count, turns)) {
    *start = syn_pose_identity();
    turns_from(joint, start, path, count, turns);
  }
  lend_axes(turns, count, joint->axes.flexion);
}

size_t syn_path_same_axis(const syn_path_turn *turns, size_t count) {
  size_t same = 1;
  while (same < count && vec3_distance(turns[same].axis, turns[0].axis) < least_turn &&
         vec3_distance(turns[same].center, turns[0].center) < least_turn)
    ++same;
  return same;
}

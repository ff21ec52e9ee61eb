/* Converts recorded motions of any joint to poses of its mobile bodies. */
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "joint/joint.h"
#include "motion/recording.h"
#include <synovia/motion.h>

/* One of the joint's rotations as a column. */
typedef struct angle_column {
  size_t column;
  int axis;
  double radians; /* per unit of the column; negative for a left-handed rotation */
} angle_column;

/* ---- angles ------------------------------------------------------------------------------------------------------ */

/* Checks the unit of those angles whose names state none, and warns if it seems wrong. */
static void doubt_units(const syn_recording *recording, const angle_column *columns, size_t count) {
  size_t bare[2 * SYN_JOINT_AXES], used = 0;
  for (size_t i = 0; i < count && used < 2 * SYN_JOINT_AXES; ++i) {
    const char *name = recording->columns[columns[i].column];
    if (!syn_path_ends(name, "_deg") && !syn_path_ends(name, "_rad")) bare[used++] = columns[i].column;
  }
  if (used > 0) syn_recording_doubt_unit(recording, bare, used);
}

/* Finds the column of a rotation: "flexion", or "knee_flexion_r" by kind and side, with or without a unit. */
static bool find_turn(const syn_recording *recording, const syn_joint *joint, size_t direction, angle_column *found) {
  static const char *const units[] = {"", "_deg", "_rad"};
  const double degree = SYN_PI / 180, radians[] = {recording->in_degrees ? degree : 1, degree, 1};
  const char *turn = syn_joint_direction_at(joint, direction), side = joint->side == SYN_SIDE_LEFT ? 'l' : 'r';
  for (int i = 0; i < 6; ++i) {
    char name[256];
    const char *unit = units[i % 3];
    if (i < 3)
      snprintf(name, sizeof name, "%s%s", turn, unit);
    else
      snprintf(name, sizeof name, "%s_%s_%c%s", syn_joint_kind(joint), turn, side, unit);
    const size_t column = syn_recording_column_named(recording, name);
    if (column == SIZE_MAX) continue;
    *found = (angle_column){column, (int)direction / 2, radians[i % 3] * (direction % 2 ? -1 : 1)};
    return true;
  }
  return false;
}

static syn_status poses_of_angles(const syn_recording *recording, const char *path, const syn_joint *joint,
                                  const angle_column *columns, size_t count, syn_pose *poses, syn_error *error) {
  doubt_units(recording, columns, count);
  for (size_t row = 0; row < recording->row_count; ++row) {
    double angles[SYN_JOINT_AXES] = {0};
    for (size_t i = 0; i < count; ++i) {
      const double value = recording->values[row * recording->column_count + columns[i].column];
      if (!isfinite(value))
        return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "row %zu: %s is not a finite number", row + 1,
                           recording->columns[columns[i].column]);
      angles[columns[i].axis] += value * columns[i].radians;
    }
    poses[row] = syn_joint_pose(joint, syn_joint_angles_from(angles));
  }
  return SYN_OK;
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

/* Returns the first fixed (or mobile) body that has a matrix; NULL: none. */
static const char *body_with_matrix(const syn_recording *recording, const syn_joint *joint, bool moves) {
  for (size_t i = 0; i < joint->body_count; ++i)
    if (joint->bodies[i].moves == moves && syn_recording_has_matrix(recording, joint->bodies[i].name))
      return joint->bodies[i].name;
  return NULL;
}

static syn_status poses_of_matrices(const syn_recording *recording, const char *path, const syn_joint *joint,
                                    syn_pose *poses, syn_error *error) {
  const double mm = joint->mm_per_unit > 0 ? joint->mm_per_unit : 1;
  const char *mobile = body_with_matrix(recording, joint, true);
  if (mobile)
    return syn_recording_poses(recording, mobile, body_with_matrix(recording, joint, false), mm, poses, error);
  if (syn_recording_has_matrix(recording, NULL)) return syn_recording_poses(recording, NULL, NULL, mm, poses, error);
  return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                     "no motion of this joint: expected angles in columns named by its turns, such as %s, or a matrix "
                     "T11 to T44, also as BODY_T11 of a body that moves",
                     syn_joint_direction(joint, 0, 1));
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static syn_status read_poses(const syn_recording *recording, const char *path, const void *of, syn_pose *poses,
                             syn_error *error) {
  const syn_joint *joint = of;
  angle_column columns[SYN_JOINT_DIRECTIONS];
  size_t count = 0;
  for (size_t i = 0; i < SYN_JOINT_DIRECTIONS; ++i)
    if (find_turn(recording, joint, i, &columns[count])) ++count;
  return count ? poses_of_angles(recording, path, joint, columns, count, poses, error)
               : poses_of_matrices(recording, path, joint, poses, error);
}

syn_status syn_joint_motion_read(const syn_context *context, const syn_joint *joint, const char *path, syn_pose **poses,
                                 double **times_s, size_t *count, syn_error *error) {
  return syn_recording_read_poses(context, path, read_poses, joint, poses, times_s, count, error);
}

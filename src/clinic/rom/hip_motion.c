/* Converts recorded motions of a hip to poses of its mobile parts. */
#include <stdio.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/hip_case.h"
#include "motion/recording.h"
#include <synovia/clinic.h>

typedef struct angle_columns {
  size_t flexion, adduction, rotation;
  double radians_per_unit;
} angle_columns;

/* Usual names of the three angles: prefix, suffix, and the unit that they imply (0: the header's). */
typedef struct angle_names {
  const char *before, *after;
  double radians_per_unit;
} angle_names;

/* Fails only if the file has the flexion without another of the three; *found says whether it has any. */
static syn_status find_angles(const syn_recording *recording, const char *path, const angle_names *names,
                              angle_columns *columns, bool *found, syn_error *error) {
  static const char *const angles[] = {"flexion", "adduction", "rotation"};
  size_t at[3];
  for (int i = 0; i < 3; ++i) {
    char name[48];
    snprintf(name, sizeof name, "%s%s%s", names->before, angles[i], names->after);
    at[i] = syn_recording_column_named(recording, name);
    *found = at[0] != SIZE_MAX;
    if (!*found) return SYN_OK;
    if (at[i] == SIZE_MAX)
      return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "there is a column %s%s%s but no column %s", names->before,
                         angles[0], names->after, name);
  }
  const double by_header = recording->in_degrees ? SYN_PI / 180 : 1;
  if (!(names->radians_per_unit > 0)) syn_recording_doubt_unit(recording, at, 3);
  *columns = (angle_columns){at[0], at[1], at[2], names->radians_per_unit > 0 ? names->radians_per_unit : by_header};
  return SYN_OK;
}

static syn_status find_any_angles(const syn_recording *recording, const char *path, syn_side side,
                                  angle_columns *columns, bool *found, syn_error *error) {
  const bool left = side == SYN_SIDE_LEFT;
  const double degree = SYN_PI / 180;
  const angle_names known[] = {{"hip_", left ? "_l" : "_r", 0},
                               {"hip_", left ? "_l_deg" : "_r_deg", degree},
                               {"hip_", left ? "_l_rad" : "_r_rad", 1},
                               {"", "", 0},
                               {"", "_deg", degree},
                               {"", "_rad", 1}};
  *found = false;
  for (size_t i = 0; i < sizeof known / sizeof *known && !*found; ++i)
    SYN_TRY(find_angles(recording, path, &known[i], columns, found, error));
  return SYN_OK;
}

static syn_status poses_of_angles(const syn_recording *recording, const char *path, const syn_hip *hip,
                                  const angle_columns *columns, syn_pose *poses, syn_error *error) {
  const double unit = columns->radians_per_unit;
  for (size_t row = 0; row < recording->row_count; ++row) {
    const double *values = recording->values + row * recording->column_count;
    const syn_hip_angles angles = {values[columns->flexion] * unit, values[columns->adduction] * unit,
                                   values[columns->rotation] * unit};
    if (!isfinite(angles.flexion) || !isfinite(angles.adduction) || !isfinite(angles.rotation))
      return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1, "row %zu: an angle of the hip is not a finite number",
                         row + 1);
    poses[row] = syn_hip_pose(hip, angles);
  }
  return SYN_OK;
}

static syn_status poses_of_matrices(const syn_recording *recording, const char *path, syn_side side, syn_pose *poses,
                                    syn_error *error) {
  const char *const bodies[] = {NULL, "femur", side == SYN_SIDE_LEFT ? "femur_l" : "femur_r"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; ++i) {
    if (!syn_recording_has_matrix(recording, bodies[i])) continue;
    const char *pelvis = bodies[i] && syn_recording_has_matrix(recording, "pelvis") ? "pelvis" : NULL;
    return syn_recording_poses(recording, bodies[i], pelvis, 1, poses, error);
  }
  const char letter = side == SYN_SIDE_LEFT ? 'l' : 'r';
  return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                     "no motion of this hip: expected columns hip_flexion_%c, hip_adduction_%c and hip_rotation_%c, or "
                     "flexion, adduction and rotation, or a matrix T11 to T44",
                     letter, letter, letter);
}

static syn_status read_poses(const syn_recording *recording, const char *path, const void *of, syn_pose *poses,
                             syn_error *error) {
  const syn_hip *hip = of;
  angle_columns columns = {0};
  bool found;
  SYN_TRY(find_any_angles(recording, path, hip->side, &columns, &found, error));
  return found ? poses_of_angles(recording, path, hip, &columns, poses, error)
               : poses_of_matrices(recording, path, hip->side, poses, error);
}

static syn_status read_matrices(const syn_recording *recording, const char *path, const void *side, syn_pose *poses,
                                syn_error *error) {
  angle_columns columns;
  bool found;
  SYN_TRY(find_any_angles(recording, path, *(const syn_side *)side, &columns, &found, error));
  if (found)
    return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                       "angles turn about a centre that is given and show none; expected matrices T11 to T44, also as "
                       "femur_T11 and pelvis_T11");
  return poses_of_matrices(recording, path, *(const syn_side *)side, poses, error);
}

syn_status syn_hip_matrices_read(const syn_context *context, syn_side side, const char *path, syn_pose **poses,
                                 size_t *count, syn_error *error) {
  double *times_s;
  SYN_TRY(syn_recording_read_poses(context, path, read_matrices, &side, poses, &times_s, count, error));
  syn_free(context, times_s);
  return SYN_OK;
}

syn_status syn_hip_motion_read(const syn_context *context, const syn_hip *hip, const char *path, syn_pose **poses,
                               double **times_s, size_t *count, syn_error *error) {
  return syn_recording_read_poses(context, path, read_poses, hip, poses, times_s, count, error);
}

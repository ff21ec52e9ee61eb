/* Converts recordings to poses: rows of 4x4 matrices, and the angles of a joint. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <synovia/motion.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "joint/joint_store.h"
#include "motion/recording.h"

/* Columns of the entries of one body's matrix. */
typedef struct matrix_columns {
  size_t entry[16];
  bool has_last_row;
} matrix_columns;

static size_t entry_column(const syn_recording *recording, const char *body, char letter, int entry) {
  char name[256];
  const int length = snprintf(name, sizeof name, "%s%s%c%d%d", body ? body : "", body ? "_" : "", letter, entry / 4 + 1,
                              entry % 4 + 1);
  if (length < 0 || (size_t)length >= sizeof name) return SIZE_MAX;
  return syn_recording_column_named(recording, name);
}

bool syn_recording_has_matrix(const syn_recording *recording, const char *body) {
  return entry_column(recording, body, 'T', 0) != SIZE_MAX || entry_column(recording, body, 'm', 0) != SIZE_MAX;
}

/* Lists the names of the bodies in the file, for a message. */
static void list_bodies(const syn_recording *recording, char *room, size_t size) {
  size_t used = 0;
  room[0] = 0;
  for (size_t i = 0; i < recording->column_count && used + 48 < size; ++i) {
    const char *name = recording->columns[i];
    const size_t length = strlen(name);
    if (length < 5 || (strcmp(name + length - 4, "_T11") != 0 && strcmp(name + length - 4, "_m11") != 0)) continue;
    char shown[48];
    syn_word_shown((syn_word){name, length - 4}, shown);
    used += (size_t)snprintf(room + used, size - used, "%s%s", used > 0 ? ", " : "", shown);
  }
  if (used == 0) snprintf(room, size, "none of a named body");
}

static syn_status fail_missing(const syn_recording *recording, const char *body, char letter, int entry,
                               syn_error *error) {
  const char *file = recording->store->file;
  char bodies[256];
  list_bodies(recording, bodies, sizeof bodies);
  if (entry > 0)
    return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1, "the matrix%s%.60s has no column %c%d%d", body ? " of " : "",
                       body ? body : "", letter, entry / 4 + 1, entry % 4 + 1);
  if (body)
    return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1,
                       "there is no matrix of '%.60s' (columns %.60s_T11 and on); the file has %s", body, body, bodies);
  return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1,
                     "there is no matrix without a body's name (columns T11 or m11 and on); the file has %s", bodies);
}

static syn_status find_matrix(const syn_recording *recording, const char *body, matrix_columns *columns,
                              syn_error *error) {
  const char letter = entry_column(recording, body, 'T', 0) == SIZE_MAX ? 'm' : 'T';
  columns->has_last_row = entry_column(recording, body, letter, 12) != SIZE_MAX;
  for (int i = 0; i < (columns->has_last_row ? 16 : 12); ++i) {
    columns->entry[i] = entry_column(recording, body, letter, i);
    if (columns->entry[i] == SIZE_MAX) return fail_missing(recording, body, letter, i, error);
  }
  return SYN_OK;
}

/* Returns the largest entry of R R^T - 1: how far the rows are from orthonormal. */
static double skewness(const syn_mat3 *r) {
  double most = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = i; k < 3; ++k) most = max2(most, fabs(vec3_dot(r->row[i], r->row[k]) - (i == k)));
  return most;
}

/* Computes the nearest rotation by Newton's iteration R (3 - R^T R) / 2, which squares the skewness. */
static void straighten(syn_mat3 *r) {
  for (int step = 0; step < 3; ++step) {
    const syn_mat3 transposed = mat3_transpose(r), square = mat3_multiply(r, &transposed),
                   product = mat3_multiply(&square, r);
    for (int i = 0; i < 3; ++i) r->row[i] = vec3_sub(vec3_scale(r->row[i], 1.5), vec3_scale(product.row[i], 0.5));
  }
}

/* Largest skewness that rounding to a few digits explains, and the largest that needs no warning. */
static const double worst_skewness = 1e-3, small_skewness = 1e-6;

static syn_status read_pose(const syn_recording *recording, const matrix_columns *columns, size_t row, double scale,
                            syn_pose *pose, double *skew, syn_error *error) {
  const double *values = recording->values + row * recording->column_count;
  double matrix[16] = {[15] = 1};
  for (int i = 0; i < (columns->has_last_row ? 16 : 12); ++i) matrix[i] = values[columns->entry[i]];
  syn_mat3 rotation;
  for (int i = 0; i < 3; ++i) rotation.row[i] = vec3(matrix[4 * i], matrix[4 * i + 1], matrix[4 * i + 2]);
  const double off = skewness(&rotation);
  *skew = max2(*skew, off);
  if (off > small_skewness && off <= worst_skewness) straighten(&rotation);
  for (int i = 0; i < 3; ++i) {
    matrix[4 * i] = rotation.row[i].x, matrix[4 * i + 1] = rotation.row[i].y, matrix[4 * i + 2] = rotation.row[i].z;
    matrix[4 * i + 3] *= scale;
  }
  syn_error why;
  if (syn_pose_from_matrix(matrix, pose, &why) == SYN_OK) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, recording->store->file, 0, -1, "row %zu: %s", row + 1, why.message);
}

syn_status syn_recording_poses(const syn_recording *recording, const char *body, const char *relative_to,
                               double mm_per_unit, syn_pose *poses, syn_error *error) {
  matrix_columns columns, base = {0};
  if (!(mm_per_unit > 0 && isfinite(mm_per_unit)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the length of a unit must be positive, not %g mm", mm_per_unit);
  SYN_TRY(find_matrix(recording, body, &columns, error));
  if (relative_to) SYN_TRY(find_matrix(recording, relative_to, &base, error));
  double skew = 0;
  for (size_t row = 0; row < recording->row_count; ++row) {
    SYN_TRY(read_pose(recording, &columns, row, mm_per_unit, &poses[row], &skew, error));
    if (!relative_to) continue;
    syn_pose from;
    SYN_TRY(read_pose(recording, &base, row, mm_per_unit, &from, &skew, error));
    from = syn_pose_inverse(&from);
    poses[row] = syn_pose_compose(&from, &poses[row]);
  }
  if (skew > small_skewness)
    syn_warn(recording->context, "%s: the rotations are rounded, off by up to %.1g; they were made orthonormal",
             recording->store->file ? recording->store->file : "the recording", skew);
  return SYN_OK;
}

/* ---- a whole file ------------------------------------------------------------------------------------------------ */

syn_status syn_recording_read_poses(const syn_context *context, const char *path, syn_recording_to_poses *make,
                                    const void *joint, syn_pose **poses, double **times_s, size_t *count,
                                    syn_error *error) {
  *poses = NULL;
  *times_s = NULL;
  *count = 0;
  syn_recording *recording;
  SYN_TRY(syn_recording_read(context, path, &recording, error));
  const size_t rows = recording->row_count;
  syn_status status = SYN_NEW(context, poses, rows, error);
  if (status == SYN_OK) status = SYN_NEW(context, times_s, rows, error);
  if (status == SYN_OK) status = make(recording, path, joint, *poses, error);
  if (status == SYN_OK) {
    memcpy(*times_s, recording->times_s, rows * sizeof **times_s);
    *count = rows;
  } else {
    syn_free(context, *poses);
    syn_free(context, *times_s);
    *poses = NULL;
    *times_s = NULL;
  }
  syn_recording_destroy(recording);
  return status;
}

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

static syn_status joint_poses(const syn_recording *recording, const char *path, const void *of, syn_pose *poses,
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
  return syn_recording_read_poses(context, path, joint_poses, joint, poses, times_s, count, error);
}

/* Estimates centre and axis of a recorded motion (Maciel 2005, §2.5): the points and the line of two bodies that move
 * least against each other. Least squares of R c + t = d over all poses, with c in the mobile body and d in the fixed
 * one (SCoRE: Ehrig et al. 2006, Eq. 7). */
#include <math.h>

#include <synovia/motion.h>

#include "base/memory.h"
#include "base/vec.h"
#include "geometry/small_matrix.h"
#include "motion/recording.h"
#include "result/value.h"

enum { UNKNOWNS = 6 };

typedef struct equations {
  double a[UNKNOWNS * UNKNOWNS], b[UNKNOWNS];
} equations;

static equations equations_of(const syn_pose *motion, size_t count) {
  equations e = {0};
  for (size_t i = 0; i < count; ++i)
    for (int row = 0; row < 3; ++row) {
      const syn_vec3 r = motion[i].rotation.row[row];
      const double line[6] = {r.x, r.y, r.z, -(double)(row == 0), -(double)(row == 1), -(double)(row == 2)};
      for (int j = 0; j < 6; ++j) {
        e.b[j] -= line[j] * vec3_at(motion[i].translation, row);
        for (int k = 0; k < 6; ++k) e.a[j * 6 + k] += line[j] * line[k];
      }
    }
  return e;
}

/* Returns the sum of squared residuals of a pair of points. */
static double left_over(const syn_pose *motion, size_t count, syn_vec3 mobile, syn_vec3 fixed) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += vec3_length2(vec3_sub(syn_pose_point(&motion[i], mobile), fixed));
  return sum;
}

static syn_vec3 fixed_of(const double x[UNKNOWNS]) { return vec3(x[3], x[4], x[5]); }
static syn_vec3 mobile_of(const double x[UNKNOWNS]) { return vec3(x[0], x[1], x[2]); }

/* Returns the largest standard deviation of the fixed point over all directions: the square root of the largest
 * eigenvalue of its covariance, which is the block of the inverse times the variance of a residual. */
static double uncertainty(const equations *e, double variance, double rank) {
  double covariance[4][4] = {{0}}, values[4], vectors[4][4];
  for (int column = 0; column < 3; ++column) {
    equations copy = *e;
    double x[UNKNOWNS] = {0};
    x[3 + column] = 1;
    if (!syn_solve_symmetric(copy.a, x, UNKNOWNS, rank)) return (double)NAN;
    for (int row = 0; row < 3; ++row) covariance[row][column] = x[3 + row] * variance;
  }
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < i; ++k) covariance[i][k] = covariance[k][i] = (covariance[i][k] + covariance[k][i]) / 2;
  syn_symmetric_eigen(covariance, 3, values, vectors);
  return sqrt(max2(values[2], 0));
}

/* Returns the variance of a residual; the degrees of freedom are 3 equations per pose minus the unknowns. */
static double variance_of(double sum, size_t count) {
  return count > 2 ? sum / (3 * (double)count - UNKNOWNS) : (double)NAN;
}

static void find_center(const syn_pose *motion, size_t count, syn_motion_center *found) {
  const double rank = 1e-6;
  const equations e = equations_of(motion, count);
  equations solved = e;
  if (!syn_solve_symmetric(solved.a, solved.b, UNKNOWNS, rank)) return;
  found->has_center = true;
  found->center = fixed_of(solved.b);
  found->mobile_center = mobile_of(solved.b);
  const double sum = left_over(motion, count, found->mobile_center, found->center);
  found->residual_mm = sqrt(sum / (double)count);
  found->center_sd_mm = uncertainty(&e, variance_of(sum, count), rank);
}

/* ---- the axis ---------------------------------------------------------------------------------------------------- */

/* Returns the rotation between two orientations, as a vector along its axis. */
static syn_vec3 turn_between(const syn_pose *from, const syn_pose *to) {
  const syn_pose back = syn_pose_inverse(from), between = syn_pose_compose(to, &back);
  syn_quat q = syn_pose_quat(&between);
  if (q.w < 0) q = (syn_quat){-q.w, -q.x, -q.y, -q.z};
  const syn_vec3 v = vec3(q.x, q.y, q.z);
  return vec3_scale(vec3_unit(v), 2 * atan2(vec3_length(v), q.w));
}

/* Finds the main direction of the rotations from the middle pose of the motion, and its share of all rotation. */
static void find_direction(const syn_pose *motion, size_t count, syn_motion_center *found) {
  syn_tensor turns = {{0}};
  double low = 0, high = 0, along = 0, all = 0;
  const syn_pose *middle = &motion[count / 2];
  for (size_t i = 0; i < count; ++i) tensor_add(&turns, 1, turn_between(middle, &motion[i]));
  found->axis = syn_main_direction(&turns);
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 turn = turn_between(middle, &motion[i]);
    const double about = vec3_dot(turn, found->axis);
    low = min2(low, about);
    high = max2(high, about);
    along += about * about;
    all += vec3_length2(turn);
  }
  found->turn = high - low;
  found->axis_share = all > 0 ? along / all : 0;
}

static const double least_turn = 5 * SYN_PI / 180; /* smaller rotations do not determine the position of the axis */

/* The point on the axis is not determined by the motion: it is set to the height of the mobile body's origin. */
static void find_axis(const syn_pose *motion, size_t count, syn_motion_center *found) {
  equations e = equations_of(motion, count);
  double height = 0;
  find_direction(motion, count, found);
  if (!(found->turn >= least_turn)) return;
  for (size_t i = 0; i < count; ++i) height += vec3_dot(motion[i].translation, found->axis) / (double)count;
  for (int j = 0; j < 3; ++j) {
    e.b[3 + j] += (double)count * vec3_at(found->axis, j) * height;
    for (int k = 0; k < 3; ++k)
      e.a[(3 + j) * 6 + 3 + k] += (double)count * vec3_at(found->axis, j) * vec3_at(found->axis, k);
  }
  equations solved = e;
  if (!syn_solve_symmetric(solved.a, solved.b, UNKNOWNS, 1e-9)) return;
  found->has_axis = true;
  found->axis_point = fixed_of(solved.b);
  const double sum = left_over(motion, count, mobile_of(solved.b), found->axis_point);
  found->axis_residual_mm = sqrt(sum / (double)count);
  found->axis_sd_mm = uncertainty(&e, variance_of(sum, count), 1e-9);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static double confidence(double sd_mm) { return isfinite(sd_mm) ? 1 / (1 + sd_mm) : 0; }

syn_motion_center syn_motion_center_find(const syn_pose *motion, size_t count) {
  const syn_vec3 nowhere = {NAN, NAN, NAN};
  syn_motion_center found = {.pose_count = count,
                             .center = nowhere,
                             .mobile_center = nowhere,
                             .residual_mm = NAN,
                             .center_sd_mm = NAN,
                             .axis = nowhere,
                             .axis_point = nowhere,
                             .axis_residual_mm = NAN,
                             .axis_sd_mm = NAN};
  if (count == 0) return found;
  find_center(motion, count, &found);
  find_axis(motion, count, &found);
  found.center_confidence = confidence(found.center_sd_mm);
  found.axis_confidence = confidence(found.axis_sd_mm);
  return found;
}

syn_status syn_motion_center_read(const syn_context *context, const char *path, const char *body,
                                  const char *relative_to, double mm_per_unit, syn_motion_center *center,
                                  syn_error *error) {
  syn_recording *recording;
  syn_pose *poses;
  *center = syn_motion_center_find(NULL, 0);
  SYN_TRY(syn_recording_read(context, path, &recording, error));
  syn_status status = SYN_NEW(context, &poses, recording->row_count, error);
  if (status == SYN_OK) {
    status = syn_recording_poses(recording, body, relative_to, mm_per_unit, poses, error);
    if (status == SYN_OK) *center = syn_motion_center_find(poses, recording->row_count);
    syn_free(context, poses);
  }
  syn_recording_destroy(recording);
  return status;
}

/* ---- as a field table -------------------------------------------------------------------------------------------- */

static const syn_result_field fields[] = {
    MEMBER(syn_motion_center, pose_count, "poses", "Poses", "", FILE_ONLY),
    MEMBER(syn_motion_center, center, "center", "Centre", "mm", FILE_ONLY, KNOWN_IF(syn_motion_center, has_center)),
    MEMBER(syn_motion_center, mobile_center, "mobile_center", "Centre on the mobile body", "mm", FILE_ONLY,
           KNOWN_IF(syn_motion_center, has_center)),
    MEMBER(syn_motion_center, residual_mm, "residual_mm", "Residual", "mm", FILE_ONLY),
    MEMBER(syn_motion_center, center_sd_mm, "center_sd_mm", "Standard deviation of the centre", "mm", FILE_ONLY),
    MEMBER(syn_motion_center, center_confidence, "center_confidence", "Confidence", "", FILE_ONLY),
    MEMBER(syn_motion_center, axis, "axis", "Axis", "", FILE_ONLY, KNOWN_IF(syn_motion_center, has_axis)),
    MEMBER(syn_motion_center, axis_point, "axis_point", "Point of the axis", "mm", FILE_ONLY,
           KNOWN_IF(syn_motion_center, has_axis)),
    MEMBER(syn_motion_center, axis_share, "axis_share", "Share of the turning about the axis", "", FILE_ONLY),
    ANGLE(syn_motion_center, turn, "turn_deg", "Turn about the axis", FILE_ONLY),
    MEMBER(syn_motion_center, axis_residual_mm, "axis_residual_mm", "Residual of the axis", "mm", FILE_ONLY),
    MEMBER(syn_motion_center, axis_sd_mm, "axis_sd_mm", "Standard deviation of the axis", "mm", FILE_ONLY),
    MEMBER(syn_motion_center, axis_confidence, "axis_confidence", "Confidence", "", FILE_ONLY)};

const syn_record syn_motion_center_record = RECORD_OF(syn_motion_center, "motion", fields);

#include <assert.h>

#include "base/angle.h"
#include "base/status.h"
#include "base/vec.h"

syn_vec3 syn_vec3_unit(syn_vec3 v) { return vec3_unit(v); }

syn_pose syn_pose_identity(void) { return (syn_pose){.rotation = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}; }

static syn_mat3 quat_matrix(syn_quat q) {
  double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (syn_mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                     {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                     {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

syn_pose syn_pose_from_quat(syn_quat q, syn_vec3 translation) { return (syn_pose){quat_matrix(q), translation}; }

/* Rodrigues' formula; the translation keeps the centre fixed. */
syn_pose syn_pose_about_axis(syn_vec3 center, syn_vec3 axis, double angle) {
  assert(vec3_length2(axis) > 0);
  syn_vec3 k = vec3_unit(axis);
  double c = syn_cos(angle), s = syn_sin(angle), v = 1 - c;
  syn_pose pose;
  pose.rotation = (syn_mat3){{{c + v * k.x * k.x, v * k.x * k.y - s * k.z, v * k.x * k.z + s * k.y},
                              {v * k.x * k.y + s * k.z, c + v * k.y * k.y, v * k.y * k.z - s * k.x},
                              {v * k.x * k.z - s * k.y, v * k.y * k.z + s * k.x, c + v * k.z * k.z}}};
  pose.translation = vec3_sub(center, mat3_apply(&pose.rotation, center));
  return pose;
}

/* Gram-Schmidt, keeping the first row's direction. The input is orthonormal to 1e-6, so nothing can vanish. */
static void orthonormalize(syn_mat3 *m) {
  m->row[0] = vec3_unit(m->row[0]);
  m->row[1] = vec3_unit(vec3_madd(m->row[1], -vec3_dot(m->row[0], m->row[1]), m->row[0]));
  m->row[2] = vec3_cross(m->row[0], m->row[1]);
}

syn_status syn_pose_from_matrix(const double matrix[16], syn_pose *pose, syn_error *error) {
  const double tolerance = 1e-6;
  for (int i = 0; i < 16; ++i)
    if (!isfinite(matrix[i])) return syn_fail(error, SYN_BAD_ARGUMENT, "pose entry %d is not a finite number", i + 1);
  const double *last = matrix + 12;
  if (last[0] != 0 || last[1] != 0 || last[2] != 0 || last[3] != 1)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the last row of a pose must be 0 0 0 1, found %g %g %g %g", last[0],
                    last[1], last[2], last[3]);
  syn_mat3 rotation;
  for (int i = 0; i < 3; ++i) rotation.row[i] = vec3(matrix[4 * i], matrix[4 * i + 1], matrix[4 * i + 2]);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      if (fabs(vec3_dot(rotation.row[i], rotation.row[j]) - (i == j)) > tolerance)
        return syn_fail(error, SYN_BAD_ARGUMENT,
                        "the pose is not rigid: rows %d and %d of its rotation have product %g", i + 1, j + 1,
                        vec3_dot(rotation.row[i], rotation.row[j]));
  if (mat3_determinant(&rotation) < 0) return syn_fail(error, SYN_BAD_ARGUMENT, "the pose is a mirror image");
  orthonormalize(&rotation);
  *pose = (syn_pose){rotation, vec3(matrix[3], matrix[7], matrix[11])};
  return SYN_OK;
}

void syn_pose_to_matrix(const syn_pose *pose, double matrix[16]) {
  const double translation[3] = {pose->translation.x, pose->translation.y, pose->translation.z};
  for (int i = 0; i < 3; ++i) {
    matrix[4 * i] = pose->rotation.row[i].x;
    matrix[4 * i + 1] = pose->rotation.row[i].y;
    matrix[4 * i + 2] = pose->rotation.row[i].z;
    matrix[4 * i + 3] = translation[i];
  }
  matrix[12] = matrix[13] = matrix[14] = 0;
  matrix[15] = 1;
}

/* Shepperd's method: divide by the largest component, so that no precision is lost. */
syn_quat syn_pose_quat(const syn_pose *pose) {
  const syn_vec3 *r = pose->rotation.row;
  double trace = r[0].x + r[1].y + r[2].z;
  syn_quat q;
  if (trace > 0) {
    double s = 2 * sqrt(1 + trace);
    q = (syn_quat){s / 4, (r[2].y - r[1].z) / s, (r[0].z - r[2].x) / s, (r[1].x - r[0].y) / s};
  } else if (r[0].x >= r[1].y && r[0].x >= r[2].z) {
    double s = 2 * sqrt(1 + r[0].x - r[1].y - r[2].z);
    q = (syn_quat){(r[2].y - r[1].z) / s, s / 4, (r[0].y + r[1].x) / s, (r[0].z + r[2].x) / s};
  } else if (r[1].y >= r[2].z) {
    double s = 2 * sqrt(1 - r[0].x + r[1].y - r[2].z);
    q = (syn_quat){(r[0].z - r[2].x) / s, (r[0].y + r[1].x) / s, s / 4, (r[1].z + r[2].y) / s};
  } else {
    double s = 2 * sqrt(1 - r[0].x - r[1].y + r[2].z);
    q = (syn_quat){(r[1].x - r[0].y) / s, (r[0].z + r[2].x) / s, (r[1].z + r[2].y) / s, s / 4};
  }
  return q;
}

syn_pose syn_pose_compose(const syn_pose *outer, const syn_pose *inner) {
  return (syn_pose){mat3_multiply(&outer->rotation, &inner->rotation), syn_pose_point(outer, inner->translation)};
}

syn_pose syn_pose_inverse(const syn_pose *pose) {
  syn_pose inverse = {.rotation = mat3_transpose(&pose->rotation)};
  inverse.translation = vec3_neg(mat3_apply(&inverse.rotation, pose->translation));
  return inverse;
}

syn_vec3 syn_pose_point(const syn_pose *pose, syn_vec3 point) { return pose_point(pose, point); }

syn_vec3 syn_pose_direction(const syn_pose *pose, syn_vec3 direction) { return mat3_apply(&pose->rotation, direction); }

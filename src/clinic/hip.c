/* The hip as every answer sees it: names of its parts, and joint angles to poses and back. */
#include <math.h>
#include <synovia/clinic.h>

#include "base/vec.h"

static const struct {
  const char *name;
  bool moves;
} parts[SYN_HIP_PARTS] = {
    [SYN_HIP_PELVIS] = {"pelvis", false},
    [SYN_HIP_FEMUR] = {"femur", true},
    [SYN_HIP_LABRUM] = {"labrum", false},
    [SYN_HIP_FEMORAL_CARTILAGE] = {"femoral_cartilage", true},
    [SYN_HIP_ACETABULAR_CARTILAGE] = {"acetabular_cartilage", false},
};

const char *syn_hip_part_name(syn_hip_part part) { return parts[part].name; }
bool syn_hip_part_moves(syn_hip_part part) { return parts[part].moves; }

/* Rows are the axes: takes a vector of the scene to the frame. */
static syn_mat3 to_frame(const syn_hip_axes *axes) {
  return (syn_mat3){{axes->flexion, axes->adduction, axes->rotation}};
}

/* Flexion, then adduction, then rotation, each about the axis as the turns before have left it: seen from the pelvis
 * the last one comes first (Grood and Suntay 1983; Wu et al. 2002). */
static syn_mat3 joint_matrix(syn_hip_angles angles) {
  const double cf = cos(angles.flexion), sf = sin(angles.flexion);
  const double ca = cos(angles.adduction), sa = sin(angles.adduction);
  const double cr = cos(angles.rotation), sr = sin(angles.rotation);
  return (syn_mat3){{{ca * cr, -ca * sr, sa},
                     {cf * sr + sf * sa * cr, cf * cr - sf * sa * sr, -sf * ca},
                     {sf * sr - cf * sa * cr, sf * cr + cf * sa * sr, cf * ca}}};
}

/* outer * middle * inner. */
static syn_mat3 chain(const syn_mat3 *outer, const syn_mat3 *middle, const syn_mat3 *inner) {
  const syn_mat3 first = mat3_multiply(middle, inner);
  return mat3_multiply(outer, &first);
}

syn_pose syn_hip_pose(const syn_hip *hip, syn_hip_angles angles) {
  const syn_mat3 to_pelvis = to_frame(&hip->pelvis_axes), from_pelvis = mat3_transpose(&to_pelvis);
  const syn_mat3 joint = joint_matrix(angles), to_femur = to_frame(&hip->femur_axes);
  const syn_mat3 rotation = chain(&from_pelvis, &joint, &to_femur);
  return (syn_pose){rotation, vec3_sub(hip->center, mat3_apply(&rotation, hip->center))};
}

syn_hip_angles syn_hip_angles_of(const syn_hip *hip, const syn_pose *pose) {
  const syn_mat3 to_pelvis = to_frame(&hip->pelvis_axes);
  const syn_mat3 to_femur = to_frame(&hip->femur_axes), from_femur = mat3_transpose(&to_femur);
  const syn_mat3 r = chain(&to_pelvis, &pose->rotation, &from_femur);
  const double ca = hypot(r.row[0].x, r.row[0].y), adduction = atan2(r.row[0].z, ca);
  if (ca < 1e-12) return (syn_hip_angles){atan2(r.row[2].y, r.row[1].y), adduction, 0};
  return (syn_hip_angles){atan2(-r.row[1].z, r.row[2].z), adduction, atan2(-r.row[0].y, r.row[0].x)};
}

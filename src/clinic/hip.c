/* The hip as every answer sees it: names of its parts, and joint angles to poses and back. */
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

syn_hip syn_hip_bones(const syn_hip *hip) {
  syn_hip bones = *hip;
  bones.parts[SYN_HIP_LABRUM] = NULL;
  bones.parts[SYN_HIP_FEMORAL_CARTILAGE] = NULL;
  bones.parts[SYN_HIP_ACETABULAR_CARTILAGE] = NULL;
  return bones;
}

bool syn_hip_has_soft_socket(const syn_hip *hip) {
  return hip->parts[SYN_HIP_LABRUM] || hip->parts[SYN_HIP_ACETABULAR_CARTILAGE];
}

syn_pose syn_hip_pose(const syn_hip *hip, syn_hip_angles angles) {
  syn_pose pose = syn_joint_pose(&hip->pelvis_axes, &hip->femur_axes, hip->center, angles);
  pose.translation = vec3_add(pose.translation, hip->seat);
  return pose;
}

syn_hip_angles syn_hip_angles_of(const syn_hip *hip, const syn_pose *pose) {
  return syn_joint_angles_of(&hip->pelvis_axes, &hip->femur_axes, pose);
}

/* Common data of a hip: names of its parts, and joint angles to poses and back. */
#include <synovia/clinic.h>

#include "base/names.h"
#include "base/vec.h"
#include "clinic/hip.h"
#include "motion/joint_coordinates.h"

static const struct {
  syn_tissue tissue;
  bool moves;
} parts[] = {
    [SYN_HIP_PELVIS] = {SYN_TISSUE_BONE, false},
    [SYN_HIP_FEMUR] = {SYN_TISSUE_BONE, true},
    [SYN_HIP_LABRUM] = {SYN_TISSUE_LABRUM, false},
    [SYN_HIP_FEMORAL_CARTILAGE] = {SYN_TISSUE_CARTILAGE, true},
    [SYN_HIP_ACETABULAR_CARTILAGE] = {SYN_TISSUE_CARTILAGE, false},
    [SYN_HIP_TRANSITION_ZONE] = {SYN_TISSUE_TRANSITION_ZONE, false},
};

_Static_assert((int)SYN_HIP_PARTS <= SYN_HIP_PART_SLOTS && (int)SYN_LANDMARKS <= SYN_LANDMARK_SLOTS &&
                   (int)SYN_CENTER_METHODS <= SYN_CENTER_METHOD_SLOTS && (int)SYN_MEASURES <= SYN_MEASURE_SLOTS,
               "every public array has a slot for all");

_Static_assert(sizeof parts / sizeof *parts == SYN_HIP_PARTS, "a tissue for every part");

SYN_ENUM_NAMES(syn_hip_part, SYN_HIP_PARTS, [SYN_HIP_PELVIS] = "pelvis", [SYN_HIP_FEMUR] = "femur",
               [SYN_HIP_LABRUM] = "labrum", [SYN_HIP_FEMORAL_CARTILAGE] = "femoral_cartilage",
               [SYN_HIP_ACETABULAR_CARTILAGE] = "acetabular_cartilage", [SYN_HIP_TRANSITION_ZONE] = "transition_zone");

bool syn_hip_part_moves(syn_hip_part part) { return parts[part].moves; }
syn_tissue syn_hip_part_tissue(syn_hip_part part) { return parts[part].tissue; }

syn_hip_part syn_hip_part_of_body(const syn_body *body) {
  syn_hip_part part = 0;
  while (part < SYN_HIP_PARTS && (parts[part].tissue != body->tissue || parts[part].moves != body->moves)) ++part;
  return part;
}

syn_hip syn_hip_bones(const syn_hip *hip) {
  syn_hip bones = *hip;
  bones.parts[SYN_HIP_LABRUM] = NULL;
  bones.parts[SYN_HIP_FEMORAL_CARTILAGE] = NULL;
  bones.parts[SYN_HIP_ACETABULAR_CARTILAGE] = NULL;
  bones.parts[SYN_HIP_TRANSITION_ZONE] = NULL;
  return bones;
}

bool syn_hip_has_soft_socket(const syn_hip *hip) {
  return hip->parts[SYN_HIP_LABRUM] || hip->parts[SYN_HIP_ACETABULAR_CARTILAGE];
}

syn_pose syn_hip_pose(const syn_hip *hip, syn_hip_angles angles) {
  syn_pose pose = syn_joint_axes_pose(&hip->pelvis_axes, &hip->femur_axes, hip->center, angles);
  pose.translation = vec3_add(pose.translation, hip->seat);
  return pose;
}

syn_hip_angles syn_hip_angles_of(const syn_hip *hip, const syn_pose *pose) {
  return syn_joint_axes_angles(&hip->pelvis_axes, &hip->femur_axes, pose);
}

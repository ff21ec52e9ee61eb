/* Makes a copy of the hip with its femur in another pose, as if it had been scanned so: ligaments are generated where
 * they are slack. */
#include <math.h>

#include "clinic/virtual_hip/virtual_hip.h"

static syn_vec3 turned(const syn_pose *pose, syn_vec3 direction) { return syn_pose_direction(pose, direction); }

static void turn_axes(const syn_pose *pose, syn_hip_axes *axes) {
  axes->flexion = turned(pose, axes->flexion);
  axes->adduction = turned(pose, axes->adduction);
  axes->rotation = turned(pose, axes->rotation);
}

/* Rotates the parts of the anatomy that ligaments use. */
static void turn_anatomy(const syn_pose *pose, syn_anatomy *a) {
  a->head.center = syn_pose_point(pose, a->head.center);
  a->neck_point = syn_pose_point(pose, a->neck_point);
  a->shaft_point = syn_pose_point(pose, a->shaft_point);
  a->neck_axis = turned(pose, a->neck_axis);
  a->neck_line = turned(pose, a->neck_line);
  a->shaft_axis = turned(pose, a->shaft_axis);
  turn_axes(pose, &a->femur_axes);
}

syn_status syn_hip_pose_case(const syn_hip_case *hip_case, const syn_hip_angles *angles, syn_posed_hip *posed,
                             syn_error *error) {
  *posed = (syn_posed_hip){.hip_case = *hip_case};
  if (isnan(angles->flexion)) return SYN_OK;
  if (!isfinite(angles->flexion + angles->adduction + angles->rotation))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the angles at which a ligament rests must be finite");
  syn_hip *hip = &posed->hip_case.hip;
  const syn_pose pose = syn_hip_pose(&hip_case->hip, *angles);
  for (int part = 0; part < SYN_HIP_PARTS; ++part) {
    if (!hip->parts[part] || !syn_hip_part_moves((syn_hip_part)part)) continue;
    SYN_TRY(syn_trimesh_transform(hip->parts[part], &pose, &posed->parts[part], error));
    hip->parts[part] = posed->parts[part];
  }
  turn_axes(&pose, &hip->femur_axes);
  hip->seat = vec3(0, 0, 0); /* the pose includes it */
  if (!hip_case->anatomy) return SYN_OK;
  posed->anatomy = *hip_case->anatomy;
  turn_anatomy(&pose, &posed->anatomy);
  posed->hip_case.anatomy = &posed->anatomy;
  return SYN_OK;
}

void syn_posed_hip_release(syn_posed_hip *posed) {
  for (int part = 0; part < SYN_HIP_PARTS; ++part) syn_trimesh_destroy(posed->parts[part]);
}

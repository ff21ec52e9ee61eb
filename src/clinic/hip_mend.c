#include "clinic/hip_mend.h"

#include <math.h>

#include "clinic/anatomy/bone_mesh.h"

/* How far from the sphere a voxel must lie, in voxels, and of the femur beyond: heads are not quite spheres. */
static const double inside_voxels = 0.35, outside_voxels = 0.75, outside_mm = 0.5;
/* Voxels of the femur farther out than this are not the joint's. */
static const double wall_mm = 12;
/* Cosine to the direction away from the neck: a head of a person covers its sphere up to 110 degrees and more. */
static const double away_cosine = 0.2;

static syn_status find_head(const syn_trimesh *femur, syn_hip_mend *mend, syn_vec3 *away, syn_error *error) {
  syn_bone_mesh bone;
  const syn_status status = syn_bone_mesh_prepare(femur->context, femur, "femur", &bone, error);
  if (status == SYN_OK) {
    const syn_head head = syn_bone_head(&bone, NULL);
    mend->known = syn_is_head(&head);
    mend->center = head.sphere.center;
    mend->radius_mm = head.sphere.radius_mm;
    *away = head.away;
  }
  syn_bone_mesh_release(&bone);
  return status;
}

/* The new value of a voxel, which has that of the femur or of the hip bone. */
static bool changes(const syn_hip_mend *mend, syn_vec3 away, double voxel_mm, syn_vec3 point, bool is_femur) {
  const syn_vec3 from = vec3_sub(point, mend->center);
  const double distance = vec3_length(from);
  if (!is_femur) return distance < mend->radius_mm - inside_voxels * voxel_mm;
  return distance > mend->radius_mm + outside_voxels * voxel_mm + outside_mm && distance < mend->radius_mm + wall_mm &&
         vec3_dot(from, away) > away_cosine * distance;
}

static void change_voxels(const syn_image *image, double voxel_mm, syn_vec3 away, syn_hip_mend *mend,
                          uint16_t *voxels) {
  const syn_label *femur = &image->labels[mend->femur], *hip = &image->labels[mend->hip];
  uint16_t *layer = voxels + (size_t)femur->layer * syn_image_voxel_count(image);
  uint32_t first[3], last[3];
  for (int a = 0; a < 3; ++a) {
    first[a] = femur->first[a] < hip->first[a] ? femur->first[a] : hip->first[a];
    last[a] = femur->last[a] > hip->last[a] ? femur->last[a] : hip->last[a];
  }
  for (uint32_t z = first[2]; z <= last[2]; ++z)
    for (uint32_t y = first[1]; y <= last[1]; ++y)
      for (uint32_t x = first[0]; x <= last[0]; ++x) {
        uint16_t *voxel = layer + x + image->size[0] * ((size_t)y + (size_t)image->size[1] * z);
        if (*voxel != femur->value && *voxel != hip->value) continue;
        const bool is_femur = *voxel == femur->value;
        if (!changes(mend, away, voxel_mm, syn_image_point(image, vec3(x, y, z)), is_femur)) continue;
        *voxel = is_femur ? hip->value : femur->value;
        ++*(is_femur ? &mend->to_hip : &mend->to_femur);
      }
}

syn_status syn_hip_mend_find(const syn_image *image, double voxel_mm, syn_hip_mend *mend, uint16_t *voxels,
                             syn_error *error) {
  syn_vec3 away = {0, 0, 0};
  mend->to_femur = mend->to_hip = 0;
  SYN_TRY(find_head(mend->surface, mend, &away, error));
  if (mend->known) change_voxels(image, voxel_mm, away, mend, voxels);
  return SYN_OK;
}

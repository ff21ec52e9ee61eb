/* Mends labels at the joint: voxels of a femoral head that are labelled as hip bone, and the reverse. */
#ifndef SYN_CLINIC_HIP_MEND_H
#define SYN_CLINIC_HIP_MEND_H

#include <synovia/clinic.h>

/* The labels of one joint in an image, as indices into its table. */
typedef struct syn_hip_mend {
  uint32_t femur, hip;        /* in the same layer */
  const syn_trimesh *surface; /* of the femur */
  bool known;                 /* it has a head */
  syn_vec3 center;            /* of the head */
  double radius_mm;
  uint64_t to_femur, to_hip; /* voxels that change */
} syn_hip_mend;

/* Finds the head and moves voxels in a copy of the map's voxels: labels of the hip bone inside the head's sphere
 * become femur; those of the femur beyond it, in the half away from the neck, become
 * hip bone. */
syn_status syn_hip_mend_find(const syn_image *image, double voxel_mm, syn_hip_mend *mend, uint16_t *voxels,
                             syn_error *error);

#endif

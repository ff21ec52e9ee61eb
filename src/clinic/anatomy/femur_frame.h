/* Frames of femora: of a whole one, of a shaft, and of what a scan of the pelvis leaves of one. */
#ifndef SYN_CLINIC_FEMUR_FRAME_H
#define SYN_CLINIC_FEMUR_FRAME_H

#include "clinic/anatomy/femur.h"

/* Returns the unit vector across the shaft from it to the head. */
syn_vec3 syn_femur_medial(const syn_anatomy *anatomy);
/* Computes axes with this `up` in which the neck points forward by the mean torsion; without a neck `medial` stands for
 * it. Both are unit vectors at right angles. The side must be known. */
syn_hip_axes syn_femur_axes_by_neck(const syn_anatomy *anatomy, syn_vec3 up, syn_vec3 medial);
/* Computes the frame of a femur that ends `radii` head radii below its head, from shaft and neck alone, and its
 * standard deviations. Returns false without a shaft or a side. */
bool syn_femur_shaft_frame(const syn_anatomy *anatomy, double radii, syn_hip_axes *axes, syn_vec3 *sd);
/* Sets the femur's frame from shaft (if there is one), neck and the pelvis of the same scan, whose frame is known;
 * never from the axes of the file. SYN_BAD_MESH if the femur has neither neck nor shaft, or if it has no shaft and its
 * neck contradicts the pelvis. */
syn_status syn_femur_frame_by_pelvis(const syn_context *context, double radii, syn_anatomy *anatomy, syn_error *error);

#endif

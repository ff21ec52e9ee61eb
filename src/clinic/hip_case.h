/* Internal interface shared by opening a case and changing one. */
#ifndef SYN_CLINIC_HIP_CASE_H
#define SYN_CLINIC_HIP_CASE_H

#include <synovia/clinic.h>

/* Fails with SYN_BAD_MESH if a soft part is far from the joint. */
syn_status syn_hip_case_check_soft(const syn_hip_case *hip_case, syn_error *error);
/* Sets the frames of both bones from the anatomy. */
void syn_hip_case_frames(syn_hip_case *hip_case);
/* Smooths bones with scan noise, unless as scanned. */
syn_status syn_hip_case_smooth(syn_hip_case *hip_case, bool as_scanned, syn_error *error);
/* Sets the centre of this method as that of the femur's rotation. */
void syn_hip_case_take_center(syn_hip_case *hip_case, syn_center_method method);
bool syn_hip_case_follows_joint(
    const syn_hip_case *hip_case); /* returns whether the centre of rotation follows the joint */
/* Finds the joint surface of the femur; none as scanned. */
void syn_hip_case_joint_surface(syn_hip_case *hip_case);

/* Reads poses of the femur from a file of matrices; release with syn_free. */
syn_status syn_hip_matrices_read(const syn_context *context, syn_side side, const char *path, syn_pose **poses,
                                 size_t *count, syn_error *error);

/* Warns of holes in a body of that name: missing surface cannot produce contact. */
syn_status syn_tell_holes(const syn_context *context, const syn_trimesh *mesh, const char *name, syn_error *error);

#endif

/* Internal interface of the osteotomy. */
#ifndef SYN_CLINIC_SURGERY_OSTEOTOMY_H
#define SYN_CLINIC_SURGERY_OSTEOTOMY_H

#include <synovia/surgery.h>

/* bend.c: makes the femur with its shaft rotated, and the position where the bend begins. */
syn_status syn_osteotomy_bend(const syn_hip_case *hip_case, const syn_osteotomy_options *options, syn_vec3 *cut,
                              syn_trimesh **bent, syn_error *error);
/* Returns the rotation of the shaft alone. */
syn_pose syn_osteotomy_turn(const syn_hip_case *hip_case, const syn_osteotomy_options *options, syn_vec3 cut);

/* Returns the count of moments of the motion in which cartilages and ligament are computed. */
size_t syn_osteotomy_moment_count(const syn_osteotomy *made);
syn_hip_angles syn_osteotomy_angles_at(const syn_osteotomy *made, size_t moment);

#endif

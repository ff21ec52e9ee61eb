/* The bone of an osteotomy. */
#ifndef SYN_CLINIC_SURGERY_OSTEOTOMY_H
#define SYN_CLINIC_SURGERY_OSTEOTOMY_H

#include <synovia/osteotomy.h>

/* bend.c: the femur with its shaft turned; also where the turn begins. */
syn_status syn_osteotomy_bend(const syn_hip_case *hip_case, const syn_osteotomy_options *options, syn_vec3 *cut,
                              syn_trimesh **bent, syn_error *error);
/* The turn of the shaft alone. */
syn_pose syn_osteotomy_turn(const syn_hip_case *hip_case, const syn_osteotomy_options *options, syn_vec3 cut);

/* The moments of the motion in which cartilages and ligament are computed. */
size_t syn_osteotomy_moment_count(const syn_osteotomy *made);
syn_hip_angles syn_osteotomy_angles_at(const syn_osteotomy *made, size_t moment);

#endif

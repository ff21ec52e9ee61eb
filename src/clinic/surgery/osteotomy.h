/* The bone of an osteotomy. */
#ifndef SYN_CLINIC_SURGERY_OSTEOTOMY_H
#define SYN_CLINIC_SURGERY_OSTEOTOMY_H

#include <synovia/osteotomy.h>

/* bend.c: the femur with its shaft turned; also where the turn begins. */
syn_status syn_osteotomy_bend(const syn_hip_case *hip_case, const syn_osteotomy_options *options, syn_vec3 *cut,
                              syn_trimesh **bent, syn_error *error);
/* The turn of the shaft alone. */
syn_pose syn_osteotomy_turn(const syn_hip_case *hip_case, const syn_osteotomy_options *options, syn_vec3 cut);

#endif

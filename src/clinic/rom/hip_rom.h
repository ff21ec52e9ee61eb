/* The range of motion of a hip: its joint surface, and where its contacts lie. */
#ifndef SYN_CLINIC_HIP_ROM_H
#define SYN_CLINIC_HIP_ROM_H

#include "motion/rom/rom.h"
#include <synovia/hip.h>

/* Marks the femur's triangles inside joint_ball in left_out[triangle_count]; returns how many. */
size_t syn_rom_mark_joint(const syn_hip *hip, uint8_t *left_out);

/* Where a stopped rotation ends; nothing is known of the others. The labrum is the rim, wherever it is touched. */
syn_contact_place syn_limit_place(const syn_hip *hip, const syn_anatomy *anatomy, const syn_limit *limit);

/* The motions of `count` limits with what ends them by the bones alone, as syn_bands_find and syn_band_draws take
 * them. */
void syn_hip_bone_limits(const syn_hip_motion_limit *limits, size_t count, syn_motion_limit *bones);

#endif

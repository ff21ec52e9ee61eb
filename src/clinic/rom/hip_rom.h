/* Internal interface of the range of motion of a hip: its joint surface, and the positions of its contacts. */
#ifndef SYN_CLINIC_HIP_ROM_H
#define SYN_CLINIC_HIP_ROM_H

#include "motion/rom/rom.h"
#include <synovia/clinic.h>

/* Marks the femur's triangles inside joint_ball in left_out[triangle_count]; returns their count. */
size_t syn_rom_mark_joint(const syn_hip *hip, uint8_t *left_out);

/* Returns the contact position of a limit; unknown without one. The labrum counts as the rim, wherever it is touched.
 */
syn_contact_place syn_limit_place(const syn_hip *hip, const syn_anatomy *anatomy, const syn_limit *limit);

/* Returns the motions of `count` limits with their contacts by the bones alone, as syn_bands_find and syn_band_draws
 * need them. */
void syn_hip_bone_limits(const syn_hip_motion_limit *limits, size_t count, syn_motion_limit *bones);

#endif

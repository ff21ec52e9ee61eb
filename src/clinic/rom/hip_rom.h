/* Internal interface of the range of motion of a hip: its joint surface, and the positions of its contacts. */
#ifndef SYN_CLINIC_HIP_ROM_H
#define SYN_CLINIC_HIP_ROM_H

#include "clinic/center/center_draws.h"
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

/* Sets joint_ball: where the neck begins, 50 degrees from its axis, it ends above the head's sphere by max(1.5 mm, 3
 * rms of the fit, 99 % of the head's steps), and by more towards the dome, since its centre is moved from the neck by
 * 0.06 radii. Femur triangles wholly inside it are the joint surface of the head. Cartilage, which scans of bones do
 * not show, keeps it apart from the socket, so that it never stops the femur on the pelvis; a rougher or narrower scan
 * would otherwise catch after a few degrees. A cam that rises higher, and soft parts, count as always.
 * docs/evidence/hip.md has the evidence. Radius 0, hence nothing, where the anatomy has no head. */
void syn_hip_leave_out_joint(syn_hip *hip, const syn_anatomy *anatomy);
/* Femur triangles excluded from contact by joint_ball, and their overlap with the pelvis. */
typedef struct syn_left_out {
  size_t triangles;  /* of the femur */
  double overlap_mm; /* penetration depth between them and the pelvis in the mesh positions; 0 without overlap. NAN if
                        they cross and a surface is open */
  syn_penetration elsewhere; /* overlap of the triangles that are not excluded */
} syn_left_out;
syn_status syn_hip_left_out_find(const syn_hip *hip, syn_left_out *left_out, syn_error *error);
/* An axis in the horizontal plane of the pelvis: 0 flexion, pi/2 adduction, pi extension (Arbabi 2009, Fig. 56). */
syn_vec3 syn_hip_horizontal_axis(const syn_hip *hip, double angle);
/* The envelope of a hip: syn_envelope_create, with the regions that touch named by `anatomy` (NULL: they have no
 * names). */
syn_status syn_hip_envelope_create(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                   const syn_rom *rom, const syn_envelope_options *options, syn_envelope **envelope,
                                   syn_error *error);
/* The fraction of the motion, from 0 to 1, before the first contact: 1 if all of it is free, 0 if its start touches.
 * *limit is the limit of flexion from there. Contacts shorter than a hundredth of the motion may be missed. Allocates
 * nothing; scratch as for syn_rom_query. */
double syn_motion_series_free_fraction(const syn_motion_series *series, const syn_hip *hip, const syn_rom *rom,
                                       void *scratch, syn_limit *limit);
/* Computes the 95 % intervals of `count` motions whose limits by the bones alone are those of `rom`. `anatomy` (NULL:
 * frames are exact) gives the uncertainty of the frames. The same on any number of threads. `options` may be NULL:
 * defaults. */
syn_status syn_hip_bands_find(const syn_rom *rom, const syn_anatomy *anatomy, const syn_band_options *options,
                              syn_hip_motion_limit *limits, size_t count, syn_error *error);

/* Poses of daily life on the map of the envelope: one pose, or the range of poses of a motion. */
typedef struct syn_daily_place {
  const char *name, *label, *source;
  double flexion_deg[2], adduction_deg[2]; /* from, to */
} syn_daily_place;
enum { SYN_DAILY_PLACES = 5 };
extern const syn_daily_place syn_daily_places[SYN_DAILY_PLACES];
/* Returns the source whose interval alone is the widest; SYN_BAND_ALL without intervals. */
syn_band_source syn_hip_band_largest(const syn_hip_motion_limit *limit);

/* syn_center_draws_make for the hip of `rom`. */
syn_status syn_hip_center_draws(const syn_rom *rom, const syn_anatomy *anatomy, const syn_band_options *options,
                                syn_center_draws *draws, syn_error *error);

#endif

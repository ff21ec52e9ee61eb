/* Computes the range of motion of a hip as that of its joint: names of its parts, positions of its contacts, and 95 %
 * intervals of its limits. */
#include <math.h>
#include <stdio.h>

#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"

#include "base/angle.h"
#include "base/vec.h"
#include "clinic/center/center_draws.h"
#include "motion/rom/limit_text.h"

/* ---- the joint --------------------------------------------------------------------------------------------------- */

syn_joint syn_hip_joint(const syn_hip *hip, syn_body bodies[SYN_HIP_PARTS]) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    bodies[i] = (syn_body){.name = syn_hip_part_name(part),
                           .tissue = syn_hip_part_tissue(part),
                           .moves = syn_hip_part_moves(part),
                           .surface = hip->parts[i]};
  }
  return (syn_joint){.name = "",
                     .kind = "hip",
                     .side = hip->side,
                     .body_count = SYN_HIP_PARTS,
                     .bodies = bodies,
                     .has_center = true,
                     .has_axes = true,
                     .has_mobile_axes = true,
                     .center = hip->center,
                     .axes = hip->pelvis_axes,
                     .mobile_axes = hip->femur_axes,
                     .seat = hip->seat,
                     .articular_count = hip->joint_ball.radius_mm > 0 ? 1 : 0,
                     .articular = &hip->joint_ball};
}

syn_status syn_hip_rom_create(const syn_context *context, const syn_hip *hip, syn_rom **rom, syn_error *error) {
  syn_body bodies[SYN_HIP_PARTS];
  const syn_joint joint = syn_hip_joint(hip, bodies);
  syn_rom_options options = syn_default_rom_options();
  options.articular_between_bones = true;
  return syn_rom_create(context, &joint, &options, rom, error);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

const char *syn_hip_limit_words(const syn_limit *limit, char text[96]) {
  return syn_limit_words(limit, syn_hip_part_name((syn_hip_part)limit->mobile),
                         syn_hip_part_name((syn_hip_part)limit->fixed), text);
}

syn_contact_place syn_limit_place(const syn_hip *hip, const syn_anatomy *anatomy, const syn_limit *limit) {
  const bool stopped = limit->state == SYN_LIMIT_STOPPED;
  syn_contact_place place =
      syn_contact_place_of(hip, stopped ? anatomy : NULL, limit->mobile_point, limit->event.point);
  if (!stopped || !anatomy || limit->fixed != SYN_HIP_LABRUM) return place;
  place.pelvis = SYN_PELVIS_RIM; /* on which the labrum sits; its free edge is farther from it than the rim's width */
  place.inside_joint = true;
  place.pelvis_hour = syn_hip_clock_hour(hip, anatomy, limit->event.point);
  return place;
}

const char *syn_clock_words(double hour, char text[16]) {
  text[0] = 0;
  if (!isfinite(hour)) return text;
  const int minutes = (int)lround(hour * 4) * 15, h = minutes / 60 % 12;
  snprintf(text, 16, "%d:%02d", h ? h : 12, minutes % 60);
  return text;
}

syn_vec3 syn_hip_horizontal_axis(const syn_hip *hip, double angle) {
  return vec3_add(vec3_scale(hip->pelvis_axes.flexion, syn_cos(angle)),
                  vec3_scale(hip->pelvis_axes.adduction, syn_sin(angle)));
}

/* ---- 95 % intervals ---------------------------------------------------------------------------------------------- */

void syn_hip_bone_limits(const syn_hip_motion_limit *limits, size_t count, syn_motion_limit *bones) {
  for (size_t i = 0; i < count; ++i)
    bones[i] = (syn_motion_limit){
        .motion = limits[i].motion, .limit = limits[i].bones, .stopped_part = NAN, .below_part = NAN};
}

syn_status syn_hip_center_draws(const syn_rom *rom, const syn_anatomy *anatomy, const syn_band_options *options,
                                syn_center_draws *draws, syn_error *error) {
  return syn_center_draws_make(rom->context, rom->bodies[SYN_HIP_PELVIS].surface, rom->bodies[SYN_HIP_FEMUR].surface,
                               anatomy, rom->joint.center, rom->shift, options, draws, error);
}

/* Fills `bones` with the intervals. */
static syn_status find_bands(const syn_rom *rom, const syn_anatomy *anatomy, const syn_band_options *options,
                             syn_motion_limit *bones, size_t count, syn_error *error) {
  syn_vec3 axes_sd[2] = {{0, 0, 0}, {0, 0, 0}};
  syn_center_draws draws;
  const syn_band_centring centring = {&draws, syn_center_draws_find};
  if (anatomy) axes_sd[0] = anatomy->pelvis_frame_sd;
  if (anatomy) axes_sd[1] = anatomy->femur_frame_sd;
  syn_status status = syn_hip_center_draws(rom, anatomy, options, &draws, error);
  if (status == SYN_OK) status = syn_bands_find_centred(rom, axes_sd, &centring, options, bones, count, error);
  syn_arena_release(&draws.arena);
  return status;
}

syn_status syn_hip_bands_find(const syn_rom *rom, const syn_anatomy *anatomy, const syn_band_options *options,
                              syn_hip_motion_limit *limits, size_t count, syn_error *error) {
  const syn_band_options standard = syn_default_band_options();
  syn_motion_limit *bones;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_band_options, error));
  SYN_TRY(SYN_NEW(rom->context, &bones, count, error));
  syn_hip_bone_limits(limits, count, bones);
  const syn_status status = find_bands(rom, anatomy, options, bones, count, error);
  for (size_t i = 0; i < count && status == SYN_OK; ++i) {
    for (int k = 0; k < SYN_BAND_SLOTS; ++k) limits[i].bands[k] = bones[i].bands[k];
    limits[i].stopped_part = bones[i].stopped_part;
    limits[i].below_part = bones[i].below_part;
  }
  syn_free(rom->context, bones);
  return status;
}

syn_band_source syn_hip_band_largest(const syn_hip_motion_limit *limit) {
  syn_band_source largest = SYN_BAND_ALL;
  double most = 0;
  for (int k = SYN_BAND_SURFACE; k < SYN_BAND_SOURCES; ++k) {
    const syn_band *band = &limit->bands[k];
    const double width = isnan(band->low) && isfinite(band->high) ? (double)INFINITY : band->high - band->low;
    if (!(width > most)) continue;
    most = width;
    largest = (syn_band_source)k;
  }
  return largest;
}

/* Intervals are those of the bones; if no pose is free, for any parts, there is no angle with an interval. */
const char *syn_motion_band_words(const syn_hip_motion_limit *limit, char text[96]) {
  text[0] = 0;
  if (limit->limit.state == SYN_LIMIT_NO_FREE_POSE) return text;
  return syn_band_words(&limit->bones, &limit->bands[SYN_BAND_ALL], limit->stopped_part, limit->motion->max_deg, text);
}

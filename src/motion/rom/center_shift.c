/* The range of motion of a joint about other centres (Arbabi 2009, §4.4.3). */
#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "motion/rom/rom.h"

typedef struct turning {
  const syn_rom *rom; /* about the joint's centre as given */
  const rom_center *centers;
  const syn_motion *const *motions;
  size_t motion_count;
} turning;

static syn_status find_angles(const turning *t, const syn_rom *rom, double *angles, syn_error *error) {
  char *scratch;
  SYN_TRY(SYN_NEW(rom->context, &scratch, syn_rom_scratch(rom), error));
  for (size_t i = 0; i < t->motion_count; ++i) {
    syn_limit limit;
    syn_rom_query(rom, t->motions[i], scratch, &limit);
    angles[i] = limit.state != SYN_LIMIT_NO_STOP ? limit.followed : (double)NAN;
  }
  syn_free(rom->context, scratch);
  return SYN_OK;
}

static syn_status turn_about(void *user, size_t i, syn_error *error) {
  const turning *t = user;
  syn_rom about;
  syn_status status = syn_rom_vary(t->rom, t->centers[i].center, t->centers[i].shift, &about, error);
  if (status == SYN_OK) status = find_angles(t, &about, t->centers[i].angles, error);
  syn_rom_drop(&about);
  return status;
}

syn_status syn_rom_angles_about(const syn_rom *rom, const rom_center *centers, size_t center_count,
                                const syn_motion *const *motions, size_t motion_count, syn_error *error) {
  turning t = {.rom = rom, .centers = centers, .motions = motions, .motion_count = motion_count};
  return syn_parallel_tasks(rom->context, center_count, turn_about, &t, error);
}

void syn_rom_shifted_centers(const syn_rom *rom, double band_mm, rom_center centers[ROM_CENTERS]) {
  const syn_joint *joint = &rom->joint;
  const syn_vec3 axes[] = {joint->axes.flexion, joint->axes.adduction, joint->axes.rotation};
  centers[0] = (rom_center){.center = joint->center, .shift = rom->shift};
  for (int i = 0; i + 1 < ROM_CENTERS; ++i)
    centers[i + 1] =
        (rom_center){.center = vec3_madd(joint->center, i & 1 ? -band_mm : band_mm, axes[i / 2]), .shift = rom->shift};
}

syn_status syn_center_bands_find(const syn_rom *rom, const syn_motion *const *motions, size_t count, double band_mm,
                                 syn_band *bands, syn_error *error) {
  rom_center centers[ROM_CENTERS];
  double *angles;
  if (!(band_mm >= 0) || !isfinite(band_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the centre cannot shift by %g mm; it must be 0 or more", band_mm);
  SYN_TRY(SYN_NEW(rom->context, &angles, ROM_CENTERS * count, error));
  syn_rom_shifted_centers(rom, band_mm, centers);
  for (size_t k = 0; k < ROM_CENTERS; ++k) centers[k].angles = angles + k * count;
  const syn_status status = syn_rom_angles_about(rom, centers, ROM_CENTERS, motions, count, error);
  for (size_t i = 0; i < count && status == SYN_OK; ++i) {
    bands[i] = (syn_band){NAN, NAN};
    for (size_t k = 0; k < ROM_CENTERS; ++k) { /* fmin and fmax ignore NAN */
      bands[i].low = fmin(bands[i].low, angles[k * count + i] * SYN_RADIAN);
      bands[i].high = fmax(bands[i].high, angles[k * count + i] * SYN_RADIAN);
    }
  }
  syn_free(rom->context, angles);
  return status;
}

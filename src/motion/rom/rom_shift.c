/* The range of motion with the mobile bodies shifted: about other centres (Arbabi 2009, §4.4.3), and the limit of a
 * motion if the bodies may shift, as the head of a femur in its socket.
 *
 * A pattern search over shifts: from the best one so far, steps to the 26 neighbours of a cube along the axes of the
 * pelvis, halved when none of them is better. For each neighbour a collision test first checks whether the bodies are
 * free at the start and a little beyond the best limit; otherwise it cannot be better. The exact limit is computed
 * only for the rest. */
#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "motion/rom/rom.h"

/* ---- other centres ----------------------------------------------------------------------------------------------- */

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

/* ---- slack of the head ------------------------------------------------------------------------------------------- */

static const double least_gain = 0.02 * SYN_PI / 180; /* smaller gains do not justify a shift */
enum { HALVINGS = 5 };

typedef struct slack_search {
  const syn_rom *rom;
  const syn_motion *motion;
  syn_pose start;
  syn_vec3 axis;
  double slack_mm;
  void *scratch;
  syn_vec3 shift; /* the best so far */
  syn_limit limit;
} slack_search;

/* Computes the exact limit at a shift. */
static syn_status limit_at(slack_search *s, syn_vec3 shift, syn_limit *limit, syn_error *error) {
  syn_rom shifted;
  const syn_status status = syn_rom_vary(s->rom, s->rom->joint.center, vec3_add(s->rom->shift, shift), &shifted, error);
  if (status == SYN_OK) syn_rom_query(&shifted, s->motion, s->scratch, limit);
  syn_rom_drop(&shifted);
  return status;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

/* A free start is better than one in overlap, which is better than no free pose; then the angle decides. */
static bool is_better(const syn_limit *a, const syn_limit *b) {
  const int rank_a = isnan(a->followed) ? 0 : a->start_overlaps ? 1 : 2;
  const int rank_b = isnan(b->followed) ? 0 : b->start_overlaps ? 1 : 2;
  return rank_a != rank_b ? rank_a > rank_b : rank_a > 0 && a->followed > b->followed;
}

static bool may_be_better(const slack_search *s, syn_vec3 shift) {
  syn_rom shifted = *s->rom; /* its rotations are not queried */
  shifted.shift = vec3_add(s->rom->shift, shift);
  const double beyond = s->motion->sign * (s->limit.followed + least_gain);
  const bool starts_free = syn_rom_is_free(&shifted, &s->start, s->axis, 0, s->scratch);
  if (s->limit.start_overlaps && starts_free) return true;
  if (isnan(s->limit.followed) || (!s->limit.start_overlaps && !starts_free)) return false;
  return syn_rom_is_free(&shifted, &s->start, s->axis, beyond, s->scratch);
}

/* Returns neighbour 0 to 26 of the best shift, 13 being the shift itself; outside the ball, the nearest shift inside.
 * The steps of a left hip (lateral, forward, up) mirror those of a right one, so both give the same result. */
static syn_vec3 neighbour(const slack_search *s, int number, double step) {
  const syn_joint_axes *axes = &s->rom->joint.axes;
  const int places[3] = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
  if (s->rom->joint.side == SYN_SIDE_LEFT) step = -step;
  syn_vec3 shift = s->shift;
  shift = vec3_madd(shift, step * places[0], axes->flexion);
  shift = vec3_madd(shift, step * places[1], axes->adduction);
  shift = vec3_madd(shift, step * places[2], axes->rotation);
  const double length = vec3_length(shift);
  return length > s->slack_mm ? vec3_scale(shift, s->slack_mm / length) : shift;
}

static syn_status step_to_neighbours(slack_search *s, double step, bool *improved, syn_error *error) {
  *improved = false;
  for (int number = 0; number < 27 && s->limit.state != SYN_LIMIT_NO_STOP; ++number) {
    const syn_vec3 shift = neighbour(s, number, step);
    syn_limit limit;
    if (number == 13 || !may_be_better(s, shift)) continue;
    SYN_TRY(limit_at(s, shift, &limit, error));
    if (!is_better(&limit, &s->limit)) continue;
    s->shift = shift;
    s->limit = limit;
    *improved = true;
  }
  return SYN_OK;
}

static syn_status search(slack_search *s, syn_error *error) {
  double step = s->slack_mm;
  for (int halved = 0; halved < HALVINGS; ++halved, step /= 2) {
    bool improved = true;
    while (improved) {
      if (!syn_progress(s->rom->context, "shift of the head", (double)halved / HALVINGS))
        return syn_fail(error, SYN_CANCELLED, "the search for a shift of the head was cancelled");
      SYN_TRY(step_to_neighbours(s, step, &improved, error));
    }
  }
  return SYN_OK;
}

syn_status syn_slack_find(const syn_rom *rom, const syn_motion *motion, double slack_mm, syn_vec3 *shift,
                          syn_limit *limit, syn_error *error) {
  if (!(slack_mm >= 0) || !isfinite(slack_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the slack of the head is %g mm; it must be 0 or more", slack_mm);
  char *scratch;
  SYN_TRY(SYN_NEW(rom->context, &scratch, syn_rom_scratch(rom), error));
  slack_search s = {.rom = rom,
                    .motion = motion,
                    .start = syn_joint_pose(&rom->joint, motion->start),
                    .axis = syn_motion_axis(&rom->joint, motion),
                    .slack_mm = slack_mm,
                    .scratch = scratch};
  syn_rom_query(rom, motion, scratch, &s.limit);
  const syn_status status = slack_mm > 0 ? search(&s, error) : SYN_OK;
  syn_free(rom->context, scratch);
  if (status != SYN_OK) return status;
  *shift = s.shift;
  *limit = s.limit;
  return SYN_OK;
}

/* Finds the free rotation of the mobile bodies from a pose: the first contact of any pair.
 *
 * Contacts are exact from a free pose. Bodies that only touch at the start do not block a direction that separates
 * them: the search then starts slightly ahead. If the start overlaps, free poses are sought in small rotations to
 * either side, and the free interval nearest to the start counts; its ends are exact again. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/angle.h"
#include "base/names.h"
#include "base/vec.h"
#include "motion/rom/limit_text.h"
#include "motion/rom/rom.h"

/* ---- limits ------------------------------------------------------------------------------------------------------ */

void syn_limit_conclude(syn_limit *limit) {
  const bool ahead = limit->start_overlaps && limit->followed > SYN_ROM_HAIR;
  limit->state = limit->fixed == SYN_NONE          ? SYN_LIMIT_NO_STOP
                 : isnan(limit->followed) || ahead ? SYN_LIMIT_NO_FREE_POSE
                                                   : SYN_LIMIT_STOPPED;
  limit->angle = limit->state == SYN_LIMIT_STOPPED ? limit->followed + 0.0 : (double)NAN; /* not -0 */
}

SYN_ENUM_NAMES(syn_limit_state, SYN_LIMIT_STATES, [SYN_LIMIT_STOPPED] = "stopped", [SYN_LIMIT_NO_STOP] = "no_stop",
               [SYN_LIMIT_NO_FREE_POSE] = "no_free_pose");

double syn_limit_free_again_deg(const syn_limit *limit) {
  return limit->state == SYN_LIMIT_NO_FREE_POSE ? limit->followed * SYN_RADIAN : (double)NAN;
}

const char *syn_limit_words(const syn_limit *limit, const char *mobile, const char *fixed, char text[96]) {
  const double again = syn_limit_free_again_deg(limit);
  switch (limit->state) {
  case SYN_LIMIT_STOPPED: snprintf(text, 96, "stopped at %.0f°", limit->angle * SYN_RADIAN); break;
  case SYN_LIMIT_NO_STOP: snprintf(text, 96, "no stop within %.0f°", limit->followed * SYN_RADIAN); break;
  case SYN_LIMIT_NO_FREE_POSE:
    if (!isnan(again))
      snprintf(text, 96, "no free pose at the start; free again further on, up to %.0f°", again);
    else if (mobile && fixed)
      snprintf(text, 96, "no free pose: %.30s overlaps %.30s", mobile, fixed);
    else
      snprintf(text, 96, "no free pose");
    break;
  case SYN_LIMIT_STATES: snprintf(text, 96, "unknown");
  }
  return text;
}

const char *syn_motion_limit_words(const syn_motion_limit *limit, char text[96]) {
  return syn_limit_words(&limit->limit, limit->mobile ? limit->mobile->name : NULL,
                         limit->fixed ? limit->fixed->name : NULL, text);
}

/* Returns a limit without an end point, as far as the rotation was followed. */
static syn_limit limit_without_stop(double followed, bool start_overlaps) {
  const syn_vec3 nowhere = {NAN, NAN, NAN};
  return (syn_limit){.state = SYN_LIMIT_NO_STOP,
                     .angle = NAN,
                     .followed = followed,
                     .start_overlaps = start_overlaps,
                     .fixed = SYN_NONE,
                     .mobile = SYN_NONE,
                     .event = {.kind = SYN_EVENT_NONE,
                               .angle = followed,
                               .point = nowhere,
                               .fixed_element = SYN_NONE,
                               .mobile_element = SYN_NONE},
                     .mobile_point = nowhere};
}

void syn_limit_bound(syn_limit *limit, double max) {
  if (limit->state == SYN_LIMIT_NO_FREE_POSE || !(limit->followed > max)) return;
  *limit = limit_without_stop(max, limit->start_overlaps);
}

/* ---- rotations --------------------------------------------------------------------------------------------------- */

static const double look_every = 2 * SYN_PI / 180;
enum { LOOKS = 90 }; /* 180 degrees to either side */

/* An interval of free poses from `low` to `high` about the start, and what bounds it: [0] above, [1] below. */
typedef struct stretch {
  double low, high;
  syn_event events[2];
  const rom_pair *stopped_by[2]; /* NULL: free all the way round */
} stretch;

syn_vec3 syn_joint_axis_at(const syn_joint *joint, syn_joint_angles angles, int axis) {
  if (axis == 0) return joint->axes.flexion;
  if (axis == 2) {
    const syn_pose pose = syn_joint_pose(joint, angles);
    return syn_pose_direction(&pose, rom_mobile_axes(joint)->rotation);
  }
  const syn_pose flexed = syn_pose_about_axis(joint->center, joint->axes.flexion, angles.flexion);
  return syn_pose_direction(&flexed, joint->axes.adduction);
}

/* Returns the pose of the mobile bodies after start, rotation and shift. */
static syn_pose rom_pose(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, double angle) {
  const syn_pose turn = syn_pose_about_axis(rom->joint.center, axis, angle);
  syn_pose pose = syn_pose_compose(&turn, start);
  pose.translation = vec3_add(pose.translation, rom->shift);
  return pose;
}

/* Returns the start with the centre unmoved. Poses of a joint include its head position, which is already part of the
 * shift: counted twice it would make a free start overlap. Rotations use the orientation only. */
static syn_pose about_center(const syn_rom *rom, const syn_pose *start) {
  const double rounding_mm = 1e-9;
  syn_pose pose = *start;
  const syn_vec3 moved = vec3_sub(syn_pose_point(start, rom->joint.center), rom->joint.center);
  if (vec3_length(moved) > rounding_mm) pose.translation = vec3_sub(pose.translation, moved);
  return pose;
}

static bool is_in_touch(const rom_pair *pair, const syn_pose *pose, void *scratch) {
  syn_contacts contacts = {.first_only = true};
  if (!pair->collider) return syn_rotation_meets(pair->rotation, pose, scratch); /* the rotation includes the shift */
  syn_collider_query(pair->collider, pose, scratch, &contacts);
  return contacts.penetrating;
}

/* Returns a pair in contact at a pose, or NULL. `guess` (may be NULL) is tried first: pairs in contact at a nearby pose
 * often still touch. */
static const rom_pair *pair_in_touch(const syn_rom *rom, const syn_pose *pose, const rom_pair *guess, void *scratch) {
  if (guess && is_in_touch(guess, pose, scratch)) return guess;
  for (size_t i = 0; i < rom->pair_count; ++i)
    if (&rom->pairs[i] != guess && is_in_touch(&rom->pairs[i], pose, scratch)) return &rom->pairs[i];
  return NULL;
}

bool syn_rom_is_free(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, double angle, void *scratch) {
  const syn_pose pose = rom_pose(rom, start, axis, angle);
  return !pair_in_touch(rom, &pose, NULL, scratch);
}

/* Finds the free interval around a free rotation. */
static stretch stretch_around(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, double turned, void *scratch) {
  stretch s = {.events = {{.angle = 2 * SYN_PI}, {.angle = 2 * SYN_PI}}};
  const syn_pose turn = syn_pose_about_axis(rom->joint.center, axis, turned);
  const syn_pose from = turned == 0 ? *start : syn_pose_compose(&turn, start);
  for (size_t i = 0; i < rom->pair_count; ++i) {
    syn_event event[2];
    syn_rotation_options options = syn_default_rotation_options();
    for (int d = 0; d < 2; ++d) options.limit[d] = s.events[d].angle; /* contacts beyond are irrelevant */
    syn_rotation_query(rom->pairs[i].rotation, &from, axis, &options, scratch, &event[0], &event[1]);
    for (int d = 0; d < 2; ++d) {
      if (event[d].kind == SYN_EVENT_NONE || (s.stopped_by[d] && event[d].angle >= s.events[d].angle)) continue;
      s.events[d] = event[d];
      s.stopped_by[d] = &rom->pairs[i];
    }
  }
  s.high = turned + s.events[0].angle;
  s.low = turned - s.events[1].angle;
  return s;
}

static double distance_from_start(const stretch *s) { return s->low > 0 ? s->low : s->high < 0 ? -s->high : 0; }

/* Finds the free interval nearest to a start in overlap. Returns false if no pose is free. `overlapping` is the pair
 * that touches at the start. */
static bool nearest_stretch(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, const rom_pair *overlapping,
                            void *scratch, stretch *found) {
  const rom_pair *touching[2] = {overlapping, overlapping};
  for (int look = 1; look <= LOOKS; ++look) {
    bool any = false;
    for (int way = 0; way < 2; ++way) {
      const double turned = (way ? 1 : -1) * look * look_every;
      const syn_pose pose = rom_pose(rom, start, axis, turned);
      touching[way] = pair_in_touch(rom, &pose, touching[way], scratch);
      if (touching[way]) continue;
      const stretch s = stretch_around(rom, start, axis, turned, scratch);
      if (!any || distance_from_start(&s) < distance_from_start(found)) *found = s;
      any = true;
    }
    if (any) return true;
  }
  return false;
}

static void take_end(stretch *to, const stretch *from, int d) {
  *(d == 0 ? &to->high : &to->low) = d == 0 ? from->high : from->low;
  to->events[d] = from->events[d];
  to->stopped_by[d] = from->stopped_by[d];
}

/* Finds the free interval that contains or bounds the start, else the nearest one; returns false if no pose is free. If
 * the start touches, parted[d] says whether the bodies separate in that direction. */
static bool find_stretch(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, const rom_pair *overlapping,
                         void *scratch, stretch *s, bool parted[2]) {
  stretch beside[2];
  if (!overlapping) *s = stretch_around(rom, start, axis, 0, scratch);
  for (int d = 0; d < 2; ++d) {
    const double turned = d == 0 ? SYN_ROM_HAIR : -SYN_ROM_HAIR;
    parted[d] =
        (overlapping || s->events[d].angle < SYN_ROM_HAIR) && syn_rom_is_free(rom, start, axis, turned, scratch);
    if (parted[d]) beside[d] = stretch_around(rom, start, axis, turned, scratch);
  }
  if (overlapping && !parted[0] && !parted[1]) return nearest_stretch(rom, start, axis, overlapping, scratch, s);
  if (overlapping) *s = beside[parted[0] ? 0 : 1]; /* if only one is free, its other end is the contact at the start */
  for (int d = 0; d < 2; ++d)
    if (parted[d]) take_end(s, &beside[d], d);
  return true;
}

static syn_vec3 nowhere(void) { return vec3(NAN, NAN, NAN); }

static syn_limit limit_of_nothing_free(const rom_pair *pair) {
  syn_limit limit = {.followed = NAN,
                     .start_overlaps = true,
                     .fixed = pair->fixed,
                     .mobile = pair->mobile,
                     .event = {.angle = NAN, .point = nowhere(), .fixed_element = SYN_NONE, .mobile_element = SYN_NONE},
                     .mobile_point = nowhere()};
  syn_limit_conclude(&limit);
  return limit;
}

/* Returns the end of an interval ahead (sign 1) or behind (-1). */
static syn_limit limit_of(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, const stretch *s, int sign,
                          bool start_overlaps) {
  const int d = sign > 0 ? 0 : 1;
  const rom_pair *pair = s->stopped_by[d];
  if (!pair) return limit_without_stop(2 * SYN_PI, false);
  syn_limit limit = {.followed = sign > 0 ? s->high : -s->low,
                     .start_overlaps = start_overlaps,
                     .fixed = pair->fixed,
                     .mobile = pair->mobile,
                     .event = s->events[d]};
  const syn_pose at = rom_pose(rom, start, axis, sign * limit.followed), back = syn_pose_inverse(&at);
  limit.event.angle = limit.followed;
  limit.event.point = vec3_add(limit.event.point, rom->shift);
  limit.mobile_point = syn_pose_point(&back, limit.event.point);
  syn_limit_conclude(&limit);
  return limit;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

syn_vec3 syn_motion_axis(const syn_joint *joint, const syn_motion *motion) {
  return motion->axis < SYN_JOINT_AXES ? syn_joint_axis_at(joint, motion->start, motion->axis) : motion->vector;
}

static double max_angle_of(const syn_motion *motion) {
  return motion->max_deg > 0 ? motion->max_deg * SYN_PI / 180 : 2 * SYN_PI;
}

bool syn_rom_angle(const syn_rom *rom, const syn_motion *motion, const syn_limit *hint, void *scratch, double *angle) {
  const syn_pose start = syn_joint_pose(&rom->joint, motion->start);
  const syn_vec3 axis = syn_motion_axis(&rom->joint, motion);
  const int d = motion->sign > 0 ? 0 : 1;
  *angle = max_angle_of(motion);
  if (!syn_rom_is_free(rom, &start, axis, 0, scratch)) return false;
  for (size_t i = 0; i < rom->pair_count; ++i) {
    const rom_pair *pair = &rom->pairs[i];
    syn_rotation_options options = syn_default_rotation_options();
    syn_event event[2];
    options.limit[d] = *angle;
    options.limit[1 - d] = -1;
    if (hint->state != SYN_LIMIT_NO_STOP && hint->fixed == pair->fixed && hint->mobile == pair->mobile)
      options.hint[d] = &hint->event;
    syn_rotation_query(pair->rotation, &start, axis, &options, scratch, &event[0], &event[1]);
    if (event[d].kind != SYN_EVENT_NONE) *angle = event[d].angle;
  }
  return *angle >= SYN_ROM_HAIR; /* otherwise the bodies touch, and may separate */
}

void syn_rom_turn(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, void *scratch, syn_limit *positive,
                  syn_limit *negative) {
  const syn_pose identity = syn_pose_identity(), centered = about_center(rom, start ? start : &identity);
  start = &centered;
  stretch s;
  bool parted[2];
  const syn_pose pose = rom_pose(rom, start, axis, 0);
  const rom_pair *overlapping = pair_in_touch(rom, &pose, NULL, scratch);
  if (!find_stretch(rom, start, axis, overlapping, scratch, &s, parted)) {
    *positive = *negative = limit_of_nothing_free(overlapping);
    return;
  }
  *positive = limit_of(rom, start, axis, &s, 1, overlapping && !parted[0]);
  *negative = limit_of(rom, start, axis, &s, -1, overlapping && !parted[1]);
}

void syn_rom_query(const syn_rom *rom, const syn_motion *motion, void *scratch, syn_limit *limit) {
  const syn_pose start = syn_joint_pose(&rom->joint, motion->start);
  syn_limit other;
  assert(motion->sign == 1 || motion->sign == -1);
  syn_rom_turn(rom, &start, syn_motion_axis(&rom->joint, motion), scratch, motion->sign > 0 ? limit : &other,
               motion->sign > 0 ? &other : limit);
  if (motion->max_deg > 0) syn_limit_bound(limit, max_angle_of(motion));
}

bool syn_rom_meets(const syn_rom *rom, const syn_pose *pose, void *scratch, uint32_t *fixed, uint32_t *mobile) {
  const rom_pair *pair = pair_in_touch(rom, pose, NULL, scratch);
  *fixed = pair ? pair->fixed : SYN_NONE;
  *mobile = pair ? pair->mobile : SYN_NONE;
  return pair != NULL;
}

/* What a limit says: as a state, in degrees, and in words. */
#include <math.h>
#include <stdio.h>

#include "base/names.h"
#include "base/vec.h"
#include "clinic/rom/rom.h"

static const double degrees = 180 / SYN_PI;

syn_limit_state syn_hip_limit_state(const syn_hip_limit *limit) {
  if (!limit->limited) return SYN_LIMIT_NO_STOP;
  const bool ahead = limit->start_overlaps && limit->angle > SYN_ROM_HAIR;
  return isnan(limit->angle) || ahead ? SYN_LIMIT_NO_FREE_POSE : SYN_LIMIT_STOPPED;
}

const char *syn_limit_state_name(syn_limit_state state) {
  static const char *const names[] = {
      [SYN_LIMIT_STOPPED] = "stopped", [SYN_LIMIT_NO_STOP] = "no_stop", [SYN_LIMIT_NO_FREE_POSE] = "no_free_pose"};
  return SYN_NAME(names, SYN_LIMIT_STATES, state);
}

double syn_hip_limit_deg(const syn_hip_limit *limit) {
  return syn_hip_limit_state(limit) == SYN_LIMIT_STOPPED ? limit->angle * degrees + 0.0 : (double)NAN; /* not -0 */
}

double syn_hip_limit_free_again_deg(const syn_hip_limit *limit) {
  return syn_hip_limit_state(limit) == SYN_LIMIT_NO_FREE_POSE ? limit->angle * degrees : (double)NAN;
}

const char *syn_limit_words(const syn_hip_limit *limit, const char *mobile, const char *fixed, char text[96]) {
  const double again = syn_hip_limit_free_again_deg(limit);
  switch (syn_hip_limit_state(limit)) {
  case SYN_LIMIT_STOPPED: snprintf(text, 96, "stopped at %.0f°", syn_hip_limit_deg(limit)); break;
  case SYN_LIMIT_NO_STOP: snprintf(text, 96, "no stop within %.0f°", limit->angle * degrees); break;
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

const char *syn_hip_limit_words(const syn_hip_limit *limit, char text[96]) {
  return syn_limit_words(limit, syn_hip_part_name(limit->mobile_part), syn_hip_part_name(limit->fixed_part), text);
}

void syn_limit_bound(syn_hip_limit *limit, double most) {
  const syn_vec3 nowhere = {NAN, NAN, NAN};
  if (syn_hip_limit_state(limit) == SYN_LIMIT_NO_FREE_POSE || !(limit->angle > most)) return;
  *limit = (syn_hip_limit){.angle = most,
                           .start_overlaps = limit->start_overlaps,
                           .fixed_part = SYN_HIP_PARTS,
                           .mobile_part = SYN_HIP_PARTS,
                           .event = {.kind = SYN_EVENT_NONE,
                                     .angle = most,
                                     .point = nowhere,
                                     .fixed_element = SYN_NONE,
                                     .mobile_element = SYN_NONE},
                           .femur_point = nowhere};
}

syn_contact_place syn_limit_place(const syn_hip *hip, const syn_anatomy *anatomy, const syn_hip_limit *limit) {
  const bool stopped = syn_hip_limit_state(limit) == SYN_LIMIT_STOPPED;
  syn_contact_place place = syn_contact_place_of(hip, stopped ? anatomy : NULL, limit->femur_point, limit->event.point);
  if (!stopped || !anatomy || limit->fixed_part != SYN_HIP_LABRUM) return place;
  place.pelvis = SYN_PELVIS_RIM; /* which it sits on; its free edge lies farther off than a rim is wide */
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

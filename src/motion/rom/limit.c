/* Formats a limit: its state, its angle in degrees, and its text. */
#include <math.h>
#include <stdio.h>

#include "base/names.h"
#include "base/vec.h"
#include "motion/rom/rom.h"

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

syn_limit syn_limit_without_stop(double followed, bool start_overlaps) {
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
  *limit = syn_limit_without_stop(max, limit->start_overlaps);
}

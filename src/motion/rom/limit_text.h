/* Limits and their 95 % intervals as texts for people. */
#ifndef SYN_MOTION_LIMIT_TEXT_H
#define SYN_MOTION_LIMIT_TEXT_H

#include <synovia/motion.h>

#include "base/status.h"

/* If the start collides and a free interval lies ahead, returns the end of that interval in degrees; else NAN. */
double syn_limit_free_again_deg(const syn_limit *limit);
/* Formats a limit: "stopped at 37.4°", "no stop within 90°", "no free pose: femur overlaps pelvis"; the names of the
 * bodies may be NULL. Returns `text`. */
const char *syn_limit_words(const syn_limit *limit, const char *mobile, const char *fixed, char text[96]);
/* Like syn_limit_words, with the names of its bodies. Returns `text`. */
SYN_PROGRAM_API const char *syn_motion_limit_words(const syn_motion_limit *limit, char text[96]);
/* Returns the angle up to which a motion is followed, in degrees: its max_deg, or 360. */
SYN_PROGRAM_API double syn_motion_max_deg(const syn_motion *motion);
/* Formats the 95 % interval of a motion: "95 % 71.0 to 84.2°"; of one without a stop "in 90 % of the draws, 95 % from
 * 71.0°". "" where stopped_part is NAN. Returns `text`. */
SYN_PROGRAM_API const char *syn_band_words(const syn_limit *limit, const syn_band *band, double stopped_part,
                                           double max_deg, char text[96]);

#endif

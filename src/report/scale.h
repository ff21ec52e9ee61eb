/* Stores numbers as 16 bits, for the page: value = low + step * stored. */
#ifndef SYN_REPORT_SCALE_H
#define SYN_REPORT_SCALE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { SYN_SCALE_NONE = 65535 }; /* no value */

/* Stored values range from 0 to 65534. */
typedef struct syn_scale {
  double low, step;
} syn_scale;
/* Returns the nearest number of steps from `low` to `value`. Computes with halves, so that the largest coordinates do
 * not overflow. */
static inline uint16_t steps_between(double low, double value, double step, double most) {
  const double steps = step > 0 ? (value / 2 - low / 2) / step * 2 : 0;
  return (uint16_t)fmin(most, fmax(0, nearbyint(steps)));
}

/* Returns a step such that `most` steps reach from `low` to `high`, whatever the rounding. */
static inline double step_between(double low, double high, double most) {
  const double step = (high / 2 - low / 2) / (most / 2);
  return step > 0 ? nextafter(step, INFINITY) : 0;
}

static inline syn_scale scale_between(double low, double high) {
  const bool any = low <= high;
  return (syn_scale){.low = any ? low : 0, .step = any ? step_between(low, high, SYN_SCALE_NONE - 1) : 0};
}

/* Returns the nearest stored value; SYN_SCALE_NONE if the value is not finite. */
static inline uint16_t scale_value(const syn_scale *scale, double value) {
  return isfinite(value) ? steps_between(scale->low, value, scale->step, SYN_SCALE_NONE - 1) : SYN_SCALE_NONE;
}

#endif

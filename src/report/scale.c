#include "report/scale.h"

#include <math.h>
#include <stdbool.h>

uint16_t syn_steps_between(double low, double value, double step, double most) {
  const double steps = step > 0 ? (value / 2 - low / 2) / step * 2 : 0;
  return (uint16_t)fmin(most, fmax(0, nearbyint(steps)));
}

double syn_step_between(double low, double high, double most) {
  const double step = (high / 2 - low / 2) / (most / 2);
  return step > 0 ? nextafter(step, INFINITY) : 0;
}

syn_scale syn_scale_between(double low, double high) {
  const bool any = low <= high;
  return (syn_scale){.low = any ? low : 0, .step = any ? syn_step_between(low, high, SYN_SCALE_NONE - 1) : 0};
}

uint16_t syn_scaled(const syn_scale *scale, double value) {
  return isfinite(value) ? syn_steps_between(scale->low, value, scale->step, SYN_SCALE_NONE - 1) : SYN_SCALE_NONE;
}

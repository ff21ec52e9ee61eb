/* Stores numbers as 16 bits, for the page: value = low + step * stored. */
#ifndef SYN_REPORT_SCALE_H
#define SYN_REPORT_SCALE_H

#include <stdint.h>

enum { SYN_SCALE_NONE = 65535 }; /* no value */

/* Stored values range from 0 to 65534. */
typedef struct syn_scale {
  double low, step;
} syn_scale;
syn_scale syn_scale_between(double low, double high);
uint16_t syn_scaled(const syn_scale *scale, double value); /* the nearest; SYN_SCALE_NONE if not finite */

/* Returns the nearest number of steps from `low` to `value`. Computes with halves, so that the largest coordinates do
 * not overflow. */
uint16_t syn_steps_between(double low, double value, double step, double most);
/* Returns a step such that `most` steps reach from `low` to `high`, whatever the rounding. */
double syn_step_between(double low, double high, double most);

#endif

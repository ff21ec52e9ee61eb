/* Distances from a centre, divided alternately between two parts: the ranges that the split method gives to each of its
 * methods (Arbabi 2009, §3.6.3). */
#ifndef SYN_COLLIDE_SHELLS_H
#define SYN_COLLIDE_SHELLS_H

#include <math.h>

#include "collide/method.h"

typedef struct syn_shells {
  const double *thresholds; /* ascending */
  size_t count;
  int part; /* 0: below the first threshold, from the second to the third and so on; 1: the other ranges */
} syn_shells;

static inline size_t shells_passed(const syn_shells *shells, double distance) {
  size_t passed = 0;
  while (passed < shells->count && distance >= shells->thresholds[passed]) ++passed;
  return passed;
}

/* Returns whether a position at this distance, uncertain by up to `slack`, may belong to the part. */
static inline bool shells_may_hold(const syn_shells *shells, double distance, double slack) {
  const size_t passed = shells_passed(shells, distance - slack);
  return passed % 2 == (size_t)shells->part || passed != shells_passed(shells, distance + slack);
}

/* Returns a bound, far above the rounding, of how much a rotation about the centre may change a vertex's distance from
 * it. */
static inline double shells_slack(syn_vec3 center, double distance) {
  return 1e-9 * (1 + distance + fabs(center.x) + fabs(center.y) + fabs(center.z));
}

/* Create the radial and the cylindrical method for mobile vertices that may belong to a part; other vertices may be
 * reported as free. The thresholds must outlive them. Everything but `create` is shared with the full methods. */
syn_status syn_radial_create_part(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                  const syn_collide_options *options, const syn_shells *own, void **state,
                                  syn_error *error);
syn_status syn_cylindrical_create_part(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                       const syn_collide_options *options, const syn_shells *own, void **state,
                                       syn_error *error);

#endif

/* Powers of two that bring coordinates to where the predicates are exact (geometry/predicates.h): scaling by them
 * changes no answer. What is then still below 1e-80 of the largest coordinate counts as 0. */
#ifndef SYN_MESH_EXACT_SCALE_H
#define SYN_MESH_EXACT_SCALE_H

#include "base/vec.h"

/* Returns the power; 0: no scaling needed. */
static inline int exact_scale_of(const syn_vec3 *points, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; ++i)
    largest = max2(largest, max2(fabs(points[i].x), max2(fabs(points[i].y), fabs(points[i].z))));
  int power = 0;
  if (largest > 0 && !(largest >= 1e-40 && largest <= 1e90)) frexp(largest, &power);
  return -power;
}

static inline double exactly_scaled(double x, int power) {
  const double scaled = ldexp(x, power);
  return fabs(scaled) < 1e-80 ? 0 : scaled;
}

static inline syn_vec3 vec3_exactly_scaled(syn_vec3 p, int power) {
  return vec3(exactly_scaled(p.x, power), exactly_scaled(p.y, power), exactly_scaled(p.z, power));
}

#endif

/* The range of magnitudes that can be computed; collide/magnitude.h gives the reasons. A mesh outside it is not fit for
 * contact. */
#ifndef SYN_MESH_MAGNITUDE_BOUNDS_H
#define SYN_MESH_MAGNITUDE_BOUNDS_H

#include "base/vec.h"

#define SYN_LARGEST_MM 1e12
#define SYN_SMALLEST_MM 1e-12

/* A coordinate that is not a number is larger than any. */
static inline double magnitude_of_place(syn_vec3 p) {
  const double largest = max2(fabs(p.x), max2(fabs(p.y), fabs(p.z)));
  return vec3_finite(p) ? largest : (double)INFINITY;
}

/* The longest side of the box around all points; 0 without any. */
static inline double extent_of_places(const syn_vec3 *places, size_t count) {
  syn_box box = box_empty();
  for (size_t i = 0; i < count; ++i) box_add(&box, places[i]);
  const syn_vec3 side = vec3_sub(box.max, box.min);
  return count > 0 ? max2(side.x, max2(side.y, side.z)) : 0;
}

/* Of a body with triangles or tetrahedra; one that lies in a single point is flat, which is something else. */
static inline bool is_too_small(double extent) { return extent > 0 && extent < SYN_SMALLEST_MM; }

#endif

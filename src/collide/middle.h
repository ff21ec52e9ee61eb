/* Chooses the origin for float coordinates. Floats are most precise near 0, so the origin is among most of the points.
 */
#ifndef SYN_COLLIDE_MIDDLE_H
#define SYN_COLLIDE_MIDDLE_H

#include <synovia/base.h>

typedef struct syn_middle {
  syn_vec3 at;    /* centre of the bounding box, unless a few far points would drag it away from the others */
  bool has_stray; /* there are such far points */
} syn_middle;

/* Reads every point, and examines a few dozen closely. */
syn_middle syn_find_middle(const syn_vec3 *points, size_t count);

#endif

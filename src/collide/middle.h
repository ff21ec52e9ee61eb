/* The origin for float coordinates. Floats are most precise near it, so it lies among most of the points. */
#ifndef SYN_COLLIDE_MIDDLE_H
#define SYN_COLLIDE_MIDDLE_H

#include <synovia/base.h>

typedef struct syn_middle {
  syn_vec3 at;    /* the middle of the box around all points, unless few far points drag that away from the others */
  bool has_stray; /* such points are there */
} syn_middle;

/* Looks at every point, and closely at a few dozen. */
syn_middle syn_find_middle(const syn_vec3 *points, size_t count);

#endif

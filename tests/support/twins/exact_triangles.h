/* The slow, obvious answer to "do these triangles meet?": by linear programming over the rational numbers. */
#ifndef TEST_EXACT_TRIANGLES_H
#define TEST_EXACT_TRIANGLES_H

#include <stdbool.h>
#include <stdint.h>

#include <synovia/mesh.h>

typedef struct grid_point {
  int64_t x[3]; /* of magnitude up to 8 */
} grid_point;

/* Have the hulls of a[3] and b[3] a common point outside the hull of shared[shared_count], 0 to 2 points? */
bool exact_triangles_meet(const grid_point a[3], const grid_point b[3], const grid_point *shared, int shared_count);
/* The definition of syn_triangles_meet_elsewhere. */
bool exact_triangles_meet_elsewhere(const grid_point *vertices, const syn_triangle *a, const syn_triangle *b);

#endif

/* Computes the exact signs of the determinants for geometric decisions.
 *
 * A floating-point evaluation with a proven error bound suffices almost always; otherwise the determinant is computed
 * without rounding. The answer is therefore always the true sign for the coordinates as given, provided that no
 * intermediate value overflows or underflows: every coordinate is 0 or of magnitude 1e-80 to 1e95. Beyond that the sign
 * may be wrong, and nothing worse happens. */
#ifndef SYN_GEOMETRY_PREDICATES_H
#define SYN_GEOMETRY_PREDICATES_H

#include <stdbool.h>

#include <synovia/base.h>

/* Sign (-1, 0, +1) of (b - a) x (c - a): +1 when a, b, c turn counter-clockwise, 0 when they lie on a line. */
int syn_orient2d(double ax, double ay, double bx, double by, double cx, double cy);

/* Sign of dot(cross(b - a, c - a), d - a): +1 when d lies on the side from which a, b, c turn counter-clockwise, that
 * is where a syn_tet (a, b, c, d) has positive volume; 0 when the four points lie in a plane. */
int syn_orient3d(syn_vec3 a, syn_vec3 b, syn_vec3 c, syn_vec3 d);

/* The floating-point filter alone: returns false if the sign is uncertain; *sign is then undefined. One point far from
 * all others does not make it fail. */
bool syn_orient2d_plainly(double ax, double ay, double bx, double by, double cx, double cy, int *sign);
bool syn_orient3d_plainly(const syn_vec3 *a, const syn_vec3 *b, const syn_vec3 *c, const syn_vec3 *d, int *sign);

#endif

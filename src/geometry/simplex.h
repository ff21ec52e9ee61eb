/* Finds the point of a simplex nearest to the origin (local methods of Sundaraj 2004, §5.2.1). */
#ifndef SYN_GEOMETRY_SIMPLEX_H
#define SYN_GEOMETRY_SIMPLEX_H

#include <synovia/base.h>

/* The nearest point as weights of the 1 to 4 points, not negative and of sum 1; 0 for points that are not needed, and
 * at least one is not needed of four that do not surround the origin. Returns false when four points hold the origin
 * between them: the weights are then those of the origin. */
bool syn_simplex_nearest(const syn_vec3 *points, uint32_t count, double weights[4]);

#endif

/* Coordinates kept in order while their points move (Erleben & Sporring 2005, "The Coordinate Sorting Strategy").
 * Points move little from step to step, so that the list of the last step is nearly sorted. */
#ifndef SYN_COLLIDE_COORDINATE_SORT_H
#define SYN_COLLIDE_COORDINATE_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct coordinate {
  double value; /* finite */
  uint32_t point;
} coordinate;

/* Ascending by value. Linear if only neighbours have changed places, never worse than n log n. `spare` holds `count`
 * more. */
void syn_sort_coordinates(coordinate *list, size_t count, coordinate *spare);

/* Finds the interval of each point: index[stride * point] = i with bound[i] <= value < bound[i+1], cut off at both
 * ends of the `intervals`. Walks the sorted list and the bounds together (Erleben & Sporring 2005, Listing 1.5.7). */
void syn_place_coordinates(const coordinate *list, size_t count, const double *bounds, uint32_t intervals,
                           uint16_t *index, size_t stride);

#endif

/* The proximity structure (Maciel 2005, §4.3.1.3): for each point a row with the nearest triangle, its distance, and
 * where the point was when that was found.
 *
 * A point that has not moved keeps its value. One that was d away from the surface and has moved by m is at least d - m
 * away: to find the points inside, and the nearest of all, the others need no better values. Returned values have the
 * bits of a search among all triangles.
 *
 * Rows are stored in the caller's scratch and are valid only if their checksum matches, which includes the surface: any
 * content of the scratch is safe. */
#ifndef SYN_COLLIDE_PROXIMITY_H
#define SYN_COLLIDE_PROXIMITY_H

#include "collide/surface/distance_method.h"

typedef struct syn_proximity_row {
  syn_vec3 last;       /* position of the point when its value was found */
  uint64_t sum;        /* checksum of that position and of the value */
  double lower, upper; /* bounds of its distance in this query */
} syn_proximity_row;

/* Returns a stamp that identifies a surface: other positions or triangles give another number. */
uint64_t syn_proximity_stamp(const syn_surface_tree *surface);

/* The requested values: of all points; or only of those inside or not farther away than `reach`; or (`nearest`) of
 * those and of the nearest of all. Up to the reach, behind a sheet counts as inside. */
typedef struct syn_proximity_asked {
  bool nearest;
  double reach;
} syn_proximity_asked;

/* Computes values[i] for points[i] moved by `pose`, as syn_distance_field does. One row per point; values and rows must
 * be those of the last query, or arbitrary memory. Returns the limit: the values of rows with a lower bound up to it
 * are valid. */
double syn_proximity_field(const syn_distance_job *job, uint64_t stamp, syn_proximity_asked asked,
                           syn_proximity_row *rows);

/* ---- shared with the walk of collide/published ------------------------------------------------------------------- */

/* Returns whether the value is valid at the position stored in the row. */
bool syn_proximity_trusts(const syn_proximity_row *row, const syn_distance_value *value, uint64_t stamp);
/* Stores a value with its row; both bounds become its distance. */
void syn_proximity_store(const syn_distance_job *job, uint32_t point, syn_vec3 at, const syn_nearest *nearest,
                         uint64_t stamp, syn_proximity_row *row);

#endif

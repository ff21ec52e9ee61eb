/* The proximity structure (Maciel 2005, §4.3.1.3): for each point a row with the nearest triangle, its distance, and
 * where the point was when that was found.
 *
 * A point that has not moved keeps its value. One that was d away from the surface and has moved by m is at least d - m
 * away: whoever asks which points are inside, and which of all is the nearest, need not know the others any better.
 * What is given has the bits of a search among all triangles.
 *
 * Rows live in the caller's scratch and are trusted only where their check sums are right, which include the surface:
 * any content of the scratch is safe. */
#ifndef SYN_COLLIDE_PROXIMITY_H
#define SYN_COLLIDE_PROXIMITY_H

#include "collide/surface/distance_field.h"

typedef struct syn_proximity_row {
  syn_vec3 last;       /* where the point was when its value was found */
  uint64_t sum;        /* of that and of the value */
  double lower, upper; /* between which its distance is now, for this query */
} syn_proximity_row;

/* What identifies a surface to its rows: other positions or triangles give another number. */
uint64_t syn_proximity_stamp(const syn_surface_tree *surface);

/* Which values are asked for: of all points; or only of those inside or not farther away than `reach`; or (`nearest`)
 * of those and of the nearest of all. Behind a sheet is inside up to the reach. */
typedef struct syn_proximity_asked {
  bool nearest;
  double reach;
} syn_proximity_asked;

/* values[i] for points[i] moved by `pose`, as syn_distance_field gives them. A row per point; values and rows must be
 * those of the last query, or anything at all. Returns the limit: true now are the values of rows with a lower bound
 * not above it. */
double syn_proximity_field(const syn_distance_job *job, uint64_t stamp, syn_proximity_asked asked,
                           syn_proximity_row *rows);

/* ---- shared with the walk of collide/published ------------------------------------------------------------------- */

/* Is the value true of where the row says the point was? */
bool syn_proximity_trusts(const syn_proximity_row *row, const syn_distance_value *value, uint64_t stamp);
/* Stores a value with its row; both bounds become its distance. */
void syn_proximity_store(const syn_distance_job *job, uint32_t point, syn_vec3 at, const syn_nearest *nearest,
                         uint64_t stamp, syn_proximity_row *row);

#endif

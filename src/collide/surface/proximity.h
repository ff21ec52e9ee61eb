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

/* Maciel's own update: from its last triangle each point walks to nearer neighbours until none is nearer. Only points
 * without a trusted row search among all triangles. Approximate: a nearer triangle beyond farther ones is not found, so
 * that values depend on the poses before. */
double syn_proximity_walk(const syn_distance_job *job, uint64_t stamp, syn_proximity_asked asked,
                          syn_proximity_row *rows);

/* ---- shared by the two ------------------------------------------------------------------------------------------- */

/* Is the value true of where the row says the point was? */
bool syn_proximity_trusts(const syn_proximity_row *row, const syn_distance_value *value, uint64_t stamp);
/* Stores a value with its row; both bounds become its distance. */
void syn_proximity_store(const syn_distance_job *job, uint32_t point, syn_vec3 at, const syn_nearest *nearest,
                         uint64_t stamp, syn_proximity_row *row);

/* ---- pairs of a point and a triangle ----------------------------------------------------------------------------- */

enum { SYN_PAIRS_EACH = 24, SYN_PAIRS = SYN_POINT_GROUP * SYN_PAIRS_EACH + 4 };

/* Points of a group and triangles, those of one point one after the other. */
typedef struct syn_pairs {
  uint32_t count;
  uint8_t who[SYN_PAIRS];
  uint32_t triangle[SYN_PAIRS];
  double x[SYN_PAIRS], y[SYN_PAIRS], z[SYN_PAIRS], distance2[SYN_PAIRS], on[SYN_PAIRS]; /* results, as closest_point */
} syn_pairs;

static inline void pairs_add(syn_pairs *pairs, uint32_t who, uint32_t triangle) {
  pairs->who[pairs->count] = (uint8_t)who;
  pairs->triangle[pairs->count++] = triangle;
}
/* Once they have been measured: nearest[i] of every point i that has a triangle. */
void syn_pairs_nearest(const syn_pairs *pairs, syn_nearest *nearest);

/* The nearest point of each triangle. Both kernels give the same bits. */
typedef void syn_pairs_measure(const syn_surface_tree *surface, const syn_vec3 *points, syn_pairs *pairs);
syn_pairs_measure syn_pairs_measure_portable;
#if SYN_AVX2
syn_pairs_measure syn_pairs_measure_avx2;
#endif
static inline syn_pairs_measure *syn_pairs_best_measure(void) {
#if SYN_AVX2
  if (syn_has_avx2()) return syn_pairs_measure_avx2;
#endif
  return syn_pairs_measure_portable;
}

#endif

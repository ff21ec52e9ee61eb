/* Updates a proximity structure through neighbours (Maciel 2005, §4.3.1.3): method "proximity-walk". */
#ifndef SYN_COLLIDE_PROXIMITY_WALK_H
#define SYN_COLLIDE_PROXIMITY_WALK_H

#include "collide/surface/proximity.h"

/* Updates the table as Maciel does: from its last triangle each point walks to nearer neighbours until none is nearer.
 * Only points without a valid row search all triangles. Approximate: a nearer triangle beyond farther ones is missed,
 * so that values depend on the previous poses. */
double syn_proximity_walk(const syn_distance_job *job, uint64_t stamp, syn_proximity_asked asked,
                          syn_proximity_row *rows);

/* ---- pairs of a point and a triangle ----------------------------------------------------------------------------- */

enum { SYN_PAIRS_EACH = 24, SYN_PAIRS = SYN_POINT_GROUP * SYN_PAIRS_EACH + 4 };

/* Pairs of a point of a group and a triangle, sorted by point. */
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
/* Sets nearest[i] of every point i that has a triangle, from the measured pairs. */
void syn_pairs_nearest(const syn_pairs *pairs, syn_nearest *nearest);

/* Computes the nearest point on each triangle. Both kernels give the same bits. */
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

/* Published detection methods, kept to reproduce their published results and for comparison. The library uses them only
 * when they are selected by name: each is approximate, or slower than a method of another folder that answers the same.
 *
 * - ray-table: a table of rays, one for each cell of directions (Maciel 2005, §4.3.1.4; Arbabi 2009, §3.3.1). Exact is
 *   radial.
 * - sliding-hash: a hash of triangle centres (Maciel 2005, Algorithms 3 and 4). Exact is radial.
 * - proximity-walk: walks among neighbours from the last triangles (Maciel 2005, §4.3.1.3). Exact is proximity.
 * - spheres: molecule against molecule (Maciel 2005, §4.3.1.1). Exact for surfaces is distance.
 * - hash: spatial hashing of vertices (Teschner et al. 2003; Arbabi 2009, §3.4.1). Faces as well finds buckettree.
 * - split: parts near the centre slide, parts far from it strike (Arbabi 2009, §3.6.3). It joins radial and
 *   cylindrical. */
#ifndef SYN_COLLIDE_PUBLISHED_H
#define SYN_COLLIDE_PUBLISHED_H

#include "collide/method.h"

extern const syn_method syn_method_ray_table, syn_method_sliding_hash;
/* Shares its state with distance and proximity and is defined in distance_method.c; its walk is in proximity_walk.c. */
extern const syn_method syn_method_proximity_walk;
extern const syn_method syn_method_spheres, syn_method_hash, syn_method_split;

#endif

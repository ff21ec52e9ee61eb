/* Two convex bodies at a pose, and their support points. */
#ifndef SYN_COLLIDE_CONVEX_H
#define SYN_COLLIDE_CONVEX_H

#include <synovia/collide.h>

#include "base/vec.h"

/* Returns the vertex farthest along `direction`, by hill climbing (Sundaraj 2004, §5.2.1 "hill-climbing"; Cameron 1997)
 * from `start`, or from a coarse choice if that is SYN_NONE. *looked grows by the count of vertices tested. */
uint32_t syn_convex_climb(const syn_convex *convex, syn_vec3 direction, uint32_t start, uint32_t *looked);

/* One query of two bodies. Side 0 is a, side 1 is b; all values are in the frame of a. */
typedef struct convex_pair {
  const syn_convex *body[2];
  const syn_pose *pose; /* of b */
  uint32_t last[2];     /* where the last climbs ended, SYN_NONE before the first */
  double rounding;      /* rounding of coordinates of this size */
  double far, precision;
  size_t room; /* differences that the scratch for penetration holds */
  uint32_t supports, looked;
} convex_pair;

/* Returns the max count of differences that a search is expected to need, for hulls with these counts of vertices;
 * increases with either. */
size_t syn_convex_room(size_t corners_a, size_t corners_b);
/* Returns the bytes of scratch for the penetration depth of hulls with at most these counts of vertices. */
size_t syn_convex_scratch_for(size_t corners_a, size_t corners_b);

syn_vec3 syn_convex_place(const convex_pair *pair, int side, uint32_t vertex);
/* Returns the support point of that side (Sundaraj 2004, Eq. 5.1). */
uint32_t syn_convex_support(convex_pair *pair, int side, syn_vec3 direction);

/* A simplex of one body: one to three vertices, four during reduction, and its witness point. */
typedef struct convex_simplex {
  uint32_t count;
  uint32_t vertex[4];
  syn_vec3 point[4];
  double weight[4];
  syn_vec3 witness;
} convex_simplex;

/* Adds a vertex. */
void syn_simplex_add(const convex_pair *pair, int side, uint32_t vertex, convex_simplex *simplex);
/* Keeps only the vertices of positive weight, and computes the witness from them. */
void syn_simplex_reduce(convex_simplex *simplex, const double *weights);

/* Both descend from the given simplexes to the nearest ones; *lower is a lower bound of the distance. */
syn_convex_exit syn_convex_alternate(convex_pair *pair, convex_simplex sides[2], double *lower);
/* Computes the penetration of bodies that overlap or touch: distance, bound, direction, witness points and features. If
 * the buffer is too small, the distance is that of a translation which separates the bodies, and the bound limits its
 * error. */
void syn_convex_penetration(convex_pair *pair, void *scratch, syn_convex_result *result);

#endif

/* Rings, the circles on which points rotate about the z axis, and their crossings with triangles (Arbabi 2009, §3.2 and
 * Appendices B to D).
 *
 * Everything here is in a frame whose z axis is the axis of rotation and whose origin is the centre; a ring is then
 * a radius and a height. */
#ifndef SYN_COLLIDE_CYLINDRICAL_RING_H
#define SYN_COLLIDE_CYLINDRICAL_RING_H

#include <synovia/mesh.h>

#include "base/vec.h"

typedef struct syn_ring {
  double radius, height;
} syn_ring;

static inline syn_ring syn_ring_of(syn_vec3 point) {
  return (syn_ring){sqrt(point.x * point.x + point.y * point.y), point.z};
}
static inline double syn_ring_angle(syn_vec3 point) { return atan2(point.y, point.x); }
static inline syn_vec3 syn_ring_point(syn_ring ring, double angle) {
  return vec3(ring.radius * cos(angle), ring.radius * sin(angle), ring.height);
}
/* Returns an angle between -3 pi and 3 pi reduced to -pi to pi. */
static inline double syn_wrap_angle(double angle) {
  return angle > SYN_PI ? angle - 2 * SYN_PI : angle < -SYN_PI ? angle + 2 * SYN_PI : angle;
}

/* A crossing of ring and surface: whether the ring is inside just before (0) and just after (1) it, for growing angle,
 * and by which triangle. A touch that crosses nothing has the same on both sides. */
typedef struct syn_ring_crossing {
  double angle; /* -pi to pi */
  uint32_t triangle[2];
  bool inside[2];
} syn_ring_crossing;

/* Computes exactly the crossings of the ring with one triangle (App. B and C); returns 0, 1 or 2. A ring in the plane
 * of the triangle does not meet it; the triangles beyond its edges decide. A ring of radius 0 meets nothing, and no
 * ring meets a triangle without area. */
uint32_t syn_ring_meet(syn_ring ring, const syn_vec3 *points, const syn_triangle *triangles, uint32_t triangle,
                       syn_ring_crossing crossings[2]);

/* Sorts the crossings by angle and merges those at the same position, where the ring passes through an edge or a vertex
 * that triangles share: on either side the triangle nearest in direction decides; among several, outside wins and then
 * the lowest number. Returns the remaining count. The result does not depend on the input order. */
uint32_t syn_ring_order(syn_ring ring, const syn_vec3 *points, const syn_triangle *triangles,
                        syn_ring_crossing *crossings, uint32_t count);

/* The direction in which a depth is measured: to the nearest crossing (Fig. 17), or back along the motion. */
typedef enum syn_ring_way { SYN_RING_BACKWARD = -1, SYN_RING_NEAREST = 0, SYN_RING_FORWARD = 1 } syn_ring_way;

/* The depth of a point of the ring, from the ordered crossings. */
typedef struct syn_ring_depth {
  double depth;      /* radians: positive inside, negative outside, -INFINITY if the ring meets nothing */
  double offset;     /* from the crossing that decides to the point, radians */
  uint32_t triangle; /* SYN_NONE if the ring meets nothing */
} syn_ring_depth;

/* Returns the depth at `angle`, -pi to pi. NEAREST: the nearest crossing decides whether the point is inside and how
 * deep. FORWARD: the point came with growing angle, and the first crossing behind it decides: inside, the distance to
 * it is the depth; outside, the distance to the first crossing ahead is the clearance. BACKWARD: the reverse. */
syn_ring_depth syn_ring_depth_at(const syn_ring_crossing *crossings, uint32_t count, double angle, syn_ring_way way);

/* A point nearer to a crossing than this, in radians, is on the surface: depth 0. */
#define SYN_RING_TOUCH 1e-12

#endif

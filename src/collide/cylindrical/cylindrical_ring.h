/* Rings: the circles on which points turn about the z axis, and where they cross triangles (Arbabi 2009, §3.2 and
 * Appendices B to D).
 *
 * Everything here lives in a frame whose z axis is the axis of rotation and whose origin is the centre; a ring is then
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
/* An angle between -3 pi and 3 pi brought to -pi to pi. */
static inline double syn_wrap_angle(double angle) {
  return angle > SYN_PI ? angle - 2 * SYN_PI : angle < -SYN_PI ? angle + 2 * SYN_PI : angle;
}

/* Where a ring meets the surface: what lies just before (0) and just after (1) it, seen with growing angle, and which
 * triangle says so. A touch that crosses nothing has the same on both sides. */
typedef struct syn_ring_crossing {
  double angle; /* -pi to pi */
  uint32_t triangle[2];
  bool inside[2];
} syn_ring_crossing;

/* Where the ring meets one triangle, exactly (App. B and C): returns 0, 1 or 2 crossings. A ring in the plane of the
 * triangle does not meet it; the triangles beyond its edges decide. A ring of radius 0 meets nothing, and no ring meets
 * a triangle without area. */
uint32_t syn_ring_meet(syn_ring ring, const syn_vec3 *points, const syn_triangle *triangles, uint32_t triangle,
                       syn_ring_crossing crossings[2]);

/* Sorts the crossings by angle and makes one of those at the same position, where the ring runs through an edge or a
 * vertex that triangles share: on either side the triangle decides that lies nearest in direction, and where several
 * do, free wins and then the lowest number. Returns how many are left. The order they come in makes no difference. */
uint32_t syn_ring_order(syn_ring ring, const syn_vec3 *points, const syn_triangle *triangles,
                        syn_ring_crossing *crossings, uint32_t count);

/* Which way a depth is measured: to the nearest crossing (Fig. 17), or back along the motion that led here. */
typedef enum syn_ring_way { SYN_RING_BACKWARD = -1, SYN_RING_NEAREST = 0, SYN_RING_FORWARD = 1 } syn_ring_way;

/* What the ordered crossings give for a point of the ring. */
typedef struct syn_ring_depth {
  double depth;      /* radians: positive inside, negative where free, -INFINITY where the ring meets nothing */
  double offset;     /* from the crossing that decides to the point, radians */
  uint32_t triangle; /* SYN_NONE where the ring meets nothing */
} syn_ring_depth;

/* `angle` from -pi to pi. NEAREST: the nearest crossing decides whether the point is inside and how deep. FORWARD: the
 * point came with growing angle; the first crossing behind it decides; inside, its distance is the depth, and outside,
 * the distance to the first crossing ahead is the clearance. BACKWARD: the same the other way round. */
syn_ring_depth syn_ring_depth_at(const syn_ring_crossing *crossings, uint32_t count, double angle, syn_ring_way way);

/* Nearer to a crossing than this, in radians, a point lies on the surface: depth 0. */
#define SYN_RING_TOUCH 1e-12

#endif

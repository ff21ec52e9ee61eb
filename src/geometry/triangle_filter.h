/* Decides whether two triangles intersect, with the same result as syn_triangles_meet, but faster: the six signs that
 * the two planes give are first taken from plain arithmetic with the error bound of syn_orient3d, and when all are
 * certain the common line is settled by two determinants (Guigue and Devillers, Fast and Robust Triangle-Triangle
 * Overlap Test Using Orientation Predicates, 2003). Only triangles that touch, share a plane or are flat need the
 * general test. */
#ifndef SYN_GEOMETRY_TRIANGLE_FILTER_H
#define SYN_GEOMETRY_TRIANGLE_FILTER_H

#include "base/vec.h"
#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"

/* Of a triangle: its first corner, its normal as rounded, and the size of what was summed up for the normal. */
typedef struct sided_plane {
  syn_vec3 at, normal, size;
} sided_plane;

static inline sided_plane sided_plane_of(const syn_vec3 t[3]) {
  const syn_vec3 u = vec3_sub(t[1], t[0]), v = vec3_sub(t[2], t[0]);
  const double yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z, xy = u.x * v.y, yx = u.y * v.x;
  return (sided_plane){t[0], vec3(yz - zy, zx - xz, xy - yx),
                       vec3(fabs(yz) + fabs(zy), fabs(zx) + fabs(xz), fabs(xy) + fabs(yx))};
}

/* +1 or -1 where the sign is certain, else 0. The same arithmetic and bound as in syn_orient3d. */
static inline int sided_plane_side(const sided_plane *plane, syn_vec3 point) {
  const syn_vec3 w = vec3_sub(point, plane->at);
  const double det = w.x * plane->normal.x + w.y * plane->normal.y + w.z * plane->normal.z;
  const double size = fabs(w.x) * plane->size.x + fabs(w.y) * plane->size.y + fabs(w.z) * plane->size.z;
  const double bound = 10 * 0x1p-53 * size;
  return (det > bound) - (det < -bound);
}

/* Returns the vertex that is alone on its side, of three signs that are not all the same. */
static inline int lone_corner(const int side[3]) { return side[0] == side[1] ? 2 : side[0] == side[2] ? 1 : 0; }

/* Every corner lies off the other's plane, and neither triangle lies on one side of it. Each triangle is turned so that
 * its lone corner comes first, and ordered so that the other's lone corner lies on its positive side. */
static inline bool crossing_triangles_meet(const syn_vec3 a[3], const int side_a[3], const syn_vec3 b[3],
                                           const int side_b[3]) {
  const int i = lone_corner(side_a), j = lone_corner(side_b);
  const syn_vec3 *pa = &a[i], *qa = &a[(i + 1) % 3], *ra = &a[(i + 2) % 3];
  const syn_vec3 *pb = &b[j], *qb = &b[(j + 1) % 3], *rb = &b[(j + 2) % 3];
  if (side_b[j] < 0) { /* b's lone corner below a: turn a over */
    const syn_vec3 *swap = qa;
    qa = ra;
    ra = swap;
  }
  if (side_a[i] < 0) {
    const syn_vec3 *swap = qb;
    qb = rb;
    rb = swap;
  }
  return syn_orient3d(*pa, *qa, *pb, *qb) <= 0 && syn_orient3d(*pa, *ra, *rb, *pb) <= 0;
}

static inline bool triangles_meet_filtered(const syn_vec3 a[3], const sided_plane *plane_a, const syn_vec3 b[3],
                                           const sided_plane *plane_b) {
  int side_a[3], side_b[3];
  bool certain = true;
  for (int c = 0; c < 3; ++c) certain &= (side_a[c] = sided_plane_side(plane_b, a[c])) != 0;
  if (certain && side_a[0] == side_a[1] && side_a[0] == side_a[2]) return false;
  for (int c = 0; c < 3; ++c) certain &= (side_b[c] = sided_plane_side(plane_a, b[c])) != 0;
  if (side_b[0] != 0 && side_b[0] == side_b[1] && side_b[0] == side_b[2]) return false;
  return certain ? crossing_triangles_meet(a, side_a, b, side_b) : syn_triangles_meet(a, b);
}

#endif

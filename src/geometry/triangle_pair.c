/* All tests reduce to whether a segment intersects a triangle, and that to signs of determinants: in space across the
 * triangle's plane, and within the plane after dropping the coordinate for which the projected triangle is not
 * degenerate. */
#include "geometry/triangle_pair.h"

#include "base/vec.h"
#include "geometry/closest.h"
#include "geometry/predicates.h"

/* ---- in a coordinate plane: `drop` is the axis to leave out -------------------------------------------------------
 */

static int orient(int drop, const syn_vec3 *a, const syn_vec3 *b, const syn_vec3 *c) {
  switch (drop) {
  case 0: return syn_orient2d(a->y, a->z, b->y, b->z, c->y, c->z);
  case 1: return syn_orient2d(a->z, a->x, b->z, b->x, c->z, c->x);
  default: return syn_orient2d(a->x, a->y, b->x, b->y, c->x, c->y);
  }
}

/* Returns whether `point`, known to be on the line pq, is between its ends. */
static bool between(const syn_vec3 *point, const syn_vec3 *p, const syn_vec3 *q) {
  for (int axis = 0; axis < 3; ++axis) {
    const double at = vec3_at(*point, axis), from = vec3_at(*p, axis), to = vec3_at(*q, axis);
    if (at < fmin(from, to) || at > fmax(from, to)) return false;
  }
  return true;
}

/* All points lie in one plane that `drop` does not flatten. */
static bool planar_segments_meet(int drop, const syn_vec3 *p, const syn_vec3 *q, const syn_vec3 *r, const syn_vec3 *s) {
  const int to_r = orient(drop, p, q, r), to_s = orient(drop, p, q, s);
  const int to_p = orient(drop, r, s, p), to_q = orient(drop, r, s, q);
  if (to_r * to_s < 0 && to_p * to_q < 0) return true;
  return (to_r == 0 && between(r, p, q)) || (to_s == 0 && between(s, p, q)) || (to_p == 0 && between(p, r, s)) ||
         (to_q == 0 && between(q, r, s));
}

static bool planar_point_in_triangle(int drop, const syn_vec3 *point, const syn_vec3 t[3]) {
  const int s0 = orient(drop, &t[0], &t[1], point), s1 = orient(drop, &t[1], &t[2], point);
  const int s2 = orient(drop, &t[2], &t[0], point);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

/* An axis that may be dropped without making the triangle flat, or -1 where it is flat already. */
static int axis_to_drop(const syn_vec3 *a, const syn_vec3 *b, const syn_vec3 *c) {
  for (int drop = 2; drop >= 0; --drop)
    if (orient(drop, a, b, c) != 0) return drop;
  return -1;
}

/* ---- in space ----------------------------------------------------------------------------------------------------
 */

bool syn_triangle_is_flat(const syn_vec3 t[3]) { return axis_to_drop(&t[0], &t[1], &t[2]) < 0; }

bool syn_point_on_segment(syn_vec3 point, syn_vec3 p, syn_vec3 q) {
  return between(&point, &p, &q) && axis_to_drop(&point, &p, &q) < 0;
}

bool syn_point_in_triangle(syn_vec3 point, const syn_vec3 t[3]) {
  const int drop = axis_to_drop(&t[0], &t[1], &t[2]);
  if (drop >= 0) return syn_orient3d(t[0], t[1], t[2], point) == 0 && planar_point_in_triangle(drop, &point, t);
  return syn_point_on_segment(point, t[0], t[1]) || syn_point_on_segment(point, t[1], t[2]) ||
         syn_point_on_segment(point, t[2], t[0]);
}

bool syn_segments_meet(syn_vec3 p, syn_vec3 q, syn_vec3 r, syn_vec3 s) {
  if (syn_orient3d(p, q, r, s) != 0) return false;
  const syn_vec3 *const triples[4][3] = {{&p, &q, &r}, {&p, &q, &s}, {&p, &r, &s}, {&q, &r, &s}};
  for (int i = 0; i < 4; ++i) {
    const int drop = axis_to_drop(triples[i][0], triples[i][1], triples[i][2]);
    if (drop >= 0) return planar_segments_meet(drop, &p, &q, &r, &s);
  }
  /* all on one line: the first or last of the common points is an end of one of them */
  return between(&p, &r, &s) || between(&q, &r, &s) || between(&r, &p, &q) || between(&s, &p, &q);
}

/* Both ends lie in the triangle's plane, or the triangle is flat and has no plane. */
static bool coplanar_segment_meets(const syn_vec3 *p, const syn_vec3 *q, const syn_vec3 t[3]) {
  const int drop = axis_to_drop(&t[0], &t[1], &t[2]);
  if (drop < 0)
    return syn_segments_meet(*p, *q, t[0], t[1]) || syn_segments_meet(*p, *q, t[1], t[2]) ||
           syn_segments_meet(*p, *q, t[2], t[0]);
  return planar_point_in_triangle(drop, p, t) || planar_segments_meet(drop, p, q, &t[0], &t[1]) ||
         planar_segments_meet(drop, p, q, &t[1], &t[2]) || planar_segments_meet(drop, p, q, &t[2], &t[0]);
}

bool syn_on_same_side(syn_vec3 p, syn_vec3 q, syn_vec3 a, syn_vec3 b) {
  const int drop = axis_to_drop(&p, &q, &a);
  return drop >= 0 && orient(drop, &p, &q, &a) == orient(drop, &p, &q, &b);
}

/* With the sides of the triangle's plane on which p and q lie. */
static bool segment_meets(const syn_vec3 *p, const syn_vec3 *q, int side_p, int side_q, const syn_vec3 t[3]) {
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) return coplanar_segment_meets(p, q, t);
  /* the segment has one point in the plane: it must not pass two edges on different sides */
  const int s0 = syn_orient3d(*p, *q, t[0], t[1]), s1 = syn_orient3d(*p, *q, t[1], t[2]);
  if (s0 * s1 < 0) return false;
  const int s2 = syn_orient3d(*p, *q, t[2], t[0]);
  return s0 * s2 >= 0 && s1 * s2 >= 0;
}

bool syn_segment_meets_triangle(syn_vec3 p, syn_vec3 q, const syn_vec3 t[3]) {
  return segment_meets(&p, &q, syn_orient3d(t[0], t[1], t[2], p), syn_orient3d(t[0], t[1], t[2], q), t);
}

/* On which sides of the plane of `t` the corners of `other` lie; false when all lie strictly on the same one. */
static bool sides_of_plane(const syn_vec3 t[3], const syn_vec3 other[3], int side[3]) {
  for (int i = 0; i < 3; ++i) side[i] = syn_orient3d(t[0], t[1], t[2], other[i]);
  return side[0] == 0 || side[0] != side[1] || side[0] != side[2];
}

static bool some_edge_meets(const syn_vec3 a[3], const int side[3], const syn_vec3 b[3]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (segment_meets(&a[i], &a[j], side[i], side[j], b)) return true;
  }
  return false;
}

/* Where two triangles meet, an edge of one meets the other: their common part is convex, and its corners lie on edges.
 */
bool syn_triangles_meet(const syn_vec3 a[3], const syn_vec3 b[3]) {
  int side_a[3], side_b[3];
  if (!sides_of_plane(b, a, side_a) || !sides_of_plane(a, b, side_b)) return false;
  return some_edge_meets(a, side_a, b) || some_edge_meets(b, side_b, a);
}

/* ---- distance ---------------------------------------------------------------------------------------------------- */

static void keep_nearer(syn_witness *best, syn_vec3 a, syn_vec3 b) {
  const double distance2 = vec3_length2(vec3_sub(a, b));
  if (distance2 < best->distance2) *best = (syn_witness){distance2, a, b};
}

/* Compares the nearest points of the two lines, if both are inside the segments, with the end points. For nearly
 * parallel segments the former lose precision, but an end point is then almost as near. */
syn_witness syn_segment_distance(syn_vec3 p0, syn_vec3 p1, syn_vec3 q0, syn_vec3 q1) {
  syn_witness best = {.distance2 = INFINITY};
  const syn_vec3 u = vec3_sub(p1, p0), v = vec3_sub(q1, q0), w = vec3_sub(p0, q0);
  const double uu = vec3_length2(u), uv = vec3_dot(u, v), vv = vec3_length2(v), uw = vec3_dot(u, w),
               vw = vec3_dot(v, w);
  const double determinant = uu * vv - uv * uv;
  if (determinant > 0) {
    const double s = (uv * vw - vv * uw) / determinant, t = (uu * vw - uv * uw) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      keep_nearer(&best, vec3_madd(p0, s, u), vec3_madd(q0, t, v));
      if (determinant > 1e-8 * uu * vv) return best;
    }
  }
  keep_nearer(&best, p0, closest_on_segment(p0, q0, q1));
  keep_nearer(&best, p1, closest_on_segment(p1, q0, q1));
  keep_nearer(&best, closest_on_segment(q0, p0, p1), q0);
  keep_nearer(&best, closest_on_segment(q1, p0, p1), q1);
  return best;
}

syn_witness syn_triangle_distance(const syn_vec3 a[3], const syn_vec3 b[3]) {
  syn_witness best = {.distance2 = INFINITY};
  for (int i = 0; i < 3; ++i) {
    keep_nearer(&best, a[i], closest_feature(a[i], b).point);
    keep_nearer(&best, closest_feature(b[i], a).point, b[i]);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const syn_witness edges = syn_segment_distance(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
      if (edges.distance2 < best.distance2) best = edges;
    }
  return best;
}

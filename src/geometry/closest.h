/* Computes closest points on elements of meshes; inline because trees call them at every leaf. */
#ifndef SYN_GEOMETRY_CLOSEST_H
#define SYN_GEOMETRY_CLOSEST_H

#include "base/vec.h"

/* Returns the point of segment a b nearest to p. */
static inline syn_vec3 closest_on_segment(syn_vec3 p, syn_vec3 a, syn_vec3 b) {
  const syn_vec3 ab = vec3_sub(b, a);
  const double length2 = vec3_length2(ab), t = vec3_dot(vec3_sub(p, a), ab);
  if (!(t > 0)) return a;
  if (t >= length2) return b;
  return vec3_madd(a, t / length2, ab);
}

/* Returns the point of triangle v nearest to p, by the Voronoi regions of its vertices, edges and face; degenerate
 * triangles are treated as segments or points. */
static inline syn_vec3 closest_on_triangle(syn_vec3 p, const syn_vec3 v[3]) {
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]), normal = vec3_cross(ab, ac);
  const double area2 = vec3_length2(normal);
  if (area2 > 0) {
    /* Inside the prism over the triangle? Each weight is an edge's signed area as seen along the normal. */
    const syn_vec3 pa = vec3_sub(v[0], p), pb = vec3_sub(v[1], p), pc = vec3_sub(v[2], p);
    const double wa = vec3_dot(vec3_cross(pb, pc), normal), wb = vec3_dot(vec3_cross(pc, pa), normal),
                 wc = vec3_dot(vec3_cross(pa, pb), normal);
    if (wa >= 0 && wb >= 0 && wc >= 0) {
      const double sum = wa + wb + wc;
      if (sum > 0)
        return vec3_add(vec3_scale(v[0], wa / sum), vec3_add(vec3_scale(v[1], wb / sum), vec3_scale(v[2], wc / sum)));
    }
  }
  syn_vec3 best = closest_on_segment(p, v[0], v[1]);
  double best2 = vec3_length2(vec3_sub(p, best));
  for (int c = 1; c < 3; ++c) {
    const syn_vec3 q = closest_on_segment(p, v[c], v[(c + 1) % 3]);
    const double q2 = vec3_length2(vec3_sub(p, q));
    if (q2 < best2) {
      best = q;
      best2 = q2;
    }
  }
  return best;
}

/* Feature of a triangle that holds a closest point: the face, the edge of vertex c (SYN_ON_EDGE + c) or vertex c. */
enum { SYN_ON_FACE = 0, SYN_ON_EDGE = 1, SYN_ON_CORNER = 4 };

typedef struct closest_point {
  syn_vec3 point;
  double distance2;
  int on;
} closest_point;

/* Takes the point of edge c nearest to p where it is nearer than `best`. */
static inline void closest_try_edge(syn_vec3 p, const syn_vec3 v[3], int c, closest_point *best) {
  const int d = (c + 1) % 3;
  const syn_vec3 along = vec3_sub(v[d], v[c]);
  const double length2 = vec3_length2(along), t = vec3_dot(vec3_sub(p, v[c]), along);
  closest_point here = {.point = v[c], .on = SYN_ON_CORNER + c};
  if (t >= length2 && t > 0)
    here = (closest_point){.point = v[d], .on = SYN_ON_CORNER + d};
  else if (t > 0)
    here = (closest_point){.point = vec3_madd(v[c], t / length2, along), .on = SYN_ON_EDGE + c};
  here.distance2 = vec3_length2(vec3_sub(p, here.point));
  if (here.distance2 < best->distance2) *best = here;
}

/* Compares all features: for needles, whose weights lose precision, and triangles of zero area. */
static inline closest_point closest_of_needle(syn_vec3 p, const syn_vec3 v[3]) {
  const syn_vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
  const syn_vec3 pa = vec3_sub(v[0], p), pb = vec3_sub(v[1], p), pc = vec3_sub(v[2], p);
  const double wa = vec3_dot(vec3_cross(pb, pc), normal), wb = vec3_dot(vec3_cross(pc, pa), normal),
               wc = vec3_dot(vec3_cross(pa, pb), normal), sum = wa + wb + wc;
  closest_point best = {.distance2 = INFINITY, .on = SYN_ON_FACE};
  if (wa >= 0 && wb >= 0 && wc >= 0 && sum > 0) {
    best.point = vec3_add(vec3_scale(v[0], wa / sum), vec3_add(vec3_scale(v[1], wb / sum), vec3_scale(v[2], wc / sum)));
    best.distance2 = vec3_length2(vec3_sub(p, best.point));
  }
  for (int c = 0; c < 3; ++c) closest_try_edge(p, v, c, &best);
  return best;
}

static inline closest_point closest_at(syn_vec3 p, syn_vec3 point, int on) {
  return (closest_point){point, vec3_length2(vec3_sub(p, point)), on};
}

/* Like closest_on_triangle, but also returns the feature: by Voronoi regions (Ericson 2005, §5.1.5), whose products sum
 * up to the squared normal. Where that is small compared with the edges (height below about 1e-4 of them), all features
 * are tried. */
static inline closest_point closest_feature(syn_vec3 p, const syn_vec3 v[3]) {
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]);
  const syn_vec3 ap = vec3_sub(p, v[0]), bp = vec3_sub(p, v[1]), cp = vec3_sub(p, v[2]);
  const double a1 = vec3_dot(ab, ap), a2 = vec3_dot(ac, ap), b1 = vec3_dot(ab, bp), b2 = vec3_dot(ac, bp),
               c1 = vec3_dot(ab, cp), c2 = vec3_dot(ac, cp);
  const double wc = a1 * b2 - b1 * a2, wb = c1 * a2 - a1 * c2, wa = b1 * c2 - c1 * b2, sum = wa + wb + wc;
  const double size2 = vec3_length2(ab) + vec3_length2(ac);
  if (!(sum > 1e-8 * size2 * size2)) return closest_of_needle(p, v);
  if (a1 <= 0 && a2 <= 0) return closest_at(p, v[0], SYN_ON_CORNER);
  if (b1 >= 0 && b2 <= b1) return closest_at(p, v[1], SYN_ON_CORNER + 1);
  if (c2 >= 0 && c1 <= c2) return closest_at(p, v[2], SYN_ON_CORNER + 2);
  if (wc <= 0 && a1 >= 0 && b1 <= 0) return closest_at(p, vec3_madd(v[0], a1 / (a1 - b1), ab), SYN_ON_EDGE);
  if (wb <= 0 && a2 >= 0 && c2 <= 0) return closest_at(p, vec3_madd(v[0], a2 / (a2 - c2), ac), SYN_ON_EDGE + 2);
  if (wa <= 0 && b2 - b1 >= 0 && c1 - c2 >= 0)
    return closest_at(p, vec3_madd(v[1], (b2 - b1) / ((b2 - b1) + (c1 - c2)), vec3_sub(v[2], v[1])), SYN_ON_EDGE + 1);
  const double scale = 1 / sum;
  return closest_at(p, vec3_madd(vec3_madd(v[0], wb * scale, ab), wc * scale, ac), SYN_ON_FACE);
}

#endif

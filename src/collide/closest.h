/* Closest points of the elements of meshes, inline because trees call them at every leaf. */
#ifndef SYN_COLLIDE_CLOSEST_H
#define SYN_COLLIDE_CLOSEST_H

#include "base/vec.h"

/* The point of segment a b nearest to p. */
static inline syn_vec3 closest_on_segment(syn_vec3 p, syn_vec3 a, syn_vec3 b) {
  const syn_vec3 ab = vec3_sub(b, a);
  const double length2 = vec3_length2(ab), t = vec3_dot(vec3_sub(p, a), ab);
  if (!(t > 0)) return a;
  if (t >= length2) return b;
  return vec3_madd(a, t / length2, ab);
}

/* The point of triangle v nearest to p, by the Voronoi regions of its corners, edges and inside; degenerate triangles
 * count as the segments and points that they are. */
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

#endif

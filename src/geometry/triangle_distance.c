#include "geometry/triangle_distance.h"

#include "geometry/closest.h"

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

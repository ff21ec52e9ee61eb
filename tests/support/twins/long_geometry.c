#include "long_geometry.h"

long_vec long_from(syn_vec3 v) { return (long_vec){(long double)v.x, (long double)v.y, (long double)v.z}; }
long_vec long_sub(long_vec a, long_vec b) { return (long_vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
long_vec long_along(long_vec a, long double s, long_vec b) {
  return (long_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
long_vec long_cross(long_vec a, long_vec b) {
  return (long_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
long double long_dot(long_vec a, long_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
long double long_length(long_vec a) { return sqrtl(long_dot(a, a)); }

long double long_volume(long_vec a, long_vec b, long_vec c, long_vec d) {
  return long_dot(long_cross(long_sub(b, a), long_sub(c, a)), long_sub(d, a));
}

long double long_point_segment(long_vec p, long_vec a, long_vec b) {
  const long_vec ab = long_sub(b, a);
  const long double length2 = long_dot(ab, ab);
  long double t = length2 > 0 ? long_dot(long_sub(p, a), ab) / length2 : 0;
  t = fminl(fmaxl(t, 0), 1);
  return long_length(long_sub(p, long_along(a, t, ab)));
}

long double long_point_triangle(long_vec p, const long_vec t[3]) {
  const long_vec n = long_cross(long_sub(t[1], t[0]), long_sub(t[2], t[0]));
  const long double size = long_length(n);
  bool inside = size > 0;
  for (int c = 0; c < 3 && inside; ++c)
    inside = long_dot(long_cross(long_sub(t[(c + 1) % 3], t[c]), long_sub(p, t[c])), n) >= 0;
  if (inside) return fabsl(long_dot(long_sub(p, t[0]), n)) / size;
  return fminl(fminl(long_point_segment(p, t[0], t[1]), long_point_segment(p, t[1], t[2])),
               long_point_segment(p, t[2], t[0]));
}

long double long_segment_segment(long_vec a, long_vec b, long_vec c, long_vec d) {
  const long_vec u = long_sub(b, a), v = long_sub(d, c), w = long_sub(c, a), n = long_cross(u, v);
  const long double size2 = long_dot(n, n);
  long double best = fminl(fminl(long_point_segment(a, c, d), long_point_segment(b, c, d)),
                           fminl(long_point_segment(c, a, b), long_point_segment(d, a, b)));
  if (size2 > 0) {
    const long double s = long_dot(long_cross(w, v), n) / size2, t = long_dot(long_cross(w, u), n) / size2;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = fminl(best, fabsl(long_dot(w, n)) / sqrtl(size2));
  }
  return best;
}

long_vec long_turned(syn_vec3 p, syn_vec3 center, syn_vec3 axis, long double angle) {
  const long_vec k0 = long_from(axis), zero = {0, 0, 0}, k = long_along(zero, 1 / long_length(k0), k0);
  const long_vec v = long_sub(long_from(p), long_from(center));
  long_vec turned = long_along(long_from(center), cosl(angle), v);
  turned = long_along(turned, sinl(angle), long_cross(k, v));
  return long_along(turned, long_dot(k, v) * (1 - cosl(angle)), k);
}

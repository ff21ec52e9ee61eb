#include "radial_twin.h"

#include <math.h>

#include "base/vec.h"
#include "geometry/predicates.h"

syn_vec3 twin_place(const syn_collide_options *options, const syn_pose *pose, syn_vec3 vertex) {
  const syn_vec3 c = options->center;
  const syn_vec3 shift = vec3_add(vec3_sub(mat3_apply(&pose->rotation, c), c), pose->translation);
  return vec3_add(mat3_apply(&pose->rotation, vec3_sub(vertex, c)), shift);
}

static bool seen(const syn_vec3 v[3], syn_vec3 p, int *turn) {
  const syn_vec3 o = {0, 0, 0};
  *turn = syn_orient3d(o, v[0], v[1], v[2]);
  return *turn != 0 && *turn * syn_orient3d(o, v[0], v[1], p) >= 0 && *turn * syn_orient3d(o, v[1], v[2], p) >= 0 &&
         *turn * syn_orient3d(o, v[2], v[0], p) >= 0;
}

typedef struct wide {
  long double x, y, z;
} wide;
static wide widen(syn_vec3 a) { return (wide){a.x, a.y, a.z}; }
static wide minus(wide a, wide b) { return (wide){a.x - b.x, a.y - b.y, a.z - b.z}; }
static wide cross(wide a, wide b) {
  return (wide){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static long double dot(wide a, wide b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/* Where the ray along p meets the plane of the triangle. */
static double hit_radius(const syn_vec3 v[3], syn_vec3 p) {
  const wide a = widen(v[0]), n = cross(minus(widen(v[1]), a), minus(widen(v[2]), a)), d = widen(p);
  return (double)(dot(n, a) / dot(n, d) * sqrtl(dot(d, d)));
}

/* The sine of the angle between the ray along p and the plane of the triangle. */
static double flatness(const syn_vec3 v[3], syn_vec3 p) {
  const wide a = widen(v[0]), n = cross(minus(widen(v[1]), a), minus(widen(v[2]), a)), d = widen(p);
  return (double)(fabsl(dot(n, d)) / sqrtl(dot(n, n) * dot(d, d)));
}

twin_depth twin_radial_depth(const syn_trimesh *fixed, const syn_collide_options *options, syn_vec3 p) {
  const double radius = vec3_length(p), sign = options->fixed_outside ? 1 : -1;
  const double close = 1e-9 * (1 + radius);
  double passed = -INFINITY, back = -INFINITY, ahead = INFINITY; /* along the way of the mobile body, so signed */
  twin_depth result = {-INFINITY, false, 1};
  if (!(radius > 0)) return result;
  for (uint32_t t = 0; t < fixed->triangle_count; ++t) {
    syn_vec3 v[3];
    int turn;
    for (int c = 0; c < 3; ++c) v[c] = vec3_sub(fixed->vertices[fixed->triangles[t].v[c]], options->center);
    if (!seen(v, p, &turn)) continue;
    result.flattest = fmin(result.flattest, flatness(v, p));
    const double at = sign * hit_radius(v, p), here = sign * radius;
    const bool wall = !options->use_normals || (turn < 0) == options->fixed_outside;
    if (!options->use_normals) {
      ahead = fmin(ahead, at);
      continue;
    }
    if (fabs(at - here) < close) result.doubtful = true;
    if (wall && at <= here) passed = fmax(passed, at);
    if (wall && at > here) ahead = fmin(ahead, at);
    if (!wall && at <= here) back = fmax(back, at);
  }
  if (fabs(passed - back) < close) result.doubtful = true;
  const double surface = isfinite(passed) && passed >= back ? passed : ahead;
  if (isfinite(surface)) result.depth = sign * radius - surface;
  return result;
}

/* Do two boxes overlap? The three tests of Sundaraj 2004, Table 4.1 (after Gottschalk et al. 1996): fifteen separating
 * axes, closest features (GJK), and linear programming: is there a point within twelve half-spaces (Seidel's way, one
 * after the other)? The same pairs for all, by turns; their answers are compared. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <synovia/synovia.h>

#include "base/vec.h"

enum { PAIRS = 2000, REPEATS = 15, SIDES = 12 };

typedef struct box_pair {
  syn_vec3 half[2]; /* the first box lies about the origin, along the axes */
  syn_pose pose;    /* of the second one */
} box_pair;

static syn_vec3 column(const syn_pose *pose, int k) {
  const syn_vec3 *r = pose->rotation.row;
  return vec3(vec3_at(r[0], k), vec3_at(r[1], k), vec3_at(r[2], k));
}

/* ---- separating axes ---------------------------------------------------------------------------------------------
 */

static bool parts(const box_pair *p, syn_vec3 axis) {
  double reach = fabs(axis.x) * p->half[0].x + fabs(axis.y) * p->half[0].y + fabs(axis.z) * p->half[0].z;
  for (int k = 0; k < 3; ++k) reach += fabs(vec3_dot(axis, column(&p->pose, k))) * vec3_at(p->half[1], k);
  return fabs(vec3_dot(axis, p->pose.translation)) > reach;
}

static bool overlap_by_axes(const box_pair *p) {
  static const syn_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; ++k)
    if (parts(p, axes[k]) || parts(p, column(&p->pose, k))) return false;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (parts(p, vec3_cross(axes[i], column(&p->pose, k)))) return false;
  return true;
}

/* ---- linear programming ------------------------------------------------------------------------------------------
 */

/* n . x <= d, of unit length in space, of any in the plane. */
typedef struct half_space {
  syn_vec3 n;
  double d;
} half_space;

static const double far_off = 1e6, touching = 1e-12;

/* The point of the line at + t along that lies in all of them and is farthest along `aim`; z is not used. */
static bool best_on_line(const half_space *h, int count, syn_vec3 at, syn_vec3 along, syn_vec3 aim, syn_vec3 *x) {
  double low = -far_off, high = far_off;
  for (int i = 0; i < count; ++i) {
    const double slope = vec3_dot(h[i].n, along), room = h[i].d - vec3_dot(h[i].n, at);
    if (fabs(slope) < touching) {
      if (room < -touching * far_off) return false;
    } else if (slope > 0)
      high = fmin(high, room / slope);
    else
      low = fmax(low, room / slope);
  }
  *x = vec3_madd(at, vec3_dot(aim, along) >= 0 ? high : low, along);
  return low <= high;
}

static bool best_in_plane(const half_space *h, int count, syn_vec3 aim, syn_vec3 *x) {
  *x = vec3(aim.x >= 0 ? far_off : -far_off, aim.y >= 0 ? far_off : -far_off, 0);
  for (int i = 0; i < count; ++i) {
    const double length = hypot(h[i].n.x, h[i].n.y);
    if (vec3_dot(h[i].n, *x) <= h[i].d + touching * far_off) continue;
    if (length < touching) return false;
    const syn_vec3 at = vec3_scale(h[i].n, h[i].d / (length * length)),
                   along = vec3(-h[i].n.y / length, h[i].n.x / length, 0);
    if (!best_on_line(h, i, at, along, aim, x)) return false;
  }
  return true;
}

static bool best_in_space(const half_space *h, int count, syn_vec3 aim, syn_vec3 *x) {
  for (int i = 0; i < count; ++i) {
    if (vec3_dot(h[i].n, *x) <= h[i].d) continue;
    const syn_vec3 n = h[i].n, side = fabs(n.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    const syn_vec3 u = vec3_unit(vec3_cross(n, side)), v = vec3_cross(n, u), at = vec3_scale(n, h[i].d);
    half_space cut[SIDES];
    for (int k = 0; k < i; ++k)
      cut[k] = (half_space){vec3(vec3_dot(h[k].n, u), vec3_dot(h[k].n, v), 0), h[k].d - vec3_dot(h[k].n, at)};
    syn_vec3 found;
    if (!best_in_plane(cut, i, vec3(vec3_dot(aim, u), vec3_dot(aim, v), 0), &found)) return false;
    *x = vec3_madd(vec3_madd(at, found.x, u), found.y, v);
  }
  return true;
}

static bool overlap_by_program(const box_pair *p) {
  half_space h[SIDES];
  for (int k = 0; k < 6; ++k) {
    const double sign = k % 2 ? -1 : 1;
    const syn_vec3 own = vec3(k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0),
                   other = vec3_scale(column(&p->pose, k / 2), sign);
    h[k] = (half_space){own, vec3_at(p->half[0], k / 2)};
    h[6 + k] = (half_space){other, vec3_at(p->half[1], k / 2) + vec3_dot(other, p->pose.translation)};
  }
  const syn_vec3 aim = vec3(0.6, 0.5, 0.4);
  syn_vec3 x = p->half[0]; /* the best point of the first box */
  return best_in_space(h, SIDES, aim, &x);
}

/* ---- closest features --------------------------------------------------------------------------------------------
 */

static syn_convex *hulls[PAIRS][2];

static bool overlap_by_features(size_t i, const box_pair *p) {
  syn_convex_options options = syn_default_convex_options();
  syn_convex_result result;
  options.algorithm = SYN_CONVEX_GJK;
  syn_convex_query(hulls[i][0], hulls[i][1], &p->pose, &options, NULL, NULL, &result);
  return result.distance_mm <= 0;
}

/* ---- the race ----------------------------------------------------------------------------------------------------
 */

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double next_random(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static syn_convex *hull_of(syn_vec3 half) {
  syn_vec3 corners[8];
  syn_convex *convex;
  syn_error error;
  for (int i = 0; i < 8; ++i)
    corners[i] = vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
  if (syn_convex_create(NULL, corners, 8, &convex, &error) != SYN_OK) {
    fprintf(stderr, "bench_boxes: %s\n", error.message);
    exit(1);
  }
  return convex;
}

static box_pair random_pair(uint64_t *seed) {
  box_pair p;
  for (int k = 0; k < 2; ++k)
    p.half[k] = vec3(12 + 8 * next_random(seed), 12 + 8 * next_random(seed), 12 + 8 * next_random(seed));
  p.pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(next_random(seed), next_random(seed), 1 + next_random(seed)),
                               3 * next_random(seed));
  p.pose.translation = vec3(30 * next_random(seed), 30 * next_random(seed), 30 * next_random(seed));
  return p;
}

static bool answer_of(int test, size_t i, const box_pair *p) {
  return test == 0 ? overlap_by_axes(p) : test == 1 ? overlap_by_features(i, p) : overlap_by_program(p);
}

int main(void) {
  static const char *const names[] = {"separating axes", "closest features", "linear programming"};
  static box_pair pairs[PAIRS];
  uint64_t seed = 7;
  size_t overlaps[3] = {0}, differ = 0;
  double best[3] = {DBL_MAX, DBL_MAX, DBL_MAX};
  for (size_t i = 0; i < PAIRS; ++i) {
    pairs[i] = random_pair(&seed);
    for (int k = 0; k < 2; ++k) hulls[i][k] = hull_of(pairs[i].half[k]);
  }
  for (int repeat = 0; repeat < REPEATS; ++repeat)
    for (int test = 0; test < 3; ++test) {
      const double start = now_ns();
      overlaps[test] = 0;
      for (size_t i = 0; i < PAIRS; ++i) overlaps[test] += answer_of(test, i, &pairs[i]);
      best[test] = fmin(best[test], (now_ns() - start) / PAIRS);
    }
  for (size_t i = 0; i < PAIRS; ++i) {
    const bool first = answer_of(0, i, &pairs[i]);
    differ += answer_of(1, i, &pairs[i]) != first || answer_of(2, i, &pairs[i]) != first;
    for (int k = 0; k < 2; ++k) syn_convex_destroy(hulls[i][k]);
  }
  for (int test = 0; test < 3; ++test)
    printf("%-18s  %7.0f ns  %zu of %d pairs overlap\n", names[test], best[test], overlaps[test], PAIRS);
  printf("%zu pairs with different answers\n", differ);
  return differ > 0;
}

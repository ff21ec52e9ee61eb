/* Computes the distance of convex bodies (Gilbert, Johnson and Keerthi 1988): a simplex of differences descends to the
 * origin. The steps on simplexes are those of the alternating search. */
#include "collide/convex/convex.h"
#include "geometry/convex_contact.h"

/* Moves both witnesses to the difference nearest to the origin; false if the pairs enclose it. The simplexes have equal
 * counts here: pairs of vertices. */
static bool move_witnesses(convex_simplex sides[2]) {
  syn_vec3 difference[4];
  double weights[4];
  for (uint32_t i = 0; i < sides[0].count; ++i) difference[i] = vec3_sub(sides[0].point[i], sides[1].point[i]);
  const bool apart = syn_simplex_nearest(difference, sides[0].count, weights);
  syn_simplex_reduce(&sides[0], weights);
  syn_simplex_reduce(&sides[1], weights);
  return apart;
}

/* Returns the difference as a sum of differences: for bodies almost in contact, subtracting the witnesses would cancel
 * digits. */
static syn_vec3 summed_difference(const convex_simplex sides[2]) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < sides[0].count; ++i)
    sum = vec3_madd(sum, sides[0].weight[i], vec3_sub(sides[0].point[i], sides[1].point[i]));
  return sum;
}

/* Repeats the last vertex of the shorter side, so that any two simplexes become pairs. */
static void make_pairs(convex_simplex sides[2]) {
  for (int side = 0; side < 2; ++side)
    while (sides[side].count < sides[!side].count) {
      convex_simplex *s = &sides[side];
      s->vertex[s->count] = s->vertex[s->count - 1];
      s->point[s->count] = s->point[s->count - 1];
      ++s->count;
    }
}

static bool has_pair(const convex_simplex sides[2], uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < sides[0].count; ++i)
    if (sides[0].vertex[i] == a && sides[1].vertex[i] == b) return true;
  return false;
}

/* Max count of successive simplexes without progress: rounding could otherwise keep the gap constant for ever. */
enum { MOST_IN_VAIN = 16 };

syn_convex_exit syn_convex_gjk(convex_pair *pair, convex_simplex sides[2], double *lower) {
  make_pairs(sides);
  bool apart = move_witnesses(sides);
  uint32_t in_vain = 0;
  *lower = 0;
  for (;;) {
    const syn_vec3 v = summed_difference(sides);
    const double distance = vec3_length(v);
    if (!apart || !(distance > pair->rounding)) return SYN_CONVEX_COLLIDING;
    const uint32_t a = syn_convex_support(pair, 0, vec3_neg(v)), b = syn_convex_support(pair, 1, v);
    const syn_vec3 w = vec3_sub(syn_convex_place(pair, 0, a), syn_convex_place(pair, 1, b));
    /* The plane through w orthogonal to v bounds the distance from below (Eq. 4.8 and 4.9). */
    const double gain = vec3_dot(v, vec3_sub(v, w));
    *lower = max2(*lower, min2(distance, distance - gain / distance));
    if (*lower > pair->far) return SYN_CONVEX_FAR;
    if (gain <= distance * (pair->precision * distance + pair->rounding)) return SYN_CONVEX_CLOSED;
    const convex_simplex before[2] = {sides[0], sides[1]};
    if (!has_pair(sides, a, b)) {
      syn_simplex_add(pair, 0, a, &sides[0]);
      syn_simplex_add(pair, 1, b, &sides[1]);
      apart = move_witnesses(sides);
      const double left2 = vec3_length2(summed_difference(sides));
      in_vain = left2 < vec3_length2(v) ? 0 : in_vain + 1;
      if (!apart || (left2 < distance * distance && in_vain < MOST_IN_VAIN)) continue;
    }
    sides[0] = before[0];
    sides[1] = before[1];
    return SYN_CONVEX_UNSTABLE;
  }
}

/* Computes the distance of convex bodies (Sundaraj 2004, §5.2): simplexes of both bodies approach each other
 * alternately. */
#include "collide/convex/convex.h"
#include "geometry/convex_contact.h"
#include "geometry/predicates.h"

/* After this many alternations both simplexes move at once; otherwise two almost parallel edges would converge far too
 * slowly. */
enum { PATIENCE = 6 };

/* ---- simplexes ---------------------------------------------------------------------------------------------------
 */

void syn_simplex_add(const convex_pair *pair, int side, uint32_t vertex, convex_simplex *simplex) {
  simplex->vertex[simplex->count] = vertex;
  simplex->point[simplex->count++] = syn_convex_place(pair, side, vertex);
}

void syn_simplex_reduce(convex_simplex *simplex, const double *weights) {
  uint32_t kept = 0;
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < simplex->count; ++i) {
    if (!(weights[i] > 0)) continue;
    simplex->vertex[kept] = simplex->vertex[i];
    simplex->point[kept] = simplex->point[i];
    simplex->weight[kept] = weights[i];
    sum = vec3_madd(sum, weights[i], simplex->point[i]);
    ++kept;
  }
  simplex->count = kept;
  simplex->witness = kept == 1 ? simplex->point[0] : sum;
}

static bool has_vertex(const convex_simplex *simplex, uint32_t vertex) {
  for (uint32_t i = 0; i < simplex->count; ++i)
    if (simplex->vertex[i] == vertex) return true;
  return false;
}

static syn_vec3 witness_difference(const convex_simplex sides[2]) {
  return vec3_sub(sides[0].witness, sides[1].witness);
}

/* Finds the nearest point of a simplex to `place`, as weights; the squared distance is exactly 0 if `place` is inside.
 */
static double nearest_to(const convex_simplex *simplex, syn_vec3 place, double weights[4]) {
  syn_vec3 seen[4], sum = {0, 0, 0};
  for (uint32_t i = 0; i < simplex->count; ++i) seen[i] = vec3_sub(simplex->point[i], place);
  if (!syn_simplex_nearest(seen, simplex->count, weights)) return 0;
  for (uint32_t i = 0; i < simplex->count; ++i) sum = vec3_madd(sum, weights[i], seen[i]);
  return vec3_length2(sum);
}

/* ---- both simplexes at once --------------------------------------------------------------------------------------
 */

typedef struct closest_pair {
  double distance2;
  double weights[2][4];
} closest_pair;

/* Tests the vertices of one simplex against the whole other one. */
static void try_corners(const convex_simplex sides[2], int side, closest_pair *best) {
  for (uint32_t i = 0; i < sides[side].count; ++i) {
    double weights[4];
    const double distance2 = nearest_to(&sides[!side], sides[side].point[i], weights);
    if (!(distance2 < best->distance2)) continue;
    best->distance2 = distance2;
    for (uint32_t k = 0; k < 4; ++k) best->weights[side][k] = k == i;
    for (uint32_t k = 0; k < sides[!side].count; ++k) best->weights[!side][k] = weights[k];
  }
}

/* Tests two edges: the feet of their common normal, if both are inside; parallel edges are covered by their ends. */
static void try_edges(const convex_simplex sides[2], const uint32_t x[2], const uint32_t y[2], closest_pair *best) {
  const syn_vec3 a = sides[0].point[x[0]], b = sides[1].point[y[0]];
  const syn_vec3 u = vec3_sub(sides[0].point[x[1]], a), v = vec3_sub(sides[1].point[y[1]], b), r = vec3_sub(b, a);
  const syn_vec3 normal = vec3_cross(u, v);
  const double area2 = vec3_length2(normal), s = vec3_dot(vec3_cross(r, v), normal),
               t = vec3_dot(vec3_cross(r, u), normal);
  if (!(s > 0 && s < area2 && t > 0 && t < area2)) return;
  const double inverse = 1 / area2;
  const double along = vec3_dot(r, normal), distance2 = along * along * inverse;
  if (!(distance2 < best->distance2)) return;
  best->distance2 = distance2;
  for (int k = 0; k < 4; ++k) best->weights[0][k] = best->weights[1][k] = 0;
  best->weights[0][x[1]] = s * inverse;
  best->weights[0][x[0]] = 1 - s * inverse;
  best->weights[1][y[1]] = t * inverse;
  best->weights[1][y[0]] = 1 - t * inverse;
}

static void try_all_edges(const convex_simplex sides[2], closest_pair *best) {
  uint32_t x[2], y[2];
  for (x[0] = 0; x[0] < sides[0].count; ++x[0])
    for (x[1] = x[0] + 1; x[1] < sides[0].count; ++x[1])
      for (y[0] = 0; y[0] < sides[1].count; ++y[0])
        for (y[1] = y[0] + 1; y[1] < sides[1].count; ++y[1]) try_edges(sides, x, y, best);
}

/* Finds the nearest points of two simplexes: a vertex and any point, or inside two edges. */
static void bring_together(convex_simplex sides[2]) {
  closest_pair best = {.distance2 = INFINITY};
  if (sides[0].count == 1 || sides[1].count == 1) { /* one vertex against the whole other side suffices */
    try_corners(sides, sides[0].count == 1 ? 0 : 1, &best);
  } else {
    try_corners(sides, 0, &best);
    try_corners(sides, 1, &best);
    try_all_edges(sides, &best);
  }
  syn_simplex_reduce(&sides[0], best.weights[0]);
  syn_simplex_reduce(&sides[1], best.weights[1]);
  if (best.distance2 == 0) sides[1].witness = sides[0].witness;
}

/* Returns whether the edge pq meets the facet. Exact; vertices and edges have already decided the case in the facet's
 * plane. */
static bool edge_pierces(syn_vec3 p, syn_vec3 q, const syn_vec3 v[3]) {
  if (syn_orient3d(v[0], v[1], v[2], p) * syn_orient3d(v[0], v[1], v[2], q) >= 0) return false;
  const int first = syn_orient3d(p, q, v[0], v[1]), second = syn_orient3d(p, q, v[1], v[2]),
            third = syn_orient3d(p, q, v[2], v[0]);
  return (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
}

/* Returns whether an edge of `side` crosses a facet of the other: simplexes can intersect with no vertex of one inside
 * the other. */
static bool pierces(const convex_simplex sides[2], int side) {
  const convex_simplex *edges = &sides[side], *facets = &sides[!side];
  for (uint32_t i = 0; i < edges->count; ++i)
    for (uint32_t j = i + 1; j < edges->count; ++j)
      for (uint32_t k = 0; k < facets->count; ++k)
        for (uint32_t l = k + 1; l < facets->count; ++l)
          for (uint32_t m = l + 1; m < facets->count; ++m) {
            const syn_vec3 facet[3] = {facets->point[k], facets->point[l], facets->point[m]};
            if (edge_pierces(edges->point[i], edges->point[j], facet)) return true;
          }
  return false;
}

/* ---- the descent -------------------------------------------------------------------------------------------------
 */

/* Adds a vertex on one side and projects the other side's witness onto the new simplex. */
static void approach(const convex_pair *pair, convex_simplex sides[2], int side, uint32_t vertex) {
  double weights[4];
  syn_simplex_add(pair, side, vertex, &sides[side]);
  const double distance2 = nearest_to(&sides[side], sides[!side].witness, weights);
  syn_simplex_reduce(&sides[side], weights);
  if (distance2 == 0) sides[side].witness = sides[!side].witness;
}

typedef enum progress { NEARER, MEETING, STUCK } progress;

/* Reduces the distance by the support point `vertex` of one side; or reports an overlap, or that rounding prevents
 * progress. */
static progress descend_simplex(const convex_pair *pair, convex_simplex sides[2], int side, uint32_t vertex,
                                uint32_t *turns) {
  const convex_simplex before[2] = {sides[0], sides[1]};
  const double distance2 = vec3_length2(witness_difference(sides));
  const bool known = has_vertex(&sides[side], vertex);
  if (!known && ++*turns < PATIENCE) {
    approach(pair, sides, side, vertex);
    if (vec3_length2(witness_difference(sides)) < distance2) return NEARER;
    sides[side] = before[side];
  }
  *turns = 0;
  if (!known) syn_simplex_add(pair, side, vertex, &sides[side]);
  const convex_simplex together[2] = {sides[0], sides[1]};
  bring_together(sides);
  if (vec3_length2(witness_difference(sides)) < distance2) return NEARER;
  /* Vertices and edges do not detect simplexes that intersect. */
  const bool meeting = pierces(together, 0) || pierces(together, 1);
  sides[0] = before[0];
  sides[1] = before[1];
  return meeting ? MEETING : STUCK;
}

/* Returns how far the body on that side extends beyond its witness towards the other one, times the distance. */
static double reach_toward(convex_pair *pair, const convex_simplex sides[2], int side, uint32_t *vertex) {
  const syn_vec3 apart = witness_difference(sides), towards = side == 0 ? vec3_neg(apart) : apart;
  *vertex = syn_convex_support(pair, side, towards);
  return max2(0, vec3_dot(vec3_sub(syn_convex_place(pair, side, *vertex), sides[side].witness), towards));
}

/* Returns a lower bound of the distance from one support plane, and from the bounding ball of the other body. */
static double beyond_plane(const convex_pair *pair, const convex_simplex sides[2], int side, double gain,
                           double distance) {
  const syn_convex *other = pair->body[!side];
  const syn_vec3 center = side == 0 ? syn_pose_point(pair->pose, other->center) : other->center;
  const syn_vec3 apart = witness_difference(sides),
                 away = vec3_scale(side == 0 ? vec3_neg(apart) : apart, 1 / distance);
  return vec3_dot(vec3_sub(center, sides[side].witness), away) - gain / distance - other->radius;
}

syn_convex_exit syn_convex_alternate(convex_pair *pair, convex_simplex sides[2], double *lower) {
  uint32_t turns = 0;
  double quiet = -1; /* the possible gain that the other side has failed to realise at this gap; negative: not tried */
  bool stuck = false;
  bring_together(sides);
  for (int side = 1;; side = !side) {
    const double distance = vec3_length(witness_difference(sides));
    *lower = 0;
    if (!(distance > pair->rounding)) return SYN_CONVEX_COLLIDING;
    uint32_t vertex;
    const double gain = reach_toward(pair, sides, side, &vertex);
    if (isfinite(pair->far)) {
      *lower = max2(0, beyond_plane(pair, sides, side, gain, distance));
      if (*lower > pair->far) return SYN_CONVEX_FAR;
    }
    if (gain > distance * (pair->precision * distance + pair->rounding) / 2) {
      const progress next = descend_simplex(pair, sides, side, vertex, &turns);
      if (next == MEETING) return SYN_CONVEX_COLLIDING;
      if (next == NEARER) {
        quiet = -1;
        stuck = false;
        continue;
      }
      stuck = true;
    }
    if (quiet >= 0) {
      *lower = max2(0, distance - (gain + quiet) / distance);
      return *lower > pair->far ? SYN_CONVEX_FAR : stuck ? SYN_CONVEX_UNSTABLE : SYN_CONVEX_CLOSED;
    }
    quiet = gain;
  }
}

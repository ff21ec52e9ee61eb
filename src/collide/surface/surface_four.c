/* Searches among eight boxes or eight triangles at once, in lanes of four floats: used by the page and by processors
 * without AVX2. Candidates for the nearest triangle are noted and decided in doubles at the end. */
#include <string.h>

#include "base/simd.h"
#include "collide/surface/surface_floats.h"

/* ---- distances ----------------------------------------------------------------------------------------------------
 */

/* A position relative to the surface's origin, or the vector to it, in four lanes. */
typedef struct places {
  float4 x, y, z;
} places;

/* Values of eight boxes or triangles, in two halves. */
typedef struct eight {
  float4 half[SYN_WIDE / 4];
} eight;

static inline float4 four_at(const float *from) {
  float4 lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

static inline float4 four_times(float value) { return (float4){value, value, value, value}; }
static inline float4 four_larger(float4 a, float4 b) { return four_select(a > b, a, b); }
static inline float4 four_smaller(float4 a, float4 b) { return four_select(a < b, a, b); }

/* Returns the vectors from four stored positions to the point, from lane `first` on. */
static inline places from_to(const float place[3][SYN_WIDE], const places *at, int first) {
  return (places){at->x - four_at(place[0] + first), at->y - four_at(place[1] + first),
                  at->z - four_at(place[2] + first)};
}

static inline float4 along(const float axis[3][SYN_WIDE], const places *d, int first) {
  return four_at(axis[0] + first) * d->x + four_at(axis[1] + first) * d->y + four_at(axis[2] + first) * d->z;
}

/* Returns the distance of x from [-half, half]. */
static inline float4 beyond(float4 x, float4 half) { return four_larger(four_larger(x, -x) - half, four_times(0)); }

static inline float4 half_of_boxes2(const places *at, const wide_node *n, int first) {
  const places d = from_to(n->center, at, first);
  const float4 x = beyond(along(n->axis[0], &d, first), four_at(n->half[0] + first)),
               y = beyond(along(n->axis[1], &d, first), four_at(n->half[1] + first)),
               z = beyond(along(n->axis[2], &d, first), four_at(n->half[2] + first));
  return x * x + y * y + z * z;
}

/* Returns the distance of x from [0, length]. */
static inline float4 outside(float4 x, float4 length) {
  return four_larger(four_larger(-x, x - length), four_times(0));
}

/* Returns the squared distance in the plane to an edge from (0, 0) along x, in the coordinates of the edge. */
static inline float4 edge_distance2(float4 x, float4 y, float4 length) {
  const float4 over = outside(x, length);
  return over * over + y * y;
}

/* Rotates (x, y) into the coordinates of an edge with this direction. */
static inline void turn(const float direction[2][SYN_WIDE], int first, float4 *x, float4 *y) {
  const float4 c = four_at(direction[0] + first), s = four_at(direction[1] + first), dx = *x, dy = *y;
  *x = c * dx + s * dy;
  *y = c * dy - s * dx;
}

/* Returns squared distances from the height above the plane and, unless the foot is inside, the nearest edge. Beyond
 * the tip of a needle rounding may put a foot on the inner side of all edges: its distance beyond the ends of the
 * longest edge always counts. */
static inline float4 half_of_triangles2(const places *at, const wide_leaf *t, int first) {
  const places d = from_to(t->corner, at, first);
  const float4 x = along(t->x, &d, first), y = along(t->y, &d, first), height = along(t->z, &d, first);
  const float4 length = four_at(t->length[0] + first), zero = four_times(0);
  float4 x1 = x - length, y1 = y, x2 = x - four_at(t->apex[0] + first), y2 = y - four_at(t->apex[1] + first);
  turn(t->direction1, first, &x1, &y1);
  turn(t->direction2, first, &x2, &y2);
  const float4 e0 = edge_distance2(x, y, length), e1 = edge_distance2(x1, y1, four_at(t->length[1] + first)),
               e2 = edge_distance2(x2, y2, four_at(t->length[2] + first));
  const float4 ahead = outside(x, length), inmost = four_smaller(y, four_smaller(y1, y2));
  return height * height + four_select(inmost >= zero, ahead * ahead, four_smaller(e0, four_smaller(e1, e2)));
}

static inline eight box_distances2(const places *at, const wide_node *n) {
  return (eight){{half_of_boxes2(at, n, 0), half_of_boxes2(at, n, 4)}};
}

static inline eight triangle_distances2(const places *at, const wide_leaf *t) {
  return (eight){{half_of_triangles2(at, t, 0), half_of_triangles2(at, t, 4)}};
}

static inline float least_of(eight all) {
  const float4 pairs = four_smaller(all.half[0], all.half[1]);
  const float low = pairs[0] < pairs[1] ? pairs[0] : pairs[1], high = pairs[2] < pairs[3] ? pairs[2] : pairs[3];
  return low < high ? low : high;
}

static inline unsigned bits_within(eight all, float limit2) {
  const float4 limit = four_times(limit2);
  return four_bits(all.half[0] <= limit) | four_bits(all.half[1] <= limit) << 4;
}

static inline void put_eight(eight all, float to[SYN_WIDE]) { memcpy(to, &all, sizeof all); }

static inline places all_lanes(syn_vec3 p) {
  return (places){four_times((float)p.x), four_times((float)p.y), four_times((float)p.z)};
}

/* ---- one point ----------------------------------------------------------------------------------------------------
 */

#define SEARCH
#include "collide/surface/surface_search.h"

static void settle(search *q) {
  for (uint32_t i = 0; i < q->note_count; ++i)
    if (q->notes[i].distance2 <= q->limit2) surface_try(q->surface, q->point, q->notes[i].triangle, q->nearest);
  q->note_count = 0;
}

void syn_surface_tree_search_four(const syn_surface_tree *surface, syn_vec3 point, double bound2,
                                  syn_nearest *nearest) {
  search_from(surface, point, bound2, SYN_NONE, nearest);
}

/* ---- a group of points --------------------------------------------------------------------------------------------
 */

/* Searches for a group: the result of the previous point bounds its neighbour's, whose search starts at that leaf. */
void syn_surface_tree_search_group_four(const syn_surface_tree *surface, const syn_vec3 *points, uint32_t count,
                                        syn_vec3 witness, syn_nearest *nearest) {
  uint32_t leaf = SYN_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    search_from(surface, points[i], vec3_length2(vec3_sub(points[i], witness)), leaf, &nearest[i]);
    witness = nearest[i].at.point;
    leaf = nearest[i].triangle == SYN_NONE ? SYN_NONE : surface->wide.place[nearest[i].triangle] / SYN_WIDE;
  }
}

#include "collide/cylindrical/cylindrical_ring.h"

/* ---- one ring and one triangle ---------------------------------------------------------------------------------- */

/* In the plane n . (x - a) = 0 the ring's point at angle t gives alpha + beta cos t + gamma sin t: n points out of the
 * body, so that the body is where this is negative. */
typedef struct ring_plane {
  syn_vec3 a, e1, e2, n;
  double alpha, beta, gamma, amplitude2;
} ring_plane;

static ring_plane plane_of(syn_ring ring, syn_vec3 a, syn_vec3 b, syn_vec3 c) {
  ring_plane plane = {.a = a, .e1 = vec3_sub(b, a), .e2 = vec3_sub(c, a)};
  const syn_vec3 n = plane.n = vec3_cross(plane.e1, plane.e2);
  plane.alpha = n.z * (ring.height - a.z) - n.x * a.x - n.y * a.y;
  plane.beta = n.x * ring.radius;
  plane.gamma = n.y * ring.radius;
  plane.amplitude2 = plane.beta * plane.beta + plane.gamma * plane.gamma;
  return plane;
}

/* Returns whether the point of the plane is in the triangle, which is enlarged by `slack` mm. */
static bool holds(const ring_plane *plane, syn_vec3 point, double slack) {
  const syn_vec3 w = vec3_sub(point, plane->a), n = plane->n;
  const double u = vec3_dot(vec3_cross(w, plane->e2), n), v = vec3_dot(vec3_cross(plane->e1, w), n);
  const double n2 = vec3_length2(n);
  if (u > 0 && v > 0 && u + v < n2) return true;
  const double edge2 =
      max2(max2(vec3_length2(plane->e1), vec3_length2(plane->e2)), vec3_length2(vec3_sub(plane->e2, plane->e1)));
  const double tolerance = slack * sqrt(n2 * edge2);
  return u >= -tolerance && v >= -tolerance && u + v <= n2 + tolerance;
}

uint32_t syn_ring_meet(syn_ring ring, const syn_vec3 *points, const syn_triangle *triangles, uint32_t triangle,
                       syn_ring_crossing crossings[2]) {
  const uint32_t *v = triangles[triangle].v;
  const ring_plane plane = plane_of(ring, points[v[0]], points[v[1]], points[v[2]]);
  const double excess = plane.amplitude2 - plane.alpha * plane.alpha;
  /* Within the rounding, it counts as a touch. */
  const double rounding = 1e-13 * plane.amplitude2;
  if (!(plane.amplitude2 > 0) || excess < -rounding) return 0;
  const bool touches = excess <= rounding;
  /* cos(t - phi) = -alpha / A with cos phi = beta / A and sin phi = gamma / A */
  const double c = -plane.alpha / plane.amplitude2, s = touches ? 0 : sqrt(excess) / plane.amplitude2;
  /* The smaller the angle between ring and plane, the less precise the crossing; the slack prevents gaps between
   * neighbours. */
  const double steepness = s * sqrt(plane.amplitude2);
  const double slack = (ring.radius + fabs(ring.height)) * (steepness > 1e-5 ? 1e-12 / steepness : 1e-7);
  const uint32_t roots = touches ? 1 : 2;
  uint32_t count = 0;
  for (uint32_t root = 0; root < roots; ++root) {
    const double sine = root == 0 ? s : -s;
    const double x = plane.beta * c - plane.gamma * sine, y = plane.gamma * c + plane.beta * sine;
    if (!holds(&plane, vec3(ring.radius * x, ring.radius * y, ring.height), slack)) continue;
    syn_ring_crossing *crossing = &crossings[count++];
    crossing->angle = atan2(y, x);
    crossing->triangle[0] = crossing->triangle[1] = triangle;
    /* The ring goes below the plane at the first root and above it at the second; a touch stays on its side. */
    crossing->inside[0] = touches ? plane.alpha < 0 : root == 1;
    crossing->inside[1] = touches ? plane.alpha < 0 : root == 0;
  }
  return count;
}

/* ---- several triangles at one position
 * -------------------------------------------------------------------------------
 */

/* Crossings closer than this in radians count as one position: if a ring is nearly tangent to a plane, the angle is no
 * more precise; least of all at a touch. */
static const double place_width = 1e-7, touch_width = 1e-6;

/* How near a triangle is to the direction d in which a point of it is left. Seen from that point the triangle is a
 * plane, a half plane or a wedge. The angle to it is compared first; if two triangles share the nearest border, the
 * angle about that border decides. */
typedef struct nearness {
  double first, second;
} nearness;

static nearness nearness_to_wedge(syn_vec3 d, syn_vec3 n, syn_vec3 left, syn_vec3 right) {
  /* Inward directions across both sides; counter-clockwise, the wedge extends from `left` to `right`. */
  const syn_vec3 from_left = vec3_cross(n, left), from_right = vec3_cross(right, n);
  const double in_left = vec3_dot(d, from_left), in_right = vec3_dot(d, from_right);
  const double normal = vec3_dot(d, n);
  if (in_left >= 0 && in_right >= 0) return (nearness){sqrt(max2(1 - normal * normal, 0)), 0};
  const double along_left = vec3_dot(d, left), along_right = vec3_dot(d, right);
  return along_left >= along_right ? (nearness){along_left, in_left} : (nearness){along_right, in_right};
}

/* Returns the nearness of a triangle. A point closer to an edge than `width` mm is on it. */
static nearness nearness_of(syn_vec3 d, syn_vec3 point, const syn_vec3 corners[3], double width) {
  const ring_plane plane = plane_of((syn_ring){0, 0}, corners[0], corners[1], corners[2]);
  const syn_vec3 w = vec3_sub(point, plane.a), n = vec3_unit(plane.n);
  const double size = vec3_length(plane.n), second = vec3_dot(vec3_cross(w, plane.e2), n),
               third = vec3_dot(vec3_cross(plane.e1, w), n);
  const double share[3] = {size - second - third, second, third};
  bool on[3]; /* is the point on the edge opposite each corner? */
  for (int c = 0; c < 3; ++c) on[c] = share[c] < width * vec3_distance(corners[(c + 1) % 3], corners[(c + 2) % 3]);
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 next = corners[(c + 1) % 3], last = corners[(c + 2) % 3];
    if (on[(c + 1) % 3] && on[(c + 2) % 3]) /* the point is at this corner */
      return nearness_to_wedge(d, n, vec3_unit(vec3_sub(next, corners[c])), vec3_unit(vec3_sub(last, corners[c])));
  }
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 along = vec3_unit(vec3_sub(corners[(c + 2) % 3], corners[(c + 1) % 3]));
    if (on[c]) return nearness_to_wedge(d, n, along, vec3_neg(along));
  }
  const double normal = vec3_dot(d, n);
  return (nearness){sqrt(max2(1 - normal * normal, 0)), 0};
}

static bool decides_before(const syn_ring_crossing *a, nearness near_a, const syn_ring_crossing *b, nearness near_b,
                           int side) {
  const double rounding = 1e-9;
  if (fabs(near_a.first - near_b.first) > rounding) return near_a.first > near_b.first;
  if (fabs(near_a.second - near_b.second) > rounding) return near_a.second > near_b.second;
  if (a->inside[side] != b->inside[side]) return b->inside[side];
  return a->triangle[side] < b->triangle[side];
}

/* Returns the crossing that decides, among those at one position, whether this side is inside. */
static const syn_ring_crossing *decider(syn_ring ring, const syn_vec3 *points, const syn_triangle *triangles,
                                        const syn_ring_crossing *place, uint32_t count, int side) {
  const double angle = place->angle, sign = side == 1 ? 1 : -1;
  const syn_vec3 point = syn_ring_point(ring, angle), ahead = vec3(-sign * sin(angle), sign * cos(angle), 0);
  const syn_ring_crossing *best = NULL;
  nearness best_nearness = {0, 0};
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t *v = triangles[place[i].triangle[side]].v;
    const syn_vec3 corners[3] = {points[v[0]], points[v[1]], points[v[2]]};
    const nearness its = nearness_of(ahead, point, corners, touch_width * ring.radius);
    if (best && !decides_before(&place[i], its, best, best_nearness, side)) continue;
    best = &place[i];
    best_nearness = its;
  }
  return best;
}

static syn_ring_crossing merge_place(syn_ring ring, const syn_vec3 *points, const syn_triangle *triangles,
                                     const syn_ring_crossing *place, uint32_t count) {
  syn_ring_crossing merged = place[0];
  bool agree = true;
  for (uint32_t i = 1; i < count; ++i) {
    agree = agree && place[i].inside[0] == merged.inside[0] && place[i].inside[1] == merged.inside[1];
    if (place[i].triangle[0] < merged.triangle[0]) merged.triangle[0] = merged.triangle[1] = place[i].triangle[0];
  }
  if (agree) return merged;
  for (int side = 0; side < 2; ++side) {
    const syn_ring_crossing *best = decider(ring, points, triangles, place, count, side);
    merged.triangle[side] = best->triangle[side];
    merged.inside[side] = best->inside[side];
  }
  return merged;
}

/* ---- all of a ring ------------------------------------------------------------------------------------------------
 */

/* Returns whether two crossings, the second at no smaller angle, are at one position. */
static bool same_place(const syn_ring_crossing *a, const syn_ring_crossing *b) {
  const bool touch = a->inside[0] == a->inside[1] || b->inside[0] == b->inside[1];
  return b->angle - a->angle <= (touch ? touch_width : place_width);
}

static bool comes_before(const syn_ring_crossing *a, const syn_ring_crossing *b) {
  return a->angle != b->angle ? a->angle < b->angle : a->triangle[0] < b->triangle[0];
}

/* Sorts by Shell's method: most rings have a handful of crossings, in a spiky surface thousands; needs no memory and no
 * recursion. */
static void sort_crossings(syn_ring_crossing *crossings, uint32_t count) {
  static const uint32_t gaps[] = {29524, 9841, 3280, 1093, 364, 121, 40, 13, 4, 1};
  for (size_t g = 0; g < sizeof gaps / sizeof *gaps; ++g)
    for (uint32_t i = gaps[g]; i < count; ++i) {
      const syn_ring_crossing moved = crossings[i];
      uint32_t hole = i;
      for (; hole >= gaps[g] && comes_before(&moved, &crossings[hole - gaps[g]]); hole -= gaps[g])
        crossings[hole] = crossings[hole - gaps[g]];
      crossings[hole] = moved;
    }
}

uint32_t syn_ring_order(syn_ring ring, const syn_vec3 *points, const syn_triangle *triangles,
                        syn_ring_crossing *crossings, uint32_t count) {
  if (count < 2) return count;
  /* A position at the seam of the angles is moved to one side of it. */
  double first = crossings[0].angle;
  for (uint32_t i = 1; i < count; ++i) first = min2(first, crossings[i].angle);
  for (uint32_t i = 0; i < count; ++i)
    if (first + 2 * SYN_PI - crossings[i].angle <= touch_width) crossings[i].angle -= 2 * SYN_PI;
  sort_crossings(crossings, count);
  uint32_t kept = 0;
  for (uint32_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && same_place(&crossings[end - 1], &crossings[end])) ++end;
    crossings[kept++] =
        end - begin == 1 ? crossings[begin] : merge_place(ring, points, triangles, crossings + begin, end - begin);
  }
  return kept;
}

/* ---- depth of a point ---------------------------------------------------------------------------------------------
 */

static syn_ring_depth nearest_depth(const syn_ring_crossing *crossings, uint32_t count, double angle) {
  syn_ring_depth found = {-INFINITY, INFINITY, SYN_NONE};
  const syn_ring_crossing *nearest = NULL;
  for (uint32_t i = 0; i < count; ++i) {
    const double offset = syn_wrap_angle(angle - crossings[i].angle);
    if (!(fabs(offset) < fabs(found.offset))) continue;
    nearest = &crossings[i];
    found.offset = offset;
  }
  if (!nearest) return found;
  const int side = found.offset > 0;
  const double distance = fabs(found.offset);
  found.triangle = nearest->triangle[side];
  /* App. D: opposite the only crossing, half a turn away, nothing is penetrated unless both sides say so. */
  const bool inside = nearest->inside[side] && (distance < SYN_PI || nearest->inside[1 - side]);
  found.depth = distance <= SYN_RING_TOUCH ? 0 : inside ? distance : -distance;
  return found;
}

static syn_ring_depth directed_depth(const syn_ring_crossing *crossings, uint32_t count, double angle, int way) {
  syn_ring_depth found = {-INFINITY, INFINITY, SYN_NONE};
  const syn_ring_crossing *behind = NULL, *ahead = NULL;
  double back = INFINITY, forth = INFINITY;
  for (uint32_t i = 0; i < count; ++i) {
    /* Distance behind, 0 to 2 pi, along the motion; a point on a crossing has just reached it. */
    double distance = way * syn_wrap_angle(angle - crossings[i].angle);
    if (fabs(distance) <= SYN_RING_TOUCH) return (syn_ring_depth){0, 0, crossings[i].triangle[way < 0]};
    if (distance < 0) distance += 2 * SYN_PI;
    if (distance < back) behind = &crossings[i], back = distance;
    if (2 * SYN_PI - distance < forth) ahead = &crossings[i], forth = 2 * SYN_PI - distance;
  }
  if (!behind || !ahead) return found;
  const int after = way > 0;
  const bool inside = behind->inside[after];
  found.triangle = inside ? behind->triangle[after] : ahead->triangle[1 - after];
  found.depth = inside ? back : -forth;
  found.offset = inside ? way * back : -way * forth;
  return found;
}

syn_ring_depth syn_ring_depth_at(const syn_ring_crossing *crossings, uint32_t count, double angle, syn_ring_way way) {
  return way == SYN_RING_NEAREST ? nearest_depth(crossings, count, angle)
                                 : directed_depth(crossings, count, angle, (int)way);
}

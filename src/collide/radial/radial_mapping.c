/* The three mapping functions of Arbabi 2009: addresses of directions, and the ranges of addresses that a cone takes.
 */
#include "collide/radial/radial_mapping.h"

#include <math.h>

#include "base/vec.h"

/* ---- type 3: six sides ------------------------------------------------------------------------------------------- */

/* On each side both angles are pi/4 + atan(ratio) of these coordinates over the side's own: what Eq. 33 comes to once
 * its cases are worked out. Sides 0 1 2 3 4 5 are +x +y -x -y +z -z. */
typedef struct side {
  int axis, first, second;
  double sign, first_sign, second_sign;
} side;
static const side sides[6] = {{0, 1, 2, 1, -1, 1},  {1, 0, 2, 1, 1, -1}, {0, 1, 2, -1, -1, 1},
                              {1, 0, 2, -1, 1, -1}, {2, 1, 0, 1, 1, -1}, {2, 1, 0, -1, 1, -1}};

/* The inverse of Eq. 33. */
const radial_side syn_radial_sides[6] = {{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},  {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
                                         {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {{0, -1, 0}, {-1, 0, 0}, {0, 0, 1}},
                                         {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},  {{0, 0, -1}, {0, -1, 0}, {1, 0, 0}}};

static uint32_t side_of(syn_vec3 u) {
  const double x = fabs(u.x), y = fabs(u.y), z = fabs(u.z);
  if (x >= y && x >= z) return u.x > 0 ? 0 : 2;
  if (y >= z) return u.y > 0 ? 1 : 3;
  return u.z > 0 ? 4 : 5;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

uint32_t syn_radial_layer_count(syn_mapping mapping) {
  return mapping == SYN_MAPPING_SPHERICAL ? 1 : mapping == SYN_MAPPING_CARTESIAN ? 2 : 6;
}

radial_address syn_radial_address(syn_mapping mapping, syn_vec3 u) {
  if (mapping == SYN_MAPPING_SPHERICAL)
    return (radial_address){atan2(u.y, u.x), acos(u.z > 1 ? 1 : u.z < -1 ? -1 : u.z), 0};
  if (mapping == SYN_MAPPING_CARTESIAN) return (radial_address){u.x, u.y, u.z > 0};
  const uint32_t a3 = side_of(u);
  const side *s = &sides[a3];
  const double over = 1 / vec3_at(u, s->axis);
  return (radial_address){SYN_PI / 4 + atan(s->first_sign * vec3_at(u, s->first) * over),
                          SYN_PI / 4 + atan(s->second_sign * vec3_at(u, s->second) * over), a3};
}

/* ---- cones ------------------------------------------------------------------------------------------------------- */

radial_cone syn_radial_cone(const syn_vec3 *points, uint32_t count) {
  syn_vec3 units[3];
  for (uint32_t i = 0; i < count; ++i) units[i] = vec3_unit(points[i]);
  return syn_radial_cone_of(units, count);
}

double syn_radial_shortest(const syn_vec3 *corners, uint32_t count) {
  double least = 1;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t j = 0; j < i; ++j) least = min2(least, vec3_dot(corners[i], corners[j]));
  return least > 0 ? sqrt(least) : 0;
}

/* A triangle that subtends no more than this counts as an edge. */
#define THIN (RADIAL_SLACK / 100)

static void set_planes_of_triangle(radial_cone *cone) {
  const syn_vec3 *u = cone->corners;
  syn_vec3 planes[3];
  double lengths[3];
  int longest = 0;
  for (int i = 0; i < 3; ++i) {
    planes[i] = vec3_cross(u[i], u[(i + 1) % 3]);
    lengths[i] = vec3_length(planes[i]);
    if (lengths[i] > lengths[longest]) longest = i;
  }
  if (lengths[longest] < 1e-8) return; /* a single direction: its planes are undetermined */
  const double width = vec3_dot(planes[longest], u[(longest + 2) % 3]);
  if (fabs(width) >= THIN * lengths[longest]) {
    for (int i = 0; i < 3; ++i) cone->planes[i] = vec3_scale(planes[i], (width < 0 ? -1 : 1) / lengths[i]);
  } else if (syn_radial_shortest(u, 3) >
             0) { /* equivalent to its longest edge: rounding may have reversed other planes */
    cone->planes[0] = vec3_scale(planes[longest], 1 / lengths[longest]);
    cone->planes[1] = vec3_neg(cone->planes[0]);
  } /* else it may hold half of all directions, and either half */
}

/* Sets the planes of an edge: it is in one plane, on both sides of it at once. */
static void set_planes_of_edge(radial_cone *cone) {
  const syn_vec3 plane = vec3_cross(cone->corners[0], cone->corners[1]);
  if (vec3_length(plane) > 1e-8) cone->planes[0] = vec3_unit(plane);
  cone->planes[1] = vec3_neg(cone->planes[0]);
}

radial_cone syn_radial_cone_of(const syn_vec3 *units, uint32_t count) {
  radial_cone cone = {.corner_count = count, .plane_count = count};
  for (uint32_t i = 0; i < count; ++i) cone.corners[i] = units[i];
  if (count == 2)
    set_planes_of_edge(&cone);
  else
    set_planes_of_triangle(&cone);
  return cone;
}

/* Computes the range of one coordinate over the cone, with slack. */
static void coordinate_range(const radial_cone *cone, int axis, double shortest, double *low, double *high) {
  *low = 1;
  *high = -1;
  for (uint32_t i = 0; i < cone->corner_count; ++i) {
    const double x = vec3_at(cone->corners[i], axis);
    *low = min2(*low, x);
    *high = max2(*high, x);
  }
  /* near zero rounding may give the wrong sign: corners all around the centre are on either side */
  if (*low < RADIAL_SLACK) *low = max2(-*low, 0) < shortest ? min2(*low, 0) / shortest : -1;
  if (*high > -RADIAL_SLACK) *high = max2(*high, 0) < shortest ? max2(*high, 0) / shortest : 1;
  *low -= RADIAL_SLACK;
  *high += RADIAL_SLACK;
}

/* ---- spans ------------------------------------------------------------------------------------------------------- */

/* Computes the arc tangent to 1e-5 for |x| <= 1 (Abramowitz and Stegun, 4.4.47), well within the slack, and much faster
 * than the library's. */
static double rough_arc_tangent(double x) {
  const double x2 = x * x;
  return x * (0.9998660 + x2 * (-0.3302995 + x2 * (0.1801410 + x2 * (-0.0851330 + x2 * 0.0208351))));
}
/* Computes the angle of a point that is not the origin, as atan2. */
static double rough_angle(double y, double x) {
  const double wide = fabs(x), high = fabs(y);
  double angle = high < wide ? rough_arc_tangent(high / wide) : SYN_PI / 2 - rough_arc_tangent(wide / high);
  if (x < 0) angle = SYN_PI - angle;
  return y < 0 ? -angle : angle;
}
static double rough_arc_cosine(double x) { return rough_angle(sqrt(1 - x * x), x); }

/* Returns a lower bound for the sine of the angle between the cone and a pole (sign: of its z). 0: the cone may contain
 * it. */
static double away_from_pole(const radial_cone *cone, double shortest, double sign) {
  double along = -1, away = 0;
  for (uint32_t i = 0; i < cone->corner_count; ++i) along = max2(along, sign * cone->corners[i].z);
  if (along < -RADIAL_SLACK) return 1;
  along = max2(along, 0);
  if (along < shortest) away = sqrt(1 - along * along / (shortest * shortest));
  for (uint32_t i = 0; i < cone->plane_count; ++i) away = max2(away, -sign * cone->planes[i].z);
  return away;
}

/* Computes the longitudes of a cone away from the poles, as one range that may leave [-pi, pi] at one end; false if
 * unknown. The cone does not enclose a pole, so that the last edge leads back over known longitudes. */
static bool longitude_range(const radial_cone *cone, double away, double *low, double *high) {
  const syn_vec3 *u = cone->corners;
  double at = rough_angle(u[0].y, u[0].x);
  *low = *high = at;
  for (uint32_t i = 1; i < cone->corner_count; ++i) {
    const syn_vec3 from = u[i - 1], to = u[i];
    /* along an edge the longitude changes monotonically, by less than half a turn */
    const double step = rough_angle(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
    if (fabs(step) > SYN_PI - 1e-3) return false;
    at += step;
    *low = min2(*low, at);
    *high = max2(*high, at);
  }
  const double slack = 4 * RADIAL_SLACK / away; /* near a pole a small step changes the longitude by much */
  *low -= slack;
  *high += slack;
  return true;
}

static uint32_t spherical_spans(const radial_cone *cone, radial_span *spans) {
  const double shortest = syn_radial_shortest(cone->corners, cone->corner_count);
  const double north = away_from_pole(cone, shortest, 1), south = away_from_pole(cone, shortest, -1);
  const double away = min2(north, south), close = 10 * RADIAL_SLACK;
  double z_low, z_high, low, high;
  coordinate_range(cone, 2, shortest, &z_low, &z_high);
  radial_span span = {-SYN_PI, SYN_PI, 0, SYN_PI, 0};
  /* the cone may contain a pole while no corner is near it */
  if (north > close && z_high < 1) span.low2 = rough_arc_cosine(z_high) - RADIAL_SLACK;
  if (south > close && z_low > -1) span.high2 = rough_arc_cosine(z_low) + RADIAL_SLACK;
  if (away > close && longitude_range(cone, away, &low, &high)) {
    spans[0] = spans[1] = span;
    if (low >= -SYN_PI && high <= SYN_PI) {
      spans[0].low1 = low;
      spans[0].high1 = high;
      return 1;
    }
    if (high - low < 2 * SYN_PI) { /* across the cut at the longitude of 180 degrees */
      spans[0].low1 = low < -SYN_PI ? low + 2 * SYN_PI : low;
      spans[1].high1 = high > SYN_PI ? high - 2 * SYN_PI : high;
      return 2;
    }
  }
  spans[0] = span;
  return 1;
}

static uint32_t cartesian_spans(const radial_cone *cone, radial_span *spans) {
  const double shortest = syn_radial_shortest(cone->corners, cone->corner_count);
  double low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) coordinate_range(cone, axis, shortest, &low[axis], &high[axis]);
  for (int axis = 0; axis < 2; ++axis) {
    low[axis] = max2(low[axis], -1);
    high[axis] = min2(high[axis], 1);
  }
  uint32_t count = 0;
  if (low[2] <= 0) spans[count++] = (radial_span){low[0], high[0], low[1], high[1], 0};
  if (high[2] >= 0) spans[count++] = (radial_span){low[0], high[0], low[1], high[1], 1};
  return count;
}

/* Computes the ranges of both ratios on one side; false if the cone misses the side. */
static bool side_ranges(const radial_cone *cone, const side *s, double low[2], double high[2]) {
  double nearest = 1;
  int beyond[5] = {0}; /* corners beyond each border of the side, and behind it */
  low[0] = low[1] = 1;
  high[0] = high[1] = -1;
  const int count = (int)cone->corner_count;
  for (int i = 0; i < count; ++i) {
    const syn_vec3 u = cone->corners[i];
    const double w = s->sign * vec3_at(u, s->axis), slack = 4 * RADIAL_SLACK;
    /* over the side's signed coordinate, which w is without its sign */
    const double a[2] = {s->sign * s->first_sign * vec3_at(u, s->first),
                         s->sign * s->second_sign * vec3_at(u, s->second)};
    for (int k = 0; k < 2; ++k) {
      beyond[2 * k] += a[k] > w + slack;
      beyond[2 * k + 1] += -a[k] > w + slack;
      low[k] = min2(low[k], w > 0 ? a[k] / w : -1);
      high[k] = max2(high[k], w > 0 ? a[k] / w : 1);
    }
    beyond[4] += w < -slack;
    nearest = min2(nearest, w);
  }
  for (int k = 0; k < 5; ++k)
    if (beyond[k] == count) return false;
  for (int k = 0; k < 2; ++k) {
    if (nearest < 0.05) { /* the projection onto the side would run to infinity */
      low[k] = -1;
      high[k] = 1;
    }
    if (low[k] > 1 + 8 * RADIAL_SLACK || high[k] < -1 - 8 * RADIAL_SLACK) return false;
    low[k] = max2(low[k], -1);
    high[k] = min2(high[k], 1);
  }
  return true;
}

static radial_span side_span(uint32_t a3, const double low[2], const double high[2]) {
  const double before = SYN_PI / 4 - 4 * RADIAL_SLACK, after = SYN_PI / 4 + 4 * RADIAL_SLACK;
  return (radial_span){before + rough_arc_tangent(low[0]), after + rough_arc_tangent(high[0]),
                       before + rough_arc_tangent(low[1]), after + rough_arc_tangent(high[1]), a3};
}

/* Returns whether the cone is well within one side, as most are. The ratios of its directions are then between those of
 * the corners. */
static bool lies_within_side(const radial_cone *cone, const side *s, double low[2], double high[2]) {
  low[0] = low[1] = 1;
  high[0] = high[1] = -1;
  for (uint32_t i = 0; i < cone->corner_count; ++i) {
    const double w = vec3_at(cone->corners[i], s->axis), over = 1 / w;
    const double first = s->first_sign * vec3_at(cone->corners[i], s->first) * over,
                 second = s->second_sign * vec3_at(cone->corners[i], s->second) * over;
    if (!(s->sign * w > 0 && max2(fabs(first), fabs(second)) < 1 - 8 * RADIAL_SLACK)) return false;
    low[0] = min2(low[0], first);
    high[0] = max2(high[0], first);
    low[1] = min2(low[1], second);
    high[1] = max2(high[1], second);
  }
  return true;
}

static uint32_t uniform_spans(const radial_cone *cone, radial_span *spans) {
  double low[2], high[2];
  const uint32_t likely = side_of(cone->corners[0]);
  if (lies_within_side(cone, &sides[likely], low, high)) {
    spans[0] = side_span(likely, low, high);
    return 1;
  }
  /* on a side its own coordinate is at least 1 / sqrt(3), in the corners' hull not less than the shortest times that */
  const double least = 0.57 * syn_radial_shortest(cone->corners, cone->corner_count);
  uint32_t count = 0;
  for (uint32_t a3 = 0; a3 < 6; ++a3) {
    double most = -1;
    for (uint32_t i = 0; i < cone->corner_count; ++i)
      most = max2(most, sides[a3].sign * vec3_at(cone->corners[i], sides[a3].axis));
    if (most >= least - RADIAL_SLACK && side_ranges(cone, &sides[a3], low, high))
      spans[count++] = side_span(a3, low, high);
  }
  return count;
}

uint32_t syn_radial_spans(syn_mapping mapping, const radial_cone *cone, radial_span spans[RADIAL_SPANS]) {
  if (mapping == SYN_MAPPING_SPHERICAL) return spherical_spans(cone, spans);
  if (mapping == SYN_MAPPING_CARTESIAN) return cartesian_spans(cone, spans);
  return uniform_spans(cone, spans);
}

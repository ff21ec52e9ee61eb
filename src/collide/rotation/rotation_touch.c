/* A point that rotates about the z axis is R(t)p = (x cos t - y sin t, x sin t + y cos t, z). Put into the plane of a
 * fixed triangle, or into the volume of the tetrahedron over two edges, this gives F(t) = alpha + beta cos t + gamma
 * sin t, which is zero for at most two angles unless it vanishes altogether. */
#include "collide/rotation/rotation_touch.h"

#include "base/vec.h"

typedef struct turn {
  double c, s;
} turn;

static const turn no_turn = {1, 0};

static syn_vec3 turned(syn_vec3 p, turn t) { return vec3(p.x * t.c - p.y * t.s, p.x * t.s + p.y * t.c, p.z); }

static bool is_wanted(const syn_turns_wanted *wanted, turn t) {
  const double rank = syn_turn_rank(t.c, t.s), rounding = 1e-14;
  const bool at_start = t.s == 0 && t.c > 0; /* the start of either direction */
  return at_start || rank <= wanted->positive + rounding || rank >= 4 - wanted->negative - rounding;
}

/* The candidate rotations, and how much farther than the grain rounding may move a point along its path: the smaller
 * the crossing angle, the farther. */
typedef struct candidates {
  int count;
  turn turns[3];
  double drift[3];
} candidates;

static const double most_drift = 1e4;

static void consider(candidates *list, turn t, double drift, const syn_turns_wanted *wanted) {
  if (!is_wanted(wanted, t)) return;
  list->turns[list->count] = t;
  list->drift[list->count++] = drift < most_drift ? drift : most_drift;
}

/* Solves F = 0, where F changes by at most `change` per unit of length and is known to within the grain of that. A miss
 * by that little counts as a touch, above all at the start. `radius` is the distance from the axis. */
static candidates solve(double alpha, double beta, double gamma, double change, double radius, double grain,
                        const syn_turns_wanted *wanted) {
  candidates list = {0};
  const double blur = change * grain, amplitude2 = beta * beta + gamma * gamma;
  if (fabs(alpha + beta) <= blur) consider(&list, no_turn, 1, wanted);
  if (amplitude2 <= blur * blur) return list; /* F is almost constant: it is zero at the start or nowhere */
  const double amplitude = sqrt(amplitude2);
  if (fabs(alpha) > amplitude + blur) return list;
  /* cos(t - phi) = -alpha / A with cos phi = beta / A and sin phi = gamma / A */
  const double slope = sqrt(max2((amplitude - alpha) * (amplitude + alpha), 0));
  const double c = min2(max2(-alpha / amplitude, -1), 1) / amplitude, s = slope / amplitude2;
  const double drift = 1 + radius * change / max2(slope, 1e-12 * amplitude);
  consider(&list, (turn){beta * c - gamma * s, gamma * c + beta * s}, drift, wanted);
  if (slope > 0) consider(&list, (turn){beta * c + gamma * s, gamma * c - beta * s}, drift, wanted);
  return list;
}

static void add_touch(syn_touch *touches, int *count, turn t, syn_vec3 point) {
  touches[(*count)++] = (syn_touch){t.c, t.s, point};
}

/* ---- vertex and face ----------------------------------------------------------------------------------------------
 */

/* Returns whether p, in the plane of the triangle, is inside or within `reach` of it. */
static bool inside_triangle(syn_vec3 p, const syn_vec3 v[3], syn_vec3 normal, double reach) {
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 a = v[c], b = v[(c + 1) % 3];
    const double side = vec3_dot(vec3_cross(vec3_sub(a, p), vec3_sub(b, p)), normal);
    if (side < 0 && side * side > reach * reach * vec3_length2(vec3_sub(b, a)) * vec3_length2(normal)) return false;
  }
  return true;
}

int syn_touch_vertex_face(syn_vec3 p, const syn_vec3 v[3], double grain, const syn_turns_wanted *wanted,
                          syn_touch touches[SYN_TOUCHES]) {
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]), n = vec3_cross(ab, ac);
  const double area2 = vec3_length2(n), longest2 = max2(vec3_length2(ab), vec3_length2(ac));
  if (area2 <= grain * grain * longest2) return 0; /* thinner than the grain: no more than its edges */
  /* A vertex that slides in the triangle's plane either starts inside or enters through an edge, which edges find. */
  const candidates list = solve(n.z * p.z - vec3_dot(n, v[0]), n.x * p.x + n.y * p.y, n.y * p.x - n.x * p.y,
                                sqrt(area2), sqrt(p.x * p.x + p.y * p.y), grain, wanted);
  int count = 0;
  for (int i = 0; i < list.count; ++i) {
    const syn_vec3 x = turned(p, list.turns[i]);
    if (inside_triangle(x, v, n, list.drift[i] * grain)) add_touch(touches, &count, list.turns[i], x);
  }
  return count;
}

/* ---- edge and edge ------------------------------------------------------------------------------------------------
 */

/* Finds where the circle of p about the axis crosses the segment a b, both in one plane orthogonal to the axis: the
 * rotation takes p there, or with `backwards` the segment to p. */
static void circle_crosses_segment(syn_vec3 p, syn_vec3 a, syn_vec3 b, bool backwards, double grain, syn_touch *touches,
                                   int *count) {
  const double fx = b.x - a.x, fy = b.y - a.y, radius2 = p.x * p.x + p.y * p.y, length2 = fx * fx + fy * fy;
  if (length2 <= grain * grain || radius2 <= grain * grain) return;
  /* foot of the axis on the line, and the distance of the circle's crossings from it */
  const double foot = -(a.x * fx + a.y * fy) / length2, area = a.x * fy - a.y * fx, height2 = area * area / length2;
  const double half2 = radius2 - height2, rounding = 4 * grain * sqrt(radius2), length = sqrt(length2);
  if (half2 < -rounding) return;
  const double half = sqrt(max2(half2, 0)),
               slack = grain * min2(1 + sqrt(radius2) / max2(half, grain), most_drift) / length;
  for (int sign = -1; sign <= 1; sign += 2) {
    const double t = foot + sign * half / length;
    if (t < -slack || t > 1 + slack) continue;
    const double x = a.x + t * fx, y = a.y + t * fy, r = sqrt(radius2 * (x * x + y * y));
    const turn forward = {(p.x * x + p.y * y) / r, (p.x * y - p.y * x) / r};
    const bool at_start = fabs(x - p.x) <= 4 * slack * length && fabs(y - p.y) <= 4 * slack * length;
    const turn there = at_start ? no_turn : (turn){forward.c, backwards ? -forward.s : forward.s};
    add_touch(touches, count, there, backwards ? p : vec3(x, y, p.z));
  }
}

/* Tests edges that stay in one plane orthogonal to the axis: an end of one meets the other. */
static void edges_in_plane(const syn_vec3 m[2], const syn_vec3 f[2], double grain, syn_touch *touches, int *count) {
  for (int end = 0; end < 2; ++end) {
    circle_crosses_segment(m[end], f[0], f[1], false, grain, touches, count);
    circle_crosses_segment(f[end], m[0], m[1], true, grain, touches, count);
  }
}

static bool in_one_plane_across(const syn_vec3 m[2], const syn_vec3 f[2], double grain) {
  const double low = min2(min2(m[0].z, m[1].z), min2(f[0].z, f[1].z));
  const double high = max2(max2(m[0].z, m[1].z), max2(f[0].z, f[1].z));
  return high - low <= grain;
}

/* Returns whether coplanar edges cross within their ends. Parallel ones also meet at a vertex, which the faces find. */
static bool edges_cross(const syn_vec3 m[2], syn_vec3 e, double e2, const syn_vec3 f[2], syn_vec3 d, double d2, turn t,
                        double drift, double grain, syn_vec3 *point) {
  const syn_vec3 along = turned(e, t), normal = vec3_cross(along, d), between = vec3_sub(f[0], turned(m[0], t));
  const double size = vec3_length2(normal);
  if (!(size > 1e-24 * e2 * d2)) return false;
  const double reach = grain * min2(drift + sqrt(e2 * d2 / size), most_drift);
  const double on_mobile = vec3_dot(vec3_cross(between, d), normal) / size,
               on_fixed = vec3_dot(vec3_cross(between, along), normal) / size;
  const double slack_m = reach / sqrt(e2), slack_f = reach / sqrt(d2);
  if (on_mobile < -slack_m || on_mobile > 1 + slack_m || on_fixed < -slack_f || on_fixed > 1 + slack_f) return false;
  *point = vec3_madd(f[0], on_fixed, d);
  return true;
}

int syn_touch_edge_edge(const syn_vec3 m[2], const syn_vec3 f[2], double grain, const syn_turns_wanted *wanted,
                        syn_touch touches[SYN_TOUCHES]) {
  const syn_vec3 e = vec3_sub(m[1], m[0]), d = vec3_sub(f[1], f[0]), u = vec3_cross(m[0], e), g = vec3_cross(d, f[0]);
  const double e2 = vec3_length2(e), d2 = vec3_length2(d), radius2 = m[0].x * m[0].x + m[0].y * m[0].y;
  int count = 0;
  /* F = ((R p - a) x R e) . d = R (p x e) . d - R e . (d x a) */
  const candidates list =
      solve(u.z * d.z - e.z * g.z, u.x * d.x + u.y * d.y - e.x * g.x - e.y * g.y,
            u.x * d.y - u.y * d.x - e.x * g.y + e.y * g.x, sqrt(e2 * d2), sqrt(radius2), grain, wanted);
  for (int i = 0; i < list.count; ++i) {
    syn_vec3 point;
    if (edges_cross(m, e, e2, f, d, d2, list.turns[i], list.drift[i], grain, &point))
      add_touch(touches, &count, list.turns[i], point);
  }
  if (in_one_plane_across(m, f, grain)) edges_in_plane(m, f, grain, touches, &count);
  return count;
}

#include "collide/rotation/rotation_turned.h"
#include "base/vec.h"

#include <string.h>

/* A point that rotates about the z axis is R(t)p = (x cos t - y sin t, x sin t + y cos t, z). Put into the plane of a
 * fixed triangle, or into the volume of the tetrahedron over two edges, this gives F(t) = alpha + beta cos t + gamma
 * sin t, which is zero for at most two angles unless it vanishes altogether. */
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

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static size_t flags_size(const rotation_body *b) {
  return ((size_t)b->plan->group_count + b->plan->part_count + 15) / 16 * 16;
}

size_t syn_turned_size(const rotation_body *b) {
  const rotation_plan *plan = b->plan;
  if (!plan) return 0;
  return ((size_t)plan->group_count + plan->pack_count) * sizeof(turn_boxes) +
         plan->corner_group_count * sizeof(turned_corners) + flags_size(b);
}

/* ---- cylinder coordinates ---------------------------------------------------------------------------------------- */

static inline float4 four_along(const float axis[3], float4 x, float4 y, float4 z) {
  return four_of(axis[0]) * x + four_of(axis[1]) * y + four_of(axis[2]) * z;
}

static inline float4 four_roots(float4 a) { return (float4){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])}; }

static inline float4 four_sizes(float4 a) {
  return (float4)((int4)a & (int4){INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX});
}

static const float angle_slack = 3e-4f; /* error of four_angles, and of sums of angles */

/* atan2 within 1e-4: odd polynomial for the first octant, the rest by symmetry. */
static inline float4 four_angles(float4 y, float4 x) {
  const float4 zero = four_of(0), ax = four_sizes(x), ay = four_sizes(y);
  const float4 t = four_lower(ax, ay) / (four_upper(ax, ay) + four_of(1e-30f)), t2 = t * t;
  float4 angle = four_of(-0.0851330f) + t2 * four_of(0.0208351f);
  angle = t * (four_of(0.9998660f) + t2 * (four_of(-0.3302995f) + t2 * (four_of(0.1801410f) + t2 * angle)));
  angle = four_select(ay > ax, four_of(1.57079633f) - angle, angle);
  angle = four_select(x < zero, four_of(3.14159265f) - angle, angle);
  return four_select(y < zero, -angle, angle);
}

static inline turned_corners turn_points(const turned_body *t, float4 x, float4 y, float4 z) {
  const float4 u = four_along(t->across[0], x, y, z), v = four_along(t->across[1], x, y, z);
  return (turned_corners){four_along(t->along, x, y, z), four_roots(u * u + v * v), four_angles(v, u)};
}

/* Returns the angles reduced by full rotations to be nearest to `from`. */
static inline float4 four_near(float4 angle, float from) {
  const float4 whole = four_of(whole_turn), half = four_of(0.5f * whole_turn), apart = angle - four_of(from);
  return angle + (float4)((apart < -half) & (int4)whole) - (float4)((apart > half) & (int4)whole);
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

/* Returns half the width of boxes in a direction, at most that of the balls. */
static inline float4 half_along(const ball_group *balls, float4 x, float4 y, float4 z) {
  return four_lower(balls->radius,
                    balls->half[0] * four_sizes(x) + balls->half[1] * four_sizes(y) + balls->half[2] * four_sizes(z));
}

/* Computes boxes around the intersections of a ball and its box, which include their margins. What reaches the axis
 * covers all angles around it. */
static turn_boxes around_balls(const turned_body *t, const ball_group *b) {
  const float4 u = four_along(t->across[0], b->middle[0], b->middle[1], b->middle[2]),
               v = four_along(t->across[1], b->middle[0], b->middle[1], b->middle[2]);
  const float4 axial = four_along(t->along, b->middle[0], b->middle[1], b->middle[2]),
               radial = four_roots(u * u + v * v);
  /* the direction from the axis to the middle, and that of the middle's motion */
  const float4 c = u / four_upper(radial, four_of(1e-30f)), s = v / four_upper(radial, four_of(1e-30f));
  float4 out[3], on[3];
  for (int k = 0; k < 3; ++k) {
    out[k] = c * four_of(t->across[0][k]) + s * four_of(t->across[1][k]);
    on[k] = c * four_of(t->across[1][k]) - s * four_of(t->across[0][k]);
  }
  const float4 half_axial = half_along(b, four_of(t->along[0]), four_of(t->along[1]), four_of(t->along[2]));
  const float4 half_out = half_along(b, out[0], out[1], out[2]), half_on = half_along(b, on[0], on[1], on[2]);
  const float4 inner = radial - half_out, outer = radial + half_out;
  return (turn_boxes){
      axial - half_axial,
      axial + half_axial,
      inner,
      four_roots(outer * outer + half_on * half_on),
      b->near,
      b->far,
      four_angles(v, u),
      four_select(inner > four_of(0), four_angles(half_on, inner) + four_of(angle_slack), four_of(whole_turn))};
}

/* The extents of four sets of corners; the angles of a set are all less than a quarter turn from their middle. */
typedef struct corner_spans {
  float4 low, high, inner, outer, least, most;
} corner_spans;

/* Computes boxes around the convex hulls of corners. `everywhere`: they may reach the axis. */
static inline turn_boxes around_corners(const turned_body *t, const corner_spans *s, int4 everywhere, float4 near,
                                        float4 far) {
  const float4 half = four_of(0.5f) * (s->most - s->least), middle = s->least + half,
               margin = four_of(t->margin) + four_of(float_loss) * far;
  /* a chord comes nearer to the axis than its ends: by the cosine of half its angle, which is 1 - half^2/2 or more */
  const float4 inner = s->inner * (four_of(1) - four_of(0.5f) * half * half) - margin;
  const int4 around = everywhere | (inner < four_of(16) * margin);
  return (turn_boxes){
      s->low - margin,
      s->high + margin,
      four_select(around, four_of(0), inner),
      s->outer + margin,
      near,
      far,
      four_near(middle, 0),
      four_select(around, four_of(whole_turn), half + four_of(angle_slack) + four_of(2) * margin / inner)};
}

static inline int4 all_around(float4 half_width) { return half_width >= four_of(whole_turn); }

static inline corner_spans no_corners(void) {
  const float4 none = four_of(INFINITY);
  return (corner_spans){none, -none, none, -none, none, -none};
}

static inline void span_corners(corner_spans *s, const turned_corners *c) {
  s->low = four_lower(s->low, c->axial);
  s->high = four_upper(s->high, c->axial);
  s->inner = four_lower(s->inner, c->radial);
  s->outer = four_upper(s->outer, c->radial);
  s->least = four_lower(s->least, c->angle);
  s->most = four_upper(s->most, c->angle);
}

/* Transforms the corners of a part to cylindrical coordinates, with angles continuous from `angle` on. Returns the
 * extent of each lane. */
static corner_spans turn_part(turned_body *t, const body_part *part, float angle) {
  corner_spans s = no_corners();
  for (uint32_t i = part->corner_begin; i < part->corner_begin + part->corner_groups; ++i) {
    const corner_group *c = &t->of->corners[i];
    turned_corners turned = turn_points(t, c->x, c->y, c->z);
    turned.angle = four_near(turned.angle, angle);
    t->corners[i] = turned;
    span_corners(&s, &turned);
  }
  return s;
}

/* Computes boxes for the parts of a group, which replace those of their balls. */
static void fill_parts(turned_body *t, uint32_t group) {
  const body_part *parts = &t->of->plan->parts[4 * group - t->of->plan->first_part];
  turn_boxes *boxes = &t->groups[group];
  corner_spans s[4];
  for (int i = 0; i < 4; ++i) s[i] = turn_part(t, &parts[i], boxes->angle[i]);
  const corner_spans four = {four_least(s[0].low, s[1].low, s[2].low, s[3].low),
                             four_most(s[0].high, s[1].high, s[2].high, s[3].high),
                             four_least(s[0].inner, s[1].inner, s[2].inner, s[3].inner),
                             four_most(s[0].outer, s[1].outer, s[2].outer, s[3].outer),
                             four_least(s[0].least, s[1].least, s[2].least, s[3].least),
                             four_most(s[0].most, s[1].most, s[2].most, s[3].most)};
  *boxes = around_corners(t, &four, all_around(boxes->half_width), boxes->near, boxes->far);
}

static void fill_group(turned_body *t, uint32_t group) {
  t->groups[group] = around_balls(t, &t->of->groups[group]);
  t->group_filled[group] = 1;
  if (plan_is_part(t->of->plan, 4 * group)) fill_parts(t, group);
}

void syn_turned_open(const rotation_body *body, const syn_mat3 *frame, double margin, void *room, turned_body *turned) {
  *turned = (turned_body){.of = body, .frame = *frame, .margin = (float)margin, .groups = room};
  turned->packs = turned->groups + body->plan->group_count;
  turned->corners = (turned_corners *)(turned->packs + body->plan->pack_count);
  turned->group_filled = (uint8_t *)(turned->corners + body->plan->corner_group_count);
  turned->part_filled = turned->group_filled + body->plan->group_count;
  memset(turned->group_filled, 0, flags_size(body));
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 2; ++i) turned->across[i][j] = (float)vec3_at(frame->row[i], j);
    turned->along[j] = (float)vec3_at(frame->row[2], j);
  }
  fill_group(turned, 0);
}

static inline float lower(float a, float b) { return a < b ? a : b; }
static inline float upper(float a, float b) { return a > b ? a : b; }
static inline float least_of(float4 a) { return lower(lower(a[0], a[1]), lower(a[2], a[3])); }
static inline float most_of(float4 a) { return upper(upper(a[0], a[1]), upper(a[2], a[3])); }

/* Returns an angle of up to three half turns, reduced by a full one if that brings it nearer to 0. */
static inline float wrapped(float angle) {
  return angle > 0.5f * whole_turn ? angle - whole_turn : angle < -0.5f * whole_turn ? angle + whole_turn : angle;
}

/* Shrinks a box to the boxes inside it, none of which is empty: only the top group has empty ones. */
static void draw_in(turn_box *box, const turn_boxes *inside) {
  box->low = upper(box->low, least_of(inside->low));
  box->high = lower(box->high, most_of(inside->high));
  box->inner = upper(box->inner, least_of(inside->inner));
  box->outer = lower(box->outer, most_of(inside->outer));
  if (most_of(inside->half_width) >= whole_turn || box->half_width >= whole_turn) return;
  const float4 apart = four_near(inside->angle, box->angle) - four_of(box->angle);
  const float begin = upper(-box->half_width, least_of(apart - inside->half_width)),
              end = lower(box->half_width, most_of(apart + inside->half_width));
  box->angle = wrapped(box->angle + 0.5f * (begin + end));
  box->half_width = 0.5f * (end - begin) + 1e-6f;
}

void syn_turned_fill_below(turned_body *t, uint32_t ball) {
  const uint32_t group = plan_group_below(t->of->plan, ball);
  fill_group(t, group);
  turn_box box = turned_box(t, ball);
  draw_in(&box, &t->groups[group]);
  turn_boxes_put(&t->groups[ball / 4], ball % 4, &box);
}

/* Returns corner c of each of four features. */
static inline turned_corners corners_of(const turned_corners *corners, const part_feature *const features[4], int c) {
  const uint32_t at[4] = {features[0]->corner[c], features[1]->corner[c], features[2]->corner[c],
                          features[3]->corner[c]};
#define PICK(field)                                                                                                    \
  {                                                                                                                    \
    corners[at[0] / 4].field[at[0] % 4], corners[at[1] / 4].field[at[1] % 4], corners[at[2] / 4].field[at[2] % 4],     \
        corners[at[3] / 4].field[at[3] % 4]                                                                            \
  }
  return (turned_corners){PICK(axial), PICK(radial), PICK(angle)};
#undef PICK
}

/* Returns the boxes of four features. */
static turn_boxes around_features(const turned_body *t, const turned_corners *corners,
                                  const part_feature *const features[4], const reach_pack *reach, int4 everywhere) {
  corner_spans s = no_corners();
  for (int c = 0; c < 3; ++c) {
    const turned_corners some = corners_of(corners, features, c);
    span_corners(&s, &some);
  }
  return around_corners(t, &s, everywhere, reach->near, reach->far);
}

/* Fills the boxes of the features of one kind of a part; the last one is repeated to fill its pack. Returns the end of
 * the packs. */
static uint32_t fill_packs(turned_body *t, const turned_corners *corners, int4 everywhere, uint32_t begin,
                           uint32_t count, uint32_t pack) {
  const part_feature *features = &t->of->plan->features[begin];
  for (uint32_t i = 0; i < count; i += 4, ++pack) {
    const part_feature *four[4];
    for (uint32_t k = 0; k < 4; ++k) four[k] = &features[i + k < count ? i + k : count - 1];
    t->packs[pack] = around_features(t, corners, four, &t->of->reach[pack], everywhere);
  }
  return pack;
}

void syn_turned_fill_part(turned_body *t, uint32_t number) {
  const body_part *part = &t->of->plan->parts[number];
  const int4 everywhere = all_around(four_of(turned_box(t, t->of->plan->first_part + number).half_width));
  const turned_corners *corners = &t->corners[part->corner_begin];
  const uint32_t edges = part->feature_begin, vertices = edges + part->edge_count,
                 faces = vertices + part->vertex_count;
  uint32_t pack = part->pack_begin;
  pack = fill_packs(t, corners, everywhere, edges, part->edge_count, pack);
  pack = fill_packs(t, corners, everywhere, vertices, part->vertex_count, pack);
  fill_packs(t, corners, everywhere, faces, part->face_count, pack);
  t->part_filled[number] = 1;
}

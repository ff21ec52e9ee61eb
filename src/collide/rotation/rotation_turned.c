#include "collide/rotation/rotation_turned.h"

#include <string.h>

#include "base/vec.h"

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

static const float angle_slack = 3e-4f; /* what four_angles, and sums of angles, may be wrong by */

/* atan2 within 1e-4: odd polynomial for the first octant, the rest by symmetry. */
static inline float4 four_angles(float4 y, float4 x) {
  const float4 zero = four_of(0), ax = four_sizes(x), ay = four_sizes(y);
  const float4 t = four_lower(ax, ay) / (four_upper(ax, ay) + four_of(1e-30f)), t2 = t * t;
  float4 angle = four_of(-0.0851330f) + t2 * four_of(0.0208351f);
  angle = t * (four_of(0.9998660f) + t2 * (four_of(-0.3302995f) + t2 * (four_of(0.1801410f) + t2 * angle)));
  angle = four_chosen(ay > ax, four_of(1.57079633f) - angle, angle);
  angle = four_chosen(x < zero, four_of(3.14159265f) - angle, angle);
  return four_chosen(y < zero, -angle, angle);
}

static inline turned_corners turn_points(const turned_body *t, float4 x, float4 y, float4 z) {
  const float4 u = four_along(t->across[0], x, y, z), v = four_along(t->across[1], x, y, z);
  return (turned_corners){four_along(t->along, x, y, z), four_roots(u * u + v * v), four_angles(v, u)};
}

/* Angles as near to `from` as whole turns can bring them. */
static inline float4 four_near(float4 angle, float from) {
  const float4 whole = four_of(whole_turn), half = four_of(0.5f * whole_turn), apart = angle - four_of(from);
  return angle + (float4)((apart < -half) & (int4)whole) - (float4)((apart > half) & (int4)whole);
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

/* Half the width of boxes in a direction, but no more than that of the balls. */
static inline float4 half_along(const ball_group *balls, float4 x, float4 y, float4 z) {
  return four_lower(balls->radius,
                    balls->half[0] * four_sizes(x) + balls->half[1] * four_sizes(y) + balls->half[2] * four_sizes(z));
}

/* Around what is both in a ball and in its box; these have their margins. What reaches the axis is all around it. */
static turn_boxes around_balls(const turned_body *t, const ball_group *b) {
  const float4 u = four_along(t->across[0], b->middle[0], b->middle[1], b->middle[2]),
               v = four_along(t->across[1], b->middle[0], b->middle[1], b->middle[2]);
  const float4 axial = four_along(t->along, b->middle[0], b->middle[1], b->middle[2]),
               radial = four_roots(u * u + v * v);
  /* the direction from the axis to the middle, and the one in which the middle turns */
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
      four_chosen(inner > four_of(0), four_angles(half_on, inner) + four_of(angle_slack), four_of(whole_turn))};
}

/* What corners span; the angles are all less than a quarter turn from each other's middle. */
typedef struct corner_span {
  float low, high, inner, outer, least, most;
} corner_span;

static inline float lower(float a, float b) { return a < b ? a : b; }
static inline float upper(float a, float b) { return a > b ? a : b; }

/* An angle of up to three half turns, less a whole one where that brings it nearer to 0. */
static inline float wrapped(float angle) {
  return angle > 0.5f * whole_turn ? angle - whole_turn : angle < -0.5f * whole_turn ? angle + whole_turn : angle;
}

/* Around the convex hull of corners. `everywhere`: it may reach the axis. */
static inline turn_box around_corners(const turned_body *t, const corner_span *s, bool everywhere, float near,
                                      float far) {
  const float half = 0.5f * (s->most - s->least), middle = s->least + half,
              margin = (float)rotation_margin((double)t->margin, (double)far);
  /* a chord comes nearer to the axis than its ends: by the cosine of half its angle, which is 1 - half^2/2 or more */
  const float inner = s->inner * (1 - 0.5f * half * half) - margin;
  const bool around = everywhere || inner < 16 * margin;
  return (turn_box){s->low - margin,
                    s->high + margin,
                    around ? 0 : inner,
                    s->outer + margin,
                    near,
                    far,
                    wrapped(middle),
                    around ? whole_turn : half + angle_slack + 2 * margin / inner};
}

static inline float least_of(float4 a) { return lower(lower(a[0], a[1]), lower(a[2], a[3])); }
static inline float most_of(float4 a) { return upper(upper(a[0], a[1]), upper(a[2], a[3])); }

/* Turns the corners of a part, their angles counted on from `angle` without a jump, and returns their box. */
static turn_box turn_part(turned_body *t, const body_part *part, const turn_box *ball) {
  float4 low = four_of(INFINITY), high = -low, inner = low, outer = -low, least = low, most = -low;
  for (uint32_t i = part->corner_begin; i < part->corner_begin + part->corner_groups; ++i) {
    const corner_group *c = &t->of->corners[i];
    turned_corners turned = turn_points(t, c->x, c->y, c->z);
    turned.angle = four_near(turned.angle, ball->angle);
    t->corners[i] = turned;
    low = four_lower(low, turned.axial);
    high = four_upper(high, turned.axial);
    inner = four_lower(inner, turned.radial);
    outer = four_upper(outer, turned.radial);
    least = four_lower(least, turned.angle);
    most = four_upper(most, turned.angle);
  }
  const corner_span span = {least_of(low),  most_of(high),   least_of(inner),
                            most_of(outer), least_of(least), most_of(most)};
  return around_corners(t, &span, ball->half_width >= whole_turn, ball->near, ball->far);
}

static void fill_group(turned_body *t, uint32_t group) {
  turn_boxes *boxes = &t->groups[group];
  *boxes = around_balls(t, &t->of->groups[group]);
  t->group_filled[group] = 1;
  if (!plan_is_part(t->of->plan, 4 * group)) return;
  for (uint32_t i = 0; i < 4; ++i) {
    const body_part *part = &t->of->plan->parts[4 * group + i - t->of->plan->first_part];
    if (part->face_count == 0) continue;
    const turn_box ball = turn_boxes_at(boxes, i), box = turn_part(t, part, &ball);
    turn_boxes_put(boxes, i, &box);
  }
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

/* Draws a box in around those of what is inside it. */
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

static inline void span_corner(const turned_corners *corners, uint8_t corner, corner_span *s) {
  const turned_corners *c = &corners[corner / 4];
  const float axial = c->axial[corner % 4], radial = c->radial[corner % 4], angle = c->angle[corner % 4];
  *s = (corner_span){lower(s->low, axial),    upper(s->high, axial),  lower(s->inner, radial),
                     upper(s->outer, radial), lower(s->least, angle), upper(s->most, angle)};
}

/* The features of one kind that a part has. */
static turn_boxes *fill_packs(const turned_body *t, const turned_corners *corners, bool everywhere, uint32_t begin,
                              uint32_t count, turn_boxes *packs) {
  const part_feature *features = &t->of->plan->features[begin];
  const feature_reach *reach = &t->of->reach[begin];
  for (uint32_t i = 0; i < count; ++i) {
    corner_span span = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int c = 0; c < 3; ++c) span_corner(corners, features[i].corner[c], &span);
    const turn_box box = around_corners(t, &span, everywhere, reach[i].near, reach[i].far);
    turn_boxes_put(&packs[i / 4], i % 4, &box);
  }
  const turn_box nothing = {.low = INFINITY, .high = -INFINITY};
  for (uint32_t i = count; i < 4 * packs_for(count); ++i) turn_boxes_put(&packs[i / 4], i % 4, &nothing);
  return packs + packs_for(count);
}

void syn_turned_fill_part(turned_body *t, uint32_t number) {
  const body_part *part = &t->of->plan->parts[number];
  const turn_box box = turned_box(t, t->of->plan->first_part + number);
  const bool everywhere = box.half_width >= whole_turn;
  const turned_corners *corners = &t->corners[part->corner_begin];
  const uint32_t edges = part->feature_begin, vertices = edges + part->edge_count,
                 faces = vertices + part->vertex_count;
  turn_boxes *packs = &t->packs[part->pack_begin];
  packs = fill_packs(t, corners, everywhere, edges, part->edge_count, packs);
  packs = fill_packs(t, corners, everywhere, vertices, part->vertex_count, packs);
  fill_packs(t, corners, everywhere, faces, part->face_count, packs);
  t->part_filled[number] = 1;
}

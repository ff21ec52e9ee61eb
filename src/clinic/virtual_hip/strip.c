/* Makes the strip of a ligament: attaches it to the bones (Maciel 2005, §5.2.3 describes the positions in words), finds
 * the shortest path between outside the bones, and makes hexahedra over this inner face with fibres that follow its
 * rows. */
#include <math.h>

#include "base/names.h"
#include "clinic/measure/measure_contour.h"
#include "clinic/virtual_hip/virtual_hip.h"

/* ---- attachments ------------------------------------------------------------------------------------------------- */

typedef enum place_kind {
  ON_RIM,  /* hours of the acetabulum; mm beyond its rim */
  ON_NECK, /* hours round the neck; distance from the head's centre along it, in radii of the head */
  ON_HEAD  /* the fovea; mm forward of its middle */
} place_kind;

/* An attachment runs from one pair of numbers to the other, across the ligament; a closed one runs from each of the
 * four numbers at 12, 3, 6 and 9 o'clock to the next. */
typedef struct attachment {
  place_kind kind;
  double hour[2], at[4];
} attachment;

typedef struct ligament_plan {
  attachment begin, end; /* the first end is always on the pelvis */
  unsigned avoids;       /* parts of the hip that it must avoid */
  bool closed;           /* closed around the neck */
  double around[2];      /* range in which its fibres run around the neck, in fractions of its length */
} ligament_plan;

enum {
  FEMUR = 1 << SYN_HIP_FEMUR | 1 << SYN_HIP_FEMORAL_CARTILAGE,
  ALL = FEMUR | 1 << SYN_HIP_PELVIS | 1 << SYN_HIP_LABRUM
};

static const ligament_plan plans[SYN_HIP_LIGAMENTS] = {
    [SYN_LIGAMENT_ILIOFEMORAL_LATERAL] = {{ON_RIM, {12.25, 13.25}, {6, 6}},
                                          {ON_NECK, {12.75, 14}, {1.75, 1.75}},
                                          .avoids = ALL},
    [SYN_LIGAMENT_ILIOFEMORAL_MEDIAL] = {{ON_RIM, {13, 14.25}, {6, 6}},
                                         {ON_NECK, {15, 16.5}, {1.85, 1.85}},
                                         .avoids = ALL},
    [SYN_LIGAMENT_PUBOFEMORAL] = {{ON_RIM, {15.5, 17}, {5, 5}}, {ON_NECK, {17, 18.5}, {1.75, 1.75}}, .avoids = ALL},
    [SYN_LIGAMENT_ISCHIOFEMORAL] = {{ON_RIM, {7.75, 9.25}, {5, 5}}, {ON_NECK, {10, 11.5}, {1.4, 1.4}}, .avoids = ALL},
    [SYN_LIGAMENT_TERES] = {{ON_RIM, {5.5, 6.5}, {-3, -3}}, {ON_HEAD, {0, 0}, {4, -4}}, .avoids = FEMUR},
    [SYN_LIGAMENT_TRANSVERSE] = {{ON_RIM, {5, 5}, {1, 5}}, {ON_RIM, {7, 7}, {1, 5}}, .avoids = FEMUR},
    /* "5 to 6 mm beyond the labrum behind; in front to its outer margin"; "in front to the intertrochanteric line,
     * above to the base of the neck, behind about 1.25 cm above the intertrochanteric crest, below to the lower part of
     * the neck"; circular fibres "most abundant at the lower part, a collar around the neck" */
    [SYN_LIGAMENT_CAPSULE] =
        {{ON_RIM, {12, 24}, {4, 2, 4, 5.5}}, {ON_NECK, {12, 24}, {1.7, 1.85, 1.75, 1.45}}, ALL, true, {0.6, 0.8}},
};

SYN_ENUM_NAMES(syn_hip_ligament, SYN_HIP_LIGAMENTS, [SYN_LIGAMENT_ILIOFEMORAL_LATERAL] = "iliofemoral-lateral",
               [SYN_LIGAMENT_ILIOFEMORAL_MEDIAL] = "iliofemoral-medial", [SYN_LIGAMENT_PUBOFEMORAL] = "pubofemoral",
               [SYN_LIGAMENT_ISCHIOFEMORAL] = "ischiofemoral", [SYN_LIGAMENT_TERES] = "teres",
               [SYN_LIGAMENT_TRANSVERSE] = "transverse", [SYN_LIGAMENT_CAPSULE] = "capsule");

/* ---- places ------------------------------------------------------------------------------------------------------ */

typedef struct growing {
  const syn_hip_case *hip_case;
  const syn_ligament_options *options;
  syn_clock_face neck;
  double outward; /* on the neck, beyond the position in the table, in radii of the head */
  double *base;   /* of a sleeve: its end along the neck, all round; NULL otherwise */
  uint32_t base_count;
  syn_surface *surfaces[SYN_HIP_PARTS]; /* NULL: missing, or not avoided */
} growing;

/* Returns the nearest point of a part, raised by the clearance. */
static syn_vec3 above(const growing *g, syn_hip_part part, syn_vec3 place) {
  const syn_trimesh *mesh = g->hip_case->hip.parts[part];
  syn_surface_point near;
  if (syn_surface_nearest(g->surfaces[part], &place, 1, &near) != SYN_OK) return vec3(NAN, NAN, NAN);
  const uint32_t *v = mesh->triangles[near.triangle].v;
  const syn_vec3 normal = vec3_unit(vec3_cross(vec3_sub(mesh->vertices[v[1]], mesh->vertices[v[0]]),
                                               vec3_sub(mesh->vertices[v[2]], mesh->vertices[v[0]])));
  return vec3_madd(near.point, g->options->clearance_mm, normal);
}

/* Moves outward and back from the edge of the cup, onto its outer wall. */
static syn_vec3 place_on_rim(const growing *g, double hour, double beyond) {
  const syn_anatomy *a = g->hip_case->anatomy;
  const double at = hour / 12 * SYN_RIM_POINTS, low = floor(at);
  const int first = ((int)low % SYN_RIM_POINTS + SYN_RIM_POINTS) % SYN_RIM_POINTS;
  const syn_vec3 edge = vec3_lerp(a->rim[first], a->rim[(first + 1) % SYN_RIM_POINTS], at - low);
  const syn_vec3 off = vec3_sub(edge, a->rim_center);
  const syn_vec3 away = vec3_unit(vec3_madd(off, -vec3_dot(off, a->rim_normal), a->rim_normal));
  const syn_vec3 back = vec3_madd(vec3_scale(away, 0.5), -0.866, a->rim_normal);
  return above(g, SYN_HIP_PELVIS, vec3_madd(edge, beyond, back));
}

static syn_vec3 round_neck(const growing *g, double hour) {
  const double clock = hour * SYN_PI / 6;
  return vec3_add(vec3_scale(g->neck.top, cos(clock)), vec3_scale(g->neck.front, sin(clock)));
}

/* Returns the point where the ray from the neck's axis first leaves the bone. */
static syn_vec3 place_on_neck(const growing *g, double hour, double radii) {
  enum { STEPS = 128 };
  const double step_mm = g->hip_case->anatomy->head.radius_mm / 40;
  const double along_mm = (radii + g->outward) * g->hip_case->anatomy->head.radius_mm;
  const syn_vec3 from = vec3_madd(g->neck.center, along_mm, g->neck.axis);
  syn_vec3 points[STEPS];
  syn_location sides[STEPS];
  for (int i = 0; i < STEPS; ++i) points[i] = vec3_madd(from, i * step_mm, round_neck(g, hour));
  if (syn_surface_side(g->surfaces[SYN_HIP_FEMUR], points, STEPS, sides) != SYN_OK || sides[0] == SYN_LOCATION_OUTSIDE)
    return vec3(NAN, NAN, NAN);
  for (int i = 1; i < STEPS; ++i)
    if (sides[i] == SYN_LOCATION_OUTSIDE) return above(g, SYN_HIP_FEMUR, points[i]);
  return vec3(NAN, NAN, NAN);
}

/* A little below and behind the pole of the head (§5.2.1). */
static syn_vec3 place_on_head(const growing *g, double forward_mm) {
  const syn_vec3 fovea = vec3_unit(
      vec3_add(vec3_neg(g->neck.axis), vec3_add(vec3_scale(g->neck.top, -0.25), vec3_scale(g->neck.front, -0.15))));
  const double radius = g->hip_case->anatomy->head.radius_mm;
  const syn_vec3 place = vec3_madd(vec3_madd(g->neck.center, radius, fovea), forward_mm, g->neck.front);
  return above(g, g->surfaces[SYN_HIP_FEMORAL_CARTILAGE] ? SYN_HIP_FEMORAL_CARTILAGE : SYN_HIP_FEMUR, place);
}

/* Interpolates smoothly from one quarter of the clock to the next. */
static double all_round(const double at[4], double part) {
  const int quarter = (int)(4 * part) % 4;
  const double turn = 0.5 - 0.5 * cos(SYN_PI * (4 * part - floor(4 * part)));
  return at[quarter] + turn * (at[(quarter + 1) % 4] - at[quarter]);
}

/* Returns the position along the neck: as in the table, or nearer to the head if the ray leaves the bone through a
 * trochanter: the capsule ends at the base of the neck. */
static double base_of_neck(const growing *g, double hour, double radii) {
  const double radius = g->hip_case->anatomy->head.radius_mm, widest = 0.9 * radius, least = 1.1, step = 0.05;
  for (double at = radii;; at -= step) {
    const syn_vec3 place = place_on_neck(g, hour, at), off = vec3_sub(place, g->neck.center);
    const syn_vec3 aside = vec3_madd(off, -vec3_dot(off, g->neck.axis), g->neck.axis);
    if (at - step < least || (vec3_finite(place) && vec3_length(aside) <= widest)) return at;
  }
}

static syn_vec3 place_of(const growing *g, const attachment *a, bool closed, double part) {
  const double hour = a->hour[0] + part * (a->hour[1] - a->hour[0]);
  const double at = closed ? all_round(a->at, part) : a->at[0] + part * (a->at[1] - a->at[0]);
  switch (a->kind) {
  case ON_RIM: return place_on_rim(g, hour, at);
  case ON_NECK: return place_on_neck(g, hour, closed && g->base ? g->base[(size_t)lround(part * g->base_count)] : at);
  default: return place_on_head(g, at);
  }
}

/* ---- initial path ------------------------------------------------------------------------------------------------ */

/* Interpolates around the head: directions from its centre rotate evenly from one end to the other, distances change
 * linearly. */
static syn_vec3 round_head(const growing *g, syn_vec3 from, syn_vec3 to, double part) {
  const syn_vec3 a = vec3_sub(from, g->neck.center), b = vec3_sub(to, g->neck.center);
  const double angle = atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
  const double distance = (1 - part) * vec3_length(a) + part * vec3_length(b);
  const syn_vec3 turned = angle < 1e-6 ? a
                                       : vec3_add(vec3_scale(vec3_unit(a), sin((1 - part) * angle)),
                                                  vec3_scale(vec3_unit(b), sin(part * angle)));
  return vec3_madd(g->neck.center, distance, vec3_unit(turned));
}

/* If the neck is short, or the socket covers much of it, the position in the table is beside the rim: the ligament
 * would be no longer than wide. It is then attached farther out, as "where the neck meets the trochanter" (Maciel 2005,
 * §5.2.3) allows. */
static void move_outward(growing *g, const ligament_plan *plan) {
  const double radius = g->hip_case->anatomy->head.radius_mm, shortest = 1.25 * radius, most = 0.6, step = 0.05;
  if (plan->end.kind != ON_NECK || plan->closed) return;
  const syn_vec3 from = place_of(g, &plan->begin, false, 0.5);
  for (double out = 0; out <= most + 1e-9; out += step) {
    const double before = g->outward;
    g->outward = out;
    const syn_vec3 to = place_of(g, &plan->end, false, 0.5);
    if (!vec3_finite(to)) { /* beyond the neck */
      g->outward = before;
      return;
    }
    if (!(vec3_distance(from, to) < shortest)) break;
  }
}

/* Finds the base all round, without steps: each value is limited by its neighbours, then averaged. */
static syn_status find_base(syn_arena *arena, growing *g, const ligament_plan *plan, const syn_strip *s,
                            syn_error *error) {
  enum { ROUNDS = 3 };
  const uint32_t count = strip_row(s);
  double *found, *least;
  SYN_TRY(SYN_TAKE(arena, &found, count, error));
  SYN_TRY(SYN_TAKE(arena, &least, count, error));
  /* The base of the neck at each hour. */
  for (uint32_t i = 0; i < count; ++i) {
    const double part = i / (double)count;
    const double hour = plan->end.hour[0] + part * (plan->end.hour[1] - plan->end.hour[0]);
    found[i] = base_of_neck(g, hour, all_round(plan->end.at, part));
  }
  /* Two rounds of the min over neighbours, then averages. */
  for (int round = 0; round < 2 * ROUNDS; ++round) {
    for (size_t i = 0; i < count; ++i) {
      const double before = found[(i + count - 1) % count], after = found[(i + 1) % count];
      least[i] = round < 2 ? min2(found[i], min2(before, after)) : (before + found[i] + after) / 3;
    }
    for (size_t i = 0; i < count; ++i) found[i] = least[i];
  }
  g->base = found;
  g->base_count = count;
  return SYN_OK;
}

static syn_status first_way(const growing *g, const ligament_plan *plan, syn_strip *s, syn_error *error) {
  for (uint32_t across = 0; across < strip_row(s); ++across) {
    const double c = (double)across / s->cells[0];
    const syn_vec3 from = place_of(g, &plan->begin, plan->closed, c), to = place_of(g, &plan->end, plan->closed, c);
    if (!vec3_finite(from) || !vec3_finite(to))
      return syn_fail(error, SYN_BAD_MESH, "no place for the %s ligament was found on the %s",
                      syn_hip_ligament_name((syn_hip_ligament)(plan - plans)), vec3_finite(from) ? "femur" : "pelvis");
    for (uint32_t along = 0; along <= s->cells[2]; ++along) {
      const double part = (double)along / s->cells[2];
      s->points[along * strip_row(s) + across] = round_head(g, from, to, part);
    }
  }
  return SYN_OK;
}

/* ---- shortest path ----------------------------------------------------------------------------------------------- */

typedef struct shortening {
  syn_vec3 *next;
  syn_surface_point *near;
  syn_location *sides;
} shortening;

/* Moves every free point to the middle of its neighbours along the ligament, and a little to that of those across, so
 * that fibres keep apart. */
static void pull(const syn_strip *s, syn_vec3 *next) {
  const uint32_t row = strip_row(s);
  const double beside = 0.15;
  for (uint32_t along = 1; along < s->cells[2]; ++along)
    for (uint32_t across = 0; across < row; ++across) {
      const uint32_t i = along * row + across;
      syn_vec3 middle = vec3_scale(vec3_add(s->points[i - row], s->points[i + row]), 0.5);
      const uint32_t start = along * row, before = start + (across + row - 1) % row, after = start + (across + 1) % row;
      if (s->closed || (across > 0 && across + 1 < row))
        middle = vec3_lerp(middle, vec3_scale(vec3_add(s->points[before], s->points[after]), 0.5), beside);
      next[i] = middle;
    }
}

static syn_status push_out(const growing *g, const syn_strip *s, const shortening *w, syn_error *error) {
  const uint32_t row = strip_row(s), count = row * (s->cells[2] - 1);
  for (int part = 0; part < SYN_HIP_PARTS; ++part) {
    if (!g->surfaces[part]) continue;
    syn_vec3 *points = w->next + row;
    if (syn_surface_nearest(g->surfaces[part], points, count, w->near) != SYN_OK ||
        syn_surface_side(g->surfaces[part], points, count, w->sides) != SYN_OK)
      return syn_fail(error, SYN_BAD_MESH, "a ligament leaves the hip on its way");
    for (uint32_t i = 0; i < count; ++i) {
      const bool inside = w->sides[i] != SYN_LOCATION_OUTSIDE;
      if (!inside && w->near[i].distance_mm >= g->options->clearance_mm) continue;
      const syn_vec3 off = vec3_unit(vec3_sub(points[i], w->near[i].point));
      points[i] = vec3_madd(w->near[i].point, inside ? -g->options->clearance_mm : g->options->clearance_mm, off);
    }
  }
  return SYN_OK;
}

static syn_status shorten(syn_arena *arena, const growing *g, syn_strip *s, syn_error *error) {
  enum { ROUNDS = 150 };
  const uint32_t row = strip_row(s), count = strip_point_count(s);
  shortening w;
  SYN_TRY(SYN_TAKE(arena, &w.next, count, error));
  SYN_TRY(SYN_TAKE(arena, &w.near, count, error));
  SYN_TRY(SYN_TAKE(arena, &w.sides, count, error));
  for (int round = 0; round < ROUNDS; ++round) {
    pull(s, w.next);
    SYN_TRY(push_out(g, s, &w, error));
    for (uint32_t i = row; i < count - row; ++i) s->points[i] = w.next[i];
  }
  return SYN_OK;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static syn_status prepare(growing *g, const ligament_plan *plan, syn_error *error) {
  const syn_hip *hip = &g->hip_case->hip;
  const syn_anatomy *a = g->hip_case->anatomy;
  if (!a || !hip->parts[SYN_HIP_PELVIS] || !hip->parts[SYN_HIP_FEMUR] || !a->has_neck || !a->has_rim ||
      !(a->head.radius_mm > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "ligaments need both bones of a hip with the head and neck of the femur and the rim of the "
                    "acetabulum, which were not all found");
  g->neck = syn_clock_face_of(a, a->head.center);
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    if (hip->parts[part] && (plan->avoids >> part & 1 || part == SYN_HIP_PELVIS))
      SYN_TRY(syn_surface_create(hip->parts[part], &g->surfaces[part], error));
  return SYN_OK;
}

static syn_status grow(syn_arena *arena, growing *g, const ligament_plan *plan, syn_strip *s, syn_error *error) {
  SYN_TRY(prepare(g, plan, error));
  move_outward(g, plan);
  s->outward_mm = g->outward * g->hip_case->anatomy->head.radius_mm;
  if (plan->closed) SYN_TRY(find_base(arena, g, plan, s, error));
  SYN_TRY(first_way(g, plan, s, error));
  if (!(plan->avoids >> SYN_HIP_PELVIS & 1)) { /* it was only needed for the attachment */
    syn_surface_destroy(g->surfaces[SYN_HIP_PELVIS]);
    g->surfaces[SYN_HIP_PELVIS] = NULL;
  }
  return shorten(arena, g, s, error);
}

bool syn_ligament_touches(syn_hip_ligament kind, syn_hip_part part) {
  return part != SYN_HIP_PELVIS && plans[kind].avoids >> part & 1;
}

syn_status syn_strip_attach(syn_arena *arena, const syn_hip_case *hip_case, syn_hip_ligament kind,
                            const syn_ligament_options *o, syn_strip *strip, syn_error *error) {
  growing g = {.hip_case = hip_case, .options = o};
  const ligament_plan *plan = &plans[kind];
  *strip = (syn_strip){.cells = {plan->closed ? 6 * o->cells[0] : o->cells[0], o->cells[1], o->cells[2]},
                       .thickness_mm = o->thickness_mm,
                       .far_end_moves = plan->end.kind != ON_RIM,
                       .closed = plan->closed,
                       .around = {plan->around[0], plan->around[1]}};
  SYN_TRY(SYN_TAKE(arena, &strip->points, strip_point_count(strip), error));
  const syn_status status = grow(arena, &g, plan, strip, error);
  for (int part = 0; part < SYN_HIP_PARTS; ++part) syn_surface_destroy(g.surfaces[part]);
  return status;
}

/* ---- the body ---------------------------------------------------------------------------------------------------- */

static syn_vec3 point(const syn_strip *s, uint32_t across, uint32_t along) {
  return s->points[along * strip_row(s) + across % strip_row(s)];
}

static syn_vec3 difference(const syn_strip *s, uint32_t across, uint32_t along, bool lengthwise) {
  const uint32_t at = lengthwise ? along : across, last = s->cells[lengthwise ? 2 : 0];
  if (s->closed && !lengthwise)
    return vec3_sub(point(s, across + 1, along), point(s, across + strip_row(s) - 1, along));
  const uint32_t low = at > 0 ? at - 1 : 0, high = at < last ? at + 1 : last;
  return lengthwise ? vec3_sub(point(s, across, high), point(s, across, low))
                    : vec3_sub(point(s, high, along), point(s, low, along));
}

/* A sleeve is in hollows narrower than its thickness: averages each direction with its neighbours, so that the outer
 * face does not fold there. */
static void smooth_normals(const syn_strip *s, syn_vec3 *normals) {
  enum { ROUNDS = 12 };
  const uint32_t row = strip_row(s);
  for (int round = 0; round < ROUNDS; ++round)
    for (uint32_t along = 0; along <= s->cells[2]; ++along)
      for (uint32_t across = 0; across < row; ++across) {
        syn_vec3 *at = normals + along * row;
        syn_vec3 sum = vec3_add(at[across], vec3_add(at[(across + 1) % row], at[(across + row - 1) % row]));
        if (along > 0) sum = vec3_add(sum, at[across - (ptrdiff_t)row]);
        if (along < s->cells[2]) sum = vec3_add(sum, at[across + row]);
        at[across] = vec3_unit(sum);
      }
}

/* The whole strip has one sign, so that it never flips. */
void syn_strip_normals(const syn_strip *s, syn_vec3 center, syn_vec3 axis, syn_vec3 *normals) {
  double outward = 0;
  for (uint32_t along = 0; along <= s->cells[2]; ++along)
    for (uint32_t across = 0; across < strip_row(s); ++across) {
      const uint32_t i = along * strip_row(s) + across;
      const syn_vec3 off = vec3_sub(s->points[i], center);
      const double on_axis = max2(0, vec3_dot(off, axis));
      normals[i] = vec3_unit(vec3_cross(difference(s, across, along, false), difference(s, across, along, true)));
      outward += vec3_dot(normals[i], vec3_madd(off, -on_axis, axis));
    }
  for (uint32_t i = 0; outward < 0 && i < strip_point_count(s); ++i) normals[i] = vec3_neg(normals[i]);
  if (s->closed) smooth_normals(s, normals);
}

/* Returns the mean length of all fibres, by the nodes of each layer. */
double syn_strip_length(const syn_strip *s, const syn_vec3 *x) {
  syn_vec3 before = vec3(0, 0, 0);
  double length = 0;
  for (uint32_t along = 0; along <= s->cells[2]; ++along) {
    syn_vec3 sum = vec3(0, 0, 0);
    for (uint32_t i = 0; i < strip_layer(s); ++i) sum = vec3_add(sum, x[along * strip_layer(s) + i]);
    const syn_vec3 middle = vec3_scale(sum, 1.0 / strip_layer(s));
    if (along > 0) length += vec3_distance(before, middle);
    before = middle;
  }
  return length;
}

double syn_strip_width(const syn_strip *s) {
  double sum = 0;
  for (uint32_t along = 0; along <= s->cells[2]; ++along)
    for (uint32_t across = 0; across < s->cells[0]; ++across)
      sum += vec3_distance(point(s, across, along), point(s, across + 1, along));
  return sum / (s->cells[2] + 1);
}

/* ---- bricks ------------------------------------------------------------------------------------------------------ */

typedef struct bricks {
  syn_vec3 *nodes, *fibres;
  uint32_t *elements;
} bricks;

static void place_nodes(const syn_strip *s, const syn_vec3 *outward, syn_vec3 *node) {
  for (uint32_t along = 0; along <= s->cells[2]; ++along)
    for (uint32_t through = 0; through <= s->cells[1]; ++through)
      for (uint32_t across = 0; across < strip_row(s); ++across) {
        const uint32_t i = along * strip_row(s) + across;
        *node++ = vec3_madd(s->points[i], s->thickness_mm * through / s->cells[1], outward[i]);
      }
}

/* On a left hip the strip runs the other way round, so its hexahedra have the opposite orientation. */
static bool is_left_handed(const syn_strip *s, const syn_vec3 *outward) {
  const uint32_t along = s->cells[2] / 2, across = s->cells[0] / 2;
  const syn_vec3 forward = vec3_cross(difference(s, across, along, false), outward[along * strip_row(s) + across]);
  return vec3_dot(forward, difference(s, across, along, true)) < 0;
}

/* Returns the direction along the strip, or across it where its fibres run around. */
static syn_vec3 fibre_of(const syn_strip *s, const syn_vec3 *nodes, const uint32_t corners[4], uint32_t along,
                         bool left_handed) {
  const double part = (along + 0.5) / s->cells[2];
  syn_vec3 fibre = vec3(0, 0, 0);
  if (part > s->around[0] && part < s->around[1]) {
    const int beside = left_handed ? 3 : 1; /* the next node across */
    return vec3_sub(nodes[corners[beside]], nodes[corners[0]]);
  }
  for (int c = 0; c < 4; ++c) fibre = vec3_add(fibre, vec3_sub(nodes[corners[c] + strip_layer(s)], nodes[corners[c]]));
  return fibre;
}

static void join_nodes(const syn_strip *s, bool left_handed, const bricks *b) {
  const uint32_t row = strip_row(s), layer = strip_layer(s);
  uint32_t *to = b->elements;
  syn_vec3 *fibre = b->fibres;
  for (uint32_t along = 0; along < s->cells[2]; ++along)
    for (uint32_t through = 0; through < s->cells[1]; ++through)
      for (uint32_t across = 0; across < s->cells[0]; ++across) {
        const uint32_t start = along * layer + through * row;
        const uint32_t first = start + across, next = start + (across + 1) % row;
        const uint32_t corners[] = {first, left_handed ? first + row : next, next + row,
                                    left_handed ? next : first + row};
        *fibre++ = fibre_of(s, b->nodes, corners, along, left_handed);
        for (int c = 0; c < 8; ++c) *to++ = corners[c % 4] + (c < 4 ? 0 : layer);
      }
}

static syn_status make_bricks(syn_arena *arena, const syn_strip *s, const syn_vec3 *outward,
                              const syn_ligament_options *o, syn_soft **soft, syn_error *error) {
  bricks b;
  syn_fem_mesh mesh = {.element = SYN_ELEMENT_HEX8,
                       .node_count = strip_layer(s) * (s->cells[2] + 1),
                       .element_count = s->cells[0] * s->cells[1] * s->cells[2]};
  SYN_TRY(SYN_TAKE(arena, &b.nodes, mesh.node_count, error));
  SYN_TRY(SYN_TAKE(arena, &b.fibres, mesh.element_count, error));
  SYN_TRY(SYN_TAKE(arena, &b.elements, 8 * (size_t)mesh.element_count, error));
  place_nodes(s, outward, b.nodes);
  join_nodes(s, is_left_handed(s, outward), &b);
  mesh.nodes = b.nodes;
  mesh.elements = b.elements;
  mesh.fibres = b.fibres;
  syn_soft_options tissue = syn_default_soft_options();
  tissue.law = SYN_LAW_FIBRES;
  tissue.material = (syn_material){o->across * o->young_mpa, o->poisson, o->density_kg_m3};
  tissue.fibre_mpa = o->young_mpa;
  return syn_soft_fem_create(arena->context, &mesh, &tissue, soft, error);
}

syn_status syn_strip_soft(const syn_context *context, const syn_strip *strip, const syn_vec3 *outward,
                          const syn_ligament_options *options, syn_soft **soft, syn_error *error) {
  syn_arena arena = {.context = context};
  *soft = NULL;
  const syn_status status = make_bricks(&arena, strip, outward, options, soft, error);
  syn_arena_release(&arena);
  return status;
}

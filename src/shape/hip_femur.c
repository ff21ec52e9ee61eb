/* The femur: one column of points per clock angle runs from the pole of the head over its edge, the cam and the neck,
 * round the bend and down the shaft. */
#include "shape/closed_surface.h"
#include "shape/hip_shape.h"

/* ---- the head and the cam ---------------------------------------------------------------------------------------- */

/* Returns 1 within the cam's width, decreasing to 0 over 30 degrees beside it. */
static double cam_weight(const syn_hip_model *hip, double clock) {
  const double fade = 30 * SYN_DEGREE;
  double off = fabs(remainder(clock - hip->cam_clock, 2 * SYN_PI)) - hip->cam_width / 2;
  if (off <= 0) return 1;
  return off >= fade ? 0 : 0.5 + 0.5 * cos(SYN_PI * off / fade);
}

/* Returns the polar angle at which the head stops being a sphere, at this clock angle. */
static double alpha_at(const syn_hip_model *hip, double clock) {
  double healthy = fmin(hip->alpha, 40 * SYN_DEGREE);
  return healthy + (hip->alpha - healthy) * cam_weight(hip, clock);
}

/* Bare bone is at least two degrees wide, so that no ring of its mesh falls on another. */
/* Returns the polar angle at which the femoral cartilage ends, at this clock angle. */
static double edge_at(const syn_hip_model *hip, double clock) {
  const double alpha = alpha_at(hip, clock);
  return hip->cartilage_edge > 0 ? fmax(hip->cartilage_edge, alpha + 2 * SYN_DEGREE) : alpha;
}

/* Profile about the neck where the sphere ends at `alpha`. The bulge rises over 25 degrees to a height that reproduces
 * the depths of Arbabi 2009, Table 10; without one the surface leaves the head along its tangent. */
static double profile(const syn_hip_model *hip, double alpha, double polar) {
  if (polar >= alpha) return hip->head_radius;
  double past = fmin((alpha - polar) / (25 * SYN_DEGREE), 1);
  double height = hip->cam_height * 9.9 * hip->scale * fmax(0, alpha - 40 * SYN_DEGREE) / (40 * SYN_DEGREE);
  return fmax(hip->radius + height * past, hip->radius / cos(25 * SYN_DEGREE * past));
}

/* The neck takes over where the profile has come down to this distance from its axis. */
static double neck_shoulder(const syn_hip_model *hip) { return 1.07 * hip->neck_radius; }

/* Finds that position. The profile is wider at alpha, since sin(35 deg) > 1.07 * 0.53, and narrows towards the axis
 * below the cam's crest, so there is one such point. */
static double neck_start(const syn_hip_model *hip, double alpha) {
  double low = 0, high = alpha;
  for (int i = 0; i < 60; ++i) {
    double middle = 0.5 * (low + high);
    if (profile(hip, alpha, middle) * sin(middle) < neck_shoulder(hip))
      low = middle;
    else
      high = middle;
  }
  return high;
}

double syn_hip_model_femur_radius(const syn_hip_model *hip, double polar, double clock) {
  double alpha = alpha_at(hip, clock), radius = profile(hip, alpha, polar);
  bool on_neck = polar < alpha && radius * sin(polar) < neck_shoulder(hip);
  return on_neck ? hip->neck_radius / sin(fmax(polar, 1e-9)) : radius;
}

/* Returns the count that the longest column needs, which is the one opposite the cam. */
uint32_t syn_hip_model_head_rings(const syn_hip_model *hip) {
  return syn_hip_model_steps(hip, SYN_PI - edge_at(hip, hip->cam_clock + SYN_PI));
}

syn_vec3 syn_hip_model_head_point(const syn_hip_model *hip, uint32_t ring, uint32_t column, bool bone) {
  double clock = hip_clock(hip, column), t = (double)ring / syn_hip_model_head_rings(hip);
  double polar = SYN_PI - t * (SYN_PI - edge_at(hip, clock));
  double thickness = hip->cartilage * (1 - t * t); /* even at the pole, zero at the edge */
  return vec3_scale(hip_direction(&hip->neck, polar, clock), hip->head_radius - (bone ? thickness : 0));
}

/* ---- the neck ---------------------------------------------------------------------------------------------------- */

/* A point of a column by its position along the neck and its distance from the neck's axis. */
static syn_vec3 neck_point(const syn_hip_model *hip, double clock, double along, double away) {
  syn_vec3 out = hip_direction(&hip->neck, SYN_PI / 2, clock);
  return vec3_add(vec3_scale(hip->neck.axis, along), vec3_scale(out, away));
}

static syn_vec3 profile_point(const syn_hip_model *hip, double clock, double polar) {
  double radius = profile(hip, alpha_at(hip, clock), polar);
  return vec3_scale(hip_direction(&hip->neck, polar, clock), radius);
}

/* The rise of the cam ends in a separate ring if it ends before the neck. */
static double crest(double alpha, double neck) { return fmax(alpha - 25 * SYN_DEGREE, neck + 0.2 * (alpha - neck)); }

/* Rounds the corner between profile and neck: a parabola that leaves the profile at polar = `start`, at right angles to
 * the radius, and ends along the neck; `at` = 0 … 1. */
static void fillet(const syn_hip_model *hip, double clock, double start, double at, double *along, double *away) {
  double radius = profile(hip, alpha_at(hip, clock), start), above = radius * sin(start) - hip->neck_radius;
  double a = radius * cos(start), corner = a + above * tan(start), b = corner + 4 * hip->scale;
  *along = (1 - at) * (1 - at) * a + 2 * at * (1 - at) * corner + at * at * b;
  *away = hip->neck_radius + (1 - at) * (1 - at) * above;
}

/* ---- bend and shaft ---------------------------------------------------------------------------------------------- */

static double bend_start(const syn_hip_model *hip) { return 44 * hip->scale; } /* along the neck, beyond any cam */
static double bend_radius(const syn_hip_model *hip) { return 28 * hip->scale; }
static double bend_angle(const syn_hip_model *hip) { return SYN_PI - hip->neck_shaft; }

/* A hump over 0 … 1 that peaks at 0.5^(1/skew). */
static double hump(double at, double skew) { return at <= 0 || at >= 1 ? 0 : pow(sin(SYN_PI * pow(at, skew)), 2); }

/* Radius of the section `s` mm down the centre line from where the bend starts, at this clock angle: from neck to
 * shaft, with the greater trochanter at the outer side and the lesser one behind at the inner side. */
static double section_radius(const syn_hip_model *hip, double clock, double s) {
  double arc = bend_radius(hip) * bend_angle(hip), t = fmin(s / arc, 1), blend = t * t * (3 - 2 * t);
  /* In proportion the greater one rises steeply from the neck, to the height of the head's centre. */
  double skew = hip->whole ? 0.32 : 0.45, height = hip->whole ? 21 : 19;
  double greater = pow(0.5 + 0.5 * cos(clock + 15 * SYN_DEGREE), 4) * hump(s / (arc + 40 * hip->scale), skew);
  double lesser = pow(0.5 + 0.5 * cos(clock - 225 * SYN_DEGREE), 6) * hump((s - 0.6 * arc) / (36 * hip->scale), 1);
  return hip->neck_radius + (hip->shaft_radius - hip->neck_radius) * blend +
         hip->scale * (height * greater + 7 * lesser);
}

/* A point of the section `s` mm down the centre line; `size` shrinks the section towards its middle. */
static syn_vec3 section_point(const syn_hip_model *hip, double clock, double s, double size) {
  double turn = fmin(s / bend_radius(hip), bend_angle(hip)), straight = s - turn * bend_radius(hip);
  syn_vec3 outward = hip_direction(&hip->neck, SYN_PI / 2 - turn, 0);
  syn_vec3 onward = hip_direction(&hip->neck, -turn, 0);
  double radius = size * section_radius(hip, clock, s);
  syn_vec3 p = vec3_madd(vec3_scale(hip->neck.axis, bend_start(hip)), -bend_radius(hip), hip->neck.top);
  p = vec3_madd(p, bend_radius(hip) + radius * cos(clock), outward);
  p = vec3_madd(p, straight, onward);
  return vec3_madd(p, radius * sin(clock), hip->neck.front);
}

/* ---- the columns ------------------------------------------------------------------------------------------------- */

enum { HEAD, BARE, RISE, CREST, FILLET, NECK, BEND, SHAFT, END, STRETCHES };

typedef struct columns {
  const syn_hip_model *hip;
  uint32_t steps[STRETCHES]; /* bands of triangles along each stretch */
} columns;

/* Points at the fraction `at` of a stretch, 0 < at <= 1. */

static syn_vec3 place_above_bend(const syn_hip_model *hip, int stretch, double clock, double at) {
  double alpha = alpha_at(hip, clock), neck = neck_start(hip, alpha), top = crest(alpha, neck), along, away;
  switch (stretch) {
  case BARE: return profile_point(hip, clock, alpha + (edge_at(hip, clock) - alpha) * (1 - at));
  case RISE: return profile_point(hip, clock, alpha + (top - alpha) * at * sqrt(at)); /* finest where it starts */
  case CREST: return profile_point(hip, clock, top + (neck - top) * at);
  case FILLET: fillet(hip, clock, neck, at, &along, &away); return neck_point(hip, clock, along, away);
  default:
    fillet(hip, clock, neck, 1, &along, &away);
    return neck_point(hip, clock, along + (bend_start(hip) - along) * at, away);
  }
}

static syn_vec3 place_below_neck(const syn_hip_model *hip, int stretch, double clock, double at) {
  double arc = bend_radius(hip) * bend_angle(hip);
  switch (stretch) {
  case BEND: return section_point(hip, clock, arc * at, 1);
  case SHAFT: return section_point(hip, clock, arc + hip->shaft_length * at * (1 + at) / 2, 1); /* finer at the top */
  default: return section_point(hip, clock, arc + hip->shaft_length, 1 - at);
  }
}

static syn_vec3 place_femur_point(const void *user, uint32_t ring, uint32_t column) {
  const columns *femur = user;
  if (ring <= femur->steps[HEAD]) return syn_hip_model_head_point(femur->hip, ring, column, true);
  uint32_t step = ring - femur->steps[HEAD];
  int stretch = BARE;
  while (step > femur->steps[stretch]) step -= femur->steps[stretch++];
  double clock = hip_clock(femur->hip, column), at = (double)step / femur->steps[stretch];
  return stretch < BEND ? place_above_bend(femur->hip, stretch, clock, at)
                        : place_below_neck(femur->hip, stretch, clock, at);
}

syn_status syn_hip_model_make_femur(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                    syn_error *error) {
  const uint32_t n = hip->resolution;
  const uint32_t bare = hip->cartilage_edge > 0 ? 2 * n : 0;
  const columns femur = {hip, {syn_hip_model_head_rings(hip), bare, 2 * n, n, n, n, 3 * n, 4 * n, n}};
  uint32_t rings = 1;
  for (int i = 0; i < STRETCHES; ++i) rings += femur.steps[i];
  const syn_loft loft = {rings, hip->columns, SYN_LOFT_POLES, rings, place_femur_point, &femur};
  return syn_loft_make(context, &loft, mesh, error);
}

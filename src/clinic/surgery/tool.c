/* Defines the bone to remove: a cam beyond the target shape, or a rim above its new level. Edges of a cut slope by 45
 * degrees, so that no wall remains. */
#include "clinic/surgery/resection.h"

#include "base/memory.h"

/* ---- the clock --------------------------------------------------------------------------------------------------- */

double syn_round_clock(const double *values, int count, double clock) {
  const double at = clock * count / (2 * SYN_PI), low = floor(at);
  const int first = ((int)low % count + count) % count;
  return values[first] + (at - low) * (values[(first + 1) % count] - values[first]);
}

void syn_even_clock(double *values, int count, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const double first = values[0];
    double before = values[count - 1];
    for (int i = 0; i < count; ++i) {
      const double now = values[i], after = i + 1 < count ? values[i + 1] : first;
      values[i] = 0.25 * before + 0.5 * now + 0.25 * after;
      before = now;
    }
  }
}

static syn_cut_point locate(const syn_clock_face *face, syn_vec3 point) {
  const syn_vec3 off = vec3_sub(point, face->center);
  const double top = vec3_dot(off, face->top), front = vec3_dot(off, face->front), clock = atan2(front, top);
  return (syn_cut_point){vec3_dot(off, face->axis), hypot(top, front), clock < 0 ? clock + 2 * SYN_PI : clock};
}

static syn_vec3 place_of(const syn_clock_face *face, syn_cut_point p) {
  const syn_vec3 across =
      vec3_add(vec3_scale(face->top, cos(p.clock) * p.away), vec3_scale(face->front, sin(p.clock) * p.away));
  return vec3_add(vec3_madd(face->center, p.along, face->axis), across);
}

/* Returns the radians beyond the nearer end of the range; 0 within it. */
static double beyond_range(const syn_cut_tool *tool, double clock) {
  double off = fmod(clock - tool->from, 2 * SYN_PI);
  if (off < 0) off += 2 * SYN_PI;
  return off <= tool->span ? 0 : fmin(off - tool->span, 2 * SYN_PI - off);
}

bool syn_cut_has_clock(const syn_cut_tool *tool, double clock, double margin) {
  const double inside = fmin(margin, 0.49 * tool->span);
  if (tool->span >= 2 * SYN_PI) return true;
  return beyond_range(tool, clock - inside) <= 0 && beyond_range(tool, clock + inside) <= 0;
}

static void take_range(const syn_resection_options *options, syn_cut_tool *tool) {
  double hours = fmod(options->to_hour - options->from_hour, 12);
  if (hours <= 0) hours += 12;
  tool->from = options->from_hour * SYN_PI / 6;
  tool->span = hours * SYN_PI / 6;
}

/* ---- a cam ------------------------------------------------------------------------------------------------------- */

static const double head_end = SYN_PI / 2; /* towards the pole, polar angle: the cut slopes out from here */
static const double most_noise_mm = 0.4;   /* of the head; alpha is measured 0.5 mm beyond its sphere */
static const double facets_mm = 0.05;      /* height of triangles above a round neck */
static const double neck_flare = 4;        /* slope by which the target shape widens beyond the neck */

syn_status syn_cut_tool_cam(const syn_hip_case *hip_case, const syn_resection_options *options, syn_cut_tool *tool,
                            syn_error *error) {
  const syn_anatomy *a = hip_case->anatomy;
  const syn_trimesh *femur = hip_case->hip.parts[SYN_HIP_FEMUR];
  syn_contours *contours; /* too large for the stack */
  if (!a || !a->has_neck || !(a->head.radius_mm > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "a cam cannot be cut: head and neck of the femur were not found, and the cut is placed by them");
  *tool = (syn_cut_tool){.kind = SYN_RESECTION_CAM, .face = syn_clock_face_of(a, a->head.center)};
  take_range(options, tool);
  /* Noise of the head's surface is no cam; but what alpha counts as beyond the sphere is cut. */
  tool->radius = a->head.radius_mm + fmin(2 * a->head.residual_mm, most_noise_mm);
  tool->alpha = options->alpha_deg * SYN_PI / 180;
  tool->isthmus = vec3_dot(vec3_sub(a->neck_point, a->head.center), tool->face.axis);
  tool->neck_end = tool->isthmus + options->neck_mm;
  tool->fillet = tool->radius / 12;
  SYN_TRY(SYN_NEW(femur->context, &contours, 1, error));
  syn_contours_take(femur, &tool->face, 1.5 * tool->radius, tool->isthmus, contours);
  for (int i = 0; i < SYN_CLOCK_STEPS; ++i) tool->neck[i] = contours->neck[i] - options->offset_mm + facets_mm;
  syn_free(femur->context, contours);
  for (int i = 0; i < SYN_CLOCK_STEPS; ++i) {
    if (!(tool->neck[i] > 0) || tool->neck[i] > 1.5 * tool->radius)
      return syn_fail(error, SYN_BAD_MESH,
                      "a cam cannot be cut: the surface of the neck was not found all round its isthmus");
  }
  syn_even_clock(tool->neck, SYN_CLOCK_STEPS, 2);
  return SYN_OK;
}

/* Returns the lower of two heights, rounded where they are within `blend` of each other: a fillet. */
static double lower_smoothly(double a, double b, double blend) {
  const double near = fmax(0, 1 - fabs(a - b) / blend);
  return fmin(a, b) - 0.25 * blend * near * near;
}

/* Returns the height above the target shape: the sphere, past alpha its tangent; down to the neck. */
static double cam_height(const syn_cut_tool *tool, syn_cut_point p) {
  const double polar = atan2(p.away, p.along), r = tool->radius;
  const double head =
      polar >= tool->alpha ? hypot(p.along, p.away) - r : p.along * cos(tool->alpha) + p.away * sin(tool->alpha) - r;
  const double neck =
      p.away - syn_round_clock(tool->neck, SYN_CLOCK_STEPS, p.clock) - neck_flare * fmax(0, p.along - tool->neck_end);
  const double slopes = p.away * beyond_range(tool, p.clock) + r * fmax(0, polar - head_end);
  return lower_smoothly(head, neck, tool->fillet) - slopes;
}

/* Returns a point on the axis, nearer to the middle of head and neck than the point: the lines cross their surfaces
 * steeply. */
static syn_vec3 cam_focus(const syn_cut_tool *tool, syn_cut_point p) {
  const double middle = 0.5 * tool->isthmus;
  return vec3_madd(tool->face.center, middle + 0.4 * (p.along - middle), tool->face.axis);
}

/* ---- the rim ----------------------------------------------------------------------------------------------------- */

/* Lines of a rim lead to the thickest bone under its edge. */
static const double focus_mm = 14;
enum { TILTS = 15 };
static double tilt_at(int i) { return (7.5 * i - 30) * SYN_PI / 180; } /* out of the cup, from straight below */

static syn_cut_point below_rim(const syn_cut_tool *tool, int clock, double tilt, double mm) {
  return (syn_cut_point){tool->rim_along[clock] - mm * cos(tilt), tool->rim_away[clock] + mm * sin(tilt),
                         clock * 2 * SYN_PI / SYN_RIM_POINTS};
}

/* Computes the depth of each point inside the bone; negative outside. */
static syn_status depths_inside(const syn_surface *pelvis, const syn_vec3 *points, size_t count, double *depth,
                                syn_error *error) {
  syn_surface_point nearest[2 * TILTS];
  syn_location side[2 * TILTS];
  if (syn_surface_nearest(pelvis, points, count, nearest) != SYN_OK ||
      syn_surface_side(pelvis, points, count, side) != SYN_OK)
    return syn_fail(error, SYN_BAD_MESH, "the rim lies too far away to be cut");
  for (size_t i = 0; i < count; ++i)
    depth[i] = side[i] == SYN_LOCATION_INSIDE ? nearest[i].distance_mm : -nearest[i].distance_mm;
  return SYN_OK;
}

static syn_status find_focus(syn_cut_tool *tool, const syn_surface *pelvis, int clock, syn_error *error) {
  syn_vec3 points[2 * TILTS];
  double depth[2 * TILTS], most = -INFINITY;
  for (int i = 0; i < TILTS; ++i) {
    points[i] = place_of(&tool->face, below_rim(tool, clock, tilt_at(i), focus_mm));
    points[TILTS + i] = place_of(&tool->face, below_rim(tool, clock, tilt_at(i), 0.5 * focus_mm));
  }
  SYN_TRY(depths_inside(pelvis, points, 2 * TILTS, depth, error));
  for (int i = 0; i < TILTS; ++i) {
    /* In a wedge the point half way is half as deep. */
    const double inside = fmin(depth[i], 2 * depth[TILTS + i]);
    if (inside <= most) continue;
    const syn_cut_point focus = below_rim(tool, clock, tilt_at(i), focus_mm);
    most = inside;
    tool->focus_along[clock] = focus.along;
    tool->focus_away[clock] = focus.away;
  }
  return SYN_OK;
}

syn_status syn_cut_tool_rim(const syn_hip_case *hip_case, const syn_resection_options *options,
                            const syn_surface *pelvis, syn_cut_tool *tool, syn_error *error) {
  const syn_anatomy *a = hip_case->anatomy;
  if (!a || !a->has_rim || !(a->acetabulum.radius_mm > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the rim cannot be cut: it was not found on the pelvis, and the cut is placed by it");
  /* The clock face of the rim. */
  const syn_vec3 axis = a->rim_normal, center = a->acetabulum.center;
  const syn_vec3 up = vec3_sub(a->rim[0], center), forward = vec3_sub(a->rim[SYN_RIM_POINTS / 4], center);
  const syn_vec3 top = vec3_unit(vec3_madd(up, -vec3_dot(up, axis), axis)), front = vec3_cross(axis, top);
  *tool = (syn_cut_tool){.kind = SYN_RESECTION_RIM,
                         .face = {center, axis, top, vec3_dot(front, forward) < 0 ? vec3_neg(front) : front},
                         .width_mm = options->width_mm};
  take_range(options, tool);
  /* The smoothed rim, then the smoothed foci in the bone under it. */
  for (int i = 0; i < SYN_RIM_POINTS; ++i) {
    const syn_cut_point p = locate(&tool->face, a->rim[i]);
    tool->rim_along[i] = p.along;
    tool->rim_away[i] = p.away;
  }
  syn_even_clock(tool->rim_along, SYN_RIM_POINTS, 2);
  syn_even_clock(tool->rim_away, SYN_RIM_POINTS, 2);
  for (int i = 0; i < SYN_RIM_POINTS; ++i) SYN_TRY(find_focus(tool, pelvis, i, error));
  syn_even_clock(tool->focus_along, SYN_RIM_POINTS, 4);
  syn_even_clock(tool->focus_away, SYN_RIM_POINTS, 4);
  return SYN_OK;
}

static double rim_height(const syn_cut_tool *tool, syn_cut_point p, double depth_mm) {
  const double level = syn_round_clock(tool->rim_along, SYN_RIM_POINTS, p.clock) - depth_mm;
  const double out = p.away - syn_round_clock(tool->rim_away, SYN_RIM_POINTS, p.clock) - tool->width_mm;
  return p.along - level - fmax(0, out) - p.away * beyond_range(tool, p.clock);
}

static syn_vec3 rim_focus(const syn_cut_tool *tool, syn_cut_point p) {
  return place_of(&tool->face, (syn_cut_point){syn_round_clock(tool->focus_along, SYN_RIM_POINTS, p.clock),
                                               syn_round_clock(tool->focus_away, SYN_RIM_POINTS, p.clock), p.clock});
}

/* ---- either ------------------------------------------------------------------------------------------------------ */

double syn_cut_height(const syn_cut_tool *tool, syn_vec3 point, double depth_mm) {
  const syn_cut_point p = locate(&tool->face, point);
  return tool->kind == SYN_RESECTION_CAM ? cam_height(tool, p) : rim_height(tool, p, depth_mm);
}

syn_vec3 syn_cut_focus(const syn_cut_tool *tool, syn_vec3 point) {
  const syn_cut_point p = locate(&tool->face, point);
  return tool->kind == SYN_RESECTION_CAM ? cam_focus(tool, p) : rim_focus(tool, p);
}

bool syn_cut_works_at(const syn_cut_tool *tool, syn_vec3 point) {
  const double on_rim = 8;
  const syn_cut_point p = locate(&tool->face, point);
  if (tool->kind == SYN_RESECTION_CAM) return p.along < tool->isthmus;
  return hypot(p.along - syn_round_clock(tool->rim_along, SYN_RIM_POINTS, p.clock),
               p.away - syn_round_clock(tool->rim_away, SYN_RIM_POINTS, p.clock)) < on_rim;
}

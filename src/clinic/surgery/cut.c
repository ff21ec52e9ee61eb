/* Cuts bone. A tool defines the bone to remove: a cam beyond the target shape, or a rim above its new level, with edges
 * that slope by 45 degrees, so that no wall remains. Vertices move along lines that do not cross, as far as the tool
 * requires, but never deeper below the old surface than the cut: each cut is contained in the next deeper one. */
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "clinic/surgery/resection.h"

/* ---- the clock --------------------------------------------------------------------------------------------------- */

/* Interpolates values at equal angles of the clock. */
static double round_clock(const double *values, int count, double clock) {
  const double at = clock * count / (2 * SYN_PI), low = floor(at);
  const int first = ((int)low % count + count) % count;
  return values[first] + (at - low) * (values[(first + 1) % count] - values[first]);
}

/* Replaces each value by the mean of itself and its neighbours, `rounds` times. */
static void even_clock(double *values, int count, int rounds) {
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
  even_clock(tool->neck, SYN_CLOCK_STEPS, 2);
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
      p.away - round_clock(tool->neck, SYN_CLOCK_STEPS, p.clock) - neck_flare * fmax(0, p.along - tool->neck_end);
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
  even_clock(tool->rim_along, SYN_RIM_POINTS, 2);
  even_clock(tool->rim_away, SYN_RIM_POINTS, 2);
  for (int i = 0; i < SYN_RIM_POINTS; ++i) SYN_TRY(find_focus(tool, pelvis, i, error));
  even_clock(tool->focus_along, SYN_RIM_POINTS, 4);
  even_clock(tool->focus_away, SYN_RIM_POINTS, 4);
  return SYN_OK;
}

static double rim_height(const syn_cut_tool *tool, syn_cut_point p, double depth_mm) {
  const double level = round_clock(tool->rim_along, SYN_RIM_POINTS, p.clock) - depth_mm;
  const double out = p.away - round_clock(tool->rim_away, SYN_RIM_POINTS, p.clock) - tool->width_mm;
  return p.along - level - fmax(0, out) - p.away * beyond_range(tool, p.clock);
}

static syn_vec3 rim_focus(const syn_cut_tool *tool, syn_cut_point p) {
  return place_of(&tool->face, (syn_cut_point){round_clock(tool->focus_along, SYN_RIM_POINTS, p.clock),
                                               round_clock(tool->focus_away, SYN_RIM_POINTS, p.clock), p.clock});
}

/* ---- either ------------------------------------------------------------------------------------------------------ */

double syn_cut_height(const syn_cut_tool *tool, syn_vec3 point, double depth_mm) {
  const syn_cut_point p = locate(&tool->face, point);
  return tool->kind == SYN_RESECTION_CAM ? cam_height(tool, p) : rim_height(tool, p, depth_mm);
}

/* Returns the point towards which the surface moves from here: inside the bone, in the same half plane. Lines of
 * different points do not cross. */
static syn_vec3 focus_of(const syn_cut_tool *tool, syn_vec3 point) {
  const syn_cut_point p = locate(&tool->face, point);
  return tool->kind == SYN_RESECTION_CAM ? cam_focus(tool, p) : rim_focus(tool, p);
}

/* Returns whether the tool begins at this point: before the isthmus of the neck, or on the rim. */
static bool works_at(const syn_cut_tool *tool, syn_vec3 point) {
  const double on_rim = 8;
  const syn_cut_point p = locate(&tool->face, point);
  if (tool->kind == SYN_RESECTION_CAM) return p.along < tool->isthmus;
  return hypot(p.along - round_clock(tool->rim_along, SYN_RIM_POINTS, p.clock),
               p.away - round_clock(tool->rim_away, SYN_RIM_POINTS, p.clock)) < on_rim;
}

enum { SAMPLES = 64, HALVINGS = 48, GRAIN = 64, MOST_STEPS = 400 };
static const double exact_mm = 1e-5; /* of a depth */

/* ---- how far the tool wants a vertex ----------------------------------------------------------------------------- */

static syn_vec3 at(const syn_cut *cut, uint32_t i, double distance) {
  return vec3_madd(cut->bone->vertices[cut->vertex[i]], distance, cut->direction[i]);
}

static bool stands_out(const syn_cut *cut, uint32_t i, double distance, double depth_mm) {
  return syn_cut_height(cut->tool, at(cut, i, distance), depth_mm) > 0;
}

/* Finds the first point along the line that is not removed. */
static double find_target(const syn_cut *cut, uint32_t i, double depth_mm) {
  double low = 0, high = cut->longest[i];
  if (!stands_out(cut, i, 0, depth_mm)) return 0;
  for (int k = 1; k <= SAMPLES; ++k) {
    const double distance = cut->longest[i] * k / SAMPLES;
    if (!stands_out(cut, i, distance, depth_mm)) {
      high = distance;
      break;
    }
    low = distance;
  }
  for (int k = 0; k < HALVINGS; ++k) {
    const double middle = 0.5 * (low + high);
    if (stands_out(cut, i, middle, depth_mm))
      low = middle;
    else
      high = middle;
  }
  return high;
}

typedef struct targets {
  syn_cut *cut;
  double depth_mm;
} targets;

static void find_targets(void *user, size_t begin, size_t end) {
  const targets *t = user;
  for (size_t i = begin; i < end; ++i) t->cut->target[i] = find_target(t->cut, (uint32_t)i, t->depth_mm);
}

/* ---- create and destroy ------------------------------------------------------------------------------------------ */

/* Returns whether the surface faces away from its target. Elsewhere the vertex would leave the bone, as on the side of
 * the greater trochanter that faces the neck. */
static bool faces_out(const syn_cut_tool *tool, syn_vec3 point, syn_vec3 normal) {
  const double least = 0.2;
  return vec3_dot(vec3_unit(vec3_sub(focus_of(tool, point), point)), normal) < -least;
}

static uint32_t root_of(uint32_t *parent, uint32_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

/* Joins the vertices that protrude and face outward through edges: parent[v] is another one of the same patch, SYN_NONE
 * for those that do not move. */
static void join_patches(const syn_cut_tool *tool, const syn_trimesh *bone, const syn_topology *topology,
                         const syn_vec3 *normals, double depth_mm, uint32_t *parent) {
  for (uint32_t v = 0; v < bone->vertex_count; ++v) {
    const syn_vec3 p = bone->vertices[v];
    parent[v] = syn_cut_height(tool, p, depth_mm) > 0 && faces_out(tool, p, normals[v]) ? v : SYN_NONE;
  }
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    const uint32_t *ends = topology->edge_vertices[e];
    if (parent[ends[0]] == SYN_NONE || parent[ends[1]] == SYN_NONE) continue;
    const uint32_t a = root_of(parent, ends[0]), b = root_of(parent, ends[1]);
    parent[a > b ? a : b] = a > b ? b : a;
  }
}

/* Keeps patches that begin where the tool works; other protruding parts of the bone have none there. */
static uint32_t take_patches(const syn_cut_tool *tool, const syn_trimesh *bone, uint32_t *parent, uint8_t *taken,
                             uint32_t *vertex) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < bone->vertex_count; ++v)
    if (parent[v] != SYN_NONE && works_at(tool, bone->vertices[v])) taken[root_of(parent, v)] = 1;
  for (uint32_t v = 0; v < bone->vertex_count; ++v)
    if (parent[v] != SYN_NONE && taken[root_of(parent, v)]) vertex[count++] = v;
  return count;
}

static syn_status find_moving(syn_cut *cut, double depth_mm, syn_error *error) {
  const syn_trimesh *bone = cut->bone;
  syn_arena arena = {.context = cut->context};
  syn_topology *topology;
  syn_vec3 *normals;
  uint32_t *parent;
  uint8_t *taken;
  SYN_TRY(SYN_NEW(cut->context, &cut->vertex, bone->vertex_count, error));
  SYN_TRY(syn_topology_create(bone, &topology, error));
  syn_status status = SYN_TAKE(&arena, &normals, bone->vertex_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &parent, bone->vertex_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &taken, bone->vertex_count, error);
  if (status == SYN_OK) {
    memset(taken, 0, bone->vertex_count);
    syn_trimesh_vertex_normals(bone, normals);
    join_patches(cut->tool, bone, topology, normals, depth_mm, parent);
    cut->count = take_patches(cut->tool, bone, parent, taken, cut->vertex);
  }
  syn_arena_release(&arena);
  syn_topology_destroy(topology);
  return status;
}

static syn_status allocate(syn_cut *cut, syn_error *error) {
  const syn_context *context = cut->context;
  SYN_TRY(SYN_NEW(context, &cut->direction, cut->count, error));
  SYN_TRY(SYN_NEW(context, &cut->target, cut->count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &cut->reached, cut->count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &cut->below, cut->count, error));
  SYN_TRY(SYN_NEW(context, &cut->longest, cut->count, error));
  SYN_TRY(SYN_NEW(context, &cut->nearest, cut->count, error));
  SYN_TRY(SYN_NEW(context, &cut->place, cut->count, error));
  return SYN_NEW(context, &cut->active, cut->count, error);
}

syn_status syn_cut_begin(const syn_context *context, const syn_cut_tool *tool, const syn_trimesh *bone,
                         const syn_surface *surface, double depth_mm, syn_cut *cut, syn_error *error) {
  *cut = (syn_cut){.context = context, .tool = tool, .bone = bone, .surface = surface};
  SYN_TRY(find_moving(cut, depth_mm, error));
  SYN_TRY(allocate(cut, error));
  for (uint32_t i = 0; i < cut->count; ++i) {
    const syn_vec3 from = bone->vertices[cut->vertex[i]], line = vec3_sub(focus_of(tool, from), from);
    cut->direction[i] = vec3_unit(line);
    cut->longest[i] = vec3_length(line);
  }
  return SYN_OK;
}

void syn_cut_release(syn_cut *cut) {
  void *const blocks[] = {cut->vertex,  cut->direction, cut->target, cut->reached, cut->below,
                          cut->longest, cut->nearest,   cut->place,  cut->active};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(cut->context, blocks[i]);
}

/* ---- cutting ----------------------------------------------------------------------------------------------------- */

/* Finds the depths of the first `count` active vertices. */
static syn_status look(syn_cut *cut, uint32_t count, syn_error *error) {
  for (uint32_t k = 0; k < count; ++k) cut->place[k] = at(cut, cut->active[k], cut->reached[cut->active[k]]);
  if (syn_surface_nearest(cut->surface, cut->place, count, cut->nearest) == SYN_OK) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH, "the surface lies too far away to measure how deep a cut is");
}

/* A distance from a surface changes no faster than the position, so a step by the remaining depth never overshoots. */
static uint32_t advance(syn_cut *cut, uint32_t count, double depth_mm) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = cut->active[k];
    const double missing = depth_mm - cut->nearest[k].distance_mm;
    cut->below[i] = cut->nearest[k].distance_mm;
    if (missing < exact_mm || cut->reached[i] >= cut->target[i]) continue;
    cut->reached[i] = fmin(cut->reached[i] + missing, cut->target[i]);
    cut->active[left++] = i;
  }
  return left;
}

syn_status syn_cut_to(syn_cut *cut, double depth_mm, syn_error *error) {
  targets t = {cut, depth_mm};
  syn_parallel_for(cut->context, cut->count, GRAIN, find_targets, &t);
  uint32_t left = cut->count;
  for (uint32_t i = 0; i < left; ++i) cut->active[i] = i;
  for (int step = 0; left > 0 && step < MOST_STEPS; ++step) {
    SYN_TRY(look(cut, left, error));
    left = advance(cut, left, depth_mm);
  }
  return SYN_OK;
}

syn_status syn_cut_full(syn_cut *cut, double *depth_mm, syn_error *error) {
  targets t = {cut, 0};
  *depth_mm = 0;
  syn_parallel_for(cut->context, cut->count, GRAIN, find_targets, &t);
  for (uint32_t i = 0; i < cut->count; ++i) {
    cut->active[i] = i;
    cut->reached[i] = cut->target[i];
  }
  SYN_TRY(look(cut, cut->count, error));
  for (uint32_t i = 0; i < cut->count; ++i) {
    *depth_mm = fmax(*depth_mm, cut->nearest[i].distance_mm);
    cut->reached[i] = 0;
  }
  return SYN_OK;
}

syn_status syn_cut_bone(const syn_cut *cut, syn_trimesh **bone, syn_error *error) {
  const syn_trimesh *old = cut->bone;
  syn_vec3 *vertices;
  *bone = NULL;
  SYN_TRY(SYN_NEW(cut->context, &vertices, old->vertex_count, error));
  for (uint32_t v = 0; v < old->vertex_count; ++v) vertices[v] = old->vertices[v];
  for (uint32_t i = 0; i < cut->count; ++i) vertices[cut->vertex[i]] = at(cut, i, cut->reached[i]);
  const syn_status status =
      syn_trimesh_create(cut->context, vertices, old->vertex_count, old->triangles, old->triangle_count, bone, error);
  syn_free(cut->context, vertices);
  return status;
}

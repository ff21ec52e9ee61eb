/* Measures the acetabulum, in the frame of the pelvis and about the centre of the hip. */
#include "clinic/anatomy/pelvis.h"

static double degrees(double radians) { return radians * 180 / SYN_PI; }

static void set_value(syn_measures *measures, syn_measure_id id, double value) {
  measures->value[id] = value;
  measures->why_not[id] = NULL;
}

static void set_why_not(syn_measures *measures, syn_measure_id id, const char *why_not) {
  measures->value[id] = NAN;
  measures->why_not[id] = why_not;
}

typedef struct view {
  const syn_trimesh *mesh;
  const syn_anatomy *anatomy;
  syn_vec3 center;
  syn_side_frame frame; /* in the scene */
} view;

/* As for the rim: bone further away is not part of the cup. */
static const double cup_reach = 1.3;

/* ---- edges in a plane of the frame ------------------------------------------------------------------------------- */

/* Finds the edge of the roof in the plane through the centre that contains `up` and `away`, starting from the floor of
 * the cup over the top towards `away`. */
static bool roof_edge(const view *v, syn_vec3 away, syn_vec3 *edge) {
  const syn_vec3 across = vec3_cross(v->frame.up, away), floor = vec3_neg(v->anatomy->rim_normal);
  syn_profile profile = {.center = v->center, .farthest = cup_reach * v->anatomy->acetabulum.radius_mm};
  profile.start = vec3_unit(vec3_madd(floor, -vec3_dot(floor, across), across));
  if (vec3_length2(profile.start) == 0) return false;
  profile.toward = vec3_cross(across, profile.start);
  if (vec3_dot(profile.toward, vec3_add(v->frame.up, away)) < 0) profile.toward = vec3_neg(profile.toward);
  /* The floor may be too deep, so the walk starts a little further if there is no bone. */
  for (profile.from = 0.2; profile.from < 1.1; profile.from += 0.1) {
    double angle;
    if (syn_profile_edge(v->mesh->vertices, v->mesh->triangles, v->mesh->triangle_count, NULL, &profile, edge, &angle))
      return true;
  }
  return false;
}

static double angle_from_up(const view *v, syn_vec3 away, syn_vec3 point) {
  const syn_vec3 off = vec3_sub(point, v->center);
  return degrees(atan2(vec3_dot(off, away), vec3_dot(off, v->frame.up)));
}

/* ---- acetabular index -------------------------------------------------------------------------------------------- */

/* Finds the medial end of the weight-bearing surface (the sourcil of a radiograph): the point in the frontal plane
 * where, from the edge on, the joint surface ends at the fossa. Returns false for a cup without one. */
static bool sourcil_medial_end(const view *v, syn_vec3 edge, syn_vec3 *end) {
  const syn_vec3 across = vec3_cross(v->frame.up, v->frame.lateral);
  syn_profile profile = {.center = v->center, .farthest = cup_reach * v->anatomy->acetabulum.radius_mm};
  const syn_vec3 off = vec3_sub(edge, v->center);
  profile.start = vec3_unit(vec3_madd(off, -vec3_dot(off, across), across));
  profile.toward = vec3_cross(across, profile.start);
  if (vec3_dot(profile.toward, vec3_sub(v->frame.up, v->frame.lateral)) < 0) profile.toward = vec3_neg(profile.toward);
  const syn_vec3 floor = vec3_neg(v->anatomy->rim_normal);
  const double floor_angle = atan2(vec3_dot(floor, profile.toward), vec3_dot(floor, profile.start));
  /* At the edge the bone is round and not part of the joint surface. */
  for (profile.from = 0.05; profile.from < 0.8; profile.from += 0.05) {
    double angle;
    if (syn_profile_edge(v->mesh->vertices, v->mesh->triangles, v->mesh->triangle_count, v->anatomy->lunate_vertices,
                         &profile, end, &angle))
      return angle < floor_angle;
  }
  return false;
}

static void measure_index(const view *v, bool has_edge, syn_vec3 edge, syn_measures *measures) {
  syn_vec3 medial;
  if (!has_edge)
    set_why_not(measures, SYN_MEASURE_ACETABULAR_INDEX_DEG,
                "the roof of the acetabulum has no edge in the frontal plane");
  else if (!v->anatomy->lunate_vertices || !sourcil_medial_end(v, edge, &medial))
    set_why_not(measures, SYN_MEASURE_ACETABULAR_INDEX_DEG,
                "the acetabulum has no fossa in the frontal plane, so that its roof has no medial end");
  else {
    const syn_vec3 roof = vec3_sub(edge, medial);
    set_value(measures, SYN_MEASURE_ACETABULAR_INDEX_DEG,
              degrees(atan2(vec3_dot(roof, v->frame.up), vec3_dot(roof, v->frame.lateral))));
  }
}

/* ---- coverage ---------------------------------------------------------------------------------------------------- */

/* Computes the signed solid angle of the triangle of three directions (van Oosterom and Strackee 1983). */
static double solid_angle(syn_vec3 a, syn_vec3 b, syn_vec3 c) {
  const double volume = vec3_dot(a, vec3_cross(b, c));
  return 2 * atan2(volume, 1 + vec3_dot(a, b) + vec3_dot(b, c) + vec3_dot(c, a));
}

/* Computes that of the part of the triangle above the horizon. */
static double solid_angle_above(const syn_vec3 corner[3], syn_vec3 up) {
  syn_vec3 kept[4];
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    const syn_vec3 a = corner[k], b = corner[(k + 1) % 3];
    const double ha = vec3_dot(a, up), hb = vec3_dot(b, up);
    if (ha >= 0) kept[count++] = a;
    /* A chord and its arc cross a plane through the centre in the same direction. */
    if ((ha < 0) != (hb < 0)) kept[count++] = vec3_unit(vec3_lerp(a, b, ha / (ha - hb)));
  }
  double sum = 0;
  for (int k = 2; k < count; ++k) sum += solid_angle(kept[0], kept[k - 1], kept[k]);
  return sum;
}

/* Computes the coverage, exactly for a rim of arcs between its points: triangles from the floor of the cup to the rim,
 * clipped at the horizon. */
static double coverage(const view *v) {
  const syn_vec3 floor = vec3_neg(v->anatomy->rim_normal);
  double sum = 0;
  for (int i = 0; i < SYN_RIM_POINTS; ++i) {
    const syn_vec3 a = vec3_unit(vec3_sub(v->anatomy->rim[i], v->center));
    const syn_vec3 b = vec3_unit(vec3_sub(v->anatomy->rim[(i + 1) % SYN_RIM_POINTS], v->center));
    sum += solid_angle_above((const syn_vec3[3]){floor, a, b}, v->frame.up);
  }
  return 100 * fabs(sum) / (2 * SYN_PI);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void measure_edges(const view *v, syn_measures *measures) {
  syn_vec3 edge = v->center, anterior;
  const bool lateral = roof_edge(v, v->frame.lateral, &edge);
  if (lateral)
    set_value(measures, SYN_MEASURE_LCEA_DEG, angle_from_up(v, v->frame.lateral, edge));
  else
    set_why_not(measures, SYN_MEASURE_LCEA_DEG, "the roof of the acetabulum has no edge in the frontal plane");
  if (roof_edge(v, v->frame.front, &anterior))
    set_value(measures, SYN_MEASURE_ACEA_DEG, angle_from_up(v, v->frame.front, anterior));
  else
    set_why_not(measures, SYN_MEASURE_ACEA_DEG, "the roof of the acetabulum has no edge in the sagittal plane");
  measure_index(v, lateral, edge, measures);
}

static bool has(const syn_anatomy *anatomy, syn_landmark landmark) {
  return anatomy->landmarks[landmark].found != SYN_FOUND_NOT;
}

/* Computes the frame in which the plane of the anterior superior spines and the pubic tubercles is vertical. The spine
 * and the tubercle of one side are enough, since the flexion axis is known. */
static bool anterior_plane_frame(const view *v, syn_side_frame *frame) {
  const syn_anatomy *a = v->anatomy;
  if (!has(a, SYN_LANDMARK_ASIS) || !has(a, SYN_LANDMARK_PUBIC_TUBERCLE)) return false;
  syn_vec3 spine = a->landmarks[SYN_LANDMARK_ASIS].place, tubercle = a->landmarks[SYN_LANDMARK_PUBIC_TUBERCLE].place;
  if (has(a, SYN_LANDMARK_ASIS_OTHER) && has(a, SYN_LANDMARK_PUBIC_TUBERCLE_OTHER)) {
    spine = vec3_lerp(spine, a->landmarks[SYN_LANDMARK_ASIS_OTHER].place, 0.5);
    tubercle = vec3_lerp(tubercle, a->landmarks[SYN_LANDMARK_PUBIC_TUBERCLE_OTHER].place, 0.5);
  }
  const syn_vec3 up = vec3_sub(spine, tubercle);
  *frame = v->frame;
  frame->up = vec3_unit(vec3_madd(up, -vec3_dot(up, frame->lateral), frame->lateral));
  frame->front = vec3_cross(frame->up, frame->lateral);
  if (vec3_dot(frame->front, v->frame.front) < 0) frame->front = vec3_neg(frame->front);
  return vec3_length2(frame->up) > 0.5;
}

/* Murray (1993), anatomical: version is the angle by which the opening points forward, seen from above; inclination is
 * its angle from straight down. */
static void measure_opening(const view *v, const syn_side_frame *frame, syn_measure_id version,
                            syn_measure_id inclination, syn_measures *measures) {
  const syn_vec3 n = v->anatomy->rim_normal;
  const double side = vec3_dot(n, frame->lateral), front = vec3_dot(n, frame->front), up = vec3_dot(n, frame->up);
  set_value(measures, version, degrees(atan2(front, side)));
  set_value(measures, inclination, degrees(atan2(hypot(front, side), -up)));
}

static void measure_openings(const view *v, syn_measures *measures) {
  static const char lacks[] = "the anterior superior spine or the pubic tubercle is not known";
  syn_side_frame upright;
  measure_opening(v, &v->frame, SYN_MEASURE_ACETABULAR_VERSION_DEG, SYN_MEASURE_ACETABULAR_INCLINATION_DEG, measures);
  if (anterior_plane_frame(v, &upright))
    measure_opening(v, &upright, SYN_MEASURE_ACETABULAR_VERSION_APP_DEG, SYN_MEASURE_ACETABULAR_INCLINATION_APP_DEG,
                    measures);
  else {
    set_why_not(measures, SYN_MEASURE_ACETABULAR_VERSION_APP_DEG, lacks);
    set_why_not(measures, SYN_MEASURE_ACETABULAR_INCLINATION_APP_DEG, lacks);
  }
}

void syn_measure_pelvis(const syn_trimesh *pelvis, const syn_anatomy *anatomy, syn_vec3 center,
                        syn_measures *measures) {
  static const syn_measure_id all[] = {SYN_MEASURE_LCEA_DEG,
                                       SYN_MEASURE_ACEA_DEG,
                                       SYN_MEASURE_ACETABULAR_INDEX_DEG,
                                       SYN_MEASURE_ACETABULAR_VERSION_DEG,
                                       SYN_MEASURE_ACETABULAR_INCLINATION_DEG,
                                       SYN_MEASURE_COVERAGE_PERCENT,
                                       SYN_MEASURE_ACETABULAR_VERSION_APP_DEG,
                                       SYN_MEASURE_ACETABULAR_INCLINATION_APP_DEG};
  const char *why_not = !pelvis                ? "there is no pelvis"
                        : !anatomy->has_rim    ? "the rim of the acetabulum was not found"
                        : !vec3_finite(center) ? "the centre of the hip is not known"
                                               : NULL;
  for (size_t i = 0; why_not && i < sizeof all / sizeof *all; ++i) set_why_not(measures, all[i], why_not);
  if (why_not) return;
  const view v = {pelvis, anatomy, center, syn_side_frame_of(&anatomy->pelvis_axes, anatomy->side)};
  measure_edges(&v, measures);
  measure_openings(&v, measures);
  set_value(measures, SYN_MEASURE_COVERAGE_PERCENT, coverage(&v));
}

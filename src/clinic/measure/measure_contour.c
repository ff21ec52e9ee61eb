/* Samples the contours of head and neck in half planes about the neck axis. */
#include "clinic/measure/measure_contour.h"

syn_clock_face syn_clock_face_of(const syn_anatomy *anatomy, syn_vec3 center) {
  const double sense = anatomy->side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_vec3 forward = vec3_scale(anatomy->femur_axes.adduction, sense);
  const syn_vec3 up = anatomy->has_shaft ? anatomy->shaft_axis : vec3_scale(anatomy->femur_axes.rotation, sense);
  const syn_vec3 axis = vec3_neg(anatomy->neck_axis);
  const syn_vec3 top = vec3_unit(vec3_madd(up, -vec3_dot(up, axis), axis)), front = vec3_cross(top, axis);
  return (syn_clock_face){center, axis, top, vec3_dot(front, forward) < 0 ? vec3_neg(front) : front};
}

typedef struct point2 {
  double along, away;
} point2;

static double polar_degrees(point2 p) { return atan2(p.away, p.along) * 180 / SYN_PI; }

/* Stores the outermost surface within reach in the polar samples that the segment covers. */
static void add_profile(syn_contours *contours, int clock, point2 a, point2 b) {
  const double from = polar_degrees(a), to = polar_degrees(b);
  const double low = min2(from, to), high = max2(from, to);
  int first = (int)ceil((low - SYN_POLAR_FIRST) * SYN_POLAR_PER_DEGREE);
  if (first < 0) first = 0;
  for (int i = first; i < SYN_POLAR_SAMPLES && syn_polar_at(i) <= high; ++i) {
    const double angle = syn_polar_at(i) * SYN_PI / 180, c = cos(angle), s = sin(angle);
    const double side_a = c * a.away - s * a.along, side_b = c * b.away - s * b.along;
    const double t = side_a != side_b ? side_a / (side_a - side_b) : 0;
    const double distance = c * (a.along + t * (b.along - a.along)) + s * (a.away + t * (b.away - a.away));
    double *sample = &contours->distance[clock][i];
    /* Close to the centre, the line of a segment is behind it for some of the angles. */
    if (distance > 0 && distance < contours->reach && !(*sample >= distance)) *sample = distance;
  }
}

/* Stores the surface nearest to the axis at the height of the isthmus. */
static void add_neck(syn_contours *contours, int clock, point2 a, point2 b) {
  const double level = contours->isthmus;
  if ((a.along >= level) == (b.along >= level)) return;
  const double away = a.away + (b.away - a.away) * (level - a.along) / (b.along - a.along);
  double *neck = &contours->neck[clock];
  if (away > 0 && !(*neck <= away)) *neck = away;
}

/* Coordinates along the axis, up and forward. */
typedef struct corner {
  double along, top, front;
} corner;

/* Returns where the edge a-b crosses the plane of the half plane; the same for both of its triangles. */
static point2 pierce(const corner *a, const corner *b, double below, double above, double c, double s) {
  const double t = below / (below - above);
  const double top = a->top + t * (b->top - a->top), front = a->front + t * (b->front - a->front);
  return (point2){a->along + t * (b->along - a->along), c * top + s * front};
}

/* Clips the part beyond the axis, in the opposite half plane; returns false if nothing remains. */
static bool clip(point2 *a, point2 *b) {
  if (a->away < 0 && b->away < 0) return false;
  point2 *beyond = a->away < 0 ? a : b;
  const point2 *kept = beyond == a ? b : a;
  if (beyond->away < 0) {
    const double t = beyond->away / (beyond->away - kept->away);
    *beyond = (point2){beyond->along + t * (kept->along - beyond->along), 0};
  }
  return true;
}

static void add_triangle(syn_contours *contours, const corner corners[3], int clock, double c, double s) {
  double height[3];
  point2 ends[2];
  int count = 0;
  for (int i = 0; i < 3; ++i) height[i] = c * corners[i].front - s * corners[i].top;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if ((height[i] >= 0) == (height[j] >= 0)) continue;
    const int low = height[i] < 0 ? i : j, high = height[i] < 0 ? j : i;
    ends[count++] = pierce(&corners[low], &corners[high], height[low], height[high], c, s);
  }
  if (count < 2 || !clip(&ends[0], &ends[1])) return;
  add_profile(contours, clock, ends[0], ends[1]);
  add_neck(contours, clock, ends[0], ends[1]);
}

void syn_contours_take(const syn_trimesh *femur, const syn_clock_face *face, double reach, double isthmus,
                       syn_contours *contours) {
  double c[SYN_CLOCK_STEPS], s[SYN_CLOCK_STEPS];
  contours->reach = reach;
  contours->isthmus = isthmus;
  /* Directions of the half planes; all samples start unknown. */
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k) {
    c[k] = cos(2 * SYN_PI * k / SYN_CLOCK_STEPS);
    s[k] = sin(2 * SYN_PI * k / SYN_CLOCK_STEPS);
    contours->neck[k] = (double)NAN;
    for (int i = 0; i < SYN_POLAR_SAMPLES; ++i) contours->distance[k][i] = (double)NAN;
  }
  /* Enter each triangle near the head into the half planes that it crosses. */
  for (uint32_t t = 0; t < femur->triangle_count; ++t) {
    corner corners[3];
    bool near = false;
    for (int i = 0; i < 3; ++i) {
      const syn_vec3 off = vec3_sub(femur->vertices[femur->triangles[t].v[i]], face->center);
      corners[i] = (corner){vec3_dot(off, face->axis), vec3_dot(off, face->top), vec3_dot(off, face->front)};
      near = near || vec3_length(off) < 2 * reach;
    }
    for (int k = 0; near && k < SYN_CLOCK_STEPS; ++k) add_triangle(contours, corners, k, c[k], s[k]);
  }
}

/* ---- evening ----------------------------------------------------------------------------------------------------- */

enum { REACH = 2 }; /* standard deviations */

/* Averages values[i - reach … i + reach], optionally around a full circle; NAN values are ignored. */
static double weighted_mean(const double *values, int count, int i, bool round_trip, double deviation) {
  const int reach = (int)ceil(REACH * deviation);
  double sum = 0, weight = 0;
  for (int k = -reach; k <= reach; ++k) {
    const int at = round_trip ? (i + k + count) % count : i + k;
    if (at < 0 || at >= count || isnan(values[at])) continue;
    const double w = exp(-0.5 * k * k / (deviation * deviation));
    sum += w * values[at];
    weight += w;
  }
  return sum / weight;
}

static void even(double *values, int count, bool round_trip, double deviation, double *copy) {
  for (int i = 0; i < count; ++i) copy[i] = values[i];
  for (int i = 0; i < count; ++i)
    if (!isnan(copy[i])) values[i] = weighted_mean(copy, count, i, round_trip, deviation);
}

void syn_contours_even(syn_contours *contours, double amount) {
  const double along = 1.5 * SYN_POLAR_PER_DEGREE * amount, across = amount;
  double copy[SYN_POLAR_SAMPLES], ring[SYN_CLOCK_STEPS], ring_copy[SYN_CLOCK_STEPS];
  if (!(amount > 0)) return;
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k) even(contours->distance[k], SYN_POLAR_SAMPLES, false, along, copy);
  for (int i = 0; i < SYN_POLAR_SAMPLES; ++i) {
    for (int k = 0; k < SYN_CLOCK_STEPS; ++k) ring[k] = contours->distance[k][i];
    even(ring, SYN_CLOCK_STEPS, true, across, ring_copy);
    for (int k = 0; k < SYN_CLOCK_STEPS; ++k) contours->distance[k][i] = ring[k];
  }
}

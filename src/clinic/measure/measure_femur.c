/* Measures the femur alone. */
#include "base/memory.h"
#include "clinic/anatomy/anatomy.h"
#include "clinic/measure/measure.h"
#include "clinic/measure/measure_contour.h"

static double degrees_between(syn_vec3 a, syn_vec3 b) {
  return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)) * 180 / SYN_PI;
}

/* ---- alpha ------------------------------------------------------------------------------------------------------- */

/* The contour is followed up to 110 degrees; it is on the head once it stays inside for 5 degrees. */
enum { END = (110 - SYN_POLAR_FIRST) * SYN_POLAR_PER_DEGREE, LASTING = 5 * SYN_POLAR_PER_DEGREE };

/* Without a surface within reach, the contour is further out, on the neck; single samples may miss the surface at seams
 * and holes of a mesh. */
static bool stays_inside(const double *distance, int sample, double limit) {
  int seen = 0;
  for (int i = sample; i < sample + LASTING; ++i) {
    if (distance[i] > limit) return false;
    seen += !isnan(distance[i]);
  }
  return !isnan(distance[sample]) && 2 * seen > LASTING;
}

/* Returns the angle between the samples i (outside) and i + 1 at which the contour crosses the circle. */
static double crossing(const double *distance, int i, double limit) {
  const double in = distance[i + 1], out = distance[i];
  return syn_polar_at(i) + (isfinite(out) && out > in ? (out - limit) / (out - in) : 1) / SYN_POLAR_PER_DEGREE;
}

/* Returns the angle from which on, towards the neck, the contour stays beyond the limit: short returns to the circle
 * are ignored, and so are bulges of the head from which it returns. NAN if it is never within, or always. */
static double alpha_of(const double *distance, double limit) {
  if (stays_inside(distance, 0, limit)) return (double)NAN;
  for (int i = 1; i < END; ++i)
    if (stays_inside(distance, i, limit)) return crossing(distance, i - 1, limit);
  return (double)NAN;
}

/* Returns 1 for scans, whose heads deviate by half a percent of the radius and more; 0 for a model's exact sphere,
 * which needs neither tolerance nor averaging. */
static double scanned(double radius, double residual) { return min2(1, residual / (0.004 * radius)); }

/* Half a millimetre is the resolution of a CT; small heads get the same fraction of their radius, and models a
 * tolerance for rounding. */
static double alpha_tolerance(double radius, double residual) {
  return max2(scanned(radius, residual) * min2(0.5, 0.025 * radius), 1e-6 * radius);
}

/* A contour that leaves the circle slowly passes the tolerance late: by 4 degrees where it departs by 0.1 mm per
 * degree. So the departure is extrapolated back to its start, by the least squares line through the angles at which the
 * contour is one to five tolerances off. Never below alpha itself; alpha if the contour departs at once. */
static double extrapolate(const double *distance, double radius, double tolerance, double alpha) {
  const double end = radius + 5 * tolerance;
  double count = 0, off = 0, angle = 0, off_off = 0, off_angle = 0;
  if (isnan(alpha)) return alpha;
  for (int i = (int)((alpha - SYN_POLAR_FIRST) * SYN_POLAR_PER_DEGREE); i >= 0 && distance[i] <= end; --i) {
    const double x = distance[i] - radius, y = syn_polar_at(i) - alpha;
    ++count;
    off += x;
    angle += y;
    off_off += x * x;
    off_angle += x * y;
  }
  const double spread = count * off_off - off * off, slope = (count * off_angle - off * angle) / spread;
  return count > 2 && spread > 0 && slope < 0 ? alpha + max2(0, (angle - slope * off) / count) : alpha;
}

/* Returns the angle at which the contour, coming from the head, first leaves the circle by `limit` for 5 degrees, as
 * Nötzli et al. 2002 define alpha: a bump counts even if the contour returns to the circle behind it. NAN if it never
 * does. */
static double first_leaving(const double *distance, double limit) {
  int i = END;
  while (i > 0 && !(distance[i] <= limit)) --i; /* on the head */
  for (int outside = 0; i > 0; --i) {
    outside = distance[i - 1] <= limit ? 0 : outside + 1;
    if (outside == LASTING) return crossing(distance, i - 1 + LASTING - 1, limit);
  }
  return (double)NAN;
}

/* A millimetre is more than the steps of a scan and less than a cam; a deformed head leaves its own sphere by more.
 * Cams lie between top and front, as do all published limits. */
static void measure_alpha_1mm(const syn_contours *contours, double radius, double residual, syn_measures *measures) {
  const int quarter = SYN_CLOCK_STEPS / 48, first = -2 * quarter, last = 14 * quarter;
  const double deformed = 0.03 * radius; /* as heads that are told to be rough or deformed (femur.c) */
  const double tolerance = residual > deformed ? 3 * residual : min2(1, 0.05 * radius);
  double worst = -INFINITY;
  for (int k = first; k <= last; ++k) {
    const int step = (k + SYN_CLOCK_STEPS) % SYN_CLOCK_STEPS;
    const double alpha = first_leaving(contours->distance[step], radius + tolerance);
    if (!(alpha > worst)) continue;
    worst = alpha;
    measures->alpha_1mm_hour = 12.0 * step / SYN_CLOCK_STEPS;
  }
  syn_measure_set(measures, SYN_MEASURE_ALPHA_1MM_DEG, isfinite(worst) ? worst : (double)NAN,
                  "the contour does not leave the head's circle between top and front");
}

static void measure_alpha(const syn_contours *contours, double radius, double residual, syn_measures *measures) {
  static const char hidden[] = "the contour does not leave the head's circle in this plane";
  const double tolerance = alpha_tolerance(radius, residual), step = 0.2 * tolerance;
  double worst = -INFINITY, furthest = -INFINITY;
  measures->alpha_tolerance_mm = tolerance;
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k) {
    const double *contour = contours->distance[k], alpha = alpha_of(contour, radius + tolerance);
    measures->alpha_clock_deg[k] = alpha;
    measures->alpha_change_deg_per_mm[k] =
        (alpha_of(contour, radius + tolerance + step) - alpha_of(contour, radius + tolerance - step)) / (2 * step);
    measures->alpha_extrapolated_deg[k] = extrapolate(contour, radius, tolerance, alpha);
    if (measures->alpha_extrapolated_deg[k] > furthest) furthest = measures->alpha_extrapolated_deg[k];
    if (!(alpha > worst)) continue;
    worst = alpha;
    measures->alpha_worst_hour = 12.0 * k / SYN_CLOCK_STEPS;
  }
  const int hour = SYN_CLOCK_STEPS / 12;
  syn_measure_set(measures, SYN_MEASURE_ALPHA_DEG, isfinite(worst) ? worst : (double)NAN, hidden);
  syn_measure_set(measures, SYN_MEASURE_ALPHA_EXTRAPOLATED_DEG, isfinite(furthest) ? furthest : (double)NAN, hidden);
  syn_measure_set(measures, SYN_MEASURE_ALPHA_12_DEG, measures->alpha_clock_deg[0], hidden);
  syn_measure_set(measures, SYN_MEASURE_ALPHA_1_30_DEG, measures->alpha_clock_deg[hour + hour / 2], hidden);
  syn_measure_set(measures, SYN_MEASURE_ALPHA_3_DEG, measures->alpha_clock_deg[3 * hour], hidden);
}

bool syn_alpha_plane_find(const syn_anatomy *anatomy, const syn_measures *measures, syn_alpha_plane *plane) {
  const double alpha = measures->value[SYN_MEASURE_ALPHA_DEG];
  if (!anatomy || !anatomy->has_neck || !isfinite(alpha)) return false;
  const syn_clock_face face = syn_clock_face_of(anatomy, anatomy->head.center);
  const double turn = 2 * SYN_PI * measures->alpha_worst_hour / 12;
  *plane = (syn_alpha_plane){.center = face.center,
                             .axis = face.axis,
                             .away = vec3_add(vec3_scale(face.top, cos(turn)), vec3_scale(face.front, sin(turn))),
                             .radius_mm = anatomy->head.radius_mm,
                             .alpha_deg = alpha,
                             .hour = measures->alpha_worst_hour,
                             .tolerance_mm = measures->alpha_tolerance_mm};
  return true;
}

/* ---- head and neck ----------------------------------------------------------------------------------------------- */

static void measure_neck(const syn_contours *contours, double radius, syn_measures *measures) {
  static const char open[] = "the surface of the neck has holes";
  const double front = contours->neck[SYN_CLOCK_STEPS / 4];
  double squares = 0;
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k) squares += contours->neck[k] * contours->neck[k];
  syn_measure_set(measures, SYN_MEASURE_HEAD_NECK_OFFSET_MM, radius - front, open);
  syn_measure_set(measures, SYN_MEASURE_HEAD_NECK_OFFSET_RATIO, (radius - front) / (2 * radius), open);
  syn_measure_set(measures, SYN_MEASURE_HEAD_NECK_RATIO, radius / sqrt(squares / SYN_CLOCK_STEPS), open);
}

/* ---- the whole bone ---------------------------------------------------------------------------------------------- */

/* Positive if the neck points forward of the line of the condyles. */
static double torsion(const syn_anatomy *anatomy) {
  const syn_vec3 medial = anatomy->landmarks[SYN_LANDMARK_POSTERIOR_MEDIAL_CONDYLE].place;
  const syn_vec3 lateral = anatomy->landmarks[SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE].place;
  const syn_vec3 up = anatomy->shaft_axis, line = vec3_sub(medial, lateral), neck = anatomy->neck_axis;
  /* In a right femur inward to forward is a left-handed rotation about up. */
  const double turn = vec3_dot(vec3_cross(neck, line), up) * (anatomy->side == SYN_SIDE_RIGHT ? 1 : -1);
  const double along = vec3_dot(neck, line) - vec3_dot(neck, up) * vec3_dot(line, up);
  return atan2(turn, along) * 180 / SYN_PI;
}

static bool has(const syn_anatomy *anatomy, syn_landmark landmark) {
  return anatomy->landmarks[landmark].found != SYN_FOUND_NOT;
}

static void measure_axes(const syn_anatomy *anatomy, syn_measures *measures) {
  const bool both = anatomy->has_neck && anatomy->has_shaft;
  const bool condyles =
      has(anatomy, SYN_LANDMARK_POSTERIOR_MEDIAL_CONDYLE) && has(anatomy, SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE);
  static const char lacks[] = "neck or shaft of the femur was not found";
  const syn_vec3 down = vec3_neg(anatomy->shaft_axis);
  const bool middle_line = both && vec3_length2(anatomy->neck_line) > 0;
  syn_measure_set(measures, SYN_MEASURE_NECK_SHAFT_DEG,
                  middle_line ? degrees_between(anatomy->neck_line, down) : (double)NAN, lacks);
  syn_measure_set(measures, SYN_MEASURE_NECK_SHAFT_ISTHMUS_DEG,
                  both ? degrees_between(anatomy->neck_axis, down) : (double)NAN, lacks);
  syn_measure_set(measures, SYN_MEASURE_FEMORAL_TORSION_DEG, both && condyles ? torsion(anatomy) : (double)NAN,
                  both ? "the femur's condyles are not there" : lacks);
}

/* Contours are too large for the stack. */
static syn_status measure_head(const syn_trimesh *femur, const syn_anatomy *anatomy, syn_measures *measures,
                               syn_error *error) {
  const double radius = anatomy->head.radius_mm, residual = anatomy->head.residual_mm;
  const syn_vec3 center = anatomy->head.center;
  const syn_clock_face face = syn_clock_face_of(anatomy, center);
  syn_contours *contours;
  SYN_TRY(SYN_NEW(femur->context, &contours, 1, error));
  syn_contours_take(femur, &face, 1.5 * radius, vec3_dot(vec3_sub(anatomy->neck_point, center), face.axis), contours);
  measure_neck(contours, radius, measures);
  syn_contours_even(contours, scanned(radius, residual));
  measure_alpha(contours, radius, residual, measures);
  measure_alpha_1mm(contours, radius, residual, measures);
  syn_free(femur->context, contours);
  return SYN_OK;
}

syn_status syn_measure_femur(const syn_trimesh *femur, const syn_anatomy *anatomy, syn_measures *measures,
                             syn_error *error) {
  static const char no_neck[] = "no neck was found on the femur";
  static const syn_measure_id of_neck[] = {
      SYN_MEASURE_ALPHA_DEG,       SYN_MEASURE_ALPHA_12_DEG,           SYN_MEASURE_ALPHA_1_30_DEG,
      SYN_MEASURE_ALPHA_3_DEG,     SYN_MEASURE_HEAD_NECK_OFFSET_MM,    SYN_MEASURE_HEAD_NECK_OFFSET_RATIO,
      SYN_MEASURE_HEAD_NECK_RATIO, SYN_MEASURE_ALPHA_EXTRAPOLATED_DEG, SYN_MEASURE_ALPHA_1MM_DEG};
  static const char no_head[] = "no femoral head was found";
  syn_measure_set(measures, SYN_MEASURE_HEAD_RADIUS_MM, anatomy->head.radius_mm, no_head);
  syn_measure_set(measures, SYN_MEASURE_HEAD_SPHERICITY_MM, anatomy->head.residual_mm, no_head);
  measure_axes(anatomy, measures);
  for (size_t i = 0; i < sizeof of_neck / sizeof *of_neck; ++i)
    syn_measure_set(measures, of_neck[i], (double)NAN, no_neck);
  return anatomy->has_neck ? measure_head(femur, anatomy, measures, error) : SYN_OK;
}

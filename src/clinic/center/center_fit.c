/* Fits centres: two spheres about one point, the fixed points of a motion, a regression. */
#include <math.h>

#include "base/vec.h"
#include "clinic/center/center.h"
#include "geometry/fit.h"
#include "geometry/small_matrix.h"

/* ---- two spheres ------------------------------------------------------------------------------------------------- */

/* Returns the sum of squares. */
static double add_sphere(const syn_vec3 *points, size_t count, syn_vec3 center, double radius, int which,
                         sphere_equations *equations) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 from = vec3_sub(points[i], center);
    const double miss = vec3_length(from) - radius;
    sphere_equations_add(equations, which, vec3_unit(from), miss, 1);
    sum += miss * miss;
  }
  return sum;
}

static double mean_distance(const syn_vec3 *points, size_t count, syn_vec3 center) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += vec3_distance(points[i], center);
  return sum / (double)count;
}

syn_center syn_center_double_sphere(const syn_joint_points *points, syn_vec3 start) {
  syn_vec3 center = start;
  double radius[2] = {mean_distance(points->head, points->head_count, center),
                      mean_distance(points->lunate, points->lunate_count, center)};
  double sum = 0;
  for (int round = 0; round < 50; ++round) {
    sphere_equations e = {.radii = 2};
    sum = add_sphere(points->head, points->head_count, center, radius[0], 0, &e);
    sum += add_sphere(points->lunate, points->lunate_count, center, radius[1], 1, &e);
    if (!syn_solve_symmetric(e.a, e.b, 5, 1e-12)) return center_unknown("the joint surfaces are too flat for spheres");
    const syn_vec3 step = vec3(e.b[0], e.b[1], e.b[2]);
    center = vec3_add(center, step);
    for (int i = 0; i < 2; ++i) radius[i] += e.b[3 + i];
    if (vec3_length(step) < 1e-11) break;
  }
  const double count = (double)(points->head_count + points->lunate_count);
  return (syn_center){true, center, radius[0], sqrt(sum / count), NULL};
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

syn_center syn_center_of_motion(const syn_motion_center *motion) {
  if (motion->pose_count == 0) return center_unknown("it needs a recorded motion");
  if (!motion->has_center) return center_unknown("the motion turns too little, or about one axis only");
  return (syn_center){true, motion->center, NAN, motion->residual_mm, NULL};
}

syn_center syn_center_score(const syn_pose *motion, size_t count) {
  const syn_motion_center found = syn_motion_center_find(motion, count);
  return syn_center_of_motion(&found);
}

/* ---- regression -------------------------------------------------------------------------------------------------- */

/* Harrington et al. 2007, equations without leg length, in mm from the midpoint of the ASIS: forward -0.24 PD - 9.9, up
 * -0.30 PW - 10.9, outward 0.33 PW + 7.3, with PD the depth and PW the width of the pelvis. */
syn_center syn_center_harrington(const syn_anatomy *anatomy) {
  const syn_found_point *l = anatomy->landmarks;
  if (!l[SYN_LANDMARK_ASIS].found || !l[SYN_LANDMARK_ASIS_OTHER].found || !l[SYN_LANDMARK_PSIS].found ||
      !l[SYN_LANDMARK_PSIS_OTHER].found)
    return center_unknown("it needs ASIS and PSIS of both sides");
  const syn_vec3 front = vec3_lerp(l[SYN_LANDMARK_ASIS].place, l[SYN_LANDMARK_ASIS_OTHER].place, 0.5);
  const syn_vec3 back = vec3_lerp(l[SYN_LANDMARK_PSIS].place, l[SYN_LANDMARK_PSIS_OTHER].place, 0.5);
  const double width = vec3_distance(l[SYN_LANDMARK_ASIS].place, l[SYN_LANDMARK_ASIS_OTHER].place);
  const double depth = vec3_distance(front, back);
  const syn_hip_axes *axes = &anatomy->pelvis_axes;
  const double side =
      anatomy->side == SYN_SIDE_RIGHT ? 1 : -1; /* axes forward and up have the opposite sense on the left */
  syn_vec3 center = vec3_madd(front, side * (-0.24 * depth - 9.9), axes->adduction);
  center = vec3_madd(center, side * (-0.30 * width - 10.9), axes->rotation);
  center = vec3_madd(center, side * (0.33 * width + 7.3), axes->flexion);
  return (syn_center){true, center, NAN, NAN, NULL};
}

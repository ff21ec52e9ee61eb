/* Fits spheres and planes to points by least squares. */
#ifndef SYN_GEOMETRY_FIT_H
#define SYN_GEOMETRY_FIT_H

#include <synovia/base.h>

/* ---- planes ---------------------------------------------------------------------------------------------------------
 */

/* Returns the unit normal, of either sign, of the weighted least-squares plane of the points; *center is their weighted
 * mean, a point of the plane. */
syn_vec3 syn_fit_plane(const syn_vec3 *points, const double *weights, size_t count, syn_vec3 *center);

/* ---- spheres --------------------------------------------------------------------------------------------------------
 */

/* Fits a sphere (algebraic least squares, in closed form): its centre, and the spread of the points' distances from it,
 * relative to their mean. `near` is any position among the points. For points in a plane the centre is their mean. */
typedef struct sphere_spread {
  syn_vec3 center;
  double spread;
} sphere_spread;
sphere_spread syn_fit_sphere(const syn_vec3 *points, uint32_t count, syn_vec3 near);

/* One Gauss-Newton step towards the sphere of least weighted squared distance from points[numbers[i]], i < count; false
 * if they do not determine one. */
bool syn_sphere_improve(const syn_vec3 *points, const double *weights, const uint32_t *numbers, uint32_t count,
                        syn_vec3 *center, double *radius);

/* Normal equations of such a step, assembled point by point, also for two concentric spheres. Start from {.radii = 1 or
 * 2}, add every point, then solve for the step (geometry/small_matrix.h). */
typedef struct sphere_equations {
  int radii;
  double a[25], b[5]; /* 3 + radii unknowns: the centre's coordinates, then the radii */
} sphere_equations;

/* Adds a point in the direction `way` (unit) from the centre, at the signed distance `miss` outside sphere number
 * `which`. */
static inline void sphere_equations_add(sphere_equations *e, int which, syn_vec3 way, double miss, double weight) {
  double row[5] = {way.x, way.y, way.z, 0, 0};
  const int n = 3 + e->radii;
  row[3 + which] = 1;
  for (int j = 0; j < n; ++j) {
    e->b[j] += weight * row[j] * miss;
    for (int k = 0; k < n; ++k) e->a[j * n + k] += weight * row[j] * row[k];
  }
}

#endif

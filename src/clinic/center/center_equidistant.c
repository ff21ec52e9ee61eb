/* Computes a centre that follows the joint: the femur rotates about the centre of its head, which stays in the middle
 * of its socket, so that the joint space is as even as two spheres allow in every pose (after Puls et al. 2010). */
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/center/center.h"

/* Beyond this loss of evenness one of the spheres is not that of the joint. */
static const double wrong_mm = 0.5;

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static double median(double *values, size_t count) {
  qsort(values, count, sizeof *values, by_size);
  return values[count / 2];
}

/* Computes the median of the distances from the socket's joint surface to the femur shifted by `shift`, below 0 inside
 * it, and their spread as a standard deviation. By medians, so that a hole in the head does not matter. `gaps` has
 * lunate_count entries. */
static syn_status joint_space(const syn_surface *femur, const syn_joint_points *points, syn_vec3 shift, double *gaps,
                              double *middle_mm, double *spread_mm, syn_error *error) {
  const double deviation_per_median = 1.4826; /* of a normal variable */
  for (size_t i = 0; i < points->lunate_count; ++i) {
    const syn_vec3 place = vec3_sub(points->lunate[i], shift);
    syn_surface_point nearest;
    syn_location side = SYN_LOCATION_OUTSIDE;
    if (syn_surface_nearest(femur, &place, 1, &nearest) != SYN_OK ||
        (syn_surface_is_solid(femur) && syn_surface_side(femur, &place, 1, &side) != SYN_OK))
      return syn_fail(error, SYN_BAD_MESH, "a vertex of the socket is too far away to measure the joint space");
    gaps[i] = side == SYN_LOCATION_INSIDE ? -nearest.distance_mm : nearest.distance_mm;
  }
  *middle_mm = median(gaps, points->lunate_count);
  for (size_t i = 0; i < points->lunate_count; ++i) gaps[i] = fabs(gaps[i] - *middle_mm);
  *spread_mm = deviation_per_median * median(gaps, points->lunate_count);
  return SYN_OK;
}

syn_vec3 syn_hip_even_seat(const syn_anatomy *anatomy) {
  return vec3_sub(anatomy->acetabulum.center, anatomy->head.center);
}

static syn_status find(const syn_surface *femur, const syn_anatomy *anatomy, const syn_joint_points *points,
                       double *gaps, syn_center *center, syn_error *error) {
  double space, scanned, even;
  SYN_TRY(joint_space(femur, points, vec3(0, 0, 0), gaps, &space, &scanned, error));
  SYN_TRY(joint_space(femur, points, syn_hip_even_seat(anatomy), gaps, &space, &even, error));
  if (even < scanned + wrong_mm && space > 0)
    *center = (syn_center){true, anatomy->head.center, anatomy->acetabulum.radius_mm, even, NULL};
  else
    *center = center_unknown("the joint space is less even with the head in the middle of its socket");
  return SYN_OK;
}

syn_status syn_center_equidistant(const syn_trimesh *femur, const syn_anatomy *anatomy, const syn_joint_points *points,
                                  syn_center *center, syn_error *error) {
  syn_surface *surface;
  *center = center_unknown("the spheres of head and socket do not fit into each other");
  if (!(anatomy->acetabulum.radius_mm > anatomy->head.radius_mm)) return SYN_OK;
  double *gaps;
  SYN_TRY(syn_surface_create(femur, &surface, error));
  syn_status status = SYN_NEW(femur->context, &gaps, points->lunate_count, error);
  if (status == SYN_OK) {
    status = find(surface, anatomy, points, gaps, center, error);
    syn_free(femur->context, gaps);
  }
  syn_surface_destroy(surface);
  return status;
}

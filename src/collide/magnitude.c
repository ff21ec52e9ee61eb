#include "collide/magnitude.h"
#include "base/vec.h"

#include <stdio.h>

enum { SAMPLES = 63 };

static double median(double *values, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i)
    for (uint32_t j = i; j > 0 && values[j] < values[j - 1]; --j) {
      const double swap = values[j];
      values[j] = values[j - 1];
      values[j - 1] = swap;
    }
  return values[count / 2];
}

static double largest_coordinate(syn_vec3 v) { return max2(fabs(v.x), max2(fabs(v.y), fabs(v.z))); }

syn_middle syn_find_middle(const syn_vec3 *points, size_t count) {
  const double far_too_large = 1000; /* floats still resolve points a thousand times as far away as the majority */
  syn_box box = box_empty();
  double values[SAMPLES];
  if (count == 0) return (syn_middle){{0, 0, 0}, false};
  for (size_t i = 0; i < count; ++i) box_add(&box, points[i]);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5);
  const uint32_t samples = count < SAMPLES ? (uint32_t)count : SAMPLES;
  double most[3];
  for (int k = 0; k < 3; ++k) {
    for (uint32_t i = 0; i < samples; ++i) values[i] = vec3_at(points[i * count / samples], k);
    most[k] = median(values, samples);
  }
  const syn_vec3 among_most = vec3(most[0], most[1], most[2]);
  for (uint32_t i = 0; i < samples; ++i)
    values[i] = largest_coordinate(vec3_sub(points[i * count / samples], among_most));
  const bool stray = largest_coordinate(vec3_sub(box.max, middle)) > far_too_large * median(values, samples);
  return (syn_middle){stray ? among_most : middle, stray};
}

static syn_status fail_if_not_finite(double largest, syn_status code, const char *what, syn_error *error) {
  return isinf(largest) ? syn_fail(error, code, "%s is not finite", what) : SYN_OK;
}

syn_status syn_check_places(const syn_vec3 *places, size_t count, const char *which, double largest, syn_status code,
                            syn_error *error) {
  for (size_t i = 0; i < count; ++i) {
    const double here = magnitude_of_place(places[i]);
    if (here <= largest) continue;
    char what[64];
    snprintf(what, sizeof what, "%s vertex %zu", which, i);
    SYN_TRY(fail_if_not_finite(here, code, what, error));
    return syn_fail(error, code,
                    "%s has a coordinate of %.3g mm, and more than %.0e mm cannot be computed: remove the vertex if it "
                    "is damaged, or scale the mesh if its unit is not mm",
                    what, here, largest);
  }
  return SYN_OK;
}

static syn_status check_body(const syn_vec3 *places, size_t count, bool has_elements, const char *which,
                             syn_error *error) {
  SYN_TRY(syn_check_places(places, count, which, SYN_LARGEST_MM, SYN_BAD_MESH, error));
  const double extent = has_elements ? extent_of_places(places, count) : 0;
  if (!is_too_small(extent)) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the %s body is %.3g mm across, and less than %.0e mm cannot be computed: scale the mesh if its unit "
                  "is not mm",
                  which, extent, SYN_SMALLEST_MM);
}

syn_status syn_check_surface(const syn_trimesh *mesh, const syn_vec3 *places, const char *which, syn_error *error) {
  return check_body(places, mesh->vertex_count, mesh->triangle_count > 0, which, error);
}

syn_status syn_check_volume(const syn_tetmesh *mesh, const syn_vec3 *places, const char *which, syn_error *error) {
  return check_body(places, mesh->vertex_count, mesh->tet_count > 0, which, error);
}

static syn_status check_point(syn_vec3 point, const char *what, double largest, syn_error *error) {
  const double here = magnitude_of_place(point);
  if (here <= largest) return SYN_OK;
  SYN_TRY(fail_if_not_finite(here, SYN_BAD_ARGUMENT, what, error));
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "%s has a coordinate of %.3g mm, and more than %.0e mm cannot be computed: is it in mm?", what, here,
                  largest);
}

syn_status syn_check_point(syn_vec3 point, const char *what, syn_error *error) {
  return check_point(point, what, SYN_LARGEST_MM, error);
}

/* Returns whether the matrix is a rotation, as bounds rely on preserved lengths. False also if an entry is not a
 * number. */
static bool is_turn(const syn_mat3 *rotation) {
  const syn_vec3 x = rotation->row[0], y = rotation->row[1], z = rotation->row[2];
  const double rounded = 3e-6; /* more than syn_pose_from_matrix allows */
  return fabs(vec3_length2(x) - 1) <= rounded && fabs(vec3_length2(y) - 1) <= rounded &&
         fabs(vec3_length2(z) - 1) <= rounded && fabs(vec3_dot(x, y)) <= rounded && fabs(vec3_dot(y, z)) <= rounded &&
         fabs(vec3_dot(z, x)) <= rounded && vec3_dot(x, vec3_cross(y, z)) > 0;
}

syn_status syn_check_pose(const syn_pose *pose, double largest, syn_error *error) {
  if (!pose) return SYN_OK;
  if (!is_turn(&pose->rotation))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the rotation of the pose is not a rotation: its rows are not of length 1 and at right angles");
  return check_point(pose->translation, "the translation of the pose", largest, error);
}

syn_status syn_pose_check(const syn_pose *pose, syn_error *error) {
  return syn_check_pose(pose, SYN_LARGEST_SHIFT_MM, error);
}

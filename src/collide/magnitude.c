#include "collide/magnitude.h"

#include <stdio.h>

#include "base/vec.h"

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

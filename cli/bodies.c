#include "bodies.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/vec.h"
#include "geometry/predicates.h"
#include "mesh/box_tree.h"

/* ---- options ------------------------------------------------------------------------------------------------------
 */

syn_vec3 cli_vector(const cli_arguments *arguments, const char *name) {
  const double *v = cli_numbers(arguments, name);
  return vec3(v[0], v[1], v[2]);
}

syn_status cli_direction(const cli_arguments *arguments, const char *name, syn_vec3 *direction, syn_error *error) {
  *direction = vec3_unit(cli_vector(arguments, name));
  if (vec3_length2(*direction) > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "--%s must be a direction; its length is zero or out of range", name);
}

syn_status cli_pose(const cli_arguments *arguments, syn_pose *pose, syn_error *error) {
  const double *matrix = cli_numbers(arguments, "pose");
  *pose = syn_pose_identity();
  return matrix ? syn_pose_from_matrix(matrix, pose, error) : SYN_OK;
}

/* ---- overlap ------------------------------------------------------------------------------------------------------
 */

typedef struct crossing {
  const syn_trimesh *fixed, *mobile;
  bool found;
  syn_vec3 point;
} crossing;

/* Does the segment go through the inside of the triangle, by more than a touch? */
static bool pierces(syn_vec3 p, syn_vec3 q, const syn_vec3 t[3], syn_vec3 *point) {
  const int above = syn_orient3d(t[0], t[1], t[2], p), below = syn_orient3d(t[0], t[1], t[2], q);
  if (above * below >= 0) return false;
  const int side = syn_orient3d(p, q, t[0], t[1]);
  if (side == 0 || syn_orient3d(p, q, t[1], t[2]) != side || syn_orient3d(p, q, t[2], t[0]) != side) return false;
  const syn_vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
  const double from = vec3_dot(n, vec3_sub(p, t[0])), to = vec3_dot(n, vec3_sub(q, t[0]));
  *point = from != to ? vec3_lerp(p, q, from / (from - to)) : p;
  return true;
}

static bool note_crossing(void *user, uint32_t fixed, uint32_t mobile) {
  crossing *c = user;
  syn_vec3 a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = c->fixed->vertices[c->fixed->triangles[fixed].v[i]];
    b[i] = c->mobile->vertices[c->mobile->triangles[mobile].v[i]];
  }
  for (int i = 0; i < 3 && !c->found; ++i)
    c->found = pierces(a[i], a[(i + 1) % 3], b, &c->point) || pierces(b[i], b[(i + 1) % 3], a, &c->point);
  return !c->found;
}

static syn_status find_crossing(crossing *c, syn_error *error) {
  syn_box_tree *fixed = NULL, *mobile = NULL;
  syn_status status = syn_box_tree_of_mesh(c->fixed, &fixed, error);
  if (status == SYN_OK) status = syn_box_tree_of_mesh(c->mobile, &mobile, error);
  if (status == SYN_OK) syn_box_tree_pairs(fixed, mobile, note_crossing, c);
  syn_box_tree_destroy(fixed);
  syn_box_tree_destroy(mobile);
  return status;
}

syn_status cli_clearance(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                         const syn_pose *pose, syn_clearance *clearance, syn_error *error) {
  syn_distance *distance;
  SYN_TRY(syn_pose_check(pose, error));
  SYN_TRY(syn_distance_create(fixed, mobile, center, &distance, error));
  void *scratch = malloc(syn_distance_scratch(distance) + 1);
  if (scratch) syn_distance_query(distance, pose, NULL, scratch, clearance);
  free(scratch);
  syn_distance_destroy(distance);
  return scratch ? SYN_OK : syn_fail(error, SYN_NO_MEMORY, "there is no memory to measure the distance");
}

syn_status cli_find_overlap(const syn_trimesh *fixed, const syn_trimesh *mobile, syn_vec3 center, cli_overlap *overlap,
                            syn_error *error) {
  crossing c = {.fixed = fixed, .mobile = mobile};
  syn_clearance clearance;
  *overlap = (cli_overlap){.found = false};
  if (fixed->triangle_count == 0 || mobile->triangle_count == 0) return SYN_OK;
  SYN_TRY(cli_clearance(fixed, mobile, &center, NULL, &clearance, error));
  if (clearance.distance_mm < 0) {
    *overlap = (cli_overlap){true, -clearance.distance_mm, clearance.point_mobile};
    return SYN_OK;
  }
  /* Surfaces may cross without a vertex of one inside the other, or without an inside. */
  if (clearance.crossing) SYN_TRY(find_crossing(&c, error));
  *overlap = (cli_overlap){c.found, NAN, c.point};
  return SYN_OK;
}

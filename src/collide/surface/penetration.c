/* Finds whether two bodies overlap at the identity pose, how deep and where. */
#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "geometry/predicates.h"
#include "mesh/derived.h"
#include "mesh/tree/box_tree.h"
#include <synovia/collide.h>

typedef struct crossing_search {
  const syn_trimesh *fixed, *mobile;
  bool found;
  syn_vec3 point;
} crossing_search;

/* Returns whether the segment crosses the inside of the triangle, by more than a touch. */
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
  crossing_search *c = user;
  syn_vec3 a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = c->fixed->vertices[c->fixed->triangles[fixed].v[i]];
    b[i] = c->mobile->vertices[c->mobile->triangles[mobile].v[i]];
  }
  for (int i = 0; i < 3 && !c->found; ++i)
    c->found = pierces(a[i], a[(i + 1) % 3], b, &c->point) || pierces(b[i], b[(i + 1) % 3], a, &c->point);
  return !c->found;
}

static syn_status find_crossing(crossing_search *c, syn_error *error) {
  syn_derived *fixed = NULL, *mobile = NULL;
  syn_status status = syn_derive(c->fixed, &syn_derive_box_tree, &fixed, error);
  if (status == SYN_OK) status = syn_derive(c->mobile, &syn_derive_box_tree, &mobile, error);
  if (status == SYN_OK) syn_box_tree_pairs(fixed->made, mobile->made, note_crossing, c);
  syn_derived_release(fixed);
  syn_derived_release(mobile);
  return status;
}

syn_status syn_clearance_find(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                              const syn_pose *pose, syn_clearance *clearance, syn_error *error) {
  syn_distance *distance;
  char *scratch;
  SYN_TRY(syn_pose_check(pose, error));
  if (fixed->triangle_count == 0 || mobile->triangle_count == 0)
    return syn_fail(error, SYN_BAD_MESH, "a mesh without triangles has no distance from anything");
  SYN_TRY(syn_distance_create(fixed, mobile, center, &distance, error));
  syn_status status = SYN_NEW(fixed->context, &scratch, syn_distance_scratch(distance), error);
  if (status == SYN_OK) {
    status = syn_distance_query(distance, pose, NULL, scratch, clearance);
    syn_free(fixed->context, scratch);
  }
  syn_distance_destroy(distance);
  return status;
}

syn_status syn_penetration_find(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                                syn_penetration *penetration, syn_error *error) {
  crossing_search c = {.fixed = fixed, .mobile = mobile};
  syn_clearance clearance;
  *penetration = (syn_penetration){.found = false, .depth_mm = NAN};
  if (fixed->triangle_count == 0 || mobile->triangle_count == 0) return SYN_OK;
  SYN_TRY(syn_clearance_find(fixed, mobile, center, NULL, &clearance, error));
  if (clearance.distance_mm < 0) {
    *penetration = (syn_penetration){true, -clearance.distance_mm, clearance.point_mobile};
    return SYN_OK;
  }
  /* Surfaces may cross with no vertex of one inside the other, or without an inside. */
  if (clearance.crossing) SYN_TRY(find_crossing(&c, error));
  *penetration = (syn_penetration){c.found, NAN, c.point};
  return SYN_OK;
}

/* Methods "distance" and "proximity": the exact signed distance of every mobile vertex to the fixed surface (with both
 * roles also of every fixed vertex to the mobile one, between vertices also of the deepest mobile point). Proximity
 * keeps the nearest triangles in the scratch and walks on from there (Maciel 2005, §4.3.1.3); it gives the same
 * result. */
#include <string.h>

#include "collide/method.h"
#include "collide/surface/distance_between.h"

typedef struct state {
  const syn_context *context;
  syn_derived *fixed_derived, *mobile_derived; /* shared with others who look at the meshes */
  const syn_surface_tree *fixed, *mobile;      /* mobile: NULL unless its inside is asked for */
  syn_vec3 *mobile_vertices;                   /* a copy, which updates change */
  syn_point_groups mobile_groups, fixed_groups;
  const syn_trimesh *fixed_mesh, *mobile_mesh;
  uint32_t mobile_count;
  double reach;
  bool proximity, between_vertices;
} state;

static void destroy(void *opaque) {
  state *s = opaque;
  syn_derived_release(s->fixed_derived);
  syn_derived_release(s->mobile_derived);
  syn_free(s->context, s->mobile_vertices);
  syn_point_groups_release(s->context, &s->mobile_groups);
  syn_point_groups_release(s->context, &s->fixed_groups);
  syn_free(s->context, s);
}

static syn_status make_solid(const syn_trimesh *mesh, const char *which, syn_derived **derived,
                             const syn_surface_tree **surface, syn_error *error) {
  SYN_TRY(syn_derive(mesh, &syn_derive_surface, derived, error));
  *surface = derived_surface(*derived);
  if ((*surface)->solid) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the %s surface must be closed and have its triangles turned outward, or its inside is not known; "
                  "repair it first",
                  which);
}

static syn_status fill(state *s, const syn_body *fixed, const syn_body *mobile, bool both_roles, syn_error *error) {
  const syn_trimesh *mesh = mobile->surface;
  SYN_TRY(make_solid(fixed->surface, "fixed", &s->fixed_derived, &s->fixed, error));
  s->mobile_count = mesh->vertex_count;
  SYN_TRY(SYN_NEW(s->context, &s->mobile_vertices, mesh->vertex_count, error));
  memcpy(s->mobile_vertices, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  SYN_TRY(syn_point_groups_create(s->context, mesh->vertices, mesh->vertex_count, &s->mobile_groups, error));
  if (!both_roles) return SYN_OK;
  SYN_TRY(make_solid(mesh, "mobile", &s->mobile_derived, &s->mobile, error));
  return syn_point_groups_create(s->context, s->fixed->vertices, s->fixed->vertex_count, &s->fixed_groups, error);
}

static syn_status create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                         const syn_collide_options *options, void **opaque, syn_error *error) {
  state *s;
  *opaque = NULL;
  if (!(options->reach_mm >= 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the reach must not be negative, but it is %g mm; set reach_mm",
                    options->reach_mm);
  SYN_TRY(SYN_NEW_ZEROED(context, &s, 1, error));
  s->context = context;
  s->fixed_mesh = fixed->surface;
  s->mobile_mesh = mobile->surface;
  s->between_vertices = options->between_vertices;
  s->reach = options->reach_mm;
  syn_status status = fill(s, fixed, mobile, options->both_roles, error);
  if (status != SYN_OK) {
    destroy(s);
    return status;
  }
  *opaque = s;
  return SYN_OK;
}

static syn_status create_proximity(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                   const syn_collide_options *options, void **opaque, syn_error *error) {
  SYN_TRY(create(context, fixed, mobile, options, opaque, error));
  ((state *)*opaque)->proximity = true;
  return SYN_OK;
}

static syn_status follow(const syn_trimesh *mesh, const syn_vec3 *vertices, syn_derived **derived,
                         const syn_surface_tree **surface, syn_error *error) {
  SYN_TRY(syn_derive_moved(mesh, &syn_derive_surface, vertices, derived, error));
  *surface = derived_surface(*derived);
  return SYN_OK;
}

static syn_status update(void *opaque, const syn_vec3 *fixed, const syn_vec3 *mobile, syn_error *error) {
  state *s = opaque;
  if (fixed) SYN_TRY(follow(s->fixed_mesh, fixed, &s->fixed_derived, &s->fixed, error));
  if (mobile && s->mobile) SYN_TRY(follow(s->mobile_mesh, mobile, &s->mobile_derived, &s->mobile, error));
  if (mobile) memcpy(s->mobile_vertices, mobile, s->mobile_count * sizeof *mobile);
  return SYN_OK;
}

/* ---- asking --------------------------------------------------------------------------------------------------------
 */

/* Scratch: a value for each mobile vertex, then for each fixed one; for proximity a triangle for each group of them. */
static size_t value_count(const state *s) { return (size_t)s->mobile_groups.point_count + s->fixed_groups.point_count; }

static size_t scratch(const void *opaque) {
  const state *s = opaque;
  const size_t groups = (size_t)s->mobile_groups.count + s->fixed_groups.count;
  return value_count(s) * sizeof(syn_distance_value) + (s->proximity ? groups * sizeof(uint32_t) : 0);
}

static void report_mobile(const state *s, const syn_pose *pose, const syn_distance_value *values,
                          syn_contacts *result) {
  for (uint32_t i = 0; i < s->mobile_count; ++i) {
    const double depth = -values[i].distance;
    if (result->vertex_depth) result->vertex_depth[i] = depth;
    if (depth <= 0 && depth <= result->max_depth_mm) continue;
    const syn_vec3 at = syn_pose_point(pose, s->mobile_vertices[i]);
    if (depth > 0) {
      const syn_vec3 out = vec3_unit(vec3_sub(values[i].point, at));
      syn_contacts_add(result, &(syn_contact){SYN_OF_VERTEX_TRIANGLE, values[i].triangle, i, depth, at, out});
    } else { /* the clearance of the vertices, as long as none is inside */
      result->max_depth_mm = depth;
      result->max_vertex = i;
      result->max_point = at;
    }
  }
}

static void report_fixed(const state *s, const syn_pose *pose, const syn_distance_value *values, syn_contacts *result) {
  for (uint32_t i = 0; i < s->fixed->vertex_count; ++i) {
    const double depth = -values[i].distance;
    if (depth <= 0) continue;
    const syn_vec3 at = syn_pose_point(pose, values[i].point);
    const syn_vec3 out = vec3_unit(vec3_sub(s->fixed->vertices[i], at));
    syn_contacts_add(result, &(syn_contact){SYN_OF_TRIANGLE_VERTEX, i, values[i].triangle, depth, at, out});
  }
}

/* The clearance stays that of the vertices where nothing is inside. */
static void report_between(const state *s, const syn_pose *pose, const syn_distance_value *values,
                           syn_contacts *result) {
  const syn_deep_point deep =
      syn_distance_deepest_between(s->context, s->fixed, s->mobile_vertices, s->mobile_mesh->triangles,
                                   s->mobile_mesh->triangle_count, pose, values, result->max_depth_mm);
  if (deep.mobile_triangle == SYN_NONE) return;
  const syn_vec3 out = vec3_unit(vec3_sub(deep.surface_point, deep.point));
  syn_contacts_add(result, &(syn_contact){SYN_OF_TRIANGLE_TRIANGLE, deep.fixed_triangle, deep.mobile_triangle,
                                          deep.depth, deep.point, out});
}

static void query_fixed_vertices(const state *s, const syn_pose *pose, syn_distance_value *values, uint32_t *hints,
                                 syn_contacts *result) {
  const syn_pose back = syn_pose_inverse(pose);
  syn_distance_field(s->context, s->mobile, s->fixed->vertices, &s->fixed_groups, &back, hints, s->reach, values);
  report_fixed(s, pose, values, result);
}

static void query(const void *opaque, const syn_pose *pose, void *memory, syn_contacts *result) {
  const state *s = opaque;
  syn_distance_value *values = memory;
  uint32_t *hints = s->proximity ? (uint32_t *)(values + value_count(s)) : NULL;
  syn_distance_field(s->context, s->fixed, s->mobile_vertices, &s->mobile_groups, pose, hints, s->reach, values);
  report_mobile(s, pose, values, result);
  if (s->between_vertices) report_between(s, pose, values, result);
  if (hints) hints += s->mobile_groups.count;
  if (s->mobile) query_fixed_vertices(s, pose, values + s->mobile_count, hints, result);
  if (s->mobile || s->between_vertices) syn_contacts_sort(result);
}

const syn_method syn_method_distance = {
    {"distance", "the exact signed distance of every mobile vertex to the closed fixed surface", false, true, true},
    create,
    destroy,
    update,
    scratch,
    query};

const syn_method syn_method_proximity = {
    {"proximity", "the same distances, found by walking on from the triangles that were nearest before", false, true,
     true},
    create_proximity,
    destroy,
    update,
    scratch,
    query};

/* Runs one query of two bodies at one pose with any method, in one call. */
#include <math.h>
#include <string.h>

#include <synovia/collide.h>

#include "base/memory.h"
#include "collide/published/sliding_hash.h"

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static bool same_volume(const syn_tetmesh *a, const syn_tetmesh *b) {
  return a->vertex_count == b->vertex_count && a->tet_count == b->tet_count &&
         memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
         memcmp(a->tets, b->tets, a->tet_count * sizeof *a->tets) == 0;
}

static bool same_surface(const syn_trimesh *a, const syn_trimesh *b) {
  return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
         memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
         memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0;
}

/* Warns if both bodies are the same mesh at the same position: they then touch everywhere, which is hardly what the
 * caller wants to know. */
static void warn_of_same_body(const syn_collision *c, const syn_body *fixed) {
  const syn_pose identity = syn_pose_identity();
  const bool volume = c->method.needs_volume;
  if (c->self || memcmp(&c->pose, &identity, sizeof identity) != 0) return;
  if (volume ? !fixed->volume || !same_volume(fixed->volume, c->mobile.volume)
             : !fixed->surface || !same_surface(fixed->surface, c->mobile.surface))
    return;
  syn_warn(c->context, "both files hold the same body in the same place, so that it meets itself everywhere; %s",
           volume ? "`collide --self FILE` looks for places where a body runs into itself"
                  : "`mesh info FILE` counts where a surface crosses itself");
}

static syn_status check_self(const syn_collision *c, syn_error *error) {
  if (!c->self || c->method.needs_volume) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "the method '%s' does not look for a body that runs into itself: take hash or buckettree with a "
                  "volume mesh; `synovia mesh info` counts where a surface crosses itself",
                  c->method.name);
}

/* ---- asking -------------------------------------------------------------------------------------------------------
 */

static syn_status query_collider(syn_collision *c, const syn_collider *collider, size_t most, syn_error *error) {
  const bool volume = c->method.needs_volume;
  const uint32_t vertices = volume ? c->mobile.volume->vertex_count : c->mobile.surface->vertex_count;
  char *scratch;
  c->contacts.capacity = most;
  SYN_TRY(SYN_NEW(c->context, &c->contacts.contacts, most, error));
  if (c->method.tells_field) SYN_TRY(SYN_NEW(c->context, &c->contacts.vertex_depth, vertices, error));
  SYN_TRY(SYN_NEW(c->context, &scratch, syn_collider_scratch(collider), error));
  const syn_status status = syn_collider_query(collider, &c->pose, scratch, &c->contacts);
  syn_free(c->context, scratch);
  if (status == SYN_OK && c->contacts.count > most)
    syn_warn(c->context, "only the first %zu of %zu contacts are listed; a higher limit lists more", most,
             c->contacts.count);
  return status;
}

static syn_status collide(syn_collision *c, const syn_body *fixed, const syn_collide_options *options, size_t most,
                          syn_error *error) {
  syn_collider *collider;
  SYN_TRY(check_self(c, error));
  SYN_TRY(syn_pose_check(&c->pose, error));
  if (c->method.needs_volume ? c->mobile.volume != NULL : c->mobile.surface != NULL) warn_of_same_body(c, fixed);
  SYN_TRY(syn_collider_create(c->context, c->method.name, fixed, &c->mobile, options, &collider, error));
  syn_status status = query_collider(c, collider, most, error);
  syn_collider_destroy(collider);
  if (status == SYN_OK && strcmp(c->method.name, "sliding-hash") == 0)
    status = syn_sliding_count(c->context, fixed->surface, c->mobile.surface, options, &c->pose, &c->sliding, error);
  return status;
}

syn_status syn_collision_create(const syn_context *context, const char *method, const syn_body *fixed,
                                const syn_body *mobile, const syn_collide_options *options, const syn_pose *pose,
                                size_t most_contacts, syn_collision **collision, syn_error *error) {
  *collision = NULL;
  syn_method_info info;
  syn_collision *made;
  SYN_TRY(syn_method_find(method, &info, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (syn_collision){.context = context,
                          .method = info,
                          .self = !fixed,
                          .mobile = *mobile,
                          .pose = pose ? *pose : syn_pose_identity()};
  const syn_status status = collide(made, fixed ? fixed : mobile, options, most_contacts, error);
  if (status == SYN_OK)
    *collision = made;
  else
    syn_collision_destroy(made);
  return status;
}

void syn_collision_destroy(syn_collision *c) {
  if (!c) return;
  syn_free(c->context, c->contacts.contacts);
  syn_free(c->context, c->contacts.vertex_depth);
  syn_free(c->context, c);
}

/* ---- as a file ----------------------------------------------------------------------------------------------------
 */

static syn_status write_moved(const syn_collision *c, const syn_geometry *as_it_lies, syn_vec3 *points, double *depths,
                              const char *path, const syn_write_options *options, syn_error *error) {
  const syn_field depth = {"depth_mm", SYN_ON_POINTS, 1, depths};
  syn_geometry moved = *as_it_lies;
  for (size_t i = 0; i < moved.point_count; ++i) points[i] = syn_pose_point(&c->pose, as_it_lies->points[i]);
  for (size_t i = 0; depths && i < moved.point_count; ++i)
    depths[i] = isfinite(c->contacts.vertex_depth[i]) ? c->contacts.vertex_depth[i] : (double)NAN;
  moved.points = points;
  moved.fields = &depth;
  moved.field_count = depths ? 1 : 0;
  return syn_geometry_write(c->context, &moved, path, options, error);
}

syn_status syn_collision_write(const syn_collision *c, const char *path, const syn_write_options *options,
                               syn_error *error) {
  const syn_geometry geometry =
      c->method.needs_volume ? syn_tetmesh_geometry(c->mobile.volume) : syn_trimesh_geometry(c->mobile.surface);
  syn_vec3 *points;
  double *depths = NULL;
  if (!c->contacts.vertex_depth)
    syn_warn(c->context, "the method '%s' gives no depth at every vertex: %s has none", c->method.name, path);
  SYN_TRY(SYN_NEW(c->context, &points, geometry.point_count, error));
  syn_status status = c->contacts.vertex_depth ? SYN_NEW(c->context, &depths, geometry.point_count, error) : SYN_OK;
  if (status == SYN_OK) status = write_moved(c, &geometry, points, depths, path, options, error);
  syn_free(c->context, depths);
  syn_free(c->context, points);
  return status;
}

/* Methods "distance" and "proximity": the exact signed distance of every mobile vertex to the fixed surface (with both
 * roles also of every fixed vertex to the mobile one, between vertices also of the deepest mobile point). Proximity
 * keeps a table of nearest triangles in the scratch (Maciel 2005, §4.3.1.3) and gives the same result from it;
 * "proximity-walk" updates the table as Maciel does, through neighbours alone, and is approximate. */
#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "collide/method.h"
#include "collide/published/proximity_walk.h"
#include "collide/rotation/rotation_plan.h"
#include "collide/surface/distance_between.h"
#include "collide/surface/distance_method.h"

syn_status syn_point_groups_create(const syn_context *context, const syn_vec3 *points, uint32_t count,
                                   syn_point_groups *groups, syn_error *error) {
  *groups = (syn_point_groups){.point_count = count, .count = count / SYN_POINT_GROUP + (count % SYN_POINT_GROUP > 0)};
  SYN_TRY(SYN_NEW(context, &groups->order, count, error));
  return syn_point_order(context, points, count, SYN_POINT_GROUP, SYN_POINT_PART, groups->order, error);
}

void syn_point_groups_release(const syn_context *context, syn_point_groups *groups) {
  syn_free(context, groups->order);
}

enum { GROUPS_AT_ONCE = 4 }; /* per thread: few, to balance the load at the end */

typedef struct field_job {
  const syn_distance_job *job;
  double reach;
  syn_box bounds; /* of the surface; where the reach is finite */
} field_job;

syn_distance_value syn_distance_value_at(const syn_surface_tree *surface, bool sheet, syn_vec3 at,
                                         const syn_nearest *nearest) {
  const double distance = sqrt(nearest->at.distance2);
  const int side = surface->solid ? syn_surface_tree_side(surface, at, nearest)
                   : sheet        ? syn_surface_tree_sheet_side(surface, at, nearest)
                                  : 1;
  return (syn_distance_value){side < 0 ? -distance : distance, nearest->at.point, nearest->triangle};
}

static bool box_holds(const syn_box *box, syn_vec3 p) {
  return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y && p.z >= box->min.z &&
         p.z <= box->max.z;
}

static double farthest_from(syn_vec3 from, const syn_vec3 *points, uint32_t count) {
  double farthest2 = 0;
  for (uint32_t i = 0; i < count; ++i) farthest2 = max2(farthest2, vec3_length2(vec3_sub(points[i], from)));
  return sqrt(farthest2);
}

/* Returns false if the whole group is outside and beyond the reach: the distance from the middle point to any other is
 * too short to come near the surface, or to cross it. *witness becomes a surface point near the middle one. */
static bool within_reach(const field_job *field, const syn_vec3 *points, uint32_t count, syn_nearest *witness) {
  const syn_vec3 at = points[count / 2];
  const syn_surface_tree *surface = field->job->surface;
  const double bound = (field->reach + farthest_from(at, points, count)) * (1 + 1e-9);
  surface->search(surface, at, bound * bound, witness);
  if (witness->triangle != SYN_NONE) return true;
  if (!surface->solid || !box_holds(&field->bounds, at)) return false;
  surface->search(surface, at, INFINITY, witness);
  return syn_surface_tree_side(surface, at, witness) < 0;
}

/* Prefetches the points and values of the next group, which are scattered in memory. */
static void ask_for_next(const syn_distance_job *job, size_t group) {
  const uint32_t *order = job->groups->order + group * SYN_POINT_GROUP, count = point_group_size(job->groups, group);
  for (uint32_t i = 0; i < count; ++i) __builtin_prefetch(&job->values[order[i]], 1);
  if (group + 1 == job->groups->count) return;
  for (uint32_t i = 0; i < point_group_size(job->groups, group + 1); ++i)
    __builtin_prefetch(&job->points[order[SYN_POINT_GROUP + i]]);
}

/* Computes a group. *witness: a surface point near the previous group; then near this one. */
static void do_group(const field_job *field, size_t group, syn_nearest *witness) {
  const syn_distance_job *job = field->job;
  const syn_surface_tree *surface = job->surface;
  const uint32_t *order = job->groups->order + group * SYN_POINT_GROUP, count = point_group_size(job->groups, group),
                 middle = count / 2;
  syn_vec3 at[SYN_POINT_GROUP];
  syn_nearest nearest[SYN_POINT_GROUP];
  if (count == 0) return; /* never, but not all compilers see that */
  for (uint32_t i = 0; i < count; ++i) at[i] = pose_point(job->pose, job->points[order[i]]);
  if (isfinite(field->reach) && !within_reach(field, at, count, witness)) {
    for (uint32_t i = 0; i < count; ++i)
      job->values[order[i]] = (syn_distance_value){.distance = INFINITY, .triangle = SYN_NONE};
    return;
  }
  ask_for_next(job, group);
  surface->search_group(surface, at, count, witness->at.point, nearest);
  *witness = nearest[middle];
  for (uint32_t i = 0; i < count; ++i)
    job->values[order[i]] = syn_distance_value_at(surface, job->sheet, at[i], &nearest[i]);
}

static void do_groups(void *user, size_t begin, size_t end) {
  syn_nearest witness = {.at.point = {INFINITY, 0, 0}};
  for (size_t group = begin; group < end; ++group) do_group(user, group, &witness);
}

static syn_box bounds_of(const syn_surface_tree *surface) {
  syn_box box = {surface->vertices[0], surface->vertices[0]};
  for (uint32_t i = 1; i < surface->vertex_count; ++i) {
    const syn_vec3 v = surface->vertices[i];
    box.min = (syn_vec3){min2(box.min.x, v.x), min2(box.min.y, v.y), min2(box.min.z, v.z)};
    box.max = (syn_vec3){max2(box.max.x, v.x), max2(box.max.y, v.y), max2(box.max.z, v.z)};
  }
  return box;
}

void syn_distance_field(const syn_distance_job *job, double reach) {
  field_job field = {.job = job, .reach = reach};
  if (isfinite(reach)) field.bounds = bounds_of(job->surface);
  syn_parallel_for(job->context, job->groups->count, GROUPS_AT_ONCE, do_groups, &field);
}

typedef double table_update(const syn_distance_job *job, uint64_t stamp, syn_proximity_asked asked,
                            syn_proximity_row *rows);

typedef struct state {
  const syn_context *context;
  syn_derived *fixed_derived, *mobile_derived; /* shared with other users of the meshes */
  const syn_surface_tree *fixed, *mobile;      /* mobile: NULL unless its inside is asked for */
  syn_vec3 *mobile_vertices;                   /* a copy, which updates change */
  syn_point_groups mobile_groups, fixed_groups;
  const syn_trimesh *fixed_mesh, *mobile_mesh;
  uint32_t mobile_count;
  double reach;
  bool sheets, between_vertices;
  table_update *table; /* NULL: every query searches all triangles */
  uint64_t fixed_stamp, mobile_stamp;
  uint64_t deformations; /* number of updates */
} state;

static void destroy_distance(void *opaque) {
  state *s = opaque;
  syn_derived_release(s->fixed_derived);
  syn_derived_release(s->mobile_derived);
  syn_free(s->context, s->mobile_vertices);
  syn_point_groups_release(s->context, &s->mobile_groups);
  syn_point_groups_release(s->context, &s->fixed_groups);
  syn_free(s->context, s);
}

static syn_status make_sided(const syn_trimesh *mesh, const char *which, bool sheets, syn_derived **derived,
                             const syn_surface_tree **surface, syn_error *error) {
  SYN_TRY(syn_derive(mesh, &syn_derive_surface, derived, error));
  *surface = derived_surface(*derived);
  if ((*surface)->solid || (sheets && (*surface)->sheet)) return SYN_OK;
  return syn_fail(
      error, SYN_BAD_MESH,
      "the %s surface must be closed and have its triangles turned outward, or its inside is not known; "
      "repair it first%s",
      which, (*surface)->sheet ? ", or allow open sheets, where that can be chosen, if it is meant to be open" : "");
}

/* Sets the stamps by which rows of the table are recognised as valid. The bounds of proximity hold for any motion of
 * the points, a deformation included. A walk that starts from the triangle found before a deformation may end far from
 * the nearest one: new stamps make all points search again. */
static void set_stamps(state *s) {
  if (!s->table) return;
  const uint64_t begun_anew = s->table == syn_proximity_walk ? s->deformations * 0x9e3779b97f4a7c15 : 0;
  s->fixed_stamp = syn_proximity_stamp(s->fixed) + begun_anew;
  if (s->mobile) s->mobile_stamp = syn_proximity_stamp(s->mobile) + begun_anew;
}

static syn_status fill_state(state *s, const syn_body *fixed, const syn_body *mobile, bool both_roles,
                             syn_error *error) {
  const syn_trimesh *mesh = mobile->surface;
  SYN_TRY(make_sided(fixed->surface, "fixed", s->sheets, &s->fixed_derived, &s->fixed, error));
  s->mobile_count = mesh->vertex_count;
  SYN_TRY(SYN_NEW(s->context, &s->mobile_vertices, mesh->vertex_count, error));
  memcpy(s->mobile_vertices, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  SYN_TRY(syn_point_groups_create(s->context, mesh->vertices, mesh->vertex_count, &s->mobile_groups, error));
  if (!both_roles) return SYN_OK;
  SYN_TRY(make_sided(mesh, "mobile", s->sheets, &s->mobile_derived, &s->mobile, error));
  return syn_point_groups_create(s->context, s->fixed->vertices, s->fixed->vertex_count, &s->fixed_groups, error);
}

static syn_status check_options(const state *s, syn_error *error) {
  if (!(s->reach >= 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the reach must not be negative, but it is %g mm; set reach_mm", s->reach);
  if (s->sheets && s->between_vertices)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the deepest point between vertices needs closed surfaces, not sheets");
  return SYN_OK;
}

static syn_status create_with(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                              const syn_collide_options *options, table_update *table, void **opaque,
                              syn_error *error) {
  state *s;
  *opaque = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &s, 1, error));
  *s = (state){.context = context,
               .fixed_mesh = fixed->surface,
               .mobile_mesh = mobile->surface,
               .between_vertices = options->between_vertices,
               .sheets = options->sheets,
               .reach = options->reach_mm,
               .table = table};
  syn_status status = check_options(s, error);
  if (status == SYN_OK) status = fill_state(s, fixed, mobile, options->both_roles, error);
  if (status == SYN_OK) set_stamps(s);
  return syn_method_keep(status, s, destroy_distance, opaque);
}

static syn_status create_distance(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                  const syn_collide_options *options, void **opaque, syn_error *error) {
  return create_with(context, fixed, mobile, options, NULL, opaque, error);
}

static syn_status create_proximity(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                   const syn_collide_options *options, void **opaque, syn_error *error) {
  return create_with(context, fixed, mobile, options, syn_proximity_field, opaque, error);
}

static syn_status create_walk(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                              const syn_collide_options *options, void **opaque, syn_error *error) {
  return create_with(context, fixed, mobile, options, syn_proximity_walk, opaque, error);
}

static syn_status follow(const syn_trimesh *mesh, const syn_vec3 *vertices, syn_derived **derived,
                         const syn_surface_tree **surface, syn_error *error) {
  SYN_TRY(syn_derive_moved(mesh, &syn_derive_surface, vertices, derived, error));
  *surface = derived_surface(*derived);
  return SYN_OK;
}

static syn_status update_distance(void *opaque, const syn_vec3 *fixed, const syn_vec3 *mobile, syn_error *error) {
  state *s = opaque;
  if (fixed) SYN_TRY(follow(s->fixed_mesh, fixed, &s->fixed_derived, &s->fixed, error));
  if (mobile && s->mobile) SYN_TRY(follow(s->mobile_mesh, mobile, &s->mobile_derived, &s->mobile, error));
  if (mobile) memcpy(s->mobile_vertices, mobile, s->mobile_count * sizeof *mobile);
  if (fixed || mobile) ++s->deformations;
  set_stamps(s);
  return SYN_OK;
}

/* ---- asking --------------------------------------------------------------------------------------------------------
 */

/* Counts the values in the scratch: one per mobile vertex, then one per fixed vertex; with a table, each has a row as
 * well. */
static size_t value_count(const state *s) { return (size_t)s->mobile_groups.point_count + s->fixed_groups.point_count; }

static size_t scratch(const void *opaque) {
  const state *s = opaque;
  return value_count(s) * (sizeof(syn_distance_value) + (s->table ? sizeof(syn_proximity_row) : 0));
}

/* Values of the points; with a table only those with a lower bound up to the limit are valid. */
typedef struct tables {
  syn_distance_value *values;
  syn_proximity_row *rows; /* NULL: no table */
  double limit;
} tables;

/* Returns the depth of a point. Behind a sheet a point counts as inside only within the reach: farther away it may have
 * come around the sheet. */
static double depth_at(const state *s, const syn_surface_tree *surface, const tables *t, uint32_t i) {
  const bool unknown = t->rows && !(t->rows[i].lower <= t->limit);
  return unknown || (!surface->solid && !(fabs(t->values[i].distance) <= s->reach)) ? (double)-INFINITY
                                                                                    : -t->values[i].distance;
}

static void report_mobile(const state *s, const syn_pose *pose, const tables *t, syn_contacts *result) {
  const syn_distance_value *values = t->values;
  for (uint32_t i = 0; i < s->mobile_count; ++i) {
    const double depth = depth_at(s, s->fixed, t, i);
    if (result->vertex_depth) result->vertex_depth[i] = depth;
    if (depth <= 0 && depth <= result->max_depth_mm) continue;
    const syn_vec3 at = syn_pose_point(pose, s->mobile_vertices[i]);
    if (depth > 0) {
      const syn_vec3 out = vec3_unit(vec3_sub(values[i].point, at));
      syn_contacts_add(result, &(syn_contact){SYN_OF_VERTEX_TRIANGLE, values[i].triangle, i, depth, at, out});
    } else { /* no vertex is inside yet: report the clearance */
      result->max_depth_mm = depth;
      result->max_vertex = i;
      result->max_point = at;
    }
  }
}

static void report_fixed(const state *s, const syn_pose *pose, const tables *t, syn_contacts *result) {
  const syn_distance_value *values = t->values;
  for (uint32_t i = 0; i < s->fixed->vertex_count; ++i) {
    const double depth = depth_at(s, s->mobile, t, i);
    if (depth <= 0) continue;
    const syn_vec3 at = syn_pose_point(pose, values[i].point);
    const syn_vec3 out = vec3_unit(vec3_sub(s->fixed->vertices[i], at));
    syn_contacts_add(result, &(syn_contact){SYN_OF_TRIANGLE_VERTEX, i, values[i].triangle, depth, at, out});
  }
}

/* Reports the deepest point between vertices. Without penetration the clearance of the vertices remains the result. */
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

/* Measures all values without a table. With one, returns the limit: rows with a lower bound up to it have valid values.
 */
static double measure_rows(const state *s, const syn_distance_job *job, uint64_t stamp, bool all,
                           syn_proximity_row *rows) {
  if (s->table) return s->table(job, stamp, (syn_proximity_asked){!all, s->reach}, rows);
  syn_distance_field(job, s->reach);
  return INFINITY;
}

static void query_fixed_vertices(const state *s, const syn_pose *pose, const tables *t, syn_contacts *result) {
  const syn_pose back = syn_pose_inverse(pose);
  const syn_distance_job job = {s->context,       s->mobile, s->sheets, s->fixed->vertices,
                                &s->fixed_groups, &back,     t->values};
  tables asked = *t;
  asked.limit = measure_rows(s, &job, s->mobile_stamp, false, t->rows);
  report_fixed(s, pose, &asked, result);
}

static void query_distance(const void *opaque, const syn_pose *pose, void *memory, syn_contacts *result) {
  const state *s = opaque;
  syn_distance_value *values = memory;
  const syn_distance_job job = {s->context, s->fixed, !s->fixed->solid, s->mobile_vertices, &s->mobile_groups,
                                pose,       values};
  tables t = {.values = values, .rows = s->table ? (syn_proximity_row *)(void *)(values + value_count(s)) : NULL};
  /* Mobile vertices in the fixed surface. */
  t.limit = measure_rows(s, &job, s->fixed_stamp, result->vertex_depth || s->between_vertices, t.rows);
  report_mobile(s, pose, &t, result);
  /* Mobile points between the vertices. */
  if (s->between_vertices) report_between(s, pose, values, result);
  /* Fixed vertices in the mobile surface. */
  const tables other = {values + s->mobile_count, t.rows ? t.rows + s->mobile_count : NULL, 0};
  if (s->mobile) query_fixed_vertices(s, pose, &other, result);
  if (s->mobile || s->between_vertices) syn_contacts_sort(result);
}

const syn_method syn_method_distance = {
    .info = {.name = "distance",
             .summary = "the exact signed distance of every mobile vertex to the closed fixed surface",
             .tells_depth = true,
             .tells_field = true},
    create_distance,
    destroy_distance,
    update_distance,
    scratch,
    query_distance,
    SYN_SIDES_ALWAYS};

const syn_method syn_method_proximity = {
    .info = {.name = "proximity",
             .summary = "the same distances from a table of the triangles near each vertex, for small steps",
             .tells_depth = true,
             .tells_field = true},
    create_proximity,
    destroy_distance,
    update_distance,
    scratch,
    query_distance,
    SYN_SIDES_ALWAYS};

const syn_method syn_method_proximity_walk = {
    .info = {.name = "proximity-walk",
             .summary = "distances by walking from the triangles that were nearest before; approximate",
             .tells_depth = true,
             .tells_field = true,
             .published = true},
    create_walk,
    destroy_distance,
    update_distance,
    scratch,
    query_distance,
    SYN_SIDES_ALWAYS};

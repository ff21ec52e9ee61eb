#include "collide/surface/distance_field.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "collide/rotation/triangle_order.h"

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

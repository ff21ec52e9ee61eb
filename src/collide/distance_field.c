#include "collide/distance_field.h"

#include "base/parallel.h"

enum {
  GROUPS_AT_ONCE = 32, /* by a thread */
  LONGEST_WALK = 16
};

/* ---- walking (seed M, section 4.3.1.3) ----------------------------------------------------------------------------
 */

/* From triangle to nearer neighbour until none is nearer, or until the way gets long. There may be nearer places beyond
 * a farther one. */
static syn_nearest walk(const syn_surface *s, syn_vec3 point, uint32_t start) {
  syn_nearest best = {.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  surface_try(s, point, start < s->triangle_count ? start : 0, &best);
  for (int step = 0; step < LONGEST_WALK; ++step) {
    const uint32_t *neighbours = s->topology->triangle_neighbours[best.triangle], from = best.triangle;
    for (int c = 0; c < 3; ++c)
      if (neighbours[c] != SYN_NONE) surface_try(s, point, neighbours[c], &best);
    if (best.triangle == from) break;
  }
  return best;
}

/* ---- the field ----------------------------------------------------------------------------------------------------
 */

typedef struct field_job {
  const syn_surface *surface;
  const syn_vec3 *points;
  const syn_point_groups *groups;
  const syn_pose *pose;
  uint32_t *hints;
  syn_distance_value *values;
} field_job;

syn_distance_value syn_distance_value_at(const syn_surface *surface, syn_vec3 at, const syn_nearest *nearest) {
  const double distance = sqrt(nearest->at.distance2);
  const int side = surface->solid ? syn_surface_side(surface, at, nearest) : 1;
  return (syn_distance_value){side < 0 ? -distance : distance, nearest->at.point, nearest->triangle};
}

/* Any point of the surface near the middle of the group serves: the nearer, the faster. One near the group before is
 * not far from it. */
static void do_group(const field_job *job, size_t group, syn_nearest *witness) {
  const syn_surface *surface = job->surface;
  const uint32_t *order = job->groups->order + job->groups->start[group],
                 count = job->groups->start[group + 1] - job->groups->start[group], middle = count / 2;
  syn_vec3 at[SYN_POINT_GROUP];
  syn_nearest nearest[SYN_POINT_GROUP];
  for (uint32_t i = 0; i < count; ++i) at[i] = syn_pose_point(job->pose, job->points[order[i]]);
  if (job->hints)
    *witness = walk(surface, at[middle], job->hints[group]);
  else
    surface->search(surface, at[middle], vec3_length2(vec3_sub(at[middle], witness->at.point)), witness);
  const syn_turned_box box = turned_box_at(&job->groups->boxes[group], job->pose);
  surface->search_group(surface, at, count, &box, witness->at.point, nearest);
  if (job->hints) job->hints[group] = nearest[middle].triangle;
  for (uint32_t i = 0; i < count; ++i) job->values[order[i]] = syn_distance_value_at(surface, at[i], &nearest[i]);
}

static void do_groups(void *user, size_t begin, size_t end) {
  syn_nearest witness = {.at.point = {INFINITY, 0, 0}};
  for (size_t group = begin; group < end; ++group) do_group(user, group, &witness);
}

void syn_distance_field(const syn_surface *surface, const syn_vec3 *points, const syn_point_groups *groups,
                        const syn_pose *pose, uint32_t *hints, syn_distance_value *values) {
  field_job job = {surface, points, groups, pose, hints, values};
  syn_parallel_for(surface->context, groups->count, GROUPS_AT_ONCE, do_groups, &job);
}

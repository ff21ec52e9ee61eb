#include "collide/distance_field.h"

#include "base/parallel.h"

enum {
  RANGE = 1024, /* points: threads share no bounds across it */
  LONGEST_WALK = 64
};

/* ---- neighbours follow one another: the leaves of a tree of the points --------------------------------------------
 */

static void list_leaves(const syn_box_tree *tree, uint32_t *order) {
  uint32_t stack[SYN_BOX_TREE_DEPTH + 1], waiting = 0, count = 0;
  if (tree->item_count > 0) stack[waiting++] = 0;
  while (waiting > 0) {
    const syn_box_node *node = &tree->nodes[stack[--waiting]];
    if (node->count == 1) {
      order[count++] = node->child;
    } else {
      stack[waiting++] = node->child + 1;
      stack[waiting++] = node->child;
    }
  }
}

syn_status syn_distance_order(const syn_context *context, const syn_vec3 *points, uint32_t count, uint32_t **order,
                              syn_error *error) {
  syn_box *boxes;
  syn_box_tree *tree = NULL;
  *order = NULL;
  SYN_TRY(SYN_NEW(context, &boxes, count, error));
  for (uint32_t i = 0; i < count; ++i) boxes[i] = (syn_box){points[i], points[i]};
  syn_status status = syn_box_tree_create(context, boxes, count, &tree, error);
  syn_free(context, boxes);
  if (status == SYN_OK) status = SYN_NEW(context, order, count, error);
  if (status == SYN_OK) list_leaves(tree, *order);
  syn_box_tree_destroy(tree);
  return status;
}

/* ---- walking (seed M, section 4.3.1.3) ----------------------------------------------------------------------------
 */

/* From triangle to nearer neighbour until none is nearer, or until the way gets long: the tree is then quicker. What
 * is found is a bound; there may be nearer places beyond a farther one. */
static double walk(const syn_surface *s, syn_vec3 point, uint32_t start) {
  syn_nearest best = {.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  surface_try(s, point, start < s->triangle_count ? start : 0, &best);
  for (int step = 0; step < LONGEST_WALK; ++step) {
    const uint32_t *neighbours = s->topology->triangle_neighbours[best.triangle], from = best.triangle;
    for (int c = 0; c < 3; ++c)
      if (neighbours[c] != SYN_NONE) surface_try(s, point, neighbours[c], &best);
    if (best.triangle == from) break;
  }
  return best.at.distance2;
}

/* ---- the field ----------------------------------------------------------------------------------------------------
 */

typedef struct field_job {
  const syn_surface *surface;
  const syn_distance_points *points;
  const syn_pose *pose;
  uint32_t *hints;
  syn_distance_value *values;
} field_job;

static void finish(const field_job *job, uint32_t index, syn_vec3 at, const syn_nearest *nearest) {
  const double distance = sqrt(nearest->at.distance2);
  const int side = job->surface->solid ? syn_surface_side(job->surface, at, nearest) : 1;
  job->values[index] = (syn_distance_value){side < 0 ? -distance : distance, nearest->at.point, nearest->triangle};
  if (job->hints) job->hints[index] = nearest->triangle;
}

/* What was nearest to the point before is a bound for its neighbour. */
static void field_range(void *user, size_t begin, size_t end) {
  const field_job *job = user;
  syn_nearest nearest = {.at = {.point = {INFINITY, 0, 0}}};
  for (size_t slot = begin; slot < end; ++slot) {
    const uint32_t index = job->points->order[slot];
    const syn_vec3 at = syn_pose_point(job->pose, job->points->points[index]);
    double bound2 = vec3_length2(vec3_sub(at, nearest.at.point));
    if (job->hints) bound2 = min2(bound2, walk(job->surface, at, job->hints[index]));
    job->surface->search(job->surface, at, bound2, &nearest);
    finish(job, index, at, &nearest);
  }
}

void syn_distance_field(const syn_surface *surface, const syn_distance_points *points, const syn_pose *pose,
                        uint32_t *hints, syn_distance_value *values) {
  field_job job = {surface, points, pose, hints, values};
  syn_parallel_for(surface->context, points->count, RANGE, field_range, &job);
}

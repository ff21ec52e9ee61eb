#include "collide/point_groups.h"

#include "base/memory.h"
#include "collide/triangle_order.h"

syn_status syn_point_groups_create(const syn_context *context, const syn_vec3 *points, uint32_t count,
                                   syn_point_groups *groups, syn_error *error) {
  *groups = (syn_point_groups){.point_count = count, .count = (count + SYN_POINT_GROUP - 1) / SYN_POINT_GROUP};
  SYN_TRY(SYN_NEW(context, &groups->order, count, error));
  SYN_TRY(SYN_NEW(context, &groups->start, (size_t)groups->count + 1, error));
  SYN_TRY(syn_point_order(context, points, count, SYN_POINT_GROUP, SYN_POINT_PART, groups->order, error));
  for (uint32_t g = 0; g <= groups->count; ++g) groups->start[g] = g < groups->count ? g * SYN_POINT_GROUP : count;
  SYN_TRY(SYN_NEW(context, &groups->boxes, groups->count, error));
  syn_point_groups_measure(groups, points);
  return SYN_OK;
}

void syn_point_groups_release(const syn_context *context, syn_point_groups *groups) {
  syn_free(context, groups->order);
  syn_free(context, groups->start);
  syn_free(context, groups->boxes);
}

/* ---- boxes ---------------------------------------------------------------------------------------------------------
 */

static syn_vec3 farthest_from(syn_vec3 from, const syn_vec3 *points, const uint32_t *order, uint32_t count) {
  syn_vec3 best = from;
  for (uint32_t i = 0; i < count; ++i)
    if (vec3_length2(vec3_sub(points[order[i]], from)) > vec3_length2(vec3_sub(best, from))) best = points[order[i]];
  return best;
}

/* Unit vector across the line from a along x to the point that is farthest from it; zero where all lie on it. */
static syn_vec3 farthest_across(syn_vec3 a, syn_vec3 x, const syn_vec3 *points, const uint32_t *order, uint32_t count) {
  syn_vec3 best = {0, 0, 0};
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 d = vec3_sub(points[order[i]], a), across = vec3_madd(d, -vec3_dot(d, x), x);
    if (vec3_length2(across) > vec3_length2(best)) best = across;
  }
  return vec3_unit(best);
}

/* x along the longest way through the group, y towards what lies farthest off it. */
static syn_mat3 frame_of(const syn_vec3 *points, const uint32_t *order, uint32_t count) {
  const syn_vec3 a = farthest_from(points[order[0]], points, order, count), b = farthest_from(a, points, order, count);
  const syn_vec3 x = vec3_unit(vec3_sub(b, a)), across = farthest_across(a, x, points, order, count);
  const syn_vec3 y = vec3_unit(vec3_madd(across, -vec3_dot(across, x), x)); /* what is left of x is rounding */
  if (vec3_length2(x) == 0 || vec3_length2(y) == 0) return (syn_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  return (syn_mat3){{x, y, vec3_cross(x, y)}};
}

static syn_turned_box box_along(const syn_mat3 *frame, const syn_vec3 *points, const uint32_t *order, uint32_t count) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < count; ++i) box_add(&box, mat3_apply(frame, vec3_sub(points[order[i]], points[order[0]])));
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5), half = vec3_sub(box.max, middle);
  const syn_mat3 back = mat3_transpose(frame);
  return (syn_turned_box){
      vec3_add(points[order[0]], mat3_apply(&back, middle)),
      {vec3_scale(frame->row[0], half.x), vec3_scale(frame->row[1], half.y), vec3_scale(frame->row[2], half.z)}};
}

static double area(const syn_turned_box *box) {
  const double x = vec3_length(box->half[0]), y = vec3_length(box->half[1]), z = vec3_length(box->half[2]);
  return x * y + y * z + z * x;
}

/* The smallest of a few boxes that are turned about the third axis. */
static syn_turned_box smallest_box(const syn_vec3 *points, const uint32_t *order, uint32_t count) {
  enum { TURNS = 8 };
  const syn_mat3 first = frame_of(points, order, count);
  syn_turned_box best = box_along(&first, points, order, count);
  for (int i = 1; i < TURNS; ++i) {
    const double c = cos(i * SYN_PI / 2 / TURNS), s = sin(i * SYN_PI / 2 / TURNS);
    const syn_mat3 frame = {{vec3_madd(vec3_scale(first.row[0], c), s, first.row[1]),
                             vec3_madd(vec3_scale(first.row[1], c), -s, first.row[0]), first.row[2]}};
    const syn_turned_box box = box_along(&frame, points, order, count);
    if (area(&box) < area(&best)) best = box;
  }
  return best;
}

void syn_point_groups_measure(syn_point_groups *groups, const syn_vec3 *points) {
  for (uint32_t g = 0; g < groups->count; ++g) {
    const uint32_t *order = groups->order + groups->start[g], count = groups->start[g + 1] - groups->start[g];
    groups->boxes[g] = smallest_box(points, order, count);
  }
}

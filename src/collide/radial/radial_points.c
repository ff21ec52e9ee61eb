/* Sorts vertices by their direction from the centre, so that consecutive queries meet the same cells and triangles. */
#include <math.h>

#include "base/vec.h"
#include "collide/radial/radial_field.h"

enum { BITS = 7, BUCKETS = 6 << (2 * BITS) };

/* Moves bit k to position 2 k. */
static uint32_t spread_bits(uint32_t x) {
  x = (x | x << 4) & 0x0f0f;
  x = (x | x << 2) & 0x3333;
  return (x | x << 1) & 0x5555;
}

static uint32_t step_along(double ratio) {
  const double half = 1 << (BITS - 1), most = (1 << BITS) - 1;
  return (uint32_t)max2(0, min2(half + half * ratio, most));
}

/* Returns the sort key: the side of a cube, then a space-filling curve on it. Any order is correct: angles would be
 * more even, but slower. */
static uint32_t bucket_of(syn_vec3 p) {
  const double x = fabs(p.x), y = fabs(p.y), z = fabs(p.z);
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const double along = vec3_at(p, axis);
  if (along == 0) return 0;
  const uint32_t side = 2 * (uint32_t)axis + (along < 0);
  return (side << (2 * BITS)) + spread_bits(step_along(vec3_at(p, (axis + 1) % 3) / along)) +
         2 * spread_bits(step_along(vec3_at(p, (axis + 2) % 3) / along));
}

static syn_status sort_points(const syn_vec3 *vertices, syn_vec3 center, radial_points *points, syn_error *error) {
  uint32_t *start, *bucket;
  SYN_TRY(SYN_NEW_ZEROED(points->context, &start, BUCKETS + 1, error));
  const syn_status status = SYN_NEW(points->context, &bucket, points->count, error);
  if (status == SYN_OK) {
    for (uint32_t v = 0; v < points->count; ++v) {
      bucket[v] = bucket_of(vec3_sub(vertices[v], center));
      ++start[bucket[v] + 1];
    }
    for (uint32_t b = 0; b < BUCKETS; ++b) start[b + 1] += start[b];
    for (uint32_t v = 0; v < points->count; ++v) points->order[start[bucket[v]]++] = v;
    syn_free(points->context, bucket);
  }
  syn_free(points->context, start);
  return status;
}

static syn_vec3 point_at(const radial_points *points, uint32_t i) {
  return vec3(points->x[i], points->y[i], points->z[i]);
}

static radial_ball ball_around(const radial_points *points, uint32_t begin, uint32_t end) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t i = begin; i < end; ++i) sum = vec3_add(sum, point_at(points, i));
  radial_ball ball = {vec3_scale(sum, 1.0 / (end - begin)), 0};
  double farthest = 0;
  for (uint32_t i = begin; i < end; ++i) {
    ball.radius = max2(ball.radius, vec3_distance(point_at(points, i), ball.middle));
    farthest = max2(farthest, vec3_length(point_at(points, i)));
  }
  ball.radius += 1e-9 * farthest;
  return ball;
}

static void set_balls(radial_points *points) {
  for (uint32_t begin = 0; begin < points->count; begin += RADIAL_BLOCK)
    points->balls[begin / RADIAL_BLOCK] =
        ball_around(points, begin, points->count - begin < RADIAL_BLOCK ? points->count : begin + RADIAL_BLOCK);
}

void syn_radial_points_move(radial_points *points, const syn_vec3 *vertices, syn_vec3 center) {
  for (uint32_t v = 0; v < points->count; ++v) points->given[v] = vec3_sub(vertices[v], center);
  for (uint32_t i = 0; i < points->count; ++i) {
    const syn_vec3 p = points->given[points->order[i]];
    points->x[i] = p.x;
    points->y[i] = p.y;
    points->z[i] = p.z;
  }
  set_balls(points);
}

static syn_status allocate_points(radial_points *points, syn_error *error) {
  const size_t padded = (size_t)points->count + RADIAL_PACKET;
  SYN_TRY(SYN_NEW_ZEROED(points->context, &points->x, padded, error));
  SYN_TRY(SYN_NEW_ZEROED(points->context, &points->y, padded, error));
  SYN_TRY(SYN_NEW_ZEROED(points->context, &points->z, padded, error));
  SYN_TRY(SYN_NEW(points->context, &points->given, points->count, error));
  SYN_TRY(SYN_NEW(points->context, &points->balls, points->count / RADIAL_BLOCK + 1, error));
  return SYN_NEW(points->context, &points->order, points->count, error);
}

syn_status syn_radial_points_create(const syn_context *context, const syn_vec3 *vertices, uint32_t count,
                                    syn_vec3 center, radial_points *points, syn_error *error) {
  *points = (radial_points){.context = context, .count = count};
  syn_status status = allocate_points(points, error);
  if (status == SYN_OK) status = sort_points(vertices, center, points, error);
  if (status == SYN_OK)
    syn_radial_points_move(points, vertices, center);
  else
    syn_radial_points_release(points);
  return status;
}

void syn_radial_points_release(radial_points *points) {
  syn_free(points->context, points->x);
  syn_free(points->context, points->y);
  syn_free(points->context, points->z);
  syn_free(points->context, points->given);
  syn_free(points->context, points->order);
  syn_free(points->context, points->balls);
  *points = (radial_points){.context = points->context};
}

syn_status syn_radial_points_like(const radial_points *all, radial_points *some, syn_error *error) {
  *some = (radial_points){.context = all->context, .count = all->count};
  const syn_status status = allocate_points(some, error);
  if (status != SYN_OK) syn_radial_points_release(some);
  return status;
}

void syn_radial_points_pick(const radial_points *all, bool (*wanted)(const void *user, uint32_t vertex),
                            const void *user, radial_points *some) {
  some->count = 0;
  for (uint32_t i = 0; i < all->count; ++i) {
    if (!wanted(user, all->order[i])) continue;
    some->x[some->count] = all->x[i];
    some->y[some->count] = all->y[i];
    some->z[some->count] = all->z[i];
    some->order[some->count++] = all->order[i];
  }
  set_balls(some);
}

#include "mesh/io/stl_weld.h"

#include <assert.h>
#include <string.h>

#include "base/vec.h"

/* Bits, not values: a NaN must find itself, or a file full of them would fill the table with copies. */
static bool same_bits(const void *points, uint32_t i, const void *point) {
  const syn_vec3 *a = (const syn_vec3 *)points + i, *b = point;
  return ((hash_bits(a->x) ^ hash_bits(b->x)) | (hash_bits(a->y) ^ hash_bits(b->y)) |
          (hash_bits(a->z) ^ hash_bits(b->z))) == 0;
}

/* Makes 2^bits free slots and enters the points that are there. The old table goes first: all is known from the points,
 * and two tables at once would be the peak of the memory. */
static syn_status make_point_table(syn_stl_weld *weld, unsigned bits, syn_error *error) {
  syn_stl_weld_release(weld);
  SYN_TRY(hash_table_create(weld->builder->context, bits, &weld->table, error));
  for (size_t i = 0; i < weld->builder->point_count; ++i)
    hash_table_put(&weld->table, hash_place(weld->builder->points[i]), (uint32_t)i);
  return SYN_OK;
}

static syn_status reserve_points(syn_stl_weld *weld, size_t capacity, syn_error *error) {
  syn_builder *b = weld->builder;
  SYN_TRY(syn_reallocate(b->context, (void **)&b->points, capacity, sizeof *b->points, error));
  b->point_capacity = capacity;
  return SYN_OK;
}

syn_status syn_stl_weld_start(syn_stl_weld *weld, syn_builder *builder, bool join, size_t expected, size_t most,
                              syn_error *error) {
  *weld = (syn_stl_weld){.builder = builder, .join = join, .most_points = 3 * most};
  const size_t points = join ? expected / 2 + 2 : 3 * expected;
  SYN_TRY(SYN_RESERVE(builder->context, &builder->triangles, 0, expected, &builder->triangle_capacity, error));
  SYN_TRY(reserve_points(weld, points, error));
  if (!join) return SYN_OK;
  const size_t batch = 3 * SYN_STL_WELD_BATCH; /* twice the slots must do for one more batch */
  return make_point_table(weld, hash_table_bits(points > batch ? points : batch), error);
}

/* Reserves space for a batch of points that may all be new, at a load of at most three quarters. */
static syn_status reserve_batch(syn_stl_weld *weld, size_t corners, syn_error *error) {
  syn_builder *b = weld->builder;
  const size_t needed = b->point_count + corners;
  if (needed >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "the file has more vertices than 32-bit indices can count");
  if (needed > b->point_capacity) {
    size_t capacity = b->point_capacity + b->point_capacity / 2;
    if (capacity > weld->most_points) capacity = weld->most_points;
    SYN_TRY(reserve_points(weld, capacity > needed ? capacity : needed, error));
  }
  if (weld->join && 4 * needed > (size_t)3 << weld->table.bits)
    return make_point_table(weld, weld->table.bits + 1, error);
  return SYN_OK;
}

static uint32_t find_or_add(syn_stl_weld *weld, const syn_vec3 *point, uint64_t hashed) {
  syn_builder *b = weld->builder;
  const uint32_t next = (uint32_t)b->point_count;
  const uint32_t found = hash_table_join(&weld->table, hashed, next, same_bits, b->points, point);
  if (found == next) b->points[b->point_count++] = *point;
  return found;
}

/* The numbers of the corners; all hashes first, so that the table's cache misses overlap. */
static void join_corners(syn_stl_weld *weld, const syn_vec3 *corners, size_t count, uint32_t *index) {
  uint64_t hashed[3 * SYN_STL_WELD_BATCH];
  for (size_t i = 0; i < count; ++i) {
    hashed[i] = hash_place(corners[i]);
    __builtin_prefetch(&weld->table.slots[hash_table_first(&weld->table, hashed[i])], 1);
  }
  for (size_t i = 0; i < count; ++i) index[i] = find_or_add(weld, &corners[i], hashed[i]);
}

syn_status syn_stl_weld_triangles(syn_stl_weld *weld, syn_vec3 (*triangles)[3], size_t count, syn_error *error) {
  assert(count <= SYN_STL_WELD_BATCH);
  syn_builder *b = weld->builder;
  syn_vec3 *corners = triangles[0];
  uint32_t index[3 * SYN_STL_WELD_BATCH];
  SYN_TRY(reserve_batch(weld, 3 * count, error));
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, b->triangle_count, count, &b->triangle_capacity, error));
  for (size_t i = 0; i < 3 * count; ++i) corners[i] = vec3_add(corners[i], vec3(0, 0, 0)); /* -0 + 0 is +0 */
  if (weld->join) {
    join_corners(weld, corners, 3 * count, index);
  } else {
    memcpy(b->points + b->point_count, corners, 3 * count * sizeof *corners);
    for (size_t i = 0; i < 3 * count; ++i) index[i] = (uint32_t)b->point_count++;
  }
  memcpy(b->triangles + b->triangle_count, index, count * sizeof *b->triangles);
  b->triangle_count += count;
  return SYN_OK;
}

void syn_stl_weld_release(syn_stl_weld *weld) {
  syn_free(weld->builder->context, weld->table.slots);
  weld->table.slots = NULL;
}

#include "mesh/io/weld.h"

#include <assert.h>
#include <string.h>

#include "base/vec.h"

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* One multiplication per coordinate and one to finish, so that the top bits see every bit of the input. */
static uint64_t hash(const syn_vec3 *point) {
  uint64_t mixed = bits_of(point->x) * 0x9e3779b97f4a7c15u;
  mixed = ((mixed ^ mixed >> 32) + bits_of(point->y)) * 0xbf58476d1ce4e5b9u;
  mixed = ((mixed ^ mixed >> 32) + bits_of(point->z)) * 0x94d049bb133111ebu;
  return (mixed ^ mixed >> 29) * 0x9e3779b97f4a7c15u;
}

/* Bits, not values: a NaN must find itself, or a file full of them would fill the table with copies. */
static bool same_bits(const syn_vec3 *a, const syn_vec3 *b) {
  return ((bits_of(a->x) ^ bits_of(b->x)) | (bits_of(a->y) ^ bits_of(b->y)) | (bits_of(a->z) ^ bits_of(b->z))) == 0;
}

/* The top bits of the hash number the slot, the low half is the tag. */
static size_t slot_count(const syn_weld *weld) { return (size_t)1 << weld->bits; }
static size_t first_slot(const syn_weld *weld, uint64_t hashed) { return (size_t)(hashed >> (64 - weld->bits)); }
static size_t next_slot(const syn_weld *weld, size_t slot) { return (slot + 1) & (slot_count(weld) - 1); }

/* Makes 2^bits free slots and enters the points that are there. The old table goes first: all is known from the points,
 * and two tables at once would be the peak of the memory. */
static syn_status make_table(syn_weld *weld, unsigned bits, syn_error *error) {
  syn_weld_slot *slots;
  syn_weld_release(weld);
  SYN_TRY(SYN_NEW(weld->builder->context, &slots, (size_t)1 << bits, error));
  memset(slots, 0xff, sizeof *slots << bits);
  weld->slots = slots;
  weld->bits = bits;
  for (size_t i = 0; i < weld->builder->point_count; ++i) {
    const uint64_t hashed = hash(&weld->builder->points[i]);
    size_t slot = first_slot(weld, hashed);
    while (slots[slot].point != SYN_NONE) slot = next_slot(weld, slot);
    slots[slot] = (syn_weld_slot){(uint32_t)hashed, (uint32_t)i};
  }
  return SYN_OK;
}

static syn_status reserve_points(syn_weld *weld, size_t capacity, syn_error *error) {
  syn_builder *b = weld->builder;
  SYN_TRY(syn_reallocate(b->context, (void **)&b->points, capacity, sizeof *b->points, error));
  b->point_capacity = capacity;
  return SYN_OK;
}

syn_status syn_weld_start(syn_weld *weld, syn_builder *builder, bool join, size_t expected, size_t most,
                          syn_error *error) {
  *weld = (syn_weld){.builder = builder, .join = join, .most_points = 3 * most};
  const size_t points = join ? expected / 2 + 2 : 3 * expected;
  SYN_TRY(SYN_RESERVE(builder->context, &builder->triangles, 0, expected, &builder->triangle_capacity, error));
  SYN_TRY(reserve_points(weld, points, error));
  if (!join) return SYN_OK;
  unsigned bits = 6;
  while ((size_t)1 << bits < 2 * points) ++bits;
  return make_table(weld, bits, error);
}

/* Room for a batch of points that may all be new, at a load of at most three quarters. */
static syn_status make_room(syn_weld *weld, size_t corners, syn_error *error) {
  syn_builder *b = weld->builder;
  const size_t needed = b->point_count + corners;
  if (needed >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "the file has more vertices than 32-bit indices can count");
  if (needed > b->point_capacity) {
    size_t capacity = b->point_capacity + b->point_capacity / 2;
    if (capacity > weld->most_points) capacity = weld->most_points;
    SYN_TRY(reserve_points(weld, capacity > needed ? capacity : needed, error));
  }
  if (weld->join && 4 * needed > 3 * slot_count(weld)) return make_table(weld, weld->bits + 1, error);
  return SYN_OK;
}

static uint32_t find_or_add(syn_weld *weld, const syn_vec3 *point, uint64_t hashed) {
  syn_builder *b = weld->builder;
  size_t slot = first_slot(weld, hashed);
  for (; weld->slots[slot].point != SYN_NONE; slot = next_slot(weld, slot)) {
    const syn_weld_slot *entry = &weld->slots[slot];
    if (entry->tag == (uint32_t)hashed && same_bits(&b->points[entry->point], point)) return entry->point;
  }
  weld->slots[slot] = (syn_weld_slot){(uint32_t)hashed, (uint32_t)b->point_count};
  b->points[b->point_count] = *point;
  return (uint32_t)b->point_count++;
}

/* The numbers of the corners; all hashes first, so that the table's cache misses overlap. */
static void join_corners(syn_weld *weld, const syn_vec3 *corners, size_t count, uint32_t *index) {
  uint64_t hashed[3 * SYN_WELD_BATCH];
  for (size_t i = 0; i < count; ++i) {
    hashed[i] = hash(&corners[i]);
    __builtin_prefetch(&weld->slots[first_slot(weld, hashed[i])], 1);
  }
  for (size_t i = 0; i < count; ++i) index[i] = find_or_add(weld, &corners[i], hashed[i]);
}

syn_status syn_weld_triangles(syn_weld *weld, syn_vec3 (*triangles)[3], size_t count, syn_error *error) {
  assert(count <= SYN_WELD_BATCH);
  syn_builder *b = weld->builder;
  syn_vec3 *corners = triangles[0];
  uint32_t index[3 * SYN_WELD_BATCH];
  SYN_TRY(make_room(weld, 3 * count, error));
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

void syn_weld_release(syn_weld *weld) {
  syn_free(weld->builder->context, weld->slots);
  weld->slots = NULL;
}

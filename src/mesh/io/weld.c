#include "mesh/io/weld.h"

#include <assert.h>
#include <string.h>

#include "base/vec.h"

/* One multiplication per coordinate; the top bits, which see every input bit, number the slot. */
static uint64_t hash(const syn_vec3 *point) {
  uint64_t bits[3];
  memcpy(bits, point, sizeof bits);
  uint64_t mixed = bits[0] * 0x9e3779b97f4a7c15u;
  mixed = ((mixed ^ mixed >> 32) + bits[1]) * 0xbf58476d1ce4e5b9u;
  mixed = ((mixed ^ mixed >> 32) + bits[2]) * 0x94d049bb133111ebu;
  return (mixed ^ mixed >> 29) * 0x9e3779b97f4a7c15u;
}

static size_t slot_count(const syn_weld *weld) { return (size_t)1 << weld->bits; }
static size_t first_slot(const syn_weld *weld, uint64_t hashed) { return (size_t)(hashed >> (64 - weld->bits)); }

/* Bits, not values: a NaN must find itself, or a file full of them would fill the table with copies. */
static bool same_bits(const syn_vec3 *a, const syn_vec3 *b) {
  uint64_t p[3], q[3];
  memcpy(p, a, sizeof p);
  memcpy(q, b, sizeof q);
  return ((p[0] ^ q[0]) | (p[1] ^ q[1]) | (p[2] ^ q[2])) == 0;
}

/* Makes 2^bits free slots and enters the points that are there. */
static syn_status make_table(syn_weld *weld, unsigned bits, syn_error *error) {
  uint32_t *slots;
  SYN_TRY(SYN_NEW(weld->builder->context, &slots, (size_t)1 << bits, error));
  memset(slots, 0xff, sizeof *slots << bits);
  syn_free(weld->builder->context, weld->slots);
  weld->slots = slots;
  weld->bits = bits;
  for (size_t i = 0; i < weld->builder->point_count; ++i) {
    size_t slot = first_slot(weld, hash(&weld->builder->points[i]));
    while (slots[slot] != SYN_NONE) slot = (slot + 1) & (slot_count(weld) - 1);
    slots[slot] = (uint32_t)i;
  }
  return SYN_OK;
}

syn_status syn_weld_start(syn_weld *weld, syn_builder *builder, bool join, size_t triangles, syn_error *error) {
  *weld = (syn_weld){.builder = builder, .join = join};
  const size_t points = join ? triangles / 2 + 2 : 3 * triangles;
  SYN_TRY(SYN_RESERVE(builder->context, &builder->triangles, 0, triangles, &builder->triangle_capacity, error));
  SYN_TRY(SYN_RESERVE(builder->context, &builder->points, 0, points, &builder->point_capacity, error));
  if (!join) return SYN_OK;
  unsigned bits = 6;
  while ((size_t)1 << bits < 2 * points) ++bits;
  return make_table(weld, bits, error);
}

/* Room for a batch of points that may all be new, at a load of at most two thirds. */
static syn_status make_room(syn_weld *weld, size_t corners, syn_error *error) {
  syn_builder *b = weld->builder;
  if (b->point_count + corners >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "the file has more vertices than 32-bit indices can count");
  SYN_TRY(SYN_RESERVE(b->context, &b->points, b->point_count, corners, &b->point_capacity, error));
  if (weld->join && (b->point_count + corners) * 3 > 2 * slot_count(weld))
    return make_table(weld, weld->bits + 1, error);
  return SYN_OK;
}

static uint32_t find_or_add(syn_weld *weld, const syn_vec3 *point, size_t slot) {
  syn_builder *b = weld->builder;
  const size_t mask = slot_count(weld) - 1;
  for (; weld->slots[slot] != SYN_NONE; slot = (slot + 1) & mask)
    if (same_bits(&b->points[weld->slots[slot]], point)) return weld->slots[slot];
  b->points[b->point_count] = *point;
  return weld->slots[slot] = (uint32_t)b->point_count++;
}

syn_status syn_weld_triangles(syn_weld *weld, syn_vec3 (*corners)[3], size_t count, syn_error *error) {
  assert(count <= SYN_WELD_BATCH);
  syn_builder *b = weld->builder;
  const size_t corner_count = 3 * count;
  syn_vec3 *corner = corners[0];
  size_t slot[3 * SYN_WELD_BATCH];
  uint32_t index[3 * SYN_WELD_BATCH];
  SYN_TRY(make_room(weld, corner_count, error));
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, b->triangle_count, count, &b->triangle_capacity, error));
  for (size_t i = 0; i < corner_count; ++i) corner[i] = vec3_add(corner[i], vec3(0, 0, 0)); /* -0 + 0 = +0 */
  if (weld->join) {
    for (size_t i = 0; i < corner_count; ++i) {
      slot[i] = first_slot(weld, hash(&corner[i]));
      __builtin_prefetch(&weld->slots[slot[i]]);
    }
    for (size_t i = 0; i < corner_count; ++i) index[i] = find_or_add(weld, &corner[i], slot[i]);
  } else {
    memcpy(b->points + b->point_count, corner, corner_count * sizeof *corner);
    for (size_t i = 0; i < corner_count; ++i) index[i] = (uint32_t)b->point_count++;
  }
  memcpy(b->triangles + b->triangle_count, index, count * sizeof *b->triangles);
  b->triangle_count += count;
  return SYN_OK;
}

void syn_weld_release(syn_weld *weld) {
  syn_free(weld->builder->context, weld->slots);
  weld->slots = NULL;
}

#include "collide/vertex_hash.h"

#include "base/memory.h"
#include "base/vec.h"

enum { MOST_CELLS = 1 << 21 }; /* along an axis: three numbers of 21 bits make a place */

typedef struct cell {
  uint32_t at[3];
} cell;

syn_status syn_vertex_hash_create(const syn_context *context, uint32_t vertex_count, vertex_hash *hash,
                                  syn_error *error) {
  *hash = (vertex_hash){.context = context, .vertex_count = vertex_count};
  if (vertex_count >= 1u << 30)
    return syn_fail(error, SYN_TOO_LARGE, "%u vertices are more than the 2^30 that can be hashed", vertex_count);
  size_t blocks = 2;
  while (blocks < 2 * (size_t)vertex_count) blocks *= 2; /* never more than half full */
  hash->mask = (uint32_t)(blocks - 1);
  SYN_TRY(SYN_NEW(context, &hash->next, vertex_count, error));
  const syn_status status = SYN_NEW_ZEROED(context, &hash->blocks, blocks, error);
  if (status != SYN_OK) syn_vertex_hash_release(hash);
  return status;
}

void syn_vertex_hash_release(vertex_hash *hash) {
  syn_free(hash->context, hash->next);
  syn_free(hash->context, hash->blocks);
  *hash = (vertex_hash){0};
}

/* Never falls as a coordinate grows, whatever is rounded or cut off, so that a vertex in a box is in one of its cells.
 */
static cell cell_of(const vertex_hash *hash, syn_vec3 point) {
  cell c;
  for (int k = 0; k < 3; ++k) {
    const double place = (vec3_at(point, k) - vec3_at(hash->box.min, k)) * hash->cells_per_mm;
    c.at[k] = !(place > 0) ? 0 : place < MOST_CELLS ? (uint32_t)place : MOST_CELLS - 1;
  }
  return c;
}

static uint64_t block_place(cell c) {
  return (uint64_t)(c.at[0] >> 1) << 42 | (uint64_t)(c.at[1] >> 1) << 21 | c.at[2] >> 1;
}
static uint32_t cell_in_block(cell c) { return (c.at[0] & 1) | (c.at[1] & 1) << 1 | (c.at[2] & 1) << 2; }

/* The block at this place, or a free one where it would be. */
static hash_block *find_block(const vertex_hash *hash, uint64_t place) {
  uint32_t slot = (uint32_t)((place * 0x9e3779b97f4a7c15u) >> 32) & hash->mask;
  while (hash->blocks[slot].stamp == hash->stamp && hash->blocks[slot].place != place) slot = (slot + 1) & hash->mask;
  return &hash->blocks[slot];
}

static void next_stamp(vertex_hash *hash) {
  if (++hash->stamp != 0) return;
  for (size_t i = 0; i <= hash->mask; ++i) hash->blocks[i].stamp = 0; /* once in four billion fillings */
  hash->stamp = 1;
}

void syn_vertex_hash_fill(vertex_hash *hash, const syn_vec3 *places, const bool *used, double cell_mm) {
  next_stamp(hash);
  hash->box = box_empty();
  for (uint32_t v = 0; v < hash->vertex_count; ++v)
    if (used[v]) box_add(&hash->box, places[v]);
  hash->cells_per_mm = cell_mm > 0 && isfinite(1 / cell_mm) ? 1 / cell_mm : 0;
  for (uint32_t v = 0; v < hash->vertex_count; ++v) {
    if (!used[v]) continue;
    const cell c = cell_of(hash, places[v]);
    hash_block *block = find_block(hash, block_place(c));
    if (block->stamp != hash->stamp) {
      block->stamp = hash->stamp;
      block->place = block_place(c);
      for (int i = 0; i < 8; ++i) block->first[i] = SYN_NONE;
    }
    uint32_t *first = &block->first[cell_in_block(c)];
    hash->next[v] = *first;
    *first = v;
  }
}

static bool visit_list(const vertex_hash *hash, uint32_t v, bool (*visit)(void *user, uint32_t vertex), void *user) {
  for (; v != SYN_NONE; v = hash->next[v])
    if (!visit(user, v)) return false;
  return true;
}

/* A box with more cells than there are blocks: looks at the blocks instead. */
static bool visit_blocks(const vertex_hash *hash, bool (*visit)(void *user, uint32_t vertex), void *user) {
  for (size_t i = 0; i <= hash->mask; ++i)
    for (int k = 0; hash->blocks[i].stamp == hash->stamp && k < 8; ++k)
      if (!visit_list(hash, hash->blocks[i].first[k], visit, user)) return false;
  return true;
}

bool syn_vertex_hash_visit(const vertex_hash *hash, const syn_box *box, bool (*visit)(void *user, uint32_t vertex),
                           void *user) {
  if (!box_overlap(&hash->box, box)) return true;
  const cell low = cell_of(hash, vec3_max(box->min, hash->box.min));
  const cell high = cell_of(hash, vec3_min(box->max, hash->box.max));
  double cells = 1;
  for (int k = 0; k < 3; ++k) cells *= (double)(high.at[k] - low.at[k]) + 1;
  if (cells > (double)hash->mask + 1) return visit_blocks(hash, visit, user);
  for (uint32_t z = low.at[2]; z <= high.at[2]; ++z)
    for (uint32_t y = low.at[1]; y <= high.at[1]; ++y)
      for (uint32_t x = low.at[0]; x <= high.at[0]; ++x) {
        const cell c = {{x, y, z}};
        const hash_block *block = find_block(hash, block_place(c));
        if (block->stamp == hash->stamp && !visit_list(hash, block->first[cell_in_block(c)], visit, user)) return false;
      }
  return true;
}

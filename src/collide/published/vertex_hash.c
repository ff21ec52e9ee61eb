#include "collide/published/vertex_hash.h"

#include "base/vec.h"

enum { MOST_CELLS = 1 << 21 }; /* along an axis: three numbers of 21 bits make a key */

typedef struct cell {
  uint32_t at[3];
} cell;

syn_status syn_vertex_hash_create(const syn_context *context, uint32_t vertex_count, vertex_hash *hash,
                                  syn_error *error) {
  *hash = (vertex_hash){.context = context, .vertex_count = vertex_count};
  if (vertex_count >= 1u << 30)
    return syn_fail(error, SYN_TOO_LARGE, "%u vertices are more than the 2^30 that can be hashed", vertex_count);
  SYN_TRY(SYN_NEW(context, &hash->next, vertex_count, error));
  syn_status status = SYN_NEW(context, &hash->blocks, vertex_count, error);
  if (status == SYN_OK) status = hash_table_create(context, hash_table_bits(vertex_count), &hash->table, error);
  if (status != SYN_OK) syn_vertex_hash_release(hash);
  return status;
}

void syn_vertex_hash_release(vertex_hash *hash) {
  syn_free(hash->context, hash->next);
  syn_free(hash->context, hash->blocks);
  syn_free(hash->context, hash->table.slots);
  *hash = (vertex_hash){0};
}

/* Returns the cell of a point. Monotonic in each coordinate despite rounding and clamping, so that a vertex in a box is
 * in one of the box's cells. */
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

static uint64_t hash_of(uint64_t place) { return hash_finish(hash_add(0, place)); }

static bool same_block(const void *blocks, uint32_t i, const void *place) {
  return ((const hash_block *)blocks)[i].place == *(const uint64_t *)place;
}

/* Returns the block at this position, or NULL if it is empty. */
static const hash_block *find_block(const vertex_hash *hash, uint64_t place) {
  const uint32_t found = hash_table_find(&hash->table, hash_of(place), same_block, hash->blocks, &place);
  return found == SYN_NONE ? NULL : &hash->blocks[found];
}

static hash_block *join_block(vertex_hash *hash, uint64_t place) {
  const uint32_t next = hash->block_count;
  const uint32_t found = hash_table_join(&hash->table, hash_of(place), next, same_block, hash->blocks, &place);
  if (found == next) {
    hash->blocks[hash->block_count++] = (hash_block){.place = place};
    for (int i = 0; i < 8; ++i) hash->blocks[next].first[i] = SYN_NONE;
  }
  return &hash->blocks[found];
}

void syn_vertex_hash_fill(vertex_hash *hash, const syn_vec3 *places, const bool *used, double cell_mm) {
  hash_table_clear(&hash->table);
  hash->block_count = 0;
  hash->box = box_empty();
  for (uint32_t v = 0; v < hash->vertex_count; ++v)
    if (used[v]) box_add(&hash->box, places[v]);
  hash->cells_per_mm = cell_mm > 0 && isfinite(1 / cell_mm) ? 1 / cell_mm : 0;
  for (uint32_t v = 0; v < hash->vertex_count; ++v) {
    if (!used[v]) continue;
    const cell c = cell_of(hash, places[v]);
    hash_block *block = join_block(hash, block_place(c));
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

/* Visits all blocks, for a box with more cells than the table has slots. */
static bool visit_blocks(const vertex_hash *hash, bool (*visit)(void *user, uint32_t vertex), void *user) {
  for (size_t i = 0; i < hash->block_count; ++i)
    for (int k = 0; k < 8; ++k)
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
  if (cells > (double)((size_t)1 << hash->table.bits)) return visit_blocks(hash, visit, user);
  for (uint32_t z = low.at[2]; z <= high.at[2]; ++z)
    for (uint32_t y = low.at[1]; y <= high.at[1]; ++y)
      for (uint32_t x = low.at[0]; x <= high.at[0]; ++x) {
        const cell c = {{x, y, z}};
        const hash_block *block = find_block(hash, block_place(c));
        if (block && !visit_list(hash, block->first[cell_in_block(c)], visit, user)) return false;
      }
  return true;
}

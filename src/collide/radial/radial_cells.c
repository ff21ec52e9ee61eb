/* Putting triangles into the cells that they touch: bins first, then heads. */
#include "collide/radial/radial_cells.h"

#include <string.h>

#include "collide/radial/radial_sorting.h"
#include "collide/radial/radial_wall.h"

/* ---- bins -------------------------------------------------------------------------------------------------------- */

enum { LINKS_MOST = 1 << 29 }; /* the lists, with a few numbers more per cell, can still be addressed */

static void add_to_bin(void *user, uint32_t cell, uint32_t inside) {
  radial_sorting *s = user;
  radial_bin *b = &s->bins[cell];
  uint8_t *tile = &s->tiles[cell >> RADIAL_CELL_BITS];
  if (*tile == RADIAL_TILE_KEPT) return;
  if (*tile == RADIAL_TILE_EMPTY) {
    *tile = RADIAL_TILE_USED;
    memset(&s->bins[cell & ~(uint32_t)(RADIAL_TILE_CELLS - 1)], 0xff, RADIAL_TILE_CELLS * sizeof *s->bins);
  }
  const radial_entry e = s->triangle << RADIAL_INSIDE_BITS | inside;
  if (b->first == SYN_NONE)
    b->first = e;
  else if (b->second == SYN_NONE)
    b->second = e;
  else if (s->link_count == s->link_capacity &&
           SYN_RESERVE(s->table->context, &s->links, s->link_count, 1, &s->link_capacity, NULL) != SYN_OK)
    s->failed = true;
  else {
    s->links[s->link_count] = (radial_link){e, b->chain};
    b->chain = (uint32_t)s->link_count++;
  }
}

static syn_status fill_bins(radial_sorting *s, radial_kind kind, syn_error *error) {
  const radial_table *table = s->table;
  const radial_grid *grid = radial_grid_of(table, kind);
  s->link_count = 0;
  for (uint32_t t = 0; t < table->count; ++t) {
    if (table->kinds[t] != kind || (s->wanted && !s->wanted[t])) continue;
    const radial_cone cone = syn_radial_cone_of_triangle(table, t);
    s->triangle = t;
    syn_radial_cover(grid, &cone, add_to_bin, s);
    if (s->failed) return syn_fail_memory(error, s->link_capacity * sizeof *s->links);
    if (s->link_count > LINKS_MOST)
      return syn_fail(error, SYN_TOO_LARGE,
                      "the radial table of %u cells would list its triangles more than %d times; ask for fewer cells",
                      syn_radial_cell_count(grid), LINKS_MOST);
  }
  return SYN_OK;
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

syn_status syn_radial_add_list(radial_sorting *s, uint32_t count, uint32_t *offset, syn_error *error) {
  radial_cells *cells = s->cells;
  const uint32_t room = (count + RADIAL_LIST_STEP - 1) / RADIAL_LIST_STEP * RADIAL_LIST_STEP;
  SYN_TRY(SYN_RESERVE(s->table->context, &cells->lists, cells->list_count, (size_t)room + 1, &s->list_capacity, error));
  *offset = (uint32_t)cells->list_count;
  cells->list_count += (size_t)room + 1;
  for (uint32_t i = count; i < room; ++i) cells->lists[*offset + 1 + i] = s->table->count;
  return SYN_OK;
}

/* The chain gives its triangles last to first. */
static syn_status list_bin(radial_sorting *s, const radial_bin *b, uint32_t *head, syn_error *error) {
  uint32_t count = b->second == SYN_NONE ? 1 : 2, at, offset;
  for (at = b->chain; at != SYN_NONE; at = s->links[at].before) ++count;
  SYN_TRY(syn_radial_add_list(s, count, &offset, error));
  uint32_t *list = s->cells->lists + offset;
  *list++ = count | RADIAL_EACH;
  for (at = b->chain; at != SYN_NONE; at = s->links[at].before) list[--count] = s->links[at].e >> RADIAL_INSIDE_BITS;
  list[0] = b->first >> RADIAL_INSIDE_BITS;
  if (b->second != SYN_NONE) list[1] = b->second >> RADIAL_INSIDE_BITS;
  *head = RADIAL_LISTED | offset;
  return SYN_OK;
}

static syn_status head_of(radial_sorting *s, const radial_bin *b, radial_kind kind, uint32_t base, uint32_t *head,
                          syn_error *error) {
  *head = RADIAL_EMPTY;
  if (b->first == SYN_NONE) return SYN_OK;
  if (kind == RADIAL_WALL) SYN_TRY(syn_radial_short_head(s, b, base, head, error)); /* backs are rarely needed */
  return *head == RADIAL_EMPTY ? list_bin(s, b, head, error) : SYN_OK;
}

/* The first triangle of all cells, of which every other is counted from. */
static uint32_t base_of(const radial_bin bins[RADIAL_TILE_CELLS]) {
  uint32_t base = SYN_NONE;
  for (uint32_t c = 0; c < RADIAL_TILE_CELLS; ++c) /* entries come in ascending order */
    if (bins[c].first < base) base = bins[c].first;
  return base >> RADIAL_INSIDE_BITS;
}

/* Neighbours often hold the same, and then what was found for one is true of the other. */
static bool same_pair(const radial_bin *a, const radial_bin *b) {
  return a->first == b->first && a->second == b->second && a->chain == SYN_NONE && b->chain == SYN_NONE;
}

static syn_status fill_tile(radial_sorting *s, radial_kind kind, uint32_t tile, syn_error *error) {
  const uint32_t first = tile << RADIAL_CELL_BITS;
  uint32_t *heads = s->cells->heads + first, *base = &s->cells->bases[tile];
  switch ((radial_tile)s->tiles[tile]) {
  case RADIAL_TILE_KEPT:
    memcpy(heads, radial_cells_of(s->previous, kind)->heads + first, RADIAL_TILE_CELLS * sizeof *heads);
    *base = radial_cells_of(s->previous, kind)->bases[tile];
    break;
  case RADIAL_TILE_EMPTY:
    for (uint32_t c = 0; c < RADIAL_TILE_CELLS; ++c) heads[c] = RADIAL_EMPTY;
    *base = 0;
    break;
  case RADIAL_TILE_USED:
    *base = base_of(s->bins + first);
    for (uint32_t c = 0; c < RADIAL_TILE_CELLS; ++c)
      if (c > 0 && same_pair(&s->bins[first + c], &s->bins[first + c - 1]))
        heads[c] = heads[c - 1];
      else
        SYN_TRY(head_of(s, &s->bins[first + c], kind, *base, &heads[c], error));
    break;
  }
  return SYN_OK;
}

/* Cells that are kept find their lists where they were. */
static syn_status keep_lists(radial_sorting *s, radial_kind kind, syn_error *error) {
  const radial_cells *previous = radial_cells_of(s->previous, kind);
  SYN_TRY(SYN_RESERVE(s->table->context, &s->cells->lists, 0, previous->list_count + 1, &s->list_capacity, error));
  if (previous->list_count > 0)
    memcpy(s->cells->lists, previous->lists, previous->list_count * sizeof *previous->lists);
  s->cells->list_count = previous->list_count;
  return SYN_OK;
}

static syn_status fill_heads(radial_sorting *s, radial_kind kind, uint32_t tiles, syn_error *error) {
  const syn_context *context = s->table->context;
  SYN_TRY(SYN_NEW(context, &s->cells->heads, ((size_t)tiles << RADIAL_CELL_BITS) + 1, error));
  SYN_TRY(SYN_NEW(context, &s->cells->bases, (size_t)tiles + 1, error));
  s->cells->heads[(size_t)tiles << RADIAL_CELL_BITS] = RADIAL_EMPTY;
  s->cells->bases[tiles] = 0;
  if (s->previous) SYN_TRY(keep_lists(s, kind, error));
  for (uint32_t tile = 0; tile < tiles; ++tile) SYN_TRY(fill_tile(s, kind, tile, error));
  s->cells->fresh_count = s->previous ? radial_cells_of(s->previous, kind)->fresh_count : s->cells->list_count;
  return SYN_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status fill_kind(radial_sorting *s, radial_kind kind, radial_cells *cells, syn_error *error) {
  const syn_context *context = s->table->context;
  const uint32_t count = syn_radial_cell_count(radial_grid_of(s->table, kind)), tiles = count >> RADIAL_CELL_BITS;
  s->cells = cells;
  s->list_capacity = 0;
  syn_status status = SYN_NEW(context, &s->bins, count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &s->tiles, tiles, error);
  if (status == SYN_OK) {
    memset(s->tiles, s->previous ? RADIAL_TILE_KEPT : RADIAL_TILE_EMPTY, tiles * sizeof *s->tiles);
    if (s->previous) syn_radial_mark_tiles(s, kind);
    status = fill_bins(s, kind, error);
  }
  if (status == SYN_OK) status = fill_heads(s, kind, tiles, error);
  syn_free(context, s->bins);
  syn_free(context, s->tiles);
  s->bins = NULL;
  s->tiles = NULL;
  return status;
}

static syn_status fill_all(radial_sorting *s, syn_error *error) {
  radial_table *table = s->table;
  if (table->count > UINT32_MAX >> (RADIAL_INSIDE_BITS + 1))
    return syn_fail(error, SYN_TOO_LARGE, "%u triangles are too many for a radial table", table->count);
  if (s->previous) SYN_TRY(SYN_NEW(table->context, &s->wanted, table->count, error));
  SYN_TRY(syn_radial_begin_heads(s, error));
  SYN_TRY(fill_kind(s, RADIAL_WALL, &table->walls, error));
  return fill_kind(s, RADIAL_BACK, &table->backs, error);
}

syn_status syn_radial_fill_cells(radial_table *table, const radial_table *previous, const bool *touched,
                                 syn_error *error) {
  radial_sorting s = {.table = table, .previous = previous, .touched = touched};
  const syn_status status = fill_all(&s, error);
  syn_free(table->context, s.wanted);
  syn_free(table->context, s.links);
  syn_free(table->context, s.walls_at);
  syn_free(table->context, s.walls_start);
  return status;
}

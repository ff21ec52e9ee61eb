/* Putting triangles into the cells that they touch: bins first, then heads. */
#include "collide/radial_cells.h"

#include <string.h>

#include "collide/radial_sorting.h"

/* ---- bins -------------------------------------------------------------------------------------------------------- */

enum { LINKS_MOST = 1 << 30 }; /* the lists, with a few numbers more per cell, can still be addressed */

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
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t) {
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

/* Room for a list of so many triangles, filled up with a number that nothing hits. */
static syn_status add_list(radial_sorting *s, uint32_t count, uint32_t *head, uint32_t **list, syn_error *error) {
  const uint32_t room = (count + RADIAL_LIST_STEP - 1) / RADIAL_LIST_STEP * RADIAL_LIST_STEP;
  SYN_TRY(SYN_RESERVE(s->table->context, &s->lists, s->list_count, (size_t)room + 1, &s->list_capacity, error));
  *list = s->lists + s->list_count;
  *head = RADIAL_LISTED | (uint32_t)s->list_count;
  s->list_count += (size_t)room + 1;
  *(*list)++ = count;
  for (uint32_t i = count; i < room; ++i) (*list)[i] = s->table->mesh->triangle_count;
  return SYN_OK;
}

/* The chain gives its triangles last to first. */
static syn_status list_bin(radial_sorting *s, const radial_bin *b, uint32_t *head, syn_error *error) {
  uint32_t count = b->second == SYN_NONE ? 1 : 2, at, *list;
  for (at = b->chain; at != SYN_NONE; at = s->links[at].before) ++count;
  SYN_TRY(add_list(s, count, head, &list, error));
  for (at = b->chain; at != SYN_NONE; at = s->links[at].before) list[--count] = s->links[at].e >> RADIAL_INSIDE_BITS;
  list[0] = b->first >> RADIAL_INSIDE_BITS;
  if (b->second != SYN_NONE) list[1] = b->second >> RADIAL_INSIDE_BITS;
  return SYN_OK;
}

static syn_status head_of(radial_sorting *s, const radial_bin *b, radial_kind kind, uint32_t *head, syn_error *error) {
  *head = RADIAL_NO_CUT;
  if (b->first == SYN_NONE) return SYN_OK;
  *head = RADIAL_LISTED;
  if (kind == RADIAL_WALL) SYN_TRY(syn_radial_cut_or_fan(s, b, head, error)); /* few ask for backs */
  return *head == RADIAL_LISTED ? list_bin(s, b, head, error) : SYN_OK;
}

/* As it was, but for the place of its list. */
static syn_status keep_head(radial_sorting *s, const radial_cells *cells, uint32_t cell, uint32_t *head,
                            syn_error *error) {
  uint32_t *list;
  *head = cells->heads[cell];
  if ((*head & RADIAL_FANNED) != RADIAL_LISTED) return SYN_OK;
  const radial_members members = syn_radial_members(s->previous, cells, cell);
  SYN_TRY(add_list(s, members.count, head, &list, error));
  memcpy(list, members.triangle, members.count * sizeof *list);
  return SYN_OK;
}

static syn_status fill_heads(radial_sorting *s, radial_kind kind, uint32_t count, uint32_t *heads, syn_error *error) {
  heads[count] = RADIAL_NO_CUT;
  for (uint32_t c = 0; c < count; ++c) {
    const radial_tile tile = s->tiles[c >> RADIAL_CELL_BITS];
    if (tile == RADIAL_TILE_USED)
      SYN_TRY(head_of(s, &s->bins[c], kind, &heads[c], error));
    else if (tile == RADIAL_TILE_KEPT)
      SYN_TRY(keep_head(s, radial_cells_of(s->previous, kind), c, &heads[c], error));
    else
      heads[c] = RADIAL_NO_CUT;
  }
  return SYN_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status fill_kind(radial_sorting *s, radial_kind kind, radial_cells *cells, syn_error *error) {
  const syn_context *context = s->table->context;
  const uint32_t count = syn_radial_cell_count(radial_grid_of(s->table, kind)), tiles = count >> RADIAL_CELL_BITS;
  syn_status status = SYN_NEW(context, &s->bins, count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &s->tiles, tiles, error);
  if (status == SYN_OK) {
    memset(s->tiles, s->previous ? RADIAL_TILE_KEPT : RADIAL_TILE_EMPTY, tiles * sizeof *s->tiles);
    if (s->previous) syn_radial_mark_tiles(s, kind);
    status = fill_bins(s, kind, error);
  }
  if (status == SYN_OK) status = SYN_NEW(context, &cells->heads, (size_t)count + 1, error);
  if (status == SYN_OK) status = fill_heads(s, kind, count, cells->heads, error);
  cells->lists = s->lists;
  syn_free(context, s->bins);
  syn_free(context, s->tiles);
  s->bins = NULL;
  s->tiles = NULL;
  s->lists = NULL;
  s->list_count = s->list_capacity = 0;
  return status;
}

static syn_status fill_all(radial_sorting *s, syn_error *error) {
  radial_table *table = s->table;
  const uint32_t triangles = table->mesh->triangle_count;
  void *lines;
  if (triangles > UINT32_MAX >> (RADIAL_INSIDE_BITS + 1))
    return syn_fail(error, SYN_TOO_LARGE, "%u triangles are too many for a radial table", triangles);
  if (s->previous) SYN_TRY(SYN_NEW(table->context, &s->wanted, triangles, error));
  SYN_TRY(syn_radial_begin_cuts(s, error));
  SYN_TRY(fill_kind(s, RADIAL_WALL, &table->walls, error));
  SYN_TRY(fill_kind(s, RADIAL_BACK, &table->backs, error));
  SYN_TRY(syn_radial_allocate_lines(table->context, table->cut_count, &table->cut_block, &lines, error));
  table->cuts = lines;
  SYN_TRY(syn_radial_allocate_lines(table->context, (size_t)2 * table->fan_count, &table->fan_block, &lines, error));
  table->fans = lines;
  syn_radial_fill_cuts_and_fans(table);
  return SYN_OK;
}

syn_status syn_radial_fill_cells(radial_table *table, const radial_table *previous, const bool *touched,
                                 syn_error *error) {
  radial_sorting s = {.table = table, .previous = previous, .touched = touched};
  const syn_status status = fill_all(&s, error);
  syn_free(table->context, s.wanted);
  syn_free(table->context, s.links);
  syn_free(table->context, s.cut_of);
  syn_free(table->context, s.walls_at);
  syn_free(table->context, s.walls_start);
  syn_free(table->context, s.fan_of);
  return status;
}

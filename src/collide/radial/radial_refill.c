/* After a deformation: which tiles of cells must be made again. Those that a triangle near the change touched before or
 * touches now; all others stay, with their lists. */
#include <string.h>

#include "collide/radial/radial_sorting.h"
#include "collide/radial/radial_wall.h"

/* A triangle that ends in a vertex of a changed one may share a cell's head or a ring with that. */
static bool is_affected(const radial_sorting *s, uint32_t triangle) {
  const uint32_t *v = s->table->triangles[triangle].v;
  return s->touched[v[0]] || s->touched[v[1]] || s->touched[v[2]];
}

static void mark_tile(void *user, uint32_t cell, uint32_t inside) {
  radial_sorting *s = user;
  (void)inside;
  s->tiles[cell >> RADIAL_CELL_BITS] = RADIAL_TILE_EMPTY;
}

static void mark_tiles_of(radial_sorting *s, const radial_table *table, uint32_t triangle, radial_kind kind) {
  if (table->kinds[triangle] != kind) return;
  const radial_cone cone = syn_radial_cone_of_triangle(table, triangle);
  syn_radial_cover(radial_grid_of(table, kind), &cone, mark_tile, s);
}

/* Whatever was in the cells of the tile may still be. */
static void want_triangles_of(radial_sorting *s, const radial_cells *cells, uint32_t tile) {
  const uint32_t begin = tile << RADIAL_CELL_BITS;
  for (uint32_t cell = begin; cell < begin + RADIAL_TILE_CELLS; ++cell) {
    const radial_members members = syn_radial_members(cells, cell);
    for (uint32_t i = 0; i < members.count; ++i) s->wanted[radial_member(&members, i)] = true;
  }
}

void syn_radial_mark_tiles(radial_sorting *s, radial_kind kind) {
  const uint32_t tiles = syn_radial_cell_count(radial_grid_of(s->table, kind)) >> RADIAL_CELL_BITS;
  for (uint32_t t = 0; t < s->table->count; ++t) {
    s->wanted[t] = is_affected(s, t);
    if (!s->wanted[t]) continue;
    mark_tiles_of(s, s->previous, t, kind);
    mark_tiles_of(s, s->table, t, kind);
  }
  for (uint32_t tile = 0; tile < tiles; ++tile)
    if (s->tiles[tile] == RADIAL_TILE_EMPTY) want_triangles_of(s, radial_cells_of(s->previous, kind), tile);
}

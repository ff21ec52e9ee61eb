/* Sorts triangles into the cells that they touch: bins first, then heads. */
#include "collide/radial/radial_cells.h"
#include "base/parallel.h"
#include "collide/radial/radial_sorting.h"
#include "collide/radial/radial_wall.h"

#include <string.h>

/* Computes depths by neighbouring cells (Arbabi 2009, §3.3.4.1): the table is not updated. A ray searches its cell and
 * the cells around it, which finds triangles that a deformation moved to a neighbouring cell. A triangle that moves
 * farther is missed, and one that now faces away from the centre still counts as a wall: an approximation, as an
 * alternative to the exact update. */
typedef struct ray {
  const radial_around *around;
  const radial_table *table;
  syn_vec3 point, unit;
  double radius;
  radial_layers at;
} ray;

/* Adds the triangles of a cell at their current positions; the cell is that of the original table. */
static void add_cell(ray *r, const radial_cells *cells, uint32_t cell, bool walls) {
  const radial_table *table = r->table;
  const radial_members members = syn_radial_members(cells, cell);
  for (uint32_t i = 0; i < members.count; ++i) {
    const uint32_t t = radial_member(&members, i);
    if (table->kinds[t] == RADIAL_NEVER) continue;
    const uint32_t *v = table->triangles[t].v;
    const syn_vec3 corners[3] = {r->around->now[v[0]], r->around->now[v[1]], r->around->now[v[2]]};
    if (!syn_radial_sees(corners, r->point)) continue;
    const double ratio = (table->outside ? r->radius : -r->radius) * syn_radial_toward(corners, r->unit);
    if (walls)
      radial_add_wall(&r->at, ratio, table->names[t]);
    else
      radial_add_back(&r->at, ratio);
  }
}

/* Adds the cell of the ray and `neighbours` cells to each side: those of directions one cell width apart. */
static void add_cells(ray *r, const radial_grid *grid, const radial_cells *cells, bool walls) {
  const syn_vec3 across = vec3_any_normal(r->unit), along = vec3_cross(r->unit, across);
  const double width = 1 / max2(grid->scale1, grid->scale2);
  const int n = (int)r->around->neighbours;
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j) {
      const syn_vec3 aside = vec3_madd(vec3_scale(across, i * width), j * width, along);
      add_cell(r, cells, syn_radial_find_cell(grid, vec3_add(r->unit, aside)), walls);
    }
}

static radial_hit depth_of(const radial_field *field, const radial_around *around, syn_vec3 point) {
  const radial_table *table = field->table;
  const double radius = vec3_length(point);
  if (!radial_has_direction(radius)) return (radial_hit){-INFINITY, SYN_NONE};
  ray r = {around, table,
           point,  vec3_scale(point, 1 / radius),
           radius, radial_no_layers(table->outside, table->use_normals)};
  add_cells(&r, &table->grid, &table->walls, true);
  if (r.at.passed < HUGE_VAL) add_cells(&r, &table->back_grid, &table->backs, false);
  return radial_depth_of(&r.at, table->outside, radius);
}

typedef struct all_points {
  const radial_field *field;
  const radial_around *around;
} all_points;

static void find_point_neighbours(void *user, size_t begin, size_t end) {
  const all_points *all = user;
  const radial_field *field = all->field;
  for (size_t v = begin; v < end; ++v) {
    const radial_hit hit = depth_of(field, all->around, radial_place(field, field->points->given[v]));
    field->depth[v] = hit.depth;
    if (field->triangle) field->triangle[v] = hit.triangle;
  }
}

radial_deepest syn_radial_around_compute(const radial_field *field, const radial_around *around) {
  all_points all = {field, around};
  syn_parallel_for(field->table->context, field->points->count, 256, find_point_neighbours, &all);
  return syn_radial_find_deepest(field->depth, field->points->count);
}

void syn_radial_around_move(radial_around *around, const syn_vec3 *vertices, uint32_t count, syn_vec3 center) {
  for (uint32_t v = 0; v < count; ++v) around->now[v] = vec3_sub(vertices[v], center);
}

/* ---- bins -------------------------------------------------------------------------------------------------------- */

enum { LINKS_MOST = 1 << 29 }; /* the lists, with a few more numbers per cell, can still be addressed */

static void add_to_bin(void *user, uint32_t cell, uint32_t inside) {
  radial_sorting *s = user;
  radial_bin *b = &s->bins[cell];
  uint8_t *tile = &s->tiles[cell >> RADIAL_CELL_BITS];
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
    if (table->kinds[t] != kind) continue;
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
  SYN_TRY(
      SYN_RESERVE(s->table->context, &cells->lists, cells->list_count, (size_t)room + 1, &cells->list_capacity, error));
  *offset = (uint32_t)cells->list_count;
  cells->list_count += (size_t)room + 1;
  for (uint32_t i = count; i < room; ++i) cells->lists[*offset + 1 + i] = s->table->count;
  return SYN_OK;
}

/* Writes the list of a bin. The chain has its triangles in reverse order. */
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

static syn_status head_of(radial_sorting *s, radial_kind kind, uint32_t cell, uint32_t base, uint32_t *head,
                          syn_error *error) {
  const radial_bin *b = &s->bins[cell];
  *head = RADIAL_EMPTY;
  if (b->first == SYN_NONE) return SYN_OK;
  if (kind == RADIAL_WALL) SYN_TRY(syn_radial_short_head(s, b, cell, base, head, error)); /* backs are rarely needed */
  return *head == RADIAL_EMPTY ? list_bin(s, b, head, error) : SYN_OK;
}

/* Returns the base of a tile: the first triangle of all its cells, from which the others are counted. */
static uint32_t base_of(const radial_bin bins[RADIAL_TILE_CELLS]) {
  uint32_t base = SYN_NONE;
  for (uint32_t c = 0; c < RADIAL_TILE_CELLS; ++c) /* entries are in ascending order */
    if (bins[c].first < base) base = bins[c].first;
  return base >> RADIAL_INSIDE_BITS;
}

/* Returns whether two bins hold the same pair. Neighbours in a row often do, and then share the result: both are in a
 * ring, or neither. */
static bool same_pair(const radial_bin *a, const radial_bin *b) {
  return a->first == b->first && a->second == b->second && a->chain == SYN_NONE && b->chain == SYN_NONE;
}

static syn_status fill_tile(radial_sorting *s, radial_kind kind, uint32_t tile, uint32_t *heads, uint32_t *base,
                            syn_error *error) {
  const radial_bin *bins = s->bins + ((size_t)tile << RADIAL_CELL_BITS);
  if (s->tiles[tile] == RADIAL_TILE_EMPTY) {
    for (uint32_t c = 0; c < RADIAL_TILE_CELLS; ++c) heads[c] = RADIAL_EMPTY;
    *base = 0;
    return SYN_OK;
  }
  *base = base_of(bins);
  for (uint32_t c = 0; c < RADIAL_TILE_CELLS; ++c)
    if (c % RADIAL_TILE > 0 && same_pair(&bins[c], &bins[c - 1]))
      heads[c] = heads[c - 1];
    else
      SYN_TRY(head_of(s, kind, (tile << RADIAL_CELL_BITS) + c, *base, &heads[c], error));
  return SYN_OK;
}

static syn_status fill_heads(radial_sorting *s, radial_kind kind, uint32_t tiles, syn_error *error) {
  const syn_context *context = s->table->context;
  radial_cells *cells = s->cells;
  SYN_TRY(SYN_NEW(context, &cells->heads, ((size_t)tiles << RADIAL_CELL_BITS) + 1, error));
  SYN_TRY(SYN_NEW(context, &cells->bases, (size_t)tiles + 1, error));
  cells->heads[(size_t)tiles << RADIAL_CELL_BITS] = RADIAL_EMPTY;
  cells->bases[tiles] = 0;
  for (uint32_t tile = 0; tile < tiles; ++tile)
    SYN_TRY(fill_tile(s, kind, tile, cells->heads + ((size_t)tile << RADIAL_CELL_BITS), &cells->bases[tile], error));
  cells->fresh_count = cells->list_count;
  return SYN_OK;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status fill_kind(radial_sorting *s, radial_kind kind, radial_cells *cells, syn_error *error) {
  const syn_context *context = s->table->context;
  const uint32_t count = syn_radial_cell_count(radial_grid_of(s->table, kind)), tiles = count >> RADIAL_CELL_BITS;
  s->cells = cells;
  syn_status status = SYN_NEW(context, &s->bins, count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &s->tiles, tiles, error);
  if (status == SYN_OK) {
    memset(s->tiles, RADIAL_TILE_EMPTY, tiles * sizeof *s->tiles);
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
  SYN_TRY(syn_radial_find_neighbours(table, RADIAL_WALL, &s->at, error));
  SYN_TRY(SYN_NEW(table->context, &table->ring_of, table->mesh->vertex_count, error));
  for (uint32_t v = 0; v < table->mesh->vertex_count; ++v) table->ring_of[v] = RADIAL_NOT_TRIED;
  SYN_TRY(fill_kind(s, RADIAL_WALL, &table->walls, error));
  return fill_kind(s, RADIAL_BACK, &table->backs, error);
}

syn_status syn_radial_fill_cells(radial_table *table, syn_error *error) {
  radial_sorting s = {.table = table};
  const syn_status status = fill_all(&s, error);
  syn_free(table->context, s.links);
  syn_radial_forget_neighbours(table->context, &s.at);
  return status;
}

/* Makes the heads of cells whose rays certainly hit one of two triangles, or one of those around a vertex. */
#include <string.h>

#include "collide/radial/radial_cells.h"
#include "collide/radial/radial_sorting.h"
#include "collide/radial/radial_wall.h"

/* ---- one or two triangles ---------------------------------------------------------------------------------------- */

/* Returns the only plane that does not have the whole cell inside, or SYN_NONE. */
static uint32_t open_edge(radial_entry e) {
  switch (e & RADIAL_INSIDE_ALL) {
  case 6: return 0;
  case 5: return 1;
  case 3: return 2;
  default: return SYN_NONE;
  }
}

/* Returns whether every ray into the cell hits one of its two triangles. */
static bool covers_cell(const radial_table *table, radial_entry a, radial_entry b) {
  const uint32_t edge_a = open_edge(a), edge_b = open_edge(b);
  return edge_a != SYN_NONE && edge_b != SYN_NONE &&
         syn_radial_share_edge(table, a >> RADIAL_INSIDE_BITS, edge_a, b >> RADIAL_INSIDE_BITS, edge_b);
}

static uint32_t pair_head(const radial_table *table, uint32_t a, uint32_t b, uint32_t base) {
  if (a - base >= RADIAL_LOCAL || b - base >= RADIAL_LOCAL) return RADIAL_EMPTY; /* too far apart for one head */
  if (!radial_is_precise(table, a) || !radial_is_precise(table, b)) return RADIAL_EMPTY;
  const uint32_t rule = a != b && syn_radial_bend(table, a, b) < 0 ? RADIAL_LEAST : 0;
  return (a - base) | (b - base) << RADIAL_LOCAL_BITS | rule;
}

/* ---- rings ------------------------------------------------------------------------------------------------------- */

static inline bool is_listed(const radial_table *table, uint32_t triangle, radial_kind kind) {
  return kind == RADIAL_NEVER || table->kinds[triangle] == kind;
}

syn_status syn_radial_find_neighbours(const radial_table *table, radial_kind kind, radial_at *at, syn_error *error) {
  const uint32_t vertices = table->mesh->vertex_count;
  SYN_TRY(SYN_NEW_ZEROED(table->context, &at->start, (size_t)vertices + 1, error));
  for (uint32_t t = 0; t < table->count; ++t) {
    if (!is_listed(table, t, kind)) continue;
    for (int c = 0; c < 3; ++c) ++at->start[table->triangles[t].v[c]];
  }
  for (uint32_t v = 0; v < vertices; ++v) at->start[v + 1] += at->start[v];
  SYN_TRY(SYN_NEW(table->context, &at->triangles, at->start[vertices], error));
  for (uint32_t t = table->count; t-- > 0;) {
    if (!is_listed(table, t, kind)) continue;
    for (int c = 0; c < 3; ++c) at->triangles[--at->start[table->triangles[t].v[c]]] = t;
  }
  return SYN_OK;
}

void syn_radial_forget_neighbours(const syn_context *context, radial_at *at) {
  syn_free(context, at->start);
  syn_free(context, at->triangles);
  *at = (radial_at){0};
}

/* Lists the walls around a vertex, at most `most`; returns their count. */
static uint32_t walls_at(const radial_sorting *s, uint32_t vertex, uint32_t *walls, uint32_t most) {
  uint32_t count = 0;
  for (uint32_t i = s->at.start[vertex]; i < s->at.start[vertex + 1]; ++i) {
    const uint32_t t = s->at.triangles[i];
    if (s->table->kinds[t] != RADIAL_WALL) continue;
    if (count < most) walls[count] = t;
    ++count;
  }
  return count;
}

/* Returns the wall across the edge that ends in the vertex; SYN_NONE: none. */
static uint32_t next_around(const radial_table *table, uint32_t vertex, uint32_t triangle, const uint32_t *walls,
                            uint32_t count) {
  const uint32_t before = (radial_corner_at(table, triangle, vertex) + 2) % 3;
  for (uint32_t i = 0; i < count; ++i)
    if (walls[i] != triangle &&
        syn_radial_share_edge(table, triangle, before, walls[i], radial_corner_at(table, walls[i], vertex)))
      return walls[i];
  return SYN_NONE;
}

enum { RING_LEAST = 3, RING_MOST = 15 }; /* longer ones occur at poles of maps; lists are shorter there */

/* Writes the walls in their order around the vertex; false unless all of them form one closed ring. */
static bool order_ring(const radial_table *table, uint32_t vertex, const uint32_t *walls, uint32_t count,
                       uint32_t *ring) {
  ring[0] = walls[0];
  for (uint32_t i = 1; i < count; ++i) {
    ring[i] = next_around(table, vertex, ring[i - 1], walls, count);
    if (ring[i] == SYN_NONE || ring[i] == ring[0]) return false;
  }
  return next_around(table, vertex, ring[count - 1], walls, count) == ring[0];
}

static syn_status make_ring(radial_sorting *s, uint32_t vertex, uint32_t *offset, syn_error *error) {
  uint32_t walls[RING_MOST];
  const uint32_t count = walls_at(s, vertex, walls, RING_MOST);
  uint32_t ring[1 + RING_MOST] = {count};
  *offset = RADIAL_NO_RING;
  if (count < RING_LEAST || count > RING_MOST || !order_ring(s->table, vertex, walls, count, ring + 1)) return SYN_OK;
  const uint32_t rule = syn_radial_ring_rule(s->table, ring);
  if (rule == RADIAL_EACH) return SYN_OK; /* the cell's own list is shorter */
  uint32_t found;
  SYN_TRY(syn_radial_add_list(s, count, &found, error));
  ring[0] |= rule;
  memcpy(s->cells->lists + found, ring, (1 + count) * sizeof *ring);
  *offset = found;
  return SYN_OK;
}

/* Returns whether the triangle ends in the vertex and the cell is inside the edge opposite to it. */
static bool is_of_ring(const radial_table *table, radial_entry e, uint32_t vertex) {
  const uint32_t corner = radial_corner_at(table, e >> RADIAL_INSIDE_BITS, vertex);
  return corner < 3 && (e >> (corner + 1) % 3 & 1);
}

static bool all_of_ring(const radial_sorting *s, const radial_bin *b, uint32_t vertex) {
  bool all = is_of_ring(s->table, b->first, vertex) && is_of_ring(s->table, b->second, vertex);
  for (uint32_t at = b->chain; at != SYN_NONE && all; at = s->links[at].before)
    all = is_of_ring(s->table, s->links[at].e, vertex);
  return all;
}

/* Returns whether the ray in this direction certainly hits the triangle. */
static bool hits(const radial_table *table, uint32_t triangle, const float u[3]) {
  const radial_planes *p = &table->planes[triangle];
  for (int c = 0; c < 3; ++c)
    if (!(p->plane[0][c] * u[0] + p->plane[1][c] * u[1] + p->plane[2][c] * u[2] > RADIAL_UNSURE)) return false;
  return true;
}

/* Returns whether the ray through the middle of the cell hits a triangle. */
static bool hits_one(const radial_sorting *s, const radial_bin *b, uint32_t cell) {
  const syn_vec3 middle = syn_radial_cell_middle(&s->table->grid, cell);
  const float u[3] = {(float)middle.x, (float)middle.y, (float)middle.z};
  bool one = hits(s->table, b->first >> RADIAL_INSIDE_BITS, u) || hits(s->table, b->second >> RADIAL_INSIDE_BITS, u);
  for (uint32_t at = b->chain; at != SYN_NONE && !one; at = s->links[at].before)
    one = hits(s->table, s->links[at].e >> RADIAL_INSIDE_BITS, u);
  return one;
}

/* Returns whether every ray into a cell with this head hits a triangle of the ring. */
static bool is_in_ring(const radial_table *table, uint32_t head, uint32_t base, uint32_t vertex) {
  if (head == RADIAL_EMPTY) return false;
  if (head & RADIAL_LISTED) return table->ring_of[vertex] == (head & RADIAL_OFFSET);
  return radial_corner_at(table, base + (head & RADIAL_LOCAL), vertex) < 3 &&
         radial_corner_at(table, base + (head >> RADIAL_LOCAL_BITS & RADIAL_LOCAL), vertex) < 3;
}

/* Returns whether the cell is in the ring. A cell may be listed for triangles that it only comes near to, past their
 * corners; for a nearby viewpoint even far from them. But if one of its directions is in the ring, all are: to leave
 * the ring it would have to cross an edge opposite to the vertex. The border to a preceding cell of the tile mostly has
 * one; `head` is among the tile's. */
static bool enters_ring(const radial_sorting *s, const radial_bin *b, uint32_t cell, uint32_t base, uint32_t vertex,
                        const uint32_t *head) {
  if (cell % RADIAL_TILE > 0 && is_in_ring(s->table, head[-1], base, vertex)) return true;
  if (cell % RADIAL_TILE_CELLS >= RADIAL_TILE && is_in_ring(s->table, head[-RADIAL_TILE], base, vertex)) return true;
  return hits_one(s, b, cell);
}

/* Makes the head of a cell with two or more triangles that end in one vertex. */
static syn_status ring_head(radial_sorting *s, const radial_bin *b, uint32_t cell, uint32_t base, uint32_t *head,
                            syn_error *error) {
  const uint32_t *v = s->table->triangles[b->first >> RADIAL_INSIDE_BITS].v;
  for (int c = 0; c < 3; ++c) {
    if (!all_of_ring(s, b, v[c])) continue;
    uint32_t *offset = &s->table->ring_of[v[c]];
    if (*offset == RADIAL_NOT_TRIED) SYN_TRY(make_ring(s, v[c], offset, error));
    if (*offset != RADIAL_NO_RING && enters_ring(s, b, cell, base, v[c], head)) *head = RADIAL_LISTED | *offset;
  }
  return SYN_OK;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

syn_status syn_radial_short_head(radial_sorting *s, const radial_bin *b, uint32_t cell, uint32_t base, uint32_t *head,
                                 syn_error *error) {
  const uint32_t first = b->first >> RADIAL_INSIDE_BITS, second = b->second >> RADIAL_INSIDE_BITS;
  *head = RADIAL_EMPTY;
  if (b->second == SYN_NONE) {
    if ((b->first & RADIAL_INSIDE_ALL) == RADIAL_INSIDE_ALL) *head = pair_head(s->table, first, first, base);
    return SYN_OK;
  }
  if (b->chain == SYN_NONE && covers_cell(s->table, b->first, b->second))
    *head = pair_head(s->table, first, second, base);
  return *head == RADIAL_EMPTY ? ring_head(s, b, cell, base, head, error) : SYN_OK;
}

static void renew_pair(const radial_table *table, uint32_t base, uint32_t *head) {
  if (*head == RADIAL_EMPTY || *head & RADIAL_LISTED) return;
  const uint32_t a = base + (*head & RADIAL_LOCAL), b = base + (*head >> RADIAL_LOCAL_BITS & RADIAL_LOCAL);
  if (a == b) return;
  *head = (*head & ~RADIAL_LEAST) | (syn_radial_bend(table, a, b) < 0 ? RADIAL_LEAST : 0);
}

static void renew_cell(void *user, uint32_t cell, uint32_t inside) {
  radial_table *table = user;
  (void)inside;
  renew_pair(table, table->walls.bases[cell >> RADIAL_CELL_BITS], &table->walls.heads[cell]);
}

static void renew_ring(radial_table *table, uint32_t vertex) {
  if (table->ring_of[vertex] == RADIAL_NO_RING || table->ring_of[vertex] == RADIAL_NOT_TRIED) return;
  uint32_t *list = table->walls.lists + table->ring_of[vertex];
  list[0] = (list[0] & RADIAL_OFFSET) | syn_radial_ring_rule(table, list);
}

void syn_radial_renew_rules(radial_table *table) {
  const uint32_t cells = syn_radial_cell_count(&table->grid);
  for (uint32_t c = 0; c < cells; ++c) renew_cell(table, c, 0);
  for (uint32_t v = 0; v < table->mesh->vertex_count; ++v) renew_ring(table, v);
}

void syn_radial_renew_rings_of(radial_table *table, uint32_t triangle) {
  for (int c = 0; c < 3; ++c) renew_ring(table, table->triangles[triangle].v[c]);
}

void syn_radial_renew_rules_of(radial_table *table, uint32_t triangle) {
  if (table->kinds[triangle] != RADIAL_WALL) return;
  const radial_cone cone = syn_radial_cone_of_triangle(table, triangle);
  syn_radial_cover(&table->grid, &cone, renew_cell, table);
  syn_radial_renew_rings_of(table, triangle);
}

/* Putting triangles into the cells that they touch. Every cell first gets a bin, with room for two triangles and a
 * chain for more; then each bin becomes a head: a cut or a fan where that is enough to tell what a ray hits, else a
 * list. */
#include "collide/radial_cells.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"

/* ---- bins -------------------------------------------------------------------------------------------------------- */

/* A triangle in a cell: its number, and below it three bits for the planes that have the whole cell inside. */
typedef uint32_t entry;
enum { INSIDE_BITS = 3, INSIDE_ALL = (1 << INSIDE_BITS) - 1 };

typedef struct bin {
  entry first, second; /* SYN_NONE: none */
  uint32_t chain;      /* the last link, SYN_NONE: none */
} bin;

typedef struct chain_link {
  entry e;
  uint32_t before;
} chain_link;
enum { LINKS_MOST = 1 << 30 }; /* the lists, with a few numbers more per cell, can still be addressed */

typedef struct sorting {
  radial_table *table;
  bin *bins;
  bool *used; /* has this tile of bins been made ready? many never are, and their memory is not touched */
  chain_link *links;
  size_t link_count, link_capacity;
  uint32_t triangle; /* that is put into bins */
  bool failed;       /* no memory for a link */
  uint32_t *lists;
  size_t list_count, list_capacity;
  uint32_t (*cut_of)[3]; /* number of the cut at each edge of each triangle, RADIAL_NO_CUT: none yet */
  size_t side_capacity, ring_capacity;
  uint32_t *walls_at, *walls_start; /* the walls around each vertex */
  uint32_t *fan_of;                 /* of each vertex, SYN_NONE: not tried yet, NO_FAN: none */
} sorting;
enum { NO_FAN = INT32_MAX };

enum { TILE_BITS = 2 * RADIAL_TILE_BITS, TILE = 1 << TILE_BITS }; /* cells of a tile have consecutive numbers */

static void add_to_bin(void *user, uint32_t cell, uint32_t inside) {
  sorting *s = user;
  bin *b = &s->bins[cell];
  if (!s->used[cell >> TILE_BITS]) {
    s->used[cell >> TILE_BITS] = true;
    memset(&s->bins[cell & ~(uint32_t)(TILE - 1)], 0xff, TILE * sizeof *s->bins);
  }
  const entry e = s->triangle << INSIDE_BITS | inside;
  if (b->first == SYN_NONE)
    b->first = e;
  else if (b->second == SYN_NONE)
    b->second = e;
  else if (s->link_count == s->link_capacity &&
           SYN_RESERVE(s->table->context, &s->links, s->link_count, 1, &s->link_capacity, NULL) != SYN_OK)
    s->failed = true;
  else {
    s->links[s->link_count] = (chain_link){e, b->chain};
    b->chain = (uint32_t)s->link_count++;
  }
}

static syn_status fill_bins(sorting *s, radial_kind kind, const radial_grid *grid, syn_error *error) {
  const radial_table *table = s->table;
  const size_t cells = syn_radial_cell_count(grid);
  SYN_TRY(SYN_NEW(table->context, &s->bins, cells, error));
  SYN_TRY(SYN_NEW_ZEROED(table->context, &s->used, cells / TILE, error));
  s->link_count = 0;
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t) {
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

/* ---- cuts -------------------------------------------------------------------------------------------------------- */

/* `edge` is the first triangle's. */
static syn_status add_cut(sorting *s, uint32_t first, uint32_t second, uint32_t edge, uint32_t *number,
                          syn_error *error) {
  radial_table *table = s->table;
  SYN_TRY(SYN_RESERVE(table->context, &table->sides, table->cut_count, 1, &s->side_capacity, error));
  *number = table->cut_count++;
  table->sides[*number] = (radial_sides){{first, second}, (first != SYN_NONE) + (second != SYN_NONE), edge};
  return SYN_OK;
}

/* A cell inside one triangle: any of its cuts will do. */
static syn_status cut_of_one(sorting *s, uint32_t triangle, uint32_t *number, syn_error *error) {
  uint32_t *of = s->cut_of[triangle];
  for (int edge = 0; edge < 3; ++edge)
    if ((*number = of[edge]) != RADIAL_NO_CUT) return SYN_OK;
  SYN_TRY(add_cut(s, triangle, SYN_NONE, 0, number, error));
  of[0] = *number;
  return SYN_OK;
}

/* The only plane that has not the whole cell inside, or SYN_NONE. */
static uint32_t open_edge(entry e) {
  switch (e & INSIDE_ALL) {
  case 6: return 0;
  case 5: return 1;
  case 3: return 2;
  default: return SYN_NONE;
  }
}

/* Do the triangles share this edge, one on either side of it as seen from the centre? Then the planes are the same but
 * for the sign. */
static bool share_edge(const radial_table *table, uint32_t a, uint32_t edge_a, uint32_t b, uint32_t edge_b) {
  const uint32_t *va = table->mesh->triangles[a].v, *vb = table->mesh->triangles[b].v;
  const uint32_t a0 = va[edge_a], a1 = va[(edge_a + 1) % 3], b0 = vb[edge_b], b1 = vb[(edge_b + 1) % 3];
  if (!((a0 == b1 && a1 == b0) || (a0 == b0 && a1 == b1))) return false;
  for (int k = 0; k < 3; ++k)
    if (table->records[a].plane[k][edge_a] != -table->records[b].plane[k][edge_b]) return false;
  return true;
}

/* A cell of two triangles and no other, a < b: false where a cut could not tell what its rays hit. */
static bool can_cut(const sorting *s, entry a, entry b) {
  const uint32_t edge_a = open_edge(a), edge_b = open_edge(b);
  return edge_a != SYN_NONE && edge_b != SYN_NONE &&
         share_edge(s->table, a >> INSIDE_BITS, edge_a, b >> INSIDE_BITS, edge_b);
}

static syn_status cut_of_two(sorting *s, entry a, entry b, uint32_t *number, syn_error *error) {
  const uint32_t first = a >> INSIDE_BITS, second = b >> INSIDE_BITS, edge = open_edge(a);
  uint32_t *of_first = &s->cut_of[first][edge], *of_second = &s->cut_of[second][open_edge(b)];
  if (*of_first == RADIAL_NO_CUT) *of_first = *of_second;
  if (*of_first == RADIAL_NO_CUT) SYN_TRY(add_cut(s, first, second, edge, of_first, error));
  *number = *of_second = *of_first;
  s->table->sides[*number] = (radial_sides){{first, second}, 2, edge}; /* it may have had one triangle so far */
  return SYN_OK;
}

static void fill_cut(const radial_table *table, const radial_sides *sides, radial_cut *out) {
  radial_cut cut = {.plane = {NAN, NAN, NAN}, .toward = {{NAN, NAN, NAN}, {NAN, NAN, NAN}}};
  for (uint32_t side = 0; side < sides->count; ++side)
    memcpy(cut.toward[side], table->records[sides->triangle[side]].toward, sizeof cut.toward[side]);
  for (int k = 0; k < 3 && sides->count > 0; ++k)
    cut.plane[k] = table->records[sides->triangle[0]].plane[k][sides->edge];
  *out = cut;
}

/* ---- fans -------------------------------------------------------------------------------------------------------- */

/* Which corner of the triangle is the vertex? 3: none. */
static uint32_t corner_at(const radial_table *table, uint32_t triangle, uint32_t vertex) {
  const uint32_t *v = table->mesh->triangles[triangle].v;
  return v[0] == vertex ? 0 : v[1] == vertex ? 1 : v[2] == vertex ? 2 : 3;
}

static syn_status find_walls_at_vertices(sorting *s, syn_error *error) {
  const radial_table *table = s->table;
  const uint32_t vertices = table->mesh->vertex_count, triangles = table->mesh->triangle_count;
  SYN_TRY(SYN_NEW_ZEROED(table->context, &s->walls_start, (size_t)vertices + 1, error));
  SYN_TRY(SYN_NEW(table->context, &s->fan_of, vertices, error));
  memset(s->fan_of, 0xff, vertices * sizeof *s->fan_of);
  for (uint32_t t = 0; t < triangles; ++t)
    for (int c = 0; c < 3 && table->kinds[t] == RADIAL_WALL; ++c) ++s->walls_start[table->mesh->triangles[t].v[c]];
  for (uint32_t v = 0; v < vertices; ++v) s->walls_start[v + 1] += s->walls_start[v];
  SYN_TRY(SYN_NEW(table->context, &s->walls_at, s->walls_start[vertices], error));
  for (uint32_t t = triangles; t-- > 0;)
    for (int c = 0; c < 3 && table->kinds[t] == RADIAL_WALL; ++c)
      s->walls_at[--s->walls_start[table->mesh->triangles[t].v[c]]] = t;
  return SYN_OK;
}

/* The triangle of the ring that shares the edge before the vertex with `triangle`, on its other side; SYN_NONE: none.
 */
static uint32_t next_around(const radial_table *table, const radial_ring *ring, uint32_t triangle) {
  const uint32_t before = (corner_at(table, triangle, ring->vertex) + 2) % 3;
  for (uint32_t i = 0; i < ring->count; ++i) {
    const uint32_t t = ring->triangle[i];
    if (t != triangle && share_edge(table, triangle, before, t, corner_at(table, t, ring->vertex))) return t;
  }
  return SYN_NONE;
}

/* Finds how the triangles lie around the vertex; false where that is no closed ring. */
static bool order_ring(const radial_table *table, radial_ring *ring) {
  ring->around[0] = ring->triangle[0];
  for (uint32_t i = 1; i < ring->count; ++i) {
    ring->around[i] = next_around(table, ring, ring->around[i - 1]);
    if (ring->around[i] == SYN_NONE || ring->around[i] == ring->around[0]) return false;
  }
  return next_around(table, ring, ring->around[ring->count - 1]) == ring->around[0];
}

static void fill_fan(const radial_table *table, const radial_ring *ring, radial_fan *fan) {
  for (uint32_t i = 0; i < RADIAL_FAN; ++i) {
    const uint32_t t = ring->around[i % ring->count], edge = corner_at(table, t, ring->vertex);
    for (int k = 0; k < 3; ++k) fan->plane[k][i] = i <= ring->count ? table->records[t].plane[k][edge] : NAN;
    fan->triangle[i] = i < ring->count ? t : table->mesh->triangle_count;
  }
}

static syn_status make_fan(sorting *s, uint32_t vertex, uint32_t *number, syn_error *error) {
  radial_table *table = s->table;
  const uint32_t *walls = s->walls_at + s->walls_start[vertex];
  radial_ring ring = {.count = s->walls_start[vertex + 1] - s->walls_start[vertex], .vertex = vertex};
  *number = NO_FAN;
  if (ring.count < 3 || ring.count >= RADIAL_FAN) return SYN_OK;
  memcpy(ring.triangle, walls, ring.count * sizeof *walls);
  if (!order_ring(table, &ring)) return SYN_OK;
  SYN_TRY(SYN_RESERVE(table->context, &table->rings, table->fan_count, 1, &s->ring_capacity, error));
  *number = table->fan_count++;
  table->rings[*number] = ring;
  return SYN_OK;
}

/* Does the triangle end in the vertex, and lies the cell inside the edge opposite to it? */
static bool is_of_fan(const radial_table *table, entry e, uint32_t vertex) {
  const uint32_t corner = corner_at(table, e >> INSIDE_BITS, vertex);
  return corner < 3 && (e >> (corner + 1) % 3 & 1);
}

static bool all_of_fan(const sorting *s, const bin *b, uint32_t vertex) {
  bool all = is_of_fan(s->table, b->first, vertex) && is_of_fan(s->table, b->second, vertex);
  for (uint32_t at = b->chain; at != SYN_NONE && all; at = s->links[at].before)
    all = is_of_fan(s->table, s->links[at].e, vertex);
  return all;
}

/* A cell of two triangles or more that end in one vertex. */
static syn_status fan_of_bin(sorting *s, const bin *b, uint32_t *number, syn_error *error) {
  const uint32_t *v = s->table->mesh->triangles[b->first >> INSIDE_BITS].v;
  *number = NO_FAN;
  for (int c = 0; c < 3; ++c) {
    if (!all_of_fan(s, b, v[c])) continue;
    uint32_t *fan = &s->fan_of[v[c]];
    if (*fan == SYN_NONE) SYN_TRY(make_fan(s, v[c], fan, error));
    if (*fan != NO_FAN) *number = *fan;
  }
  return SYN_OK;
}

void syn_radial_fill_cuts_and_fans(radial_table *table) {
  for (uint32_t i = 0; i < table->cut_count; ++i) fill_cut(table, &table->sides[i], &table->cuts[i]);
  for (uint32_t i = 0; i < table->fan_count; ++i) fill_fan(table, &table->rings[i], &table->fans[i]);
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

/* The chain gives its triangles last to first. */
static syn_status list_bin(sorting *s, const bin *b, uint32_t *head, syn_error *error) {
  uint32_t count = b->second == SYN_NONE ? 1 : 2, at;
  for (at = b->chain; at != SYN_NONE; at = s->links[at].before) ++count;
  const uint32_t room = (count + RADIAL_LIST_STEP - 1) / RADIAL_LIST_STEP * RADIAL_LIST_STEP;
  SYN_TRY(SYN_RESERVE(s->table->context, &s->lists, s->list_count, (size_t)room + 1, &s->list_capacity, error));
  uint32_t *list = s->lists + s->list_count;
  *head = RADIAL_LISTED | (uint32_t)s->list_count;
  s->list_count += (size_t)room + 1;
  *list++ = count;
  for (uint32_t i = count; i < room; ++i) list[i] = s->table->mesh->triangle_count;
  for (at = b->chain; at != SYN_NONE; at = s->links[at].before) list[--count] = s->links[at].e >> INSIDE_BITS;
  list[0] = b->first >> INSIDE_BITS;
  if (b->second != SYN_NONE) list[1] = b->second >> INSIDE_BITS;
  return SYN_OK;
}

/* `cut`: with cuts and fans? */
static syn_status head_of(sorting *s, const bin *b, bool cut, uint32_t *head, syn_error *error) {
  *head = RADIAL_NO_CUT;
  if (b->first == SYN_NONE) return SYN_OK;
  if (cut && b->second == SYN_NONE && (b->first & INSIDE_ALL) == INSIDE_ALL)
    return cut_of_one(s, b->first >> INSIDE_BITS, head, error);
  if (cut && b->second != SYN_NONE && b->chain == SYN_NONE && can_cut(s, b->first, b->second))
    return cut_of_two(s, b->first, b->second, head, error);
  if (cut && b->second != SYN_NONE) {
    SYN_TRY(fan_of_bin(s, b, head, error));
    *head |= RADIAL_FANNED;
    if (*head != (RADIAL_FANNED | NO_FAN)) return SYN_OK;
  }
  return list_bin(s, b, head, error);
}

static syn_status fill_heads(sorting *s, radial_kind kind, size_t count, uint32_t *heads, syn_error *error) {
  const bool cut = kind == RADIAL_WALL; /* few ask for backs */
  heads[count] = RADIAL_NO_CUT;
  for (size_t tile = 0; tile < count; tile += TILE) {
    if (!s->used[tile / TILE]) memset(heads + tile, RADIAL_NO_CUT, TILE * sizeof *heads);
    for (size_t c = tile; c < tile + TILE && s->used[tile / TILE]; ++c)
      SYN_TRY(head_of(s, &s->bins[c], cut, &heads[c], error));
  }
  return SYN_OK;
}

static syn_status fill_kind(sorting *s, radial_kind kind, const radial_grid *grid, radial_cells *cells,
                            syn_error *error) {
  const syn_context *context = s->table->context;
  const size_t count = syn_radial_cell_count(grid);
  syn_status status = fill_bins(s, kind, grid, error);
  if (status == SYN_OK) status = SYN_NEW(context, &cells->heads, count + 1, error);
  if (status == SYN_OK) status = fill_heads(s, kind, count, cells->heads, error);
  cells->lists = s->lists;
  syn_free(context, s->bins);
  syn_free(context, s->used);
  s->bins = NULL;
  s->used = NULL;
  s->lists = NULL;
  s->list_count = s->list_capacity = 0;
  return status;
}

static syn_status fill_all(sorting *s, syn_error *error) {
  radial_table *table = s->table;
  const uint32_t triangles = table->mesh->triangle_count;
  uint32_t none;
  void *lines;
  if (triangles > UINT32_MAX >> (INSIDE_BITS + 1))
    return syn_fail(error, SYN_TOO_LARGE, "%u triangles are too many for a radial table", triangles);
  SYN_TRY(SYN_NEW_ZEROED(table->context, &s->cut_of, triangles, error));
  SYN_TRY(add_cut(s, SYN_NONE, SYN_NONE, 0, &none, error));
  SYN_TRY(find_walls_at_vertices(s, error));
  SYN_TRY(fill_kind(s, RADIAL_WALL, &table->grid, &table->walls, error));
  SYN_TRY(fill_kind(s, RADIAL_BACK, &table->back_grid, &table->backs, error));
  SYN_TRY(syn_radial_allocate_lines(table->context, table->cut_count, &table->cut_block, &lines, error));
  table->cuts = lines;
  SYN_TRY(syn_radial_allocate_lines(table->context, (size_t)2 * table->fan_count, &table->fan_block, &lines, error));
  table->fans = lines;
  syn_radial_fill_cuts_and_fans(table);
  return SYN_OK;
}

syn_status syn_radial_fill_cells(radial_table *table, syn_error *error) {
  sorting s = {.table = table};
  const syn_status status = fill_all(&s, error);
  syn_free(table->context, s.links);
  syn_free(table->context, s.cut_of);
  syn_free(table->context, s.walls_at);
  syn_free(table->context, s.walls_start);
  syn_free(table->context, s.fan_of);
  return status;
}

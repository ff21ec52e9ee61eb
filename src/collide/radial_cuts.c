/* Cuts and fans: cells whose rays surely see one of a few triangles, which one or a few planes tell apart. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "collide/radial_cells.h"
#include "collide/radial_sorting.h"

/* ---- cuts -------------------------------------------------------------------------------------------------------- */

/* `edge` is the first triangle's. */
static syn_status add_cut(radial_sorting *s, uint32_t first, uint32_t second, uint32_t edge, uint32_t *number,
                          syn_error *error) {
  radial_table *table = s->table;
  SYN_TRY(SYN_RESERVE(table->context, &table->sides, table->cut_count, 1, &s->side_capacity, error));
  *number = table->cut_count++;
  table->sides[*number] = (radial_sides){{first, second}, (first != SYN_NONE) + (second != SYN_NONE), edge};
  return SYN_OK;
}

/* A cell inside one triangle: any of its cuts will do. */
static syn_status cut_of_one(radial_sorting *s, uint32_t triangle, uint32_t *number, syn_error *error) {
  uint32_t *of = s->cut_of[triangle];
  for (int edge = 0; edge < 3; ++edge)
    if ((*number = of[edge]) != RADIAL_NO_CUT) return SYN_OK;
  SYN_TRY(add_cut(s, triangle, SYN_NONE, 0, number, error));
  of[0] = *number;
  return SYN_OK;
}

/* The only plane that has not the whole cell inside, or SYN_NONE. */
static uint32_t open_edge(radial_entry e) {
  switch (e & RADIAL_INSIDE_ALL) {
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
static bool can_cut(const radial_sorting *s, radial_entry a, radial_entry b) {
  const uint32_t edge_a = open_edge(a), edge_b = open_edge(b);
  return edge_a != SYN_NONE && edge_b != SYN_NONE &&
         share_edge(s->table, a >> RADIAL_INSIDE_BITS, edge_a, b >> RADIAL_INSIDE_BITS, edge_b);
}

/* May the cut stand for both triangles, without taking one away that it stands for already? */
static bool can_hold(const radial_sides *sides, uint32_t first, uint32_t second) {
  for (uint32_t i = 0; i < sides->count; ++i)
    if (sides->triangle[i] != first && sides->triangle[i] != second) return false;
  return true;
}

static syn_status cut_of_two(radial_sorting *s, radial_entry a, radial_entry b, uint32_t *number, syn_error *error) {
  const uint32_t first = a >> RADIAL_INSIDE_BITS, second = b >> RADIAL_INSIDE_BITS, edge = open_edge(a);
  uint32_t *of_first = &s->cut_of[first][edge], *of_second = &s->cut_of[second][open_edge(b)];
  *number = *of_first != RADIAL_NO_CUT ? *of_first : *of_second;
  if (*number == RADIAL_NO_CUT || !can_hold(&s->table->sides[*number], first, second))
    SYN_TRY(add_cut(s, first, second, edge, number, error));
  *of_first = *of_second = *number;
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

static syn_status find_walls_at_vertices(radial_sorting *s, syn_error *error) {
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

static syn_status make_fan(radial_sorting *s, uint32_t vertex, uint32_t *number, syn_error *error) {
  radial_table *table = s->table;
  const uint32_t *walls = s->walls_at + s->walls_start[vertex];
  radial_ring ring = {.count = s->walls_start[vertex + 1] - s->walls_start[vertex], .vertex = vertex};
  *number = RADIAL_NO_FAN;
  if (ring.count < 3 || ring.count >= RADIAL_FAN) return SYN_OK;
  memcpy(ring.triangle, walls, ring.count * sizeof *walls);
  if (!order_ring(table, &ring)) return SYN_OK;
  SYN_TRY(SYN_RESERVE(table->context, &table->rings, table->fan_count, 1, &s->ring_capacity, error));
  *number = table->fan_count++;
  table->rings[*number] = ring;
  return SYN_OK;
}

/* Does the triangle end in the vertex, and lies the cell inside the edge opposite to it? */
static bool is_of_fan(const radial_table *table, radial_entry e, uint32_t vertex) {
  const uint32_t corner = corner_at(table, e >> RADIAL_INSIDE_BITS, vertex);
  return corner < 3 && (e >> (corner + 1) % 3 & 1);
}

static bool all_of_fan(const radial_sorting *s, const radial_bin *b, uint32_t vertex) {
  bool all = is_of_fan(s->table, b->first, vertex) && is_of_fan(s->table, b->second, vertex);
  for (uint32_t at = b->chain; at != SYN_NONE && all; at = s->links[at].before)
    all = is_of_fan(s->table, s->links[at].e, vertex);
  return all;
}

/* A cell of two triangles or more that end in one vertex. */
static syn_status fan_of_bin(radial_sorting *s, const radial_bin *b, uint32_t *number, syn_error *error) {
  const uint32_t *v = s->table->mesh->triangles[b->first >> RADIAL_INSIDE_BITS].v;
  *number = RADIAL_NO_FAN;
  for (int c = 0; c < 3; ++c) {
    if (!all_of_fan(s, b, v[c])) continue;
    uint32_t *fan = &s->fan_of[v[c]];
    if (*fan == SYN_NONE) SYN_TRY(make_fan(s, v[c], fan, error));
    if (*fan != RADIAL_NO_FAN) *number = *fan;
  }
  return SYN_OK;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* Which edge of `second` is the cut's? */
static uint32_t edge_of_second(const radial_table *table, const radial_sides *sides) {
  const uint32_t *v = table->mesh->triangles[sides->triangle[0]].v;
  const uint32_t a = v[sides->edge], b = v[(sides->edge + 1) % 3];
  const uint32_t corner_a = corner_at(table, sides->triangle[1], a), corner_b = corner_at(table, sides->triangle[1], b);
  return (corner_a + 1) % 3 == corner_b ? corner_a : corner_b;
}

/* A cut of triangles that have changed is used by no cell that stays: it keeps what is still true of it. */
static void renew_cut(radial_sorting *s, uint32_t number) {
  radial_table *table = s->table;
  radial_sides *sides = &table->sides[number];
  assert(sides->count <= 2);
  uint32_t edges[2] = {sides->edge, sides->count == 2 ? edge_of_second(table, sides) : 0};
  if (sides->count == 2 && !share_edge(table, sides->triangle[0], edges[0], sides->triangle[1], edges[1]))
    sides->count = 1;
  radial_sides still = {{SYN_NONE, SYN_NONE}, 0, 0};
  for (uint32_t i = 0; i < sides->count; ++i) {
    if (table->kinds[sides->triangle[i]] != RADIAL_WALL) continue;
    if (still.count == 0) still.edge = edges[i];
    still.triangle[still.count++] = sides->triangle[i];
    s->cut_of[sides->triangle[i]][edges[i]] = number;
  }
  *sides = still;
}

/* A ring stays where no triangle at its vertex has changed; the others are looked for anew. */
static void keep_or_drop_fan(radial_sorting *s, uint32_t number) {
  radial_ring *ring = &s->table->rings[number];
  if (ring->count == 0) return;
  if (s->touched[ring->vertex])
    ring->count = 0;
  else
    s->fan_of[ring->vertex] = number;
}

static syn_status take_over(radial_sorting *s, syn_error *error) {
  radial_table *table = s->table;
  const radial_table *previous = s->previous;
  SYN_TRY(SYN_RESERVE(table->context, &table->sides, 0, previous->cut_count, &s->side_capacity, error));
  SYN_TRY(SYN_RESERVE(table->context, &table->rings, 0, previous->fan_count, &s->ring_capacity, error));
  memcpy(table->sides, previous->sides, previous->cut_count * sizeof *table->sides);
  if (previous->fan_count > 0) memcpy(table->rings, previous->rings, previous->fan_count * sizeof *table->rings);
  table->cut_count = previous->cut_count;
  table->fan_count = previous->fan_count;
  for (uint32_t i = RADIAL_NO_CUT + 1; i < table->cut_count; ++i) renew_cut(s, i);
  for (uint32_t i = 0; i < table->fan_count; ++i) keep_or_drop_fan(s, i);
  return SYN_OK;
}

syn_status syn_radial_begin_cuts(radial_sorting *s, syn_error *error) {
  uint32_t none;
  SYN_TRY(SYN_NEW_ZEROED(s->table->context, &s->cut_of, s->table->mesh->triangle_count, error));
  SYN_TRY(find_walls_at_vertices(s, error));
  return s->previous ? take_over(s, error) : add_cut(s, SYN_NONE, SYN_NONE, 0, &none, error);
}

syn_status syn_radial_cut_or_fan(radial_sorting *s, const radial_bin *b, uint32_t *head, syn_error *error) {
  *head = RADIAL_LISTED;
  if (b->second == SYN_NONE)
    return (b->first & RADIAL_INSIDE_ALL) == RADIAL_INSIDE_ALL
               ? cut_of_one(s, b->first >> RADIAL_INSIDE_BITS, head, error)
               : SYN_OK;
  if (b->chain == SYN_NONE && can_cut(s, b->first, b->second)) return cut_of_two(s, b->first, b->second, head, error);
  uint32_t fan;
  SYN_TRY(fan_of_bin(s, b, &fan, error));
  if (fan != RADIAL_NO_FAN) *head = RADIAL_FANNED | fan;
  return SYN_OK;
}

void syn_radial_fill_cuts_and_fans(radial_table *table) {
  for (uint32_t i = 0; i < table->cut_count; ++i) fill_cut(table, &table->sides[i], &table->cuts[i]);
  for (uint32_t i = 0; i < table->fan_count; ++i)
    if (table->rings[i].count > 0) fill_fan(table, &table->rings[i], &table->fans[i]);
}

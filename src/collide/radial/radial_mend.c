/* A deformation, done in place (Arbabi 2009, §3.3.4). Along the rays every triangle stays in its cells; off them the
 * tiles of cells that a triangle near the change touched before or touches now are made again, and all others stay,
 * with their lists. */
#include <math.h>
#include <string.h>

#include "base/order.h"
#include "base/vec.h"
#include "collide/radial/radial_cells.h"
#include "collide/radial/radial_sorting.h"
#include "collide/radial/radial_wall.h"
#include "geometry/predicates.h"

enum { MOVED = 1, TOUCHED = 2 };                             /* marks of vertices */
enum { CHANGED = 1, LEAVING = 2, AFFECTED = 4, WANTED = 8 }; /* marks of triangles */

/* Where a vertex was, and what was known of a triangle. */
typedef struct vertex_before {
  syn_vec3 point, direction;
} vertex_before;
typedef struct triangle_before {
  radial_planes planes;
  double toward[3];
  uint8_t kind;
} triangle_before;

typedef struct mending {
  radial_table *table;
  const syn_vec3 *vertices;
  syn_arena arena;
  uint8_t *vertex_marks, *triangle_marks;
  uint32_t *moved, moved_count;
  uint32_t off_ray;                 /* of those that moved */
  vertex_before *vertex_before;     /* of each vertex, if it moved */
  uint32_t *changed, changed_count; /* triangles with a vertex that moved */
  uint8_t *kinds;                   /* of the changed triangles, from now on */
  uint32_t leaving;                 /* triangles that do not stay in their cells */
  bool turned;                      /* some of these face the other way now, or are no longer precise, or are again */
  /* where some leave their cells */
  triangle_before *triangle_before; /* of the changed triangles */
  uint32_t *touched, touched_count; /* where they turned: their vertices, and the list of walls around each, before */
  uint32_t *rings;
  uint32_t *affected, affected_count; /* triangles whose tiles are made again */
  uint8_t *tiles[2];                  /* radial_tile, of walls and backs */
  radial_fresh_tiles fresh[2];
  double cap_cosine, first_back; /* before */
  size_t list_count[2];
} mending;

/* ---- what moved -------------------------------------------------------------------------------------------------- */

/* False where a vertex lies where it has no direction. */
static bool find_moved(mending *m) {
  const radial_table *table = m->table;
  for (uint32_t v = 0; v < table->mesh->vertex_count; ++v) {
    const syn_vec3 p = vec3_sub(m->vertices[v], table->center);
    if (vec3_equal(p, table->points[v])) continue;
    const double radius = vec3_length(p);
    if (!(radius == 0 || radial_has_direction(radius))) return false;
    m->off_ray += !radial_keeps_ray(table->directions[v], vec3_unit(p));
    m->vertex_marks[v] = MOVED;
    m->moved[m->moved_count++] = v;
  }
  return true;
}

static void add_changed(mending *m, uint32_t triangle) {
  if (m->triangle_marks[triangle] & CHANGED) return;
  m->triangle_marks[triangle] |= CHANGED;
  m->changed[m->changed_count++] = triangle;
}

static syn_status know_neighbours(radial_table *table, syn_error *error) {
  if (table->at.start) return SYN_OK;
  const syn_status status = syn_radial_find_neighbours(table, RADIAL_NEVER, &table->at, error);
  if (status != SYN_OK) syn_radial_forget_neighbours(table->context, &table->at);
  return status;
}

static syn_status find_changed(mending *m, syn_error *error) {
  radial_table *table = m->table;
  if (m->moved_count > table->mesh->vertex_count / 8) { /* less work than to go through their neighbours */
    for (uint32_t t = 0; t < table->count; ++t) {
      const uint32_t *v = table->triangles[t].v;
      if ((m->vertex_marks[v[0]] | m->vertex_marks[v[1]] | m->vertex_marks[v[2]]) & MOVED) add_changed(m, t);
    }
    return SYN_OK;
  }
  SYN_TRY(know_neighbours(table, error));
  for (uint32_t i = 0; i < m->moved_count; ++i)
    for (uint32_t k = table->at.start[m->moved[i]]; k < table->at.start[m->moved[i] + 1]; ++k)
      add_changed(m, table->at.triangles[k]);
  return SYN_OK;
}

/* Vertices that stay on their rays keep the directions that the cells were made for. */
static void place(mending *m) {
  radial_table *table = m->table;
  for (uint32_t i = 0; i < m->moved_count; ++i) {
    const uint32_t v = m->moved[i];
    m->vertex_before[v] = (vertex_before){table->points[v], table->directions[v]};
    table->points[v] = vec3_sub(m->vertices[v], table->center);
    const syn_vec3 unit = vec3_unit(table->points[v]);
    if (!radial_keeps_ray(table->directions[v], unit)) table->directions[v] = unit;
  }
}

static void place_back(mending *m) {
  for (uint32_t i = 0; i < m->moved_count; ++i) {
    m->table->points[m->moved[i]] = m->vertex_before[m->moved[i]].point;
    m->table->directions[m->moved[i]] = m->vertex_before[m->moved[i]].direction;
  }
}

static bool leaves_rays(const mending *m, uint32_t triangle) {
  const radial_table *table = m->table;
  for (int c = 0; c < 3; ++c) {
    const uint32_t v = table->triangles[triangle].v[c];
    if ((m->vertex_marks[v] & MOVED) && !vec3_equal(table->directions[v], m->vertex_before[v].direction)) return true;
  }
  return false;
}

/* Which way round the triangle is seen now, and was before. */
static bool is_turned(const mending *m, uint32_t triangle) {
  const radial_table *table = m->table;
  syn_vec3 now[3], before[3];
  for (int c = 0; c < 3; ++c) {
    const uint32_t v = table->triangles[triangle].v[c];
    now[c] = before[c] = table->points[v];
    if (m->vertex_marks[v] & MOVED) before[c] = m->vertex_before[v].point;
  }
  const syn_vec3 center = {0, 0, 0};
  return syn_orient3d(center, now[0], now[1], now[2]) != syn_orient3d(center, before[0], before[1], before[2]);
}

/* A triangle leaves its cells where a corner leaves its ray, or where it can no longer be in their heads as before. */
static void find_leaving(mending *m) {
  const radial_table *table = m->table;
  for (uint32_t i = 0; i < m->changed_count; ++i) {
    const uint32_t t = m->changed[i];
    m->kinds[i] = (uint8_t)syn_radial_kind(table, t);
    const bool turned = m->kinds[i] != table->kinds[t] || is_turned(m, t) ||
                        syn_radial_would_be_precise(table, t) != radial_is_precise(table, t);
    m->turned |= turned;
    if (!turned && !leaves_rays(m, t)) continue;
    ++m->leaving;
    m->triangle_marks[t] |= LEAVING;
  }
}

/* Is it less work than to make the table again? Also not for ever: lists that are no longer in use add up. */
static bool worth_mending(const mending *m) {
  const radial_table *table = m->table;
  if (m->leaving > table->count / 8) return false;
  if (table->walls.list_count / 2 > table->walls.fresh_count) return false;
  if (table->backs.list_count / 2 > table->backs.fresh_count) return false;
  for (uint32_t i = 0; i < m->changed_count; ++i)
    if (!syn_radial_grid_holds(table, m->changed[i], (radial_kind)m->kinds[i])) return false;
  return true;
}

/* ---- the tiles around it ----------------------------------------------------------------------------------------- */

static void add_affected(mending *m, uint32_t triangle) {
  if (m->triangle_marks[triangle] & AFFECTED) return;
  m->triangle_marks[triangle] |= AFFECTED;
  m->affected[m->affected_count++] = triangle;
}

/* All triangles at the vertex may share a ring with the one that leaves, and that ring may be none any more. */
static void touch(mending *m, uint32_t vertex) {
  const radial_table *table = m->table;
  if (m->vertex_marks[vertex] & TOUCHED) return;
  m->vertex_marks[vertex] |= TOUCHED;
  m->touched[m->touched_count] = vertex;
  m->rings[m->touched_count++] = table->ring_of[vertex];
  for (uint32_t k = table->at.start[vertex]; k < table->at.start[vertex + 1]; ++k)
    add_affected(m, table->at.triangles[k]);
}

/* As long as all of them face the way they did, the same triangles lie around every vertex, and rings elsewhere only
 * need their rules. */
static void find_affected(mending *m) {
  for (uint32_t i = 0; i < m->changed_count; ++i) {
    const uint32_t t = m->changed[i];
    if (!(m->triangle_marks[t] & LEAVING)) continue;
    add_affected(m, t);
    for (int c = 0; c < 3 && m->turned; ++c) touch(m, m->table->triangles[t].v[c]);
  }
}

typedef struct tile_marker {
  uint8_t *tiles;
  radial_fresh_tiles *fresh;
} tile_marker;

static void mark_tile(void *user, uint32_t cell, uint32_t inside) {
  const tile_marker *marker = user;
  const uint32_t tile = cell >> RADIAL_CELL_BITS;
  (void)inside;
  if (marker->tiles[tile] != RADIAL_TILE_KEPT) return;
  marker->tiles[tile] = RADIAL_TILE_EMPTY;
  marker->fresh->tiles[marker->fresh->count++] = tile;
}

/* As its corners lie, or as they did before. */
static void mark_tiles_of(mending *m, uint32_t triangle, bool before) {
  const radial_table *table = m->table;
  const radial_kind kind = (radial_kind)table->kinds[triangle];
  if (kind == RADIAL_NEVER) return;
  syn_vec3 units[3];
  syn_radial_directions(table, triangle, units);
  for (int c = 0; c < 3 && before; ++c) {
    const uint32_t v = table->triangles[triangle].v[c];
    if (m->vertex_marks[v] & MOVED) units[c] = m->vertex_before[v].direction;
  }
  const radial_cone cone = syn_radial_cone_of(units, 3);
  const int which = kind == RADIAL_BACK;
  tile_marker marker = {m->tiles[which], &m->fresh[which]};
  syn_radial_cover(radial_grid_of(table, kind), &cone, mark_tile, &marker);
}

/* Marks the tiles that were touched, brings the triangles up to date, and marks those that are touched now. */
static void renew_triangles(mending *m) {
  radial_table *table = m->table;
  for (uint32_t i = 0; i < m->affected_count; ++i) mark_tiles_of(m, m->affected[i], true);
  for (uint32_t i = 0; i < m->changed_count; ++i) {
    const uint32_t t = m->changed[i];
    m->triangle_before[i] = (triangle_before){.planes = table->planes[t], .kind = table->kinds[t]};
    memcpy(m->triangle_before[i].toward, table->toward[t], sizeof table->toward[t]);
    table->kinds[t] = m->kinds[i];
    syn_radial_fill_plane(table, t);
    syn_radial_widen_cap(table, t);
  }
  for (uint32_t i = 0; i < m->touched_count; ++i) table->ring_of[m->touched[i]] = RADIAL_NOT_TRIED;
  for (uint32_t i = 0; i < m->affected_count; ++i)
    if (m->triangle_marks[m->affected[i]] & CHANGED) mark_tiles_of(m, m->affected[i], false);
}

/* After a refusal everything is put back. Rings of other vertices may have been found: their lists are gone again. */
static void undo(mending *m) {
  radial_table *table = m->table;
  for (uint32_t i = 0; i < m->changed_count; ++i) {
    const uint32_t t = m->changed[i];
    table->planes[t] = m->triangle_before[i].planes;
    table->kinds[t] = m->triangle_before[i].kind;
    memcpy(table->toward[t], m->triangle_before[i].toward, sizeof table->toward[t]);
  }
  table->cap_cosine = m->cap_cosine;
  table->first_back = m->first_back;
  table->walls.list_count = m->list_count[0];
  table->backs.list_count = m->list_count[1];
  for (uint32_t v = 0; v < table->mesh->vertex_count; ++v)
    if (table->ring_of[v] < RADIAL_NOT_TRIED && table->ring_of[v] >= m->list_count[0])
      table->ring_of[v] = RADIAL_NOT_TRIED;
  for (uint32_t i = 0; i < m->touched_count; ++i) table->ring_of[m->touched[i]] = m->rings[i];
  place_back(m);
}

/* ---- their cells ------------------------------------------------------------------------------------------------- */

typedef struct wanted_triangles {
  uint32_t *list, count;
} wanted_triangles;

static bool is_later(const void *a, const void *b) { return *(const uint32_t *)a > *(const uint32_t *)b; }

static void want(mending *m, wanted_triangles *wanted, uint32_t triangle) {
  if (m->triangle_marks[triangle] & WANTED) return;
  m->triangle_marks[triangle] |= WANTED;
  wanted->list[wanted->count++] = triangle;
}

/* Whatever was in the cells of the tiles may still be, and what is near the change may have come. */
static void find_wanted(mending *m, int which, wanted_triangles *wanted) {
  const radial_cells *cells = which ? &m->table->backs : &m->table->walls;
  const radial_fresh_tiles *fresh = &m->fresh[which];
  for (uint32_t i = 0; i < m->affected_count; ++i) want(m, wanted, m->affected[i]);
  for (uint32_t i = 0; i < fresh->count; ++i)
    for (uint32_t c = 0; c < RADIAL_TILE_CELLS; ++c) {
      const radial_members members = syn_radial_members(cells, (fresh->tiles[i] << RADIAL_CELL_BITS) + c);
      for (uint32_t k = 0; k < members.count; ++k) want(m, wanted, radial_member(&members, k));
    }
  for (uint32_t i = 0; i < wanted->count; ++i) m->triangle_marks[wanted->list[i]] &= (uint8_t)~WANTED;
  heap_sort(wanted->list, wanted->count, sizeof *wanted->list, is_later);
}

static syn_status make_tiles(mending *m, radial_sorting *s, int which, wanted_triangles *wanted, syn_error *error) {
  const radial_kind kind = which ? RADIAL_BACK : RADIAL_WALL;
  radial_fresh_tiles *fresh = &m->fresh[which];
  if (fresh->count == 0) return SYN_OK;
  SYN_TRY(SYN_TAKE(&m->arena, &fresh->heads, (size_t)fresh->count << RADIAL_CELL_BITS, error));
  SYN_TRY(SYN_TAKE(&m->arena, &fresh->bases, fresh->count, error));
  wanted->count = 0;
  find_wanted(m, which, wanted);
  s->some = wanted->list;
  s->some_count = wanted->count;
  s->tiles = m->tiles[which];
  s->cells = radial_cells_of(m->table, kind);
  return syn_radial_fill_tiles(s, kind, fresh, error);
}

static syn_status make_cells(mending *m, syn_error *error) {
  radial_sorting s = {.table = m->table, .at = m->table->at};
  wanted_triangles wanted = {0};
  SYN_TRY(SYN_TAKE(&m->arena, &wanted.list, m->table->count, error));
  syn_status status = make_tiles(m, &s, 0, &wanted, error);
  if (status == SYN_OK) status = make_tiles(m, &s, 1, &wanted, error);
  syn_free(m->table->context, s.links);
  return status;
}

static void take_cells(mending *m) {
  for (int which = 0; which < 2; ++which) {
    const radial_fresh_tiles *fresh = &m->fresh[which];
    const radial_cells *cells = which ? &m->table->backs : &m->table->walls;
    for (uint32_t i = 0; i < fresh->count; ++i) {
      memcpy(cells->heads + ((size_t)fresh->tiles[i] << RADIAL_CELL_BITS),
             fresh->heads + ((size_t)i << RADIAL_CELL_BITS), RADIAL_TILE_CELLS * sizeof *cells->heads);
      cells->bases[fresh->tiles[i]] = fresh->bases[i];
    }
  }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void renew_rules(const mending *m) {
  if (m->changed_count > m->table->count / 8) { /* then all cells at once are less than those of each triangle */
    syn_radial_renew_rules(m->table);
    return;
  }
  for (uint32_t i = 0; i < m->changed_count; ++i) syn_radial_renew_rules_of(m->table, m->changed[i]);
}

static syn_status reserve(mending *m, syn_error *error) {
  const radial_table *table = m->table;
  for (int which = 0; which < 2; ++which) {
    const uint32_t tiles = syn_radial_cell_count(which ? &table->back_grid : &table->grid) >> RADIAL_CELL_BITS;
    SYN_TRY(SYN_TAKE(&m->arena, &m->tiles[which], tiles, error));
    SYN_TRY(SYN_TAKE(&m->arena, &m->fresh[which].tiles, tiles, error));
    memset(m->tiles[which], RADIAL_TILE_KEPT, tiles * sizeof *m->tiles[which]);
  }
  SYN_TRY(SYN_TAKE(&m->arena, &m->triangle_before, m->changed_count, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->touched, table->mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->rings, table->mesh->vertex_count, error));
  return SYN_TAKE(&m->arena, &m->affected, table->count, error);
}

/* Some triangles leave their cells. The points are where they are now. */
static syn_status mend_cells(mending *m, syn_error *error) {
  radial_table *table = m->table;
  syn_status status = know_neighbours(table, error);
  if (status == SYN_OK) status = reserve(m, error);
  if (status != SYN_OK) {
    place_back(m);
    return status;
  }
  m->cap_cosine = table->cap_cosine;
  m->first_back = table->first_back;
  m->list_count[0] = table->walls.list_count;
  m->list_count[1] = table->backs.list_count;
  find_affected(m);
  renew_triangles(m);
  status = make_cells(m, error);
  if (status != SYN_OK) {
    undo(m);
    return status;
  }
  take_cells(m);
  renew_rules(m);
  return SYN_OK;
}

static void slide(mending *m) {
  for (uint32_t i = 0; i < m->changed_count; ++i) syn_radial_fill_plane(m->table, m->changed[i]);
  renew_rules(m);
}

static syn_status mend(mending *m, radial_mended *how, syn_error *error) {
  const radial_table *table = m->table;
  const uint32_t vertices = table->mesh->vertex_count;
  SYN_TRY(SYN_TAKE(&m->arena, &m->vertex_marks, vertices, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->moved, vertices, error));
  memset(m->vertex_marks, 0, vertices);
  if (!find_moved(m) || m->off_ray > table->count / 4) return SYN_OK;
  *how = RADIAL_CELLS_STAYED;
  if (m->moved_count == 0) return SYN_OK;
  SYN_TRY(SYN_TAKE(&m->arena, &m->vertex_before, vertices, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->triangle_marks, table->count, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->changed, table->count, error));
  memset(m->triangle_marks, 0, table->count);
  SYN_TRY(find_changed(m, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->kinds, m->changed_count, error));
  place(m);
  find_leaving(m);
  if (m->leaving == 0) {
    slide(m);
  } else if (worth_mending(m)) {
    *how = RADIAL_CELLS_CHANGED;
    return mend_cells(m, error);
  } else {
    *how = RADIAL_NOT_MENDED;
    place_back(m);
  }
  return SYN_OK;
}

syn_status syn_radial_mend(radial_table *table, const syn_vec3 *vertices, radial_mended *how, syn_error *error) {
  mending m = {.table = table, .vertices = vertices, .arena = {.context = table->context}};
  *how = RADIAL_NOT_MENDED;
  const syn_status status = mend(&m, how, error);
  syn_arena_release(&m.arena);
  return status;
}

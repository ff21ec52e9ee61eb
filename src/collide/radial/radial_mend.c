/* Updates a table in place after a deformation (Arbabi 2009, §3.3.4). A triangle that moves along the rays stays in its
 * cells. One that moves off them changes cells: only these cells get new lists, in which each triangle is tested, and
 * all others are kept. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "collide/radial/radial_cells.h"
#include "collide/radial/radial_sorting.h"
#include "collide/radial/radial_wall.h"
#include "geometry/predicates.h"

enum { MOVED = 1, TOUCHED = 2 };                 /* marks of vertices */
enum { CHANGED = 1, LEAVING = 2, AFFECTED = 4 }; /* marks of triangles */

/* The previous position of a vertex. */
typedef struct vertex_before {
  syn_vec3 point, direction;
} vertex_before;

/* A triangle added to a cell, and the one added before. */
typedef struct arrival {
  uint32_t triangle, before;
} arrival;

/* The cells of the walls, or of the backs, that some triangle leaves or enters. */
typedef struct touched_cells {
  uint64_t *marks;  /* a bit for each cell */
  uint32_t *number; /* of each marked cell, below */
  uint32_t *cells;  /* by number */
  uint32_t *last;   /* last arrival, by number; SYN_NONE: none */
  uint32_t count;
  arrival *arrivals;
  size_t arrival_count, arrival_capacity;
  bool failed; /* no memory for an arrival */
} touched_cells;

typedef struct mending {
  radial_table *table;
  const syn_vec3 *vertices;
  syn_arena arena;
  uint8_t *vertex_marks, *triangle_marks;
  uint32_t *moved, moved_count;
  uint32_t off_ray;                 /* count of moved vertices that left their rays */
  vertex_before *vertex_before;     /* of each vertex, if it moved */
  uint32_t *changed, changed_count; /* triangles with a vertex that moved */
  uint8_t *kinds;                   /* new kinds of the changed triangles */
  uint32_t leaving;                 /* triangles that do not stay in their cells */
  bool turned;                      /* some of these changed their facing, or became precise or imprecise */
  /* if some leave their cells: */
  uint32_t *touched, touched_count;   /* if they changed their facing: their vertices */
  uint32_t *affected, affected_count; /* triangles whose cells get new lists */
  touched_cells cells[2];             /* of walls and backs */
  uint32_t *members;                  /* of one cell */
} mending;

/* ---- what moved -------------------------------------------------------------------------------------------------- */

/* Finds the moved vertices; false if one is at a position without a direction. */
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
  if (m->moved_count > table->mesh->vertex_count / 8) { /* less work than visiting their neighbours */
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

/* Sets positions; vertices that stay on their rays keep the directions for which the cells were made. */
static void place_vertices(mending *m) {
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

/* Returns whether the triangle's orientation as seen from the centre has changed. */
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

/* Finds the triangles that leave their cells: a corner leaves its ray, or the triangle can no longer be in their heads
 * as before. */
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

/* Returns whether mending is less work than rebuilding the table. It is limited, because unused lists accumulate. */
static bool worth_mending(const mending *m) {
  const radial_table *table = m->table;
  if (m->leaving > table->count / 8) return false;
  if (table->walls.list_count / 2 > table->walls.fresh_count) return false;
  if (table->backs.list_count / 2 > table->backs.fresh_count) return false;
  for (uint32_t i = 0; i < m->changed_count; ++i)
    if (!syn_radial_grid_holds(table, m->changed[i], (radial_kind)m->kinds[i])) return false;
  return true;
}

/* ---- the cells around it ----------------------------------------------------------------------------------------- */

static void add_affected(mending *m, uint32_t triangle) {
  if (m->triangle_marks[triangle] & AFFECTED) return;
  m->triangle_marks[triangle] |= AFFECTED;
  m->affected[m->affected_count++] = triangle;
}

/* Marks all triangles at the vertex: they may share a ring with the one that leaves, and the ring may no longer exist.
 */
static void touch(mending *m, uint32_t vertex) {
  const radial_table *table = m->table;
  if (m->vertex_marks[vertex] & TOUCHED) return;
  m->vertex_marks[vertex] |= TOUCHED;
  m->touched[m->touched_count++] = vertex;
  for (uint32_t k = table->at.start[vertex]; k < table->at.start[vertex + 1]; ++k)
    add_affected(m, table->at.triangles[k]);
}

/* Finds the affected triangles. If all keep their facing, the same triangles surround every vertex, and rings elsewhere
 * only need new rules. */
static void find_affected(mending *m) {
  for (uint32_t i = 0; i < m->changed_count; ++i) {
    const uint32_t t = m->changed[i];
    if (!(m->triangle_marks[t] & LEAVING)) continue;
    add_affected(m, t);
    for (int c = 0; c < 3 && m->turned; ++c) touch(m, m->table->triangles[t].v[c]);
  }
}

static uint32_t mark_cell(touched_cells *to, uint32_t cell) {
  const uint64_t bit = (uint64_t)1 << cell % 64;
  if (to->marks[cell / 64] & bit) return to->number[cell];
  to->marks[cell / 64] |= bit;
  to->number[cell] = to->count;
  to->cells[to->count] = cell;
  to->last[to->count] = SYN_NONE;
  return to->count++;
}

typedef struct visitor {
  const mending *m;
  touched_cells *cells;
  uint32_t triangle;
} visitor;

static void leave_cell(void *user, uint32_t cell, uint32_t inside) {
  const visitor *v = user;
  (void)inside;
  mark_cell(v->cells, cell);
}

static void come_to_cell(void *user, uint32_t cell, uint32_t inside) {
  const visitor *v = user;
  touched_cells *to = v->cells;
  const uint32_t number = mark_cell(to, cell);
  (void)inside;
  if (to->arrival_count == to->arrival_capacity &&
      SYN_RESERVE(v->m->table->context, &to->arrivals, to->arrival_count, 1, &to->arrival_capacity, NULL) != SYN_OK) {
    to->failed = true;
    return;
  }
  to->arrivals[to->arrival_count] = (arrival){v->triangle, to->last[number]};
  to->last[number] = (uint32_t)to->arrival_count++;
}

/* Visits the cells of a triangle with its current, or its previous corners. */
static void visit_cells(mending *m, uint32_t triangle, radial_kind kind, bool before) {
  const radial_table *table = m->table;
  if (kind == RADIAL_NEVER) return;
  syn_vec3 units[3];
  syn_radial_directions(table, triangle, units);
  for (int c = 0; c < 3 && before; ++c) {
    const uint32_t v = table->triangles[triangle].v[c];
    if (m->vertex_marks[v] & MOVED) units[c] = m->vertex_before[v].direction;
  }
  const radial_cone cone = syn_radial_cone_of(units, 3);
  visitor v = {m, &m->cells[kind == RADIAL_BACK], triangle};
  syn_radial_cover(radial_grid_of(table, kind), &cone, before ? leave_cell : come_to_cell, &v);
}

static void find_cells(mending *m) {
  for (uint32_t i = 0; i < m->affected_count; ++i)
    visit_cells(m, m->affected[i], (radial_kind)m->table->kinds[m->affected[i]], true);
  for (uint32_t i = 0; i < m->changed_count; ++i)
    if (m->triangle_marks[m->changed[i]] & LEAVING) visit_cells(m, m->changed[i], (radial_kind)m->kinds[i], false);
}

/* ---- their lists ------------------------------------------------------------------------------------------------- */

/* The marks of a list made by mending: it belongs to one cell and may be overwritten. No other list has both. */
static const uint32_t own_list = RADIAL_EACH | RADIAL_LEAST;

static uint32_t room_for(uint32_t count) {
  return (count + RADIAL_LIST_STEP - 1) / RADIAL_LIST_STEP * RADIAL_LIST_STEP;
}

/* Collects the members that stay and those that are added, ascending; returns their count. */
static uint32_t gather_members(const mending *m, const radial_cells *cells, const touched_cells *of, uint32_t number) {
  const radial_members old = syn_radial_members(cells, of->cells[number]);
  uint32_t count = 0;
  for (uint32_t i = 0; i < old.count; ++i)
    if (!(m->triangle_marks[radial_member(&old, i)] & LEAVING)) m->members[count++] = radial_member(&old, i);
  for (uint32_t at = of->last[number]; at != SYN_NONE; at = of->arrivals[at].before)
    m->members[count++] = of->arrivals[at].triangle;
  for (uint32_t i = 1; i < count; ++i) { /* most are in order */
    const uint32_t member = m->members[i];
    uint32_t to = i;
    for (; to > 0 && m->members[to - 1] > member; --to) m->members[to] = m->members[to - 1];
    m->members[to] = member;
  }
  return count;
}

/* Returns the list of the cell if it may be overwritten and is long enough, else SYN_NONE. */
static uint32_t reusable_list(const radial_cells *cells, uint32_t cell, uint32_t count) {
  const uint32_t head = cells->heads[cell];
  if (head == RADIAL_EMPTY || !(head & RADIAL_LISTED)) return SYN_NONE;
  const uint32_t at = head & RADIAL_OFFSET, first = cells->lists[at];
  return (first & own_list) == own_list && room_for(first & RADIAL_OFFSET) >= count ? at : SYN_NONE;
}

static syn_status reserve_lists(mending *m, int which, syn_error *error) {
  radial_cells *cells = which ? &m->table->backs : &m->table->walls;
  const touched_cells *of = &m->cells[which];
  size_t wanted = 0;
  for (uint32_t i = 0; i < of->count; ++i) {
    const uint32_t count = gather_members(m, cells, of, i);
    if (count > 0 && reusable_list(cells, of->cells[i], count) == SYN_NONE) wanted += 1 + (size_t)room_for(count);
  }
  return SYN_RESERVE(m->table->context, &cells->lists, cells->list_count, wanted, &cells->list_capacity, error);
}

/* Writes the lists, whose memory is already reserved. */
static void write_lists(mending *m, int which) {
  radial_cells *cells = which ? &m->table->backs : &m->table->walls;
  const touched_cells *of = &m->cells[which];
  for (uint32_t i = 0; i < of->count; ++i) {
    const uint32_t cell = of->cells[i], count = gather_members(m, cells, of, i);
    if (count == 0) {
      cells->heads[cell] = RADIAL_EMPTY;
      continue;
    }
    uint32_t at = reusable_list(cells, cell, count);
    const uint32_t room = room_for(at == SYN_NONE ? count : cells->lists[at] & RADIAL_OFFSET);
    if (at == SYN_NONE) {
      at = (uint32_t)cells->list_count;
      cells->list_count += 1 + (size_t)room;
    }
    uint32_t *list = cells->lists + at;
    list[0] = count | own_list;
    for (uint32_t k = 0; k < room; ++k) list[1 + k] = k < count ? m->members[k] : m->table->count;
    cells->heads[cell] = RADIAL_LISTED | at;
  }
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void renew_rules(const mending *m) {
  if (m->changed_count >
      m->table->count / 8) { /* then visiting all cells at once is less work than those of each triangle */
    syn_radial_renew_rules(m->table);
    return;
  }
  for (uint32_t i = 0; i < m->changed_count; ++i)
    if (m->triangle_marks[m->changed[i]] & LEAVING) /* its cells have lists without a rule */
      syn_radial_renew_rings_of(m->table, m->changed[i]);
    else
      syn_radial_renew_rules_of(m->table, m->changed[i]);
}

static syn_status take_cells(mending *m, int which, syn_error *error) {
  const uint32_t count = syn_radial_cell_count(which ? &m->table->back_grid : &m->table->grid);
  touched_cells *of = &m->cells[which];
  SYN_TRY(SYN_TAKE(&m->arena, &of->marks, (size_t)count / 64 + 1, error));
  SYN_TRY(SYN_TAKE(&m->arena, &of->number, count, error)); /* only the entries of marked cells are ever touched */
  SYN_TRY(SYN_TAKE(&m->arena, &of->cells, count, error));
  SYN_TRY(SYN_TAKE(&m->arena, &of->last, count, error));
  memset(of->marks, 0, ((size_t)count / 64 + 1) * sizeof *of->marks);
  return SYN_OK;
}

/* Does everything that may fail for lack of memory. */
static syn_status prepare_mending(mending *m, syn_error *error) {
  radial_table *table = m->table;
  SYN_TRY(know_neighbours(table, error));
  SYN_TRY(take_cells(m, 0, error));
  SYN_TRY(take_cells(m, 1, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->touched, table->mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->affected, table->count, error));
  SYN_TRY(SYN_TAKE(&m->arena, &m->members, 2 * (size_t)table->count, error));
  find_affected(m);
  find_cells(m);
  if (m->cells[0].failed || m->cells[1].failed) return syn_fail_memory(error, sizeof(arrival));
  SYN_TRY(reserve_lists(m, 0, error));
  return reserve_lists(m, 1, error);
}

/* Mends the cells that some triangles leave. The points are already updated. */
static syn_status mend_cells(mending *m, syn_error *error) {
  radial_table *table = m->table;
  const syn_status status = prepare_mending(m, error);
  if (status == SYN_OK) {
    for (uint32_t i = 0; i < m->changed_count; ++i) {
      table->kinds[m->changed[i]] = m->kinds[i];
      syn_radial_fill_plane(table, m->changed[i]);
      syn_radial_widen_cap(table, m->changed[i]);
    }
    for (uint32_t i = 0; i < m->touched_count; ++i) table->ring_of[m->touched[i]] = RADIAL_NO_RING;
    write_lists(m, 0);
    write_lists(m, 1);
    renew_rules(m);
  } else {
    place_back(m);
  }
  syn_free(table->context, m->cells[0].arrivals);
  syn_free(table->context, m->cells[1].arrivals);
  return status;
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
  place_vertices(m);
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

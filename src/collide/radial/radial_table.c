/* Building and keeping the table of radial segments. */
#include "collide/radial/radial_table.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "collide/radial/radial_cells.h"
#include "collide/radial/radial_wall.h"

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

/* Seen from the centre (van Oosterom and Strackee). */
static double solid_angle(const syn_vec3 u[3]) {
  const double volume = fabs(vec3_dot(u[0], vec3_cross(u[1], u[2]))),
               over = 1 + vec3_dot(u[0], u[1]) + vec3_dot(u[1], u[2]) + vec3_dot(u[2], u[0]);
  return volume < 1e-3 * over ? 2 * volume / over : 2 * atan2(volume, over); /* most are small */
}

enum { CELLS_PER_TRIANGLE = 16, CELLS_LEAST = 64, CELLS_MOST = 1 << 26 };

/* Grows the buffer for the addresses of a triangle. */
static void widen(radial_span *used, syn_mapping mapping, const syn_vec3 units[3]) {
  radial_span spans[RADIAL_SPANS];
  const radial_cone cone = syn_radial_cone_of(units, 3);
  for (uint32_t s = syn_radial_spans(mapping, &cone, spans); s-- > 0;) {
    used->low1 = min2(used->low1, spans[s].low1);
    used->high1 = max2(used->high1, spans[s].high1);
    used->low2 = min2(used->low2, spans[s].low2);
    used->high2 = max2(used->high2, spans[s].high2);
  }
}

/* Fine enough that few triangles share a cell, and no finer than keeps the lists proportional to the mesh, however
 * large the triangles look from the centre (Arbabi 2009, §3.3.5). */
static void choose_grid(radial_table *table, syn_mapping mapping) {
  radial_span used = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0};
  double covered = 0;
  uint32_t seen = 0;
  for (uint32_t t = 0; t < table->count; ++t) {
    if (table->kinds[t] == RADIAL_NEVER) continue;
    syn_vec3 units[3];
    syn_radial_directions(table, t, units);
    if (mapping != SYN_MAPPING_UNIFORM) widen(&used, mapping, units); /* type 3 has cells for all in any case */
    covered += solid_angle(units) / (4 * SYN_PI);
    ++seen;
  }
  double cells = table->wanted_cells;
  if (cells == 0) cells = max2(CELLS_LEAST, CELLS_PER_TRIANGLE * (double)seen / max2(covered, 1));
  table->grid = syn_radial_grid(mapping, (uint32_t)min2(cells, CELLS_MOST), &used);
  table->back_grid = syn_radial_grid(mapping, (uint32_t)(min2(cells, CELLS_MOST) / CELLS_PER_TRIANGLE), &used);
}

static const radial_grid *grid_of(const radial_table *table, uint32_t triangle) {
  return table->kinds[triangle] == RADIAL_BACK ? &table->back_grid : &table->grid;
}

/* Does the grid of a previous table hold every triangle? */
static bool grid_holds(const radial_table *table) {
  if (table->grid.mapping == SYN_MAPPING_UNIFORM) return true;
  for (uint32_t t = 0; t < table->count; ++t) {
    if (table->kinds[t] == RADIAL_NEVER) continue;
    radial_span spans[RADIAL_SPANS];
    const radial_cone cone = syn_radial_cone_of_triangle(table, t);
    for (uint32_t s = syn_radial_spans(table->grid.mapping, &cone, spans); s-- > 0;)
      if (!syn_radial_holds(grid_of(table, t), &spans[s])) return false;
  }
  return true;
}

/* ---- the order of the triangles ---------------------------------------------------------------------------------- */

typedef struct ordering {
  uint32_t *start, *tile; /* of each tile, and of each triangle its tile */
  uint32_t *names;
  syn_triangle *triangles;
  uint8_t *kinds;
} ordering;

/* Walls by the tile that their middle is in, then backs, which few points need, then the others. */
static uint32_t tile_of(const radial_table *table, uint32_t triangle, uint32_t tiles) {
  if (table->kinds[triangle] != RADIAL_WALL) return tiles + 1 + (table->kinds[triangle] == RADIAL_NEVER);
  syn_vec3 u[3];
  syn_radial_directions(table, triangle, u);
  const syn_vec3 middle = vec3_add(u[0], vec3_add(u[1], u[2]));
  if (!radial_has_direction(vec3_length(middle))) return tiles; /* it lies all around the centre */
  return syn_radial_find_cell(&table->grid, middle) >> RADIAL_CELL_BITS;
}

static void put_in_order(radial_table *table, uint32_t tiles, ordering *o) {
  for (uint32_t t = 0; t < table->count; ++t) ++o->start[o->tile[t] = tile_of(table, t, tiles)];
  for (uint32_t i = 0, sum = 0; i < tiles + 3; ++i) {
    const uint32_t count = o->start[i];
    o->start[i] = sum;
    sum += count;
  }
  for (uint32_t t = 0; t < table->count; ++t) {
    const uint32_t to = o->start[o->tile[t]]++;
    o->names[to] = table->names[t];
    o->triangles[to] = table->triangles[t];
    o->kinds[to] = table->kinds[t];
  }
  const ordering before = {.names = table->names, .triangles = table->triangles, .kinds = table->kinds};
  table->names = o->names;
  table->triangles = o->triangles;
  table->kinds = o->kinds;
  o->names = before.names;
  o->triangles = before.triangles;
  o->kinds = before.kinds;
}

/* Consecutive points meet triangles that are close in memory. */
static syn_status order_triangles(radial_table *table, syn_error *error) {
  const syn_context *context = table->context;
  const uint32_t tiles = syn_radial_cell_count(&table->grid) >> RADIAL_CELL_BITS;
  ordering o = {0};
  syn_status status = SYN_NEW_ZEROED(context, &o.start, (size_t)tiles + 3, error);
  if (status == SYN_OK) status = SYN_NEW(context, &o.tile, table->count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &o.names, table->count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &o.triangles, table->count, error);
  if (status == SYN_OK) status = SYN_NEW(context, &o.kinds, table->count, error);
  if (status == SYN_OK) put_in_order(table, tiles, &o);
  syn_free(context, o.start);
  syn_free(context, o.tile);
  syn_free(context, o.names);
  syn_free(context, o.triangles);
  syn_free(context, o.kinds);
  return status;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static bool moved_off_its_ray(const radial_table *previous, syn_vec3 direction, uint32_t vertex) {
  return !radial_keeps_ray(previous->directions[vertex], direction);
}

static syn_status place_points(radial_table *table, const syn_vec3 *vertices, const radial_table *previous,
                               syn_error *error) {
  const syn_trimesh *mesh = table->mesh;
  SYN_TRY(SYN_NEW(table->context, &table->points, mesh->vertex_count, error));
  SYN_TRY(SYN_NEW(table->context, &table->directions, mesh->vertex_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const syn_vec3 p = vec3_sub(vertices[v], table->center);
    const double radius = vec3_length(p);
    if (!(radius == 0 || radial_has_direction(radius)))
      return syn_fail(error, SYN_BAD_MESH, "vertex %u lies %g mm from the centre, too far for radial depths", v,
                      radius);
    table->points[v] = p;
    table->directions[v] = vec3_unit(p);
    if (previous && !moved_off_its_ray(previous, table->directions[v], v))
      table->directions[v] = previous->directions[v];
  }
  return SYN_OK;
}

/* In the order of the previous table, or in the caller's. */
static syn_status take_triangles(radial_table *table, const radial_table *previous, syn_error *error) {
  const size_t count = table->count;
  SYN_TRY(SYN_NEW(table->context, &table->names, count, error));
  SYN_TRY(SYN_NEW(table->context, &table->triangles, count, error));
  SYN_TRY(SYN_NEW(table->context, &table->kinds, count, error));
  SYN_TRY(SYN_NEW(table->context, &table->toward, count + 1, error));
  SYN_TRY(SYN_NEW(table->context, &table->planes, count + 1, error));
  for (uint32_t t = 0; t < count; ++t) {
    table->names[t] = previous ? previous->names[t] : t;
    table->triangles[t] = table->mesh->triangles[table->names[t]];
  }
  syn_radial_fill_kinds(table, previous);
  return SYN_OK;
}

/* A cap around all walls. Directions of a triangle are points of its corners' hull, pushed out to length 1: that lowers
 * a negative product. */
static void find_cap(radial_table *table) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t t = 0; t < table->count; ++t)
    for (int c = 0; c < 3 && table->kinds[t] == RADIAL_WALL; ++c)
      sum = vec3_add(sum, table->directions[table->triangles[t].v[c]]);
  table->cap_axis = vec3_unit(sum);
  table->cap_cosine = 1;
  for (uint32_t t = 0; t < table->count; ++t) {
    if (table->kinds[t] != RADIAL_WALL) continue;
    double least = 1;
    for (int c = 0; c < 3; ++c)
      least = min2(least, vec3_dot(table->cap_axis, table->directions[table->triangles[t].v[c]]));
    if (least < 0 && least - RADIAL_SLACK < table->cap_cosine) {
      const radial_cone cone = syn_radial_cone_of_triangle(table, t);
      least = max2(least / syn_radial_shortest(&cone), -2);
    }
    table->cap_cosine = min2(table->cap_cosine, least - RADIAL_SLACK);
  }
}

void syn_radial_table_release(radial_table *table) {
  const syn_context *context = table->context;
  const radial_cells *cells[] = {&table->walls, &table->backs};
  for (int i = 0; i < 2; ++i) {
    syn_free(context, cells[i]->heads);
    syn_free(context, cells[i]->bases);
    syn_free(context, cells[i]->lists);
  }
  syn_free(context, table->points);
  syn_free(context, table->directions);
  syn_free(context, table->ring_of);
  syn_free(context, table->names);
  syn_free(context, table->triangles);
  syn_free(context, table->kinds);
  syn_free(context, table->toward);
  syn_free(context, table->planes);
  *table = (radial_table){.context = context};
}

syn_status syn_radial_check_options(const syn_collide_options *options, syn_error *error) {
  if (options->mapping < SYN_MAPPING_SPHERICAL || options->mapping > SYN_MAPPING_UNIFORM)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no radial mapping number %d; take 1, 2 or 3",
                    (int)options->mapping);
  if (!vec3_finite(options->center))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of a radial method must be three finite numbers");
  return SYN_OK;
}

static syn_status create(radial_table *table, syn_mapping mapping, syn_error *error) {
  SYN_TRY(place_points(table, table->mesh->vertices, NULL, error));
  SYN_TRY(take_triangles(table, NULL, error));
  choose_grid(table, mapping);
  SYN_TRY(order_triangles(table, error));
  syn_radial_fill_planes(table, NULL);
  find_cap(table);
  return syn_radial_fill_cells(table, NULL, NULL, error);
}

syn_status syn_radial_table_create(const syn_context *context, const syn_trimesh *mesh,
                                   const syn_collide_options *options, bool outside, radial_table *table,
                                   syn_error *error) {
  *table = (radial_table){.context = context,
                          .mesh = mesh,
                          .center = options->center,
                          .outside = outside,
                          .use_normals = options->use_normals,
                          .wanted_cells = options->table_size,
                          .count = mesh->triangle_count};
  const syn_status status = create(table, options->mapping, error);
  if (status != SYN_OK) syn_radial_table_release(table);
  return status;
}

/* ---- deformation ------------------------------------------------------------------------------------------------- */

/* What stays the same over the life of a table. */
static radial_table fresh_copy(const radial_table *table) {
  return (radial_table){.context = table->context,
                        .mesh = table->mesh,
                        .center = table->center,
                        .outside = table->outside,
                        .use_normals = table->use_normals,
                        .wanted_cells = table->wanted_cells,
                        .count = table->count,
                        .grid = table->grid,
                        .back_grid = table->back_grid};
}

/* Does this triangle stay in the cells that `previous` has it in, and can it be in heads as before? */
static bool same_cells(const radial_table *table, const radial_table *previous, uint32_t triangle) {
  if (previous->kinds[triangle] != table->kinds[triangle]) return false;
  if (radial_is_precise(previous, triangle) != radial_is_precise(table, triangle)) return false;
  for (int c = 0; c < 3; ++c) {
    const uint32_t v = table->triangles[triangle].v[c];
    if (!vec3_equal(table->directions[v], previous->directions[v])) return false;
  }
  return true;
}

/* The vertices of triangles that do not stay in their cells; returns how many such triangles there are. */
static uint32_t find_touched(const radial_table *next, const radial_table *previous, bool *touched) {
  uint32_t changed = 0;
  memset(touched, 0, next->mesh->vertex_count * sizeof *touched);
  for (uint32_t t = 0; t < next->count; ++t) {
    if (same_cells(next, previous, t)) continue;
    ++changed;
    for (int c = 0; c < 3; ++c) touched[next->triangles[t].v[c]] = true;
  }
  return changed;
}

/* Is it less work to keep what did not change? Also not for ever: lists that are no longer in use add up. */
static bool worth_keeping(const radial_table *table, uint32_t changed) {
  return changed < table->count / 4 && table->walls.list_count / 2 <= table->walls.fresh_count &&
         table->backs.list_count / 2 <= table->backs.fresh_count;
}

/* The triangles in the cells have new planes. */
static void take_cells(radial_table *next, radial_table *table) {
  next->walls = table->walls;
  next->backs = table->backs;
  next->ring_of = table->ring_of;
  table->walls = table->backs = (radial_cells){0};
  table->ring_of = NULL;
  next->cap_axis = table->cap_axis;
  next->cap_cosine = table->cap_cosine;
  syn_radial_renew_rules(next);
}

static syn_status make_cells_anew(radial_table *next, const radial_table *table, uint32_t changed, const bool *touched,
                                  syn_error *error) {
  const bool holds = grid_holds(next), keep = holds && worth_keeping(table, changed);
  if (!holds) choose_grid(next, table->grid.mapping);
  if (!keep) {
    SYN_TRY(order_triangles(next, error));
    syn_radial_fill_planes(next, NULL);
  }
  find_cap(next);
  SYN_TRY(syn_radial_fill_cells(next, keep ? table : NULL, touched, error));
  if (keep) syn_radial_renew_rules(next);
  return SYN_OK;
}

/* Makes *next from the table; where only its cells move over, nothing can fail any more. */
static syn_status deform(radial_table *next, radial_table *table, const syn_vec3 *vertices, bool *touched, bool *kept,
                         syn_error *error) {
  SYN_TRY(place_points(next, vertices, table, error));
  SYN_TRY(take_triangles(next, table, error));
  syn_radial_fill_planes(next, table);
  const uint32_t changed = find_touched(next, table, touched);
  *kept = changed == 0;
  if (changed > 0) return make_cells_anew(next, table, changed, touched, error);
  take_cells(next, table);
  return SYN_OK;
}

syn_status syn_radial_table_update(radial_table *table, const syn_vec3 *vertices, bool *kept, syn_error *error) {
  radial_table next = fresh_copy(table);
  bool *touched, all_kept = false;
  SYN_TRY(syn_radial_slide(table, vertices, &all_kept, error));
  if (kept) *kept = all_kept;
  if (all_kept) return SYN_OK;
  SYN_TRY(SYN_NEW(table->context, &touched, table->mesh->vertex_count, error));
  const syn_status status = deform(&next, table, vertices, touched, &all_kept, error);
  if (status == SYN_OK) {
    const radial_table before = *table;
    *table = next;
    next = before;
  }
  if (kept) *kept = all_kept;
  syn_radial_table_release(&next);
  syn_free(table->context, touched);
  return status;
}

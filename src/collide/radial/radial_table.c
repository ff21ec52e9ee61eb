/* Builds and updates the table of radial segments. */
#include "collide/radial/radial_table.h"
#include "base/vec.h"
#include "collide/radial/radial_cells.h"
#include "collide/radial/radial_mapping.h"
#include "collide/radial/radial_sorting.h"
#include "collide/radial/radial_wall.h"

#include <math.h>

/* Grids of radial cells. */
static double whole_range(syn_mapping mapping, int address) {
  if (mapping == SYN_MAPPING_CARTESIAN) return 2;
  if (mapping == SYN_MAPPING_UNIFORM) return SYN_PI / 2;
  return address == 1 ? 2 * SYN_PI : SYN_PI;
}

radial_grid syn_radial_grid(syn_mapping mapping, uint32_t cells, const radial_span *used) {
  radial_grid grid = {.mapping = mapping, .layers = syn_radial_layer_count(mapping)};
  const uint32_t dimension = (uint32_t)ceil(sqrt((double)cells / grid.layers));
  grid.columns = grid.rows = dimension > 0 ? dimension : 1;
  grid.tile_columns = grid.tile_rows = (grid.columns + RADIAL_TILE - 1) / RADIAL_TILE;
  const bool whole = mapping == SYN_MAPPING_UNIFORM || !(used->low1 <= used->high1);
  const double origin1 = mapping == SYN_MAPPING_CARTESIAN ? -1 : mapping == SYN_MAPPING_SPHERICAL ? -SYN_PI : 0;
  const double origin2 = mapping == SYN_MAPPING_CARTESIAN ? -1 : 0;
  /* slightly more than the used range, so that no direction of the body is outside the last cell */
  const double slack = 2 * RADIAL_SLACK;
  grid.min1 = (whole ? origin1 : used->low1) - slack;
  grid.min2 = (whole ? origin2 : used->low2) - slack;
  grid.scale1 = grid.columns / ((whole ? whole_range(mapping, 1) : used->high1 - used->low1) + 2 * slack);
  grid.scale2 = grid.rows / ((whole ? whole_range(mapping, 2) : used->high2 - used->low2) + 2 * slack);
  grid.sine1 = sin(1 / grid.scale1);
  grid.cosine1 = cos(1 / grid.scale1);
  grid.sine2 = sin(1 / grid.scale2);
  grid.cosine2 = cos(1 / grid.scale2);
  return grid;
}

uint32_t syn_radial_locate(const radial_grid *grid, syn_vec3 unit) {
  const radial_address at = syn_radial_address(grid->mapping, unit);
  const double column = (at.a1 - grid->min1) * grid->scale1, row = (at.a2 - grid->min2) * grid->scale2;
  if (!(column >= 0 && column < grid->columns && row >= 0 && row < grid->rows)) return SYN_NONE;
  return syn_radial_cell_number(grid, at.a3, (uint32_t)row, (uint32_t)column);
}

static float arc_tangent(float x) {
  static const float c[] = RADIAL_ARC_TANGENT;
  const float x2 = x * x;
  float sum = c[0];
  for (int k = 1; k < 5; ++k) sum = sum * x2 + c[k];
  return sum * x;
}

static uint32_t cell_along(float angle, float offset, float scale, uint32_t count) {
  const int32_t at = (int32_t)((angle + offset) * scale), last = (int32_t)count - 1;
  return (uint32_t)(at < 0 ? 0 : at > last ? last : at);
}

/* Eq. 7, 33 and 11 in floats: sides 0 and 2 are x, 1 and 3 y, 4 and 5 z. */
static uint32_t find_uniform(const radial_grid *grid, float x, float y, float z) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  const bool is_x = ax >= ay && ax >= az, is_y = !is_x && ay >= az;
  const float axis = is_x ? x : is_y ? y : z, over = 1 / axis;
  const float first = is_x ? -y : is_y ? x : y, second = is_x ? z : is_y ? -z : -x;
  const uint32_t layer = is_x ? (axis < 0 ? 2 : 0) : is_y ? (axis < 0 ? 3 : 1) : (axis < 0 ? 5 : 4);
  const float offset1 = (float)(SYN_PI / 4 - grid->min1), offset2 = (float)(SYN_PI / 4 - grid->min2);
  const uint32_t column = cell_along(arc_tangent(first * over), offset1, (float)grid->scale1, grid->columns);
  const uint32_t row = cell_along(arc_tangent(second * over), offset2, (float)grid->scale2, grid->rows);
  return syn_radial_cell_number(grid, layer, row, column);
}

uint32_t syn_radial_find_cell(const radial_grid *grid, syn_vec3 point) {
  if (grid->mapping == SYN_MAPPING_UNIFORM) return find_uniform(grid, (float)point.x, (float)point.y, (float)point.z);
  const uint32_t cell = syn_radial_locate(grid, vec3_unit(point));
  return cell == SYN_NONE ? syn_radial_cell_count(grid) : cell;
}

/* Returns whether the span is inside the grid. */
static bool syn_radial_holds(const radial_grid *grid, const radial_span *span) {
  return span->low1 >= grid->min1 && (span->high1 - grid->min1) * grid->scale1 <= grid->columns &&
         span->low2 >= grid->min2 && (span->high2 - grid->min2) * grid->scale2 <= grid->rows;
}

/* ---- middles of cells -------------------------------------------------------------------------------------------- */

/* Returns the direction at an address, of any length. If type 2's square leaves the disc of directions, it stays in the
 * plane z = 0. */
static syn_vec3 direction_at(const radial_grid *grid, uint32_t layer, double a1, double a2) {
  if (grid->mapping == SYN_MAPPING_SPHERICAL) return vec3(sin(a2) * cos(a1), sin(a2) * sin(a1), cos(a2));
  if (grid->mapping == SYN_MAPPING_CARTESIAN) {
    const double z2 = 1 - a1 * a1 - a2 * a2, z = z2 > 0 ? sqrt(z2) : 0;
    return vec3(a1, a2, layer ? z : -z);
  }
  const radial_side *side = &syn_radial_sides[layer];
  return vec3_madd(vec3_madd(side->origin, tan(a1 - SYN_PI / 4), side->by_s), tan(a2 - SYN_PI / 4), side->by_t);
}

typedef struct cell_place {
  uint32_t layer, row, column;
} cell_place;

/* The inverse of syn_radial_cell_number. */
static cell_place place_of(const radial_grid *grid, uint32_t cell) {
  const uint32_t tile = cell >> (2 * RADIAL_TILE_BITS), line = tile / grid->tile_columns;
  return (cell_place){line / grid->tile_rows,
                      line % grid->tile_rows * RADIAL_TILE + (cell >> RADIAL_TILE_BITS) % RADIAL_TILE,
                      tile % grid->tile_columns * RADIAL_TILE + cell % RADIAL_TILE};
}

syn_vec3 syn_radial_cell_middle(const radial_grid *grid, uint32_t cell) {
  const cell_place at = place_of(grid, cell);
  return vec3_unit(direction_at(grid, at.layer, grid->min1 + (at.column + 0.5) / grid->scale1,
                                grid->min2 + (at.row + 0.5) / grid->scale2));
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

/* Returns the solid angle of a triangle at the centre (van Oosterom and Strackee). */
static double solid_angle(const syn_vec3 u[3]) {
  const double volume = fabs(vec3_dot(u[0], vec3_cross(u[1], u[2]))),
               over = 1 + vec3_dot(u[0], u[1]) + vec3_dot(u[1], u[2]) + vec3_dot(u[2], u[0]);
  return volume < 1e-3 * over ? 2 * volume / over : 2 * atan2(volume, over); /* most are small */
}

enum { CELLS_PER_TRIANGLE = 16, CELLS_LEAST = 64, CELLS_MOST = 1 << 26 };

/* Extends the used range by the addresses of a triangle. */
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

/* Chooses a grid fine enough that few triangles share a cell, and no finer than keeps the lists proportional to the
 * mesh, however wide the triangles look from the centre (Arbabi 2009, §3.3.5). */
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

bool syn_radial_grid_holds(const radial_table *table, uint32_t triangle, radial_kind kind) {
  if (table->grid.mapping == SYN_MAPPING_UNIFORM || kind == RADIAL_NEVER) return true;
  radial_span spans[RADIAL_SPANS];
  const radial_cone cone = syn_radial_cone_of_triangle(table, triangle);
  for (uint32_t s = syn_radial_spans(table->grid.mapping, &cone, spans); s-- > 0;)
    if (!syn_radial_holds(radial_grid_of(table, kind), &spans[s])) return false;
  return true;
}

/* Returns whether the grid of a previous table covers every triangle. */
static bool grid_holds(const radial_table *table) {
  for (uint32_t t = 0; t < table->count; ++t)
    if (!syn_radial_grid_holds(table, t, (radial_kind)table->kinds[t])) return false;
  return true;
}

/* ---- the order of the triangles ---------------------------------------------------------------------------------- */

typedef struct ordering {
  uint32_t *start, *tile; /* of each tile, and of each triangle its tile */
  uint32_t *names;
  syn_triangle *triangles;
  uint8_t *kinds;
} ordering;

/* Returns the sort key: walls by the tile of their middle, then backs, which few points need, then the others. */
static uint32_t tile_of(const radial_table *table, uint32_t triangle, uint32_t tiles) {
  if (table->kinds[triangle] != RADIAL_WALL) return tiles + 1 + (table->kinds[triangle] == RADIAL_NEVER);
  syn_vec3 u[3];
  syn_radial_directions(table, triangle, u);
  const syn_vec3 middle = vec3_add(u[0], vec3_add(u[1], u[2]));
  if (!radial_has_direction(vec3_length(middle))) return tiles; /* the triangle surrounds the centre */
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

/* Orders the triangles so that those met by consecutive points are close in memory. */
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

static syn_status place_points(radial_table *table, const syn_vec3 *vertices, syn_error *error) {
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
  }
  return SYN_OK;
}

/* Copies the triangles in the order of the previous table, or in the caller's. */
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
  syn_radial_fill_kinds(table);
  return SYN_OK;
}

void syn_radial_widen_cap(radial_table *table, uint32_t triangle) {
  double least = 1;
  syn_vec3 units[3];
  if (table->kinds[triangle] != RADIAL_WALL) return;
  syn_radial_directions(table, triangle, units);
  for (int c = 0; c < 3; ++c) least = min2(least, vec3_dot(table->cap_axis, units[c]));
  /* a wide triangle extends beyond the cap between its corners */
  if (least < 0) least = max2(least / syn_radial_shortest(units, 3), -2);
  table->cap_cosine = min2(table->cap_cosine, least - RADIAL_SLACK);
}

/* Finds a cap of directions around all walls. */
static void find_cap(radial_table *table) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t t = 0; t < table->count; ++t)
    for (int c = 0; c < 3 && table->kinds[t] == RADIAL_WALL; ++c)
      sum = vec3_add(sum, table->directions[table->triangles[t].v[c]]);
  table->cap_axis = vec3_unit(sum);
  table->cap_cosine = 1;
  for (uint32_t t = 0; t < table->count; ++t) syn_radial_widen_cap(table, t);
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
  syn_radial_forget_neighbours(context, &table->at);
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

/* Fills a table that has its grid and triangles. */
static syn_status fill_radial_table(radial_table *table, syn_error *error) {
  SYN_TRY(order_triangles(table, error));
  syn_radial_fill_planes(table);
  find_cap(table);
  return syn_radial_fill_cells(table, error);
}

static syn_status create_radial_table(radial_table *table, syn_mapping mapping, syn_error *error) {
  SYN_TRY(place_points(table, table->mesh->vertices, error));
  SYN_TRY(take_triangles(table, NULL, error));
  choose_grid(table, mapping);
  return fill_radial_table(table, error);
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
  const syn_status status = create_radial_table(table, options->mapping, error);
  if (status != SYN_OK) syn_radial_table_release(table);
  return status;
}

/* ---- deformation ------------------------------------------------------------------------------------------------- */

/* Returns a copy with the constant data of a table. */
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

static syn_status make_again(radial_table *next, const radial_table *table, const syn_vec3 *vertices,
                             syn_error *error) {
  SYN_TRY(place_points(next, vertices, error));
  SYN_TRY(take_triangles(next, table, error));
  if (!grid_holds(next)) choose_grid(next, table->grid.mapping);
  return fill_radial_table(next, error);
}

syn_status syn_radial_table_update(radial_table *table, const syn_vec3 *vertices, bool *kept, syn_error *error) {
  radial_mended how;
  SYN_TRY(syn_radial_mend(table, vertices, &how, error));
  if (kept) *kept = how == RADIAL_CELLS_STAYED;
  if (how != RADIAL_NOT_MENDED) return SYN_OK;
  radial_table next = fresh_copy(table);
  const syn_status status = make_again(&next, table, vertices, error);
  if (status == SYN_OK) {
    const radial_table before = *table;
    *table = next;
    next = before;
  }
  syn_radial_table_release(&next);
  return status;
}

/* Building and keeping the table of radial segments. */
#include "collide/radial_table.h"

#include <math.h>
#include <string.h>

#include "base/predicates.h"
#include "base/vec.h"
#include "collide/closest.h"
#include "collide/radial_cells.h"

/* ---- one triangle ------------------------------------------------------------------------------------------------ */

static void corners_of(const radial_table *table, uint32_t triangle, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) corners[c] = table->points[table->mesh->triangles[triangle].v[c]];
}

/* The directions of a triangle; at most the tenth part of the slack beside where they were when the cells were made. */
static void directions_of(const radial_table *table, uint32_t triangle, syn_vec3 units[3]) {
  for (int c = 0; c < 3; ++c) units[c] = table->directions[table->mesh->triangles[triangle].v[c]];
}
radial_cone syn_radial_cone_of_triangle(const radial_table *table, uint32_t triangle) {
  syn_vec3 units[3];
  directions_of(table, triangle, units);
  return syn_radial_cone_of(units, 3);
}

static const radial_grid *grid_of(const radial_table *table, uint32_t triangle) {
  return table->kinds[triangle] == RADIAL_BACK ? &table->back_grid : &table->grid;
}

static radial_kind kind_of(const radial_table *table, const syn_vec3 v[3]) {
  const int turn = syn_orient3d(vec3(0, 0, 0), v[0], v[1], v[2]); /* > 0: the normal points away from the centre */
  if (turn == 0) return RADIAL_NEVER;
  return !table->use_normals || (turn < 0) == table->outside ? RADIAL_WALL : RADIAL_BACK;
}

/* The plane's normal over its product with a corner: dotted with a direction it gives 1 / distance of the plane.
 * Returns the sign of that product, or 0 where the plane is too slanted, or the triangle too thin, for any of it to be
 * precise. */
static int scaled_normal(const syn_vec3 v[3], syn_vec3 *normal) {
  const syn_vec3 ab = vec3_sub(v[1], v[0]), ac = vec3_sub(v[2], v[0]), n = vec3_cross(ab, ac);
  const double height = vec3_dot(n, v[0]);
  if (!(fabs(height) > 1e-4 * vec3_length(ab) * vec3_length(ac) * vec3_length(v[0]))) return 0;
  *normal = vec3_scale(n, 1 / height);
  return height > 0 ? 1 : -1;
}

double syn_radial_toward(const syn_vec3 v[3], syn_vec3 unit) {
  syn_vec3 normal;
  if (scaled_normal(v, &normal) != 0) return vec3_dot(normal, unit);
  /* A mean of the corners, weighted by the areas opposite to them as seen along the ray: always between them. Areas are
   * taken about a point of the ray close by, where less is lost. */
  const syn_vec3 near = vec3_scale(unit, vec3_dot(unit, vec3_scale(vec3_add(v[0], vec3_add(v[1], v[2])), 1.0 / 3)));
  syn_vec3 sum = {0, 0, 0};
  double weights = 0;
  for (int c = 0; c < 3; ++c) {
    const double w = fabs(vec3_dot(vec3_cross(vec3_sub(v[(c + 1) % 3], near), vec3_sub(v[(c + 2) % 3], near)), unit));
    sum = vec3_madd(sum, w, v[c]);
    weights += w;
  }
  return weights > 0 ? weights / vec3_length(sum) : 1 / vec3_length(v[0]);
}

bool syn_radial_inside_edge(const syn_vec3 v[3], int edge, syn_vec3 point) {
  const syn_vec3 center = {0, 0, 0};
  const int side = syn_orient3d(center, v[edge], v[(edge + 1) % 3], point);
  return side == 0 || side == syn_orient3d(center, v[0], v[1], v[2]);
}

bool syn_radial_sees(const syn_vec3 v[3], syn_vec3 point) {
  if (syn_orient3d(vec3(0, 0, 0), v[0], v[1], v[2]) == 0) return false;
  return syn_radial_inside_edge(v, 0, point) && syn_radial_inside_edge(v, 1, point) &&
         syn_radial_inside_edge(v, 2, point);
}

static radial_record make_record(const radial_table *table, uint32_t triangle) {
  radial_record record = {0};
  syn_vec3 v[3], normal;
  corners_of(table, triangle, v);
  if (scaled_normal(v, &normal) != 0)
    for (int k = 0; k < 3; ++k) record.toward[k] = (table->outside ? 1 : -1) * vec3_at(normal, k);
  const double turn = syn_orient3d(vec3(0, 0, 0), v[0], v[1], v[2]);
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 plane = vec3_cross(v[c], v[(c + 1) % 3]);
    const double length2 = vec3_length2(plane);
    /* two corners in one direction: the plane could be any */
    if (length2 < 1e-16 * vec3_length2(v[c]) * vec3_length2(v[(c + 1) % 3])) continue;
    const double scale = turn / sqrt(length2);
    for (int k = 0; k < 3; ++k) record.plane[k][c] = (float)(vec3_at(plane, k) * scale);
  }
  return record;
}

static void fill_records(radial_table *table) {
  radial_record *none = &table->records[table->mesh->triangle_count];
  for (int c = 0; c < 3; ++c) none->toward[c] = none->plane[c][0] = none->plane[c][1] = none->plane[c][2] = NAN;
  table->first_back = INFINITY;
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t) {
    syn_vec3 corners[3];
    if (table->kinds[t] != RADIAL_NEVER) table->records[t] = make_record(table, t);
    if (table->kinds[t] != RADIAL_BACK) continue;
    corners_of(table, t, corners);
    double bound = -max2(vec3_length(corners[0]), max2(vec3_length(corners[1]), vec3_length(corners[2])));
    if (table->outside) bound = vec3_length(closest_on_triangle(vec3(0, 0, 0), corners));
    table->first_back = min2(table->first_back, bound - 1e-9 * fabs(bound));
  }
}

static bool moved_off_its_ray(const radial_table *previous, syn_vec3 direction, uint32_t vertex) {
  return !(vec3_distance(direction, previous->directions[vertex]) <= RADIAL_SLACK / 10);
}

/* Does this triangle stay in the cells that `previous` has it in? */
static bool same_cells(const radial_table *table, const radial_table *previous, uint32_t triangle) {
  if (previous->kinds[triangle] != table->kinds[triangle]) return false;
  for (int c = 0; c < 3; ++c) {
    const uint32_t v = table->mesh->triangles[triangle].v[c];
    if (!vec3_equal(table->directions[v], previous->directions[v])) return false;
  }
  return true;
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

/* Seen from the centre (van Oosterom and Strackee). */
static double solid_angle(const syn_vec3 u[3]) {
  const double volume = fabs(vec3_dot(u[0], vec3_cross(u[1], u[2]))),
               over = 1 + vec3_dot(u[0], u[1]) + vec3_dot(u[1], u[2]) + vec3_dot(u[2], u[0]);
  return volume < 1e-3 * over ? 2 * volume / over : 2 * atan2(volume, over); /* most are small */
}

enum { CELLS_PER_TRIANGLE = 16, CELLS_LEAST = 64, CELLS_MOST = 1 << 26 };

/* Makes room for the addresses of a triangle. */
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
 * large the triangles look from the centre (seed A, 3.3.5). */
static void choose_grid(radial_table *table, syn_mapping mapping) {
  radial_span used = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0};
  double covered = 0;
  uint32_t seen = 0;
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t) {
    if (table->kinds[t] == RADIAL_NEVER) continue;
    syn_vec3 units[3];
    directions_of(table, t, units);
    if (mapping != SYN_MAPPING_UNIFORM) widen(&used, mapping, units); /* type 3 has cells for all in any case */
    covered += solid_angle(units) / (4 * SYN_PI);
    ++seen;
  }
  double cells = table->wanted_cells;
  if (cells == 0) cells = max2(CELLS_LEAST, CELLS_PER_TRIANGLE * (double)seen / max2(covered, 1));
  table->grid = syn_radial_grid(mapping, (uint32_t)min2(cells, CELLS_MOST), &used);
  table->back_grid = syn_radial_grid(mapping, (uint32_t)(min2(cells, CELLS_MOST) / CELLS_PER_TRIANGLE), &used);
}

/* Does the grid of a previous table hold every triangle? */
static bool grid_holds(const radial_table *table) {
  if (table->grid.mapping == SYN_MAPPING_UNIFORM) return true;
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t) {
    if (table->kinds[t] == RADIAL_NEVER) continue;
    radial_span spans[RADIAL_SPANS];
    const radial_cone cone = syn_radial_cone_of_triangle(table, t);
    for (uint32_t s = syn_radial_spans(table->grid.mapping, &cone, spans); s-- > 0;)
      if (!syn_radial_holds(grid_of(table, t), &spans[s])) return false;
  }
  return true;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static syn_status place_points(radial_table *table, const syn_vec3 *vertices, const radial_table *previous,
                               syn_error *error) {
  const syn_trimesh *mesh = table->mesh;
  SYN_TRY(SYN_NEW(table->context, &table->points, mesh->vertex_count, error));
  SYN_TRY(SYN_NEW(table->context, &table->directions, mesh->vertex_count, error));
  SYN_TRY(SYN_NEW(table->context, &table->kinds, mesh->triangle_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const syn_vec3 p = vec3_sub(vertices[v], table->center);
    const double radius = vec3_length(p);
    if (!(radius == 0 || radial_has_direction(radius)))
      return syn_fail(error, SYN_BAD_MESH,
                      "vertex %u lies %g mm from the centre, beyond what radial depths can be told for", v, radius);
    table->points[v] = p;
    table->directions[v] = vec3_unit(p);
    if (previous && !moved_off_its_ray(previous, table->directions[v], v))
      table->directions[v] = previous->directions[v];
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 corners[3];
    corners_of(table, t, corners);
    table->kinds[t] = (uint8_t)kind_of(table, corners);
  }
  return SYN_OK;
}

/* A cap around all walls. Directions of a triangle are points of its corners' hull, pushed out to length 1: that lowers
 * a negative product. */
static void find_cap(radial_table *table) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t)
    for (int c = 0; c < 3 && table->kinds[t] == RADIAL_WALL; ++c)
      sum = vec3_add(sum, table->directions[table->mesh->triangles[t].v[c]]);
  table->cap_axis = vec3_unit(sum);
  table->cap_cosine = 1;
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t) {
    if (table->kinds[t] != RADIAL_WALL) continue;
    double least = 1;
    for (int c = 0; c < 3; ++c)
      least = min2(least, vec3_dot(table->cap_axis, table->directions[table->mesh->triangles[t].v[c]]));
    if (least < 0 && least - RADIAL_SLACK < table->cap_cosine) {
      const radial_cone cone = syn_radial_cone_of_triangle(table, t);
      least = max2(least / syn_radial_shortest(&cone), -2);
    }
    table->cap_cosine = min2(table->cap_cosine, least - RADIAL_SLACK);
  }
}

syn_status syn_radial_allocate_lines(const syn_context *context, size_t count, void **block, void **lines,
                                     syn_error *error) {
  enum { LINE = 64 };
  SYN_TRY(syn_allocate_zeroed(context, count + 1, LINE, block, error));
  char *start = *block;
  *lines = start + (LINE - (uintptr_t)start % LINE) % LINE;
  return SYN_OK;
}

/* `table` has its context, mesh, options, points and grids. `previous` and `touched` as in syn_radial_fill_cells. */
static syn_status build(radial_table *table, const radial_table *previous, const bool *touched, syn_error *error) {
  void *lines;
  SYN_TRY(syn_radial_allocate_lines(table->context, table->mesh->triangle_count + (size_t)1, &table->record_block,
                                    &lines, error));
  table->records = lines;
  fill_records(table);
  find_cap(table);
  return syn_radial_fill_cells(table, previous, touched, error);
}

void syn_radial_table_release(radial_table *table) {
  const syn_context *context = table->context;
  syn_free(context, table->points);
  syn_free(context, table->directions);
  syn_free(context, table->kinds);
  syn_free(context, table->walls.heads);
  syn_free(context, table->walls.lists);
  syn_free(context, table->backs.heads);
  syn_free(context, table->backs.lists);
  syn_free(context, table->sides);
  syn_free(context, table->record_block);
  syn_free(context, table->cut_block);
  syn_free(context, table->rings);
  syn_free(context, table->fan_block);
  *table = (radial_table){.context = context};
}

/* What stays the same over the life of a table. */
static radial_table fresh_copy(const radial_table *table) {
  return (radial_table){.context = table->context,
                        .mesh = table->mesh,
                        .center = table->center,
                        .outside = table->outside,
                        .use_normals = table->use_normals,
                        .wanted_cells = table->wanted_cells,
                        .grid = table->grid,
                        .back_grid = table->back_grid};
}

syn_status syn_radial_check_options(const syn_collide_options *options, syn_error *error) {
  if (options->mapping < SYN_MAPPING_SPHERICAL || options->mapping > SYN_MAPPING_UNIFORM)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no radial mapping number %d; take 1, 2 or 3",
                    (int)options->mapping);
  if (!vec3_finite(options->center))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of a radial method must be three finite numbers");
  return SYN_OK;
}

syn_status syn_radial_table_create(const syn_context *context, const syn_trimesh *mesh,
                                   const syn_collide_options *options, bool outside, radial_table *table,
                                   syn_error *error) {
  *table = (radial_table){.context = context,
                          .mesh = mesh,
                          .center = options->center,
                          .outside = outside,
                          .use_normals = options->use_normals,
                          .wanted_cells = options->table_size};
  syn_status status = place_points(table, mesh->vertices, NULL, error);
  if (status == SYN_OK) {
    choose_grid(table, options->mapping);
    status = build(table, NULL, NULL, error);
  }
  if (status != SYN_OK) syn_radial_table_release(table);
  return status;
}

/* The vertices of triangles that do not stay in their cells; returns how many such triangles there are. */
static uint32_t find_touched(const radial_table *next, const radial_table *previous, bool *touched) {
  uint32_t changed = 0;
  memset(touched, 0, next->mesh->vertex_count * sizeof *touched);
  for (uint32_t t = 0; t < next->mesh->triangle_count; ++t) {
    if (same_cells(next, previous, t)) continue;
    ++changed;
    for (int c = 0; c < 3; ++c) touched[next->mesh->triangles[t].v[c]] = true;
  }
  return changed;
}

/* Is it less work to keep what did not change? Also not for ever: cuts and fans that are no longer in use add up. */
static bool worth_keeping(const radial_table *table, uint32_t changed) {
  return changed < table->mesh->triangle_count / 4 && table->cut_count / 4 <= table->mesh->triangle_count &&
         table->fan_count / 2 <= table->mesh->vertex_count;
}

/* The cells stay, the triangles in them have new planes. */
static void move_along_rays(radial_table *table, const syn_vec3 *points) {
  memcpy(table->points, points, table->mesh->vertex_count * sizeof *points);
  fill_records(table);
  syn_radial_fill_cuts_and_fans(table);
}

static syn_status make_cells_anew(radial_table *next, const radial_table *table, uint32_t changed, const bool *touched,
                                  syn_error *error) {
  const bool holds = grid_holds(next);
  if (!holds) choose_grid(next, table->grid.mapping);
  return build(next, holds && worth_keeping(table, changed) ? table : NULL, touched, error);
}

syn_status syn_radial_table_update(radial_table *table, const syn_vec3 *vertices, bool *kept, syn_error *error) {
  radial_table next = fresh_copy(table);
  bool *touched;
  SYN_TRY(SYN_NEW(table->context, &touched, table->mesh->vertex_count, error));
  syn_status status = place_points(&next, vertices, table, error);
  const uint32_t changed = status == SYN_OK ? find_touched(&next, table, touched) : 0;
  if (kept) *kept = status == SYN_OK && changed == 0;
  if (status == SYN_OK && changed > 0) status = make_cells_anew(&next, table, changed, touched, error);
  if (status == SYN_OK && changed == 0) move_along_rays(table, next.points);
  if (status == SYN_OK && changed > 0) {
    const radial_table old = *table;
    *table = next;
    next = old;
  }
  syn_radial_table_release(&next);
  syn_free(table->context, touched);
  return status;
}

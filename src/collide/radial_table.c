/* Building and keeping the table of radial segments. */
#include "collide/radial_table.h"

#include <math.h>
#include <string.h>

#include "base/predicates.h"
#include "base/vec.h"
#include "collide/closest.h"

/* ---- one triangle ------------------------------------------------------------------------------------------------ */

static void corners_of(const radial_table *table, uint32_t triangle, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) corners[c] = table->points[table->mesh->triangles[triangle].v[c]];
}

/* The directions of a triangle; at most the tenth part of the slack beside where they were when the cells were made. */
static void directions_of(const radial_table *table, uint32_t triangle, syn_vec3 units[3]) {
  for (int c = 0; c < 3; ++c) units[c] = table->directions[table->mesh->triangles[triangle].v[c]];
}
static radial_cone cone_of(const radial_table *table, uint32_t triangle) {
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
  radial_record record = {.triangle = triangle};
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
  radial_record *none = &table->records[table->record_count];
  none->triangle = SYN_NONE;
  for (int c = 0; c < 3; ++c) none->toward[c] = none->plane[c][0] = none->plane[c][1] = none->plane[c][2] = NAN;
  table->first_back = INFINITY;
  for (uint32_t r = 0; r < table->record_count; ++r) {
    const uint32_t triangle = table->records[r].triangle;
    syn_vec3 corners[3];
    table->records[r] = make_record(table, triangle);
    if (table->kinds[triangle] != RADIAL_BACK) continue;
    corners_of(table, triangle, corners);
    double bound = -max2(vec3_length(corners[0]), max2(vec3_length(corners[1]), vec3_length(corners[2])));
    if (table->outside) bound = vec3_length(closest_on_triangle(vec3(0, 0, 0), corners));
    table->first_back = min2(table->first_back, bound - 1e-9 * fabs(bound));
  }
}

/* ---- cells of triangles ------------------------------------------------------------------------------------------ */

typedef struct cover_list {
  const syn_context *context;
  uint32_t *cells;
  size_t count, capacity;
  bool failed;
} cover_list;

static void note_cell(void *user, uint32_t cell) {
  cover_list *list = user;
  if (list->failed) return;
  if (list->count == list->capacity &&
      SYN_RESERVE(list->context, &list->cells, list->count, 1, &list->capacity, NULL) != SYN_OK)
    list->failed = true;
  else
    list->cells[list->count++] = cell;
}

static bool moved_off_its_ray(const radial_table *previous, syn_vec3 direction, uint32_t vertex) {
  return !(vec3_distance(direction, previous->directions[vertex]) <= RADIAL_SLACK / 10);
}

/* May the cells that `previous` has for this triangle be kept? */
static bool same_cells(const radial_table *table, const radial_table *previous, uint32_t triangle) {
  if (!previous || previous->kinds[triangle] != table->kinds[triangle]) return false;
  for (int c = 0; c < 3; ++c) {
    const uint32_t v = table->mesh->triangles[triangle].v[c];
    if (!vec3_equal(table->directions[v], previous->directions[v])) return false;
  }
  return true;
}

static syn_status list_covers(radial_table *table, const radial_table *previous, syn_error *error) {
  const uint32_t triangles = table->mesh->triangle_count;
  cover_list list = {.context = table->context};
  SYN_TRY(SYN_NEW(table->context, &table->cover_start, (size_t)triangles + 1, error));
  for (uint32_t t = 0; t < triangles && !list.failed; ++t) {
    table->cover_start[t] = (uint32_t)list.count;
    if (same_cells(table, previous, t)) {
      for (uint32_t i = previous->cover_start[t]; i < previous->cover_start[t + 1]; ++i)
        note_cell(&list, previous->cover_cells[i]);
    } else if (table->kinds[t] != RADIAL_NEVER) {
      const radial_cone cone = cone_of(table, t);
      syn_radial_cover(grid_of(table, t), &cone, note_cell, &list);
    }
    if (list.count > INT32_MAX) break;
  }
  table->cover_cells = list.cells;
  if (list.failed) return syn_fail_memory(error, list.capacity * sizeof *list.cells);
  if (list.count > INT32_MAX)
    return syn_fail(error, SYN_TOO_LARGE,
                    "the radial table of %u cells would list its triangles more than %d times; ask for fewer cells",
                    syn_radial_cell_count(&table->grid), INT32_MAX);
  table->cover_start[triangles] = (uint32_t)list.count;
  return SYN_OK;
}

/* Counts, adds up, fills: the triangles of one kind in every cell, ascending. */
static syn_status sort_into_cells(const radial_table *table, radial_kind kind, radial_cells *cells, syn_error *error) {
  const size_t count = syn_radial_cell_count(kind == RADIAL_BACK ? &table->back_grid : &table->grid);
  const uint32_t triangles = table->mesh->triangle_count;
  SYN_TRY(SYN_NEW_ZEROED(table->context, &cells->start, count + 2, error));
  for (uint32_t t = 0; t < triangles; ++t)
    if (table->kinds[t] == kind)
      for (uint32_t i = table->cover_start[t]; i < table->cover_start[t + 1]; ++i)
        ++cells->start[table->cover_cells[i]];
  uint32_t sum = 0;
  for (size_t c = 0; c < count; ++c) cells->start[c] = sum += cells->start[c];
  cells->start[count] = cells->start[count + 1] = sum;
  SYN_TRY(SYN_NEW(table->context, &cells->members, sum, error));
  for (uint32_t t = triangles; t-- > 0;) /* backwards, so that the offsets end where the cells begin */
    if (table->kinds[t] == kind)
      for (uint32_t i = table->cover_start[t]; i < table->cover_start[t + 1]; ++i)
        cells->members[--cells->start[table->cover_cells[i]]] = t;
  return SYN_OK;
}

/* Numbers records as the cells first name their triangles, so that what is asked together lies together. */
static void number_records(radial_table *table, const radial_grid *grid, radial_cells *cells) {
  const uint32_t members = cells->start[syn_radial_cell_count(grid)];
  for (uint32_t i = 0; i < members; ++i) {
    const uint32_t t = cells->members[i];
    if (table->record_of[t] == SYN_NONE) {
      table->records[table->record_count].triangle = t;
      table->record_of[t] = table->record_count++;
    }
    cells->members[i] = table->record_of[t];
  }
}

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

/* Seen from the centre (van Oosterom and Strackee). */
static double solid_angle(const syn_vec3 u[3]) {
  const double volume = fabs(vec3_dot(u[0], vec3_cross(u[1], u[2])));
  return 2 * atan2(volume, 1 + vec3_dot(u[0], u[1]) + vec3_dot(u[1], u[2]) + vec3_dot(u[2], u[0]));
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

/* Does the grid hold every triangle that must be put into cells anew? */
static bool grid_holds(const radial_table *table, const radial_table *previous) {
  if (table->grid.mapping == SYN_MAPPING_UNIFORM) return true;
  for (uint32_t t = 0; t < table->mesh->triangle_count; ++t) {
    if (table->kinds[t] == RADIAL_NEVER || same_cells(table, previous, t)) continue;
    radial_span spans[RADIAL_SPANS];
    const radial_cone cone = cone_of(table, t);
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
      const radial_cone cone = cone_of(table, t);
      least = max2(least / syn_radial_shortest(&cone), -2);
    }
    table->cap_cosine = min2(table->cap_cosine, least - RADIAL_SLACK);
  }
}

static syn_status allocate_records(radial_table *table, syn_error *error) {
  const size_t triangles = table->mesh->triangle_count;
  char *block;
  SYN_TRY(SYN_NEW(table->context, &table->record_of, triangles, error));
  memset(table->record_of, 0xff, triangles * sizeof *table->record_of);
  SYN_TRY(syn_allocate_zeroed(table->context, triangles + 2, sizeof(radial_record), &table->record_block, error));
  block = table->record_block;
  table->records = (radial_record *)(void *)(block + (64 - (uintptr_t)block % 64) % 64);
  return SYN_OK;
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

static radial_head plain_head(const radial_table *table, const uint32_t *members, uint32_t count) {
  const uint32_t none = table->record_count;
  return (radial_head){{count > 0 ? members[0] : none, count > 1 ? members[1] : none}};
}

/* Puts a record into the heads of the parts that it touches: none of its planes has a whole part behind it. */
static void add_to_parts(const radial_parts *parts, const radial_record *record, uint32_t number,
                         uint32_t found[RADIAL_PARTS][2], uint32_t count[RADIAL_PARTS]) {
  bool touches[RADIAL_PARTS];
  for (int part = 0; part < RADIAL_PARTS; ++part) touches[part] = true;
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 plane = vec3((double)record->plane[0][c], (double)record->plane[1][c], (double)record->plane[2][c]);
    const double at = vec3_dot(plane, parts->origin) + 2 * RADIAL_SLACK;
    const double by_s = vec3_dot(plane, parts->by_s), by_t = vec3_dot(plane, parts->by_t);
    double over_s[RADIAL_SPLIT], over_t[RADIAL_SPLIT];
    for (int i = 0; i < RADIAL_SPLIT; ++i) {
      over_s[i] = at + max2(by_s * parts->s[i], by_s * parts->s[i + 1]);
      over_t[i] = max2(by_t * parts->t[i], by_t * parts->t[i + 1]);
    }
    for (int part = 0; part < RADIAL_PARTS; ++part)
      touches[part] &= over_s[part % RADIAL_SPLIT] + over_t[part / RADIAL_SPLIT] >= 0;
  }
  for (int part = 0; part < RADIAL_PARTS; ++part) {
    if (!touches[part]) continue;
    if (count[part] < 2) found[part][count[part]] = number;
    ++count[part];
  }
}

/* The heads of a crowded cell's parts; one that is still crowded has the list of the cell. */
static void split_cell(const radial_table *table, uint32_t cell, radial_head listed, radial_head heads[RADIAL_PARTS]) {
  const radial_parts parts = syn_radial_parts(&table->grid, cell);
  uint32_t found[RADIAL_PARTS][2], count[RADIAL_PARTS] = {0};
  for (uint32_t i = table->walls.start[cell]; i < table->walls.start[cell + 1]; ++i) {
    const uint32_t number = table->walls.members[i];
    add_to_parts(&parts, &table->records[number], number, found, count);
  }
  for (int part = 0; part < RADIAL_PARTS; ++part)
    heads[part] = count[part] > 2 ? listed : plain_head(table, found[part], count[part]);
}

static syn_status make_heads(radial_table *table, syn_error *error) {
  const uint32_t cells = syn_radial_cell_count(&table->grid), *start = table->walls.start;
  const bool splits = table->grid.mapping == SYN_MAPPING_UNIFORM;
  size_t parts = 0, next = (size_t)cells + 1;
  for (uint32_t c = 0; c < cells && splits; ++c) parts += start[c + 1] - start[c] > 2 ? RADIAL_PARTS : 0;
  SYN_TRY(SYN_NEW(table->context, &table->heads, next + parts, error));
  for (uint32_t c = 0; c <= cells; ++c) {
    const uint32_t count = start[c + 1] - start[c];
    const radial_head listed = {{start[c], RADIAL_LISTED | count}};
    table->heads[c] = count > 2 ? listed : plain_head(table, table->walls.members + start[c], count);
    if (count <= 2 || !splits) continue;
    split_cell(table, c, listed, table->heads + next);
    table->heads[c] = (radial_head){{(uint32_t)next, RADIAL_LISTED}};
    next += RADIAL_PARTS;
  }
  return SYN_OK;
}

/* `table` has its context, mesh, options and, after a previous table, the grid of that one. */
static syn_status build(radial_table *table, const radial_table *previous, syn_error *error) {
  SYN_TRY(list_covers(table, previous, error));
  SYN_TRY(sort_into_cells(table, RADIAL_WALL, &table->walls, error));
  SYN_TRY(sort_into_cells(table, RADIAL_BACK, &table->backs, error));
  find_cap(table);
  SYN_TRY(allocate_records(table, error));
  number_records(table, &table->grid, &table->walls);
  number_records(table, &table->back_grid, &table->backs);
  fill_records(table);
  return make_heads(table, error);
}

void syn_radial_table_release(radial_table *table) {
  const syn_context *context = table->context;
  syn_free(context, table->points);
  syn_free(context, table->directions);
  syn_free(context, table->kinds);
  syn_free(context, table->cover_start);
  syn_free(context, table->cover_cells);
  syn_free(context, table->walls.start);
  syn_free(context, table->walls.members);
  syn_free(context, table->backs.start);
  syn_free(context, table->backs.members);
  syn_free(context, table->heads);
  syn_free(context, table->record_of);
  syn_free(context, table->record_block);
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
    status = build(table, NULL, error);
  }
  if (status != SYN_OK) syn_radial_table_release(table);
  return status;
}

static bool all_cells_stay(const radial_table *next, const radial_table *previous) {
  for (uint32_t t = 0; t < next->mesh->triangle_count; ++t)
    if (!same_cells(next, previous, t)) return false;
  return true;
}

syn_status syn_radial_table_update(radial_table *table, const syn_vec3 *vertices, bool *kept, syn_error *error) {
  radial_table next = fresh_copy(table);
  syn_status status = place_points(&next, vertices, table, error);
  const bool stay = status == SYN_OK && all_cells_stay(&next, table);
  if (kept) *kept = stay;
  if (stay) {
    memcpy(table->points, next.points, table->mesh->vertex_count * sizeof *next.points);
    fill_records(table);
    syn_radial_table_release(&next);
    return SYN_OK;
  }
  if (status == SYN_OK) {
    const bool holds = grid_holds(&next, table);
    if (!holds) choose_grid(&next, table->grid.mapping);
    status = build(&next, holds ? table : NULL, error);
  }
  syn_radial_table_release(status == SYN_OK ? table : &next);
  if (status == SYN_OK) *table = next;
  return status;
}

/* Computes depths by neighbouring cells (Arbabi 2009, §3.3.4.1): the table is not updated. A ray searches its cell and
 * the cells around it, which finds triangles that a deformation moved to a neighbouring cell. A triangle that moves
 * farther is missed, and one that now faces away from the centre still counts as a wall: an approximation, as an
 * alternative to the exact update. */
#include "collide/radial/radial_neighbours.h"

#include "base/parallel.h"
#include "collide/radial/radial_wall.h"

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

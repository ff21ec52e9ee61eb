/* Radial depth: what lies on a point's ray, and how far the point is behind it (seed A, 3.3.3.2 and appendix F). */
#include "collide/radial_field.h"

#include <math.h>

#include "base/parallel.h"

/* ---- one point --------------------------------------------------------------------------------------------------- */

/* Where the ray through `point` meets the triangle: false where it does not. */
static bool meets(const radial_table *table, uint32_t triangle, syn_vec3 point, syn_vec3 u, bool forced,
                  double *toward) {
  const radial_record *record = &table->records[triangle];
  const float x = (float)u.x, y = (float)u.y, z = (float)u.z;
  float side[3], least = 2;
  for (int c = 0; c < 3; ++c) {
    side[c] = record->plane[0][c] * x + record->plane[1][c] * y + record->plane[2][c] * z;
    least = side[c] < least ? side[c] : least;
  }
  if (least < -RADIAL_UNSURE && !forced) return false;
  const double *t = record->toward;
  *toward = t[0] * u.x + t[1] * u.y + t[2] * u.z;
  const bool precise = t[0] != 0 || t[1] != 0 || t[2] != 0;
  if (least > RADIAL_UNSURE && precise) return true;
  const uint32_t *v = table->mesh->triangles[triangle].v;
  const syn_vec3 corners[3] = {table->points[v[0]], table->points[v[1]], table->points[v[2]]};
  if (!precise) *toward = (table->outside ? 1 : -1) * syn_radial_toward(corners, u);
  for (int c = 0; c < 3 && !forced; ++c)
    if (side[c] <= RADIAL_UNSURE && !syn_radial_inside_edge(corners, c, point)) return false;
  return true;
}

/* `cell` is where the point looks, SYN_NONE if that is not known. */
static radial_hit depth_in_cell(const radial_table *table, syn_vec3 point, uint32_t cell, uint32_t forced) {
  const double radius = sqrt(point.x * point.x + point.y * point.y + point.z * point.z);
  if (!radial_has_direction(radius)) return (radial_hit){-INFINITY, SYN_NONE};
  const syn_vec3 unit = vec3_scale(point, 1 / radius);
  if (cell == SYN_NONE) cell = syn_radial_locate(&table->grid, unit);
  if (cell == SYN_NONE) cell = syn_radial_cell_count(&table->grid);
  radial_layers at = radial_no_layers(table->outside, table->use_normals, radius);
  double toward;
  if (forced != SYN_NONE && table->kinds[forced] == RADIAL_WALL && meets(table, forced, point, unit, true, &toward))
    radial_add_wall(&at, toward, forced);
  const radial_members walls = syn_radial_members(table, &table->walls, cell);
  for (uint32_t i = 0; i < walls.count; ++i)
    if (meets(table, walls.triangle[i], point, unit, false, &toward)) radial_add_wall(&at, toward, walls.triangle[i]);
  /* backs matter only behind a wall that was passed */
  if (at.passed < HUGE_VAL && (table->outside ? radius : -radius) > table->first_back) {
    cell = syn_radial_locate(&table->back_grid, unit);
    if (cell == SYN_NONE) cell = syn_radial_cell_count(&table->back_grid);
    const radial_members backs = syn_radial_members(table, &table->backs, cell);
    for (uint32_t i = 0; i < backs.count; ++i)
      if (meets(table, backs.triangle[i], point, unit, false, &toward)) radial_add_back(&at, toward);
  }
  return radial_depth_of(&at, table->outside, radius);
}

radial_hit syn_radial_depth(const radial_table *table, syn_vec3 point, uint32_t forced) {
  return depth_in_cell(table, point, SYN_NONE, forced);
}

/* ---- all points -------------------------------------------------------------------------------------------------- */

double syn_radial_point(const radial_field *field, size_t i, uint32_t cell) {
  const radial_points *points = field->points;
  const syn_vec3 point = radial_place(field, vec3(points->x[i], points->y[i], points->z[i]));
  const radial_hit hit = depth_in_cell(field->table, point, cell, SYN_NONE);
  field->depth[points->order[i]] = hit.depth;
  if (field->triangle) field->triangle[points->order[i]] = hit.triangle;
  return hit.depth;
}

void syn_radial_kernel_portable(const radial_field *field, size_t begin, size_t end, radial_deepest *most) {
  const size_t stop = end * RADIAL_PACKET < field->points->count ? end * RADIAL_PACKET : field->points->count;
  for (size_t i = begin * RADIAL_PACKET; i < stop; ++i) {
    const double depth = syn_radial_point(field, i, SYN_NONE);
    radial_note_depth(most, depth, field->points->order[i]);
    most->positive += depth > 0;
  }
}

radial_kernel *syn_radial_best_kernel(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return syn_radial_kernel_avx2;
#endif
  return syn_radial_kernel_portable;
}

/* Parts of the work whose number depends on the points alone; each has its own deepest. */
enum { PARTS = 64 };

typedef struct field_parts {
  const radial_field *field;
  size_t grain;
  radial_deepest most[PARTS];
} field_parts;

static void compute_part(void *user, size_t begin, size_t end) {
  field_parts *all = user;
  radial_deepest most = radial_none_deep();
  syn_radial_best_kernel()(all->field, begin, end, &most);
  all->most[begin / all->grain] = most;
}

radial_deepest syn_radial_field_compute(const radial_field *field) {
  const size_t packets = ((size_t)field->points->count + RADIAL_PACKET - 1) / RADIAL_PACKET;
  const size_t blocks = packets / (RADIAL_BLOCK / RADIAL_PACKET);
  field_parts all = {.field = field, .grain = (blocks / PARTS + 1) * (RADIAL_BLOCK / RADIAL_PACKET)};
  for (int part = 0; part < PARTS; ++part) all.most[part] = radial_none_deep();
  syn_parallel_for(field->table->context, packets, all.grain, compute_part, &all);
  radial_deepest most = all.most[0];
  for (int part = 1; part < PARTS; ++part) {
    radial_note_depth(&most, all.most[part].depth, all.most[part].vertex);
    most.positive += all.most[part].positive;
  }
  return most;
}

radial_field syn_radial_field_at(const radial_table *table, const radial_points *points, const syn_pose *pose) {
  const syn_vec3 moved = mat3_apply(&pose->rotation, table->center);
  return (radial_field){.table = table,
                        .points = points,
                        .rotation = pose->rotation,
                        .shift = vec3_add(vec3_sub(moved, table->center), pose->translation)};
}

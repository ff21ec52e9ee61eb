/* Computes radial depth: finds the layers on a point's ray and the distance of the point behind them (Arbabi 2009,
 * §3.3.3.2 and Appendix F). */
#include "collide/radial/radial_field.h"

#include <math.h>

#include "base/parallel.h"
#include "collide/radial/radial_wall.h"

/* ---- one point --------------------------------------------------------------------------------------------------- */

/* A point and its ray. */
typedef struct ray {
  syn_vec3 point, unit;
  double radius;
} ray;

/* Computes where the ray meets the triangle; false if it does not. */
static bool meets(const radial_table *table, uint32_t triangle, const ray *r, bool forced, double *ratio) {
  const radial_planes *planes = &table->planes[triangle];
  const float x = (float)r->unit.x, y = (float)r->unit.y, z = (float)r->unit.z;
  float side[3], least = 2;
  for (int c = 0; c < 3; ++c) {
    side[c] = planes->plane[0][c] * x + planes->plane[1][c] * y + planes->plane[2][c] * z;
    least = side[c] < least ? side[c] : least;
  }
  if (least < -RADIAL_UNSURE && !forced) return false;
  *ratio = radial_ratio(table, triangle, r->point);
  const bool precise = radial_is_precise(table, triangle);
  if (least > RADIAL_UNSURE && precise) return true;
  syn_vec3 corners[3];
  syn_radial_corners(table, triangle, corners);
  if (!precise) *ratio = (table->outside ? r->radius : -r->radius) * syn_radial_toward(corners, r->unit);
  for (int c = 0; c < 3 && !forced; ++c)
    if (side[c] <= RADIAL_UNSURE && !syn_radial_inside_edge(corners, c, r->point)) return false;
  return true;
}

static double extreme_ratio(const radial_table *table, const radial_members *members, syn_vec3 point) {
  const double sign = members->rule == RADIAL_LEAST ? -1 : 1;
  double most = -HUGE_VAL;
  for (uint32_t i = 0; i < members->count; ++i)
    most = max2(most, sign * radial_ratio(table, radial_member(members, i), point));
  return sign * most;
}

uint32_t syn_radial_name(const radial_table *table, const radial_members *members, syn_vec3 point, double ratio) {
  uint32_t close = 0, name = SYN_NONE;
  for (uint32_t i = 0; i < members->count; ++i) {
    const uint32_t t = radial_member(members, i);
    if (!(fabs(radial_ratio(table, t, point) - ratio) <= 1e-9 * fabs(ratio))) continue;
    ++close;
    name = table->names[t];
  }
  if (close == 1) return name;
  name = SYN_NONE;
  for (uint32_t i = 0; i < members->count; ++i) {
    const uint32_t t = radial_member(members, i);
    syn_vec3 corners[3];
    syn_radial_corners(table, t, corners);
    if (table->names[t] < name && syn_radial_sees(corners, point)) name = table->names[t];
  }
  return name;
}

static void add_walls(const radial_table *table, const ray *r, radial_layers *at) {
  const radial_members walls = syn_radial_members(&table->walls, syn_radial_find_cell(&table->grid, r->point));
  double ratio;
  if (walls.count > 0 && !(walls.rule & RADIAL_EACH)) {
    ratio = extreme_ratio(table, &walls, r->point);
    radial_add_wall(at, ratio, syn_radial_name(table, &walls, r->point, ratio));
    return;
  }
  for (uint32_t i = 0; i < walls.count; ++i) {
    const uint32_t t = radial_member(&walls, i);
    if (meets(table, t, r, false, &ratio)) radial_add_wall(at, ratio, table->names[t]);
  }
}

static void add_backs(const radial_table *table, const ray *r, radial_layers *at) {
  const radial_members backs = syn_radial_members(&table->backs, syn_radial_find_cell(&table->back_grid, r->point));
  double ratio;
  for (uint32_t i = 0; i < backs.count; ++i)
    if (meets(table, radial_member(&backs, i), r, false, &ratio)) radial_add_back(at, ratio);
}

radial_hit syn_radial_depth(const radial_table *table, syn_vec3 point, uint32_t forced) {
  const double radius = sqrt(point.x * point.x + point.y * point.y + point.z * point.z);
  if (!radial_has_direction(radius)) return (radial_hit){-INFINITY, SYN_NONE};
  const ray r = {point, vec3_scale(point, 1 / radius), radius};
  radial_layers at = radial_no_layers(table->outside, table->use_normals);
  double ratio;
  if (forced != SYN_NONE && table->kinds[forced] == RADIAL_WALL && meets(table, forced, &r, true, &ratio))
    radial_add_wall(&at, ratio, table->names[forced]);
  add_walls(table, &r, &at);
  /* backs matter only behind a passed wall */
  if (at.passed < HUGE_VAL && (table->outside ? radius : -radius) > table->first_back) add_backs(table, &r, &at);
  return radial_depth_of(&at, table->outside, radius);
}

/* ---- all points -------------------------------------------------------------------------------------------------- */

double syn_radial_point(const radial_field *field, size_t i) {
  const radial_points *points = field->points;
  const syn_vec3 point = radial_place(field, vec3(points->x[i], points->y[i], points->z[i]));
  const radial_hit hit = syn_radial_depth(field->table, point, SYN_NONE);
  field->depth[points->order[i]] = hit.depth;
  if (field->triangle) field->triangle[points->order[i]] = hit.triangle;
  return hit.depth;
}

void syn_radial_kernel_portable(const radial_field *field, size_t begin, size_t end, radial_deepest *most) {
  const size_t stop = end * RADIAL_PACKET < field->points->count ? end * RADIAL_PACKET : field->points->count;
  for (size_t i = begin * RADIAL_PACKET; i < stop; ++i) {
    const double depth = syn_radial_point(field, i);
    radial_note_depth(most, depth, field->points->order[i]);
    most->positive += depth > 0;
  }
}

radial_kernel *syn_radial_best_kernel(void) {
#if SYN_AVX2
  if (syn_has_avx2()) return syn_radial_kernel_avx2;
#endif
  return syn_radial_kernel_portable;
}

/* The work is divided into parts whose number depends on the points alone; each has a separate deepest point. */
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

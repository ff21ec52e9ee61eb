/* Detects what no ring shows: both bodies contain the same point of the axis. The rings next to the axis are then
 * wholly inside as well, and cross no surface to which an arc could lead. A rotation about the axis does not change
 * this. */
#include "collide/cylindrical/cylindrical.h"

#include <math.h>

#include "base/memory.h"
#include "base/order.h"

typedef struct axis_crossing {
  double height;
  int body, step; /* 1: into the body, -1: out of it, for growing height */
} axis_crossing;

/* Returns whether the line parallel to z through (x, y) crosses the triangle. */
static bool crosses_triangle(const syn_vec3 v[3], double x, double y, axis_crossing *crossing) {
  double area[3], sum = 0, height = 0;
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 a = v[(c + 1) % 3], b = v[(c + 2) % 3];
    area[c] = (a.x - x) * (b.y - y) - (b.x - x) * (a.y - y);
    sum += area[c];
    height += area[c] * v[c].z;
  }
  const bool up = area[0] > 0 && area[1] > 0 && area[2] > 0, down = area[0] < 0 && area[1] < 0 && area[2] < 0;
  if (!up && !down) return false;
  crossing->height = height / sum;
  crossing->step = up ? -1 : 1;
  return true;
}

/* Lists the crossings of both bodies with a line slightly off the axis, which may coincide with edges of bodies
 * modelled about it. Without a list, only counts them. */
static size_t list_crossings(const syn_cylindrical *c, axis_crossing *list) {
  const double x = 0.54e-6 * c->reach, y = 0.41e-6 * c->reach;
  size_t count = 0;
  for (int body = 0; body < 2; ++body)
    for (uint32_t t = 0; t < c->mesh[body]->triangle_count; ++t) {
      const uint32_t *corners = c->mesh[body]->triangles[t].v;
      const syn_vec3 v[3] = {c->points[body][corners[0]], c->points[body][corners[1]], c->points[body][corners[2]]};
      axis_crossing crossing = {.body = body};
      if (!crosses_triangle(v, x, y, &crossing)) continue;
      if (list) list[count] = crossing;
      ++count;
    }
  return count;
}

static bool is_higher(const void *one, const void *other) {
  return ((const axis_crossing *)one)->height > ((const axis_crossing *)other)->height;
}

/* Returns the height in the middle of the longest section of the axis inside both bodies, or NAN. A body that is not
 * left as often as it is entered is open, and has no inside. */
static double find_common_height(const axis_crossing *list, size_t count, double reach) {
  int inside[2] = {0, 0};
  double longest = 1e-9 * reach, height = NAN;
  for (size_t i = 0; i < count; ++i) {
    inside[list[i].body] += list[i].step;
    if (i + 1 == count || inside[0] <= 0 || inside[1] <= 0) continue;
    const double length = list[i + 1].height - list[i].height;
    if (length <= longest) continue;
    longest = length;
    height = (list[i].height + list[i + 1].height) / 2;
  }
  return inside[0] == 0 && inside[1] == 0 ? height : (double)NAN;
}

syn_status syn_cylindrical_warn_of_axis(const syn_cylindrical *c, syn_error *error) {
  axis_crossing *list;
  if (!syn_context_or_default(c->context)->warn) return SYN_OK;
  const size_t count = list_crossings(c, NULL);
  if (count == 0) return SYN_OK;
  SYN_TRY(SYN_NEW(c->context, &list, count, error));
  list_crossings(c, list);
  heap_sort(list, count, sizeof *list, is_higher);
  const double height = find_common_height(list, count, c->reach);
  syn_free(c->context, list);
  if (isnan(height)) return SYN_OK;
  const syn_vec3 at = syn_cylindrical_place(c, vec3(0, 0, height));
  syn_warn(
      c->context,
      "the axis passes through both bodies at once, as at (%.4g, %.4g, %.4g), so that they overlap there, but arcs "
      "about the axis do not show it; take distance, or obb where a depth is not needed",
      at.x, at.y, at.z);
  return SYN_OK;
}

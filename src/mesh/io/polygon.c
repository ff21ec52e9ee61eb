/* Divides polygons into triangles: a shorter-diagonal rule for quads, ear clipping in the plane for everything larger.
 */
#include <assert.h>

#include "base/vec.h"
#include "mesh/io/format.h"

enum { STACK_CORNERS = 64 };

/* How much an ear may get away with. A simple polygon is done while strict; touching itself (as a hole joined by a
 * bridge does) needs the second; crossing itself or having no area the third, which cuts off whatever comes first. */
typedef enum leniency { STRICT, MAY_TOUCH, ANYTHING } leniency;

/* One corner of the remaining polygon. All corners are in one array: ring links by number, and because the grid has no
 * more cells than there are corners, entry i also stores the list of grid cell i. */
typedef struct corner {
  double x, y;
  uint32_t before, after;
  uint32_t next_in_cell, first_in_cell;
  bool blocks;  /* not strictly convex: only such corners can lie inside an ear */
  bool queued;  /* waiting to be tried as an ear */
  bool delayed; /* lost a neighbour since it was queued: moved to the end, so that ears spread and slivers are rare */
  bool gone;
} corner;

typedef struct clipper {
  corner *corners;
  uint32_t *queue; /* ring buffer of `count` entries, each corner in it at most once */
  uint32_t count, left, head, queued;
  uint32_t cells; /* per side of the grid */
  double min_x, min_y, cells_per_x, cells_per_y;
} clipper;

/* Newell's normal: twice the area, pointing to where the polygon runs counter-clockwise. Taken about the first point so
 * that far-away polygons lose nothing. */
static syn_vec3 newell_normal(const syn_vec3 *points, const uint32_t *indices, size_t count) {
  const syn_vec3 origin = points[indices[0]];
  syn_vec3 normal = {0, 0, 0}, from = vec3_sub(points[indices[count - 1]], origin);
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 to = vec3_sub(points[indices[i]], origin);
    normal = vec3_add(normal, vec3_cross(from, to));
    from = to;
  }
  return normal;
}

/* Cannot fail: memory for the whole polygon was reserved before. */
static void emit(syn_builder *b, uint32_t v0, uint32_t v1, uint32_t v2) {
  assert(b->triangle_count < b->triangle_capacity);
  b->triangles[b->triangle_count++] = (syn_triangle){{v0, v1, v2}};
}

static void emit_fan(syn_builder *b, const uint32_t *indices, size_t count) {
  for (size_t i = 1; i + 1 < count; ++i) emit(b, indices[0], indices[i], indices[i + 1]);
}

/* ---- quads ------------------------------------------------------------------------------------------------------ */

/* The smaller of the areas, seen along the normal, into which the diagonal from corner `k` cuts; negative where it runs
 * outside. */
static double smaller_half(const syn_vec3 p[4], int k, syn_vec3 normal) {
  const syn_vec3 diagonal = vec3_sub(p[(k + 2) % 4], p[k]);
  const double right = vec3_dot(normal, vec3_cross(vec3_sub(p[(k + 1) % 4], p[k]), diagonal));
  const double left = vec3_dot(normal, vec3_cross(diagonal, vec3_sub(p[(k + 3) % 4], p[k])));
  return fmin(left, right);
}

static void emit_quad(syn_builder *b, const uint32_t *v) {
  const syn_vec3 p[4] = {b->points[v[0]], b->points[v[1]], b->points[v[2]], b->points[v[3]]};
  const syn_vec3 normal = newell_normal(b->points, v, 4);
  const double first = smaller_half(p, 0, normal), second = smaller_half(p, 1, normal);
  bool use_second = vec3_length2(vec3_sub(p[3], p[1])) < vec3_length2(vec3_sub(p[2], p[0]));
  if (!(first > 0) || !(second > 0)) use_second = second > first;
  const uint32_t turned[4] = {v[1], v[2], v[3], v[0]};
  emit_fan(b, use_second ? turned : v, 4);
}

/* ---- ear clipping ----------------------------------------------------------------------------------------------- */

/* Twice the signed area of the triangle. */
static double doubled_area(const corner *a, const corner *b, const corner *c) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static void enqueue(clipper *c, uint32_t i) {
  if (c->corners[i].queued) return;
  c->corners[i].queued = true;
  const uint32_t room = c->count - c->head; /* up to the end of the ring buffer */
  c->queue[c->queued < room ? c->head + c->queued : c->queued - room] = i;
  ++c->queued;
}

static uint32_t dequeue(clipper *c) {
  const uint32_t i = c->queue[c->head];
  c->head = c->head + 1 == c->count ? 0 : c->head + 1;
  --c->queued;
  c->corners[i].queued = false;
  return i;
}

static uint32_t cell_of(double value, double min, double cells_per_unit, uint32_t cells) {
  const double at = (value - min) * cells_per_unit;
  return at < cells ? (uint32_t)at : cells - 1;
}

/* Projects along the normal's largest coordinate, keeping the turning sense. False where numbers are not finite. */
static bool project(clipper *c, const syn_vec3 *points, const uint32_t *indices, syn_vec3 normal) {
  const double ax = fabs(normal.x), ay = fabs(normal.y), az = fabs(normal.z);
  const int drop = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
  const bool mirror = vec3_at(normal, drop) < 0;
  const syn_vec3 origin = points[indices[0]];
  for (uint32_t i = 0; i < c->count; ++i) {
    const syn_vec3 p = vec3_sub(points[indices[i]], origin);
    const double x = vec3_at(p, (drop + 1) % 3), y = vec3_at(p, (drop + 2) % 3);
    c->corners[i] = (corner){.x = mirror ? y : x,
                             .y = mirror ? x : y,
                             .before = i == 0 ? c->count - 1 : i - 1,
                             .after = i + 1 == c->count ? 0 : i + 1,
                             .first_in_cell = SYN_NONE};
    if (!isfinite(x) || !isfinite(y)) return false;
  }
  return vec3_finite(normal);
}

/* Puts the corners that can block an ear into a square grid over the polygon's box. */
static void fill_grid(clipper *c) {
  corner *all = c->corners;
  double max_x = c->min_x = all[0].x, max_y = c->min_y = all[0].y;
  for (uint32_t i = 1; i < c->count; ++i) {
    c->min_x = fmin(c->min_x, all[i].x);
    c->min_y = fmin(c->min_y, all[i].y);
    max_x = fmax(max_x, all[i].x);
    max_y = fmax(max_y, all[i].y);
  }
  c->cells = c->count <= STACK_CORNERS ? 1 : (uint32_t)sqrt((double)c->count);
  c->cells_per_x = max_x > c->min_x ? fmin(c->cells / (max_x - c->min_x), 1e300) : 0;
  c->cells_per_y = max_y > c->min_y ? fmin(c->cells / (max_y - c->min_y), 1e300) : 0;
  for (uint32_t i = 0; i < c->count; ++i) {
    all[i].blocks = !(doubled_area(&all[all[i].before], &all[i], &all[all[i].after]) > 0);
    if (!all[i].blocks) continue;
    const uint32_t column = cell_of(all[i].x, c->min_x, c->cells_per_x, c->cells);
    const uint32_t cell = cell_of(all[i].y, c->min_y, c->cells_per_y, c->cells) * c->cells + column;
    all[i].next_in_cell = all[cell].first_in_cell;
    all[cell].first_in_cell = i;
  }
}

static bool inside(const corner *p, const corner *const ear[3], bool boundary_counts) {
  for (int k = 0; k < 3; ++k) {
    const double side = doubled_area(ear[k], ear[(k + 1) % 3], p);
    if (!(boundary_counts ? side >= 0 : side > 0)) return false;
  }
  return true;
}

/* Returns whether the triangle cut off at corner i contains no other corner. */
static bool is_ear(const clipper *c, uint32_t i, leniency how) {
  const corner *all = c->corners, *ear[3] = {&all[all[i].before], &all[i], &all[all[i].after]};
  if (!(doubled_area(ear[0], ear[1], ear[2]) > 0)) return false;
  const uint32_t x0 = cell_of(fmin(ear[0]->x, fmin(ear[1]->x, ear[2]->x)), c->min_x, c->cells_per_x, c->cells);
  const uint32_t x1 = cell_of(fmax(ear[0]->x, fmax(ear[1]->x, ear[2]->x)), c->min_x, c->cells_per_x, c->cells);
  const uint32_t y0 = cell_of(fmin(ear[0]->y, fmin(ear[1]->y, ear[2]->y)), c->min_y, c->cells_per_y, c->cells);
  const uint32_t y1 = cell_of(fmax(ear[0]->y, fmax(ear[1]->y, ear[2]->y)), c->min_y, c->cells_per_y, c->cells);
  for (uint32_t y = y0; y <= y1; ++y)
    for (uint32_t x = x0; x <= x1; ++x)
      for (uint32_t j = all[y * c->cells + x].first_in_cell; j != SYN_NONE; j = all[j].next_in_cell) {
        const corner *p = &all[j];
        if (p->gone || !p->blocks || p == ear[0] || p == ear[1] || p == ear[2]) continue;
        if (inside(p, ear, how == STRICT)) return false;
      }
  return true;
}

/* Cuts corner i off; its neighbours may have become convex, and ears. */
static void clip(clipper *c, uint32_t i) {
  corner *all = c->corners;
  const uint32_t ends[2] = {all[i].before, all[i].after};
  all[i].gone = true;
  all[ends[0]].after = ends[1];
  all[ends[1]].before = ends[0];
  --c->left;
  for (int k = 0; k < 2; ++k) {
    corner *end = &all[ends[k]];
    end->blocks = !(doubled_area(&all[end->before], end, &all[end->after]) > 0);
    end->delayed = end->queued;
    enqueue(c, ends[k]);
  }
}

/* In a simple polygon a corner that is no ear can only become one when a neighbour goes: the polygon only shrinks. So
 * each corner is tried once and again after each loss, at most three times n tries per degree of leniency. */
static void clip_all(clipper *c, syn_builder *b, const uint32_t *indices) {
  leniency how = STRICT;
  for (uint32_t i = 0; i < c->count; ++i) enqueue(c, i);
  while (c->left > 3) {
    if (c->queued == 0) { /* nothing to try: increase the leniency */
      how = how == STRICT ? MAY_TOUCH : ANYTHING;
      for (uint32_t i = 0; i < c->count; ++i)
        if (!c->corners[i].gone) enqueue(c, i);
    }
    const uint32_t i = dequeue(c);
    corner *now = &c->corners[i];
    if (now->gone) continue;
    if (now->delayed) {
      now->delayed = false;
      enqueue(c, i);
      continue;
    }
    if (how != ANYTHING && !is_ear(c, i, how)) continue;
    emit(b, indices[now->before], indices[i], indices[now->after]);
    clip(c, i);
  }
  uint32_t last = 0;
  while (c->corners[last].gone) ++last;
  const uint32_t second = c->corners[last].after;
  emit(b, indices[last], indices[second], indices[c->corners[second].after]);
}

static void emit_ears(syn_builder *b, const uint32_t *indices, size_t count, corner *corners, uint32_t *queue) {
  clipper c = {.corners = corners, .queue = queue, .count = (uint32_t)count, .left = (uint32_t)count};
  if (!project(&c, b->points, indices, newell_normal(b->points, indices, count))) {
    emit_fan(b, indices, count);
    return;
  }
  fill_grid(&c);
  clip_all(&c, b, indices);
}

syn_status syn_builder_polygon(syn_builder *b, const uint32_t *indices, size_t count, syn_error *error) {
  assert(count >= 3);
  if (count >= SYN_NONE) return syn_fail(error, SYN_TOO_LARGE, "a polygon of %zu corners is too large", count);
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, b->triangle_count, count - 2, &b->triangle_capacity, error));
  if (count == 3) {
    emit_fan(b, indices, 3);
  } else if (count == 4) {
    emit_quad(b, indices);
  } else if (count <= STACK_CORNERS) {
    corner corners[STACK_CORNERS];
    uint32_t queue[STACK_CORNERS];
    emit_ears(b, indices, count, corners, queue);
  } else {
    corner *corners;
    uint32_t *queue = NULL;
    SYN_TRY(SYN_NEW(b->context, &corners, count, error));
    syn_status status = SYN_NEW(b->context, &queue, count, error);
    if (status == SYN_OK) emit_ears(b, indices, count, corners, queue);
    syn_free(b->context, corners);
    syn_free(b->context, queue);
    return status;
  }
  return SYN_OK;
}

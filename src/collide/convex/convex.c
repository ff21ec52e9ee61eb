/* A convex body: the vertices of a hull and their neighbours. */
#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "collide/convex/convex.h"
#include "collide/magnitude.h"
#include "geometry/convex_hull.h"

/* The same object during construction. */
typedef struct work {
  const syn_context *context;
  syn_error *error;
  uint32_t vertex_count;
  syn_vec3 *vertices;
  uint32_t *point_of_vertex, *neighbour_start, *neighbours;
} work;

/* Flushes tiny coordinates to zero, which the exact predicates require; the change is far below any rounding. */
static double without_dust(double x) { return fabs(x) < 1e-80 ? 0 : x; }

static syn_status copy_points(const syn_context *context, const syn_vec3 *points, size_t count, syn_vec3 **copy,
                              syn_error *error) {
  if (count == 0) return syn_fail(error, SYN_BAD_ARGUMENT, "a convex body needs at least one point");
  if (count > INT32_MAX) return syn_fail(error, SYN_TOO_LARGE, "%zu points are too many for a convex body", count);
  SYN_TRY(syn_check_places(points, count, "convex", SYN_LARGEST_CONVEX_MM, SYN_BAD_ARGUMENT, error));
  SYN_TRY(SYN_NEW(context, copy, count, error));
  for (size_t i = 0; i < count; ++i)
    (*copy)[i] = vec3(without_dust(points[i].x), without_dust(points[i].y), without_dust(points[i].z));
  return SYN_OK;
}

/* Numbers the hull's vertices in the order of the points; `number` gets the vertex of each point, SYN_NONE for most. */
static syn_status take_vertices(work *w, const syn_vec3 *points, uint32_t point_count, const convex_hull *hull,
                                uint32_t *number) {
  memset(number, 0xff, point_count * sizeof *number);
  for (uint32_t i = 0; i < hull->triangle_count; ++i)
    for (int c = 0; c < 3; ++c) number[hull->triangles[i].v[c]] = 0;
  if (hull->dimension < 2)
    for (uint32_t i = 0; i <= hull->dimension; ++i) number[hull->corners[i]] = 0;
  for (uint32_t p = 0; p < point_count; ++p)
    if (number[p] == 0) number[p] = w->vertex_count++;
  SYN_TRY(SYN_NEW(w->context, &w->vertices, w->vertex_count, w->error));
  SYN_TRY(SYN_NEW(w->context, &w->point_of_vertex, w->vertex_count, w->error));
  for (uint32_t p = 0; p < point_count; ++p)
    if (number[p] != SYN_NONE) {
      w->vertices[number[p]] = points[p];
      w->point_of_vertex[number[p]] = p;
    }
  for (uint32_t i = 0; i < hull->triangle_count; ++i)
    for (int c = 0; c < 3; ++c) hull->triangles[i].v[c] = number[hull->triangles[i].v[c]];
  return SYN_OK;
}

/* Lists the neighbours. Every edge is a half-edge of two triangles, once in each direction, so that each end gets the
 * other once; the diagonals of a polygon are listed twice, which is harmless. */
static syn_status find_neighbours(work *w, const convex_hull *hull) {
  const size_t ends = hull->dimension < 2 ? 2 * (size_t)hull->dimension : 3 * (size_t)hull->triangle_count;
  SYN_TRY(SYN_NEW_ZEROED(w->context, &w->neighbour_start, (size_t)w->vertex_count + 1, w->error));
  SYN_TRY(SYN_NEW(w->context, &w->neighbours, ends, w->error));
  if (hull->dimension < 2) {
    for (uint32_t i = 0; i < ends; ++i) w->neighbours[i] = 1 - i;
    for (uint32_t i = 1; i <= w->vertex_count; ++i) w->neighbour_start[i] = hull->dimension * i;
    return SYN_OK;
  }
  for (size_t i = 0; i < hull->triangle_count; ++i)
    for (int c = 0; c < 3; ++c) ++w->neighbour_start[hull->triangles[i].v[c] + 1];
  for (uint32_t i = 0; i < w->vertex_count; ++i) w->neighbour_start[i + 1] += w->neighbour_start[i];
  /* Filling moves each offset to the end of its bucket; shifting by one puts them back. */
  for (size_t i = 0; i < hull->triangle_count; ++i)
    for (int c = 0; c < 3; ++c)
      w->neighbours[w->neighbour_start[hull->triangles[i].v[c]]++] = hull->triangles[i].v[(c + 1) % 3];
  memmove(w->neighbour_start + 1, w->neighbour_start, w->vertex_count * sizeof *w->neighbour_start);
  w->neighbour_start[0] = 0;
  return SYN_OK;
}

/* Computes a bounding ball about the centre of the bounding box: within a factor of sqrt(3) of the smallest ball. */
static void bound(syn_convex *convex) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < convex->vertex_count; ++i) box_add(&box, convex->vertices[i]);
  convex->center = vec3_lerp(box.min, box.max, 0.5);
  for (uint32_t i = 0; i < convex->vertex_count; ++i)
    convex->radius = max2(convex->radius, vec3_distance(convex->center, convex->vertices[i]));
  convex->radius *= 1 + 1e-15;
}

static syn_status fill_hull(work *w, const syn_vec3 *points, uint32_t count, convex_hull *hull) {
  uint32_t *number = NULL;
  syn_status status = syn_convex_hull(w->context, points, count, hull, w->error);
  if (status == SYN_OK) status = SYN_NEW(w->context, &number, count, w->error);
  if (status == SYN_OK) status = take_vertices(w, points, count, hull, number);
  if (status == SYN_OK) status = find_neighbours(w, hull);
  syn_free(w->context, number);
  return status;
}

syn_status syn_convex_create(const syn_context *context, const syn_vec3 *points, size_t count, syn_convex **convex,
                             syn_error *error) {
  *convex = NULL;
  work w = {.context = context, .error = error};
  convex_hull hull = {0};
  syn_vec3 *copy;
  SYN_TRY(copy_points(context, points, count, &copy, error));
  syn_status status = SYN_NEW(context, convex, 1, error);
  if (status != SYN_OK) {
    syn_free(context, copy);
    return status;
  }
  status = fill_hull(&w, copy, (uint32_t)count, &hull);
  syn_free(context, copy);
  **convex = (syn_convex){.context = context,
                          .dimension = hull.dimension,
                          .vertex_count = w.vertex_count,
                          .triangle_count = hull.triangle_count,
                          .vertices = w.vertices,
                          .point_of_vertex = w.point_of_vertex,
                          .triangles = hull.triangles,
                          .neighbour_start = w.neighbour_start,
                          .neighbours = w.neighbours};
  if (status == SYN_OK) {
    bound(*convex);
    return SYN_OK;
  }
  syn_convex_destroy(*convex);
  *convex = NULL;
  return status;
}

void syn_convex_destroy(syn_convex *convex) {
  if (!convex) return;
  const void *const blocks[] = {convex->vertices, convex->point_of_vertex, convex->triangles, convex->neighbour_start,
                                convex->neighbours};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free_const(convex->context, blocks[i]);
  syn_free(convex->context, convex);
}

/* ---- support points ----------------------------------------------------------------------------------------------
 */

/* Returns the best of about sqrt(n) vertices, evenly spaced in the numbering. */
static uint32_t coarse_start(const syn_convex *convex, syn_vec3 direction, uint32_t *looked) {
  const uint32_t step = 1 + (uint32_t)sqrt((double)convex->vertex_count);
  uint32_t best = 0;
  double most = -INFINITY;
  for (uint32_t i = 0; i < convex->vertex_count; i += step) {
    const double along = vec3_dot(convex->vertices[i], direction);
    ++*looked;
    if (!(along > most)) continue;
    most = along;
    best = i;
  }
  return best;
}

/* Climbs to better neighbours. Differences of neighbours have almost no rounding, so that short edges count as much as
 * long ones. */
static uint32_t climb_from(const syn_convex *convex, syn_vec3 direction, uint32_t at, uint32_t *looked) {
  /* Without rounding no vertex is visited twice; the count prevents endless loops. */
  for (uint32_t steps = 0; steps < convex->vertex_count; ++steps) {
    const syn_vec3 here = convex->vertices[at];
    const uint32_t begin = convex->neighbour_start[at], end = convex->neighbour_start[at + 1];
    uint32_t best = at;
    double most = 0;
    for (uint32_t i = begin; i < end; ++i) {
      const uint32_t next = convex->neighbours[i];
      const double rise = vec3_dot(vec3_sub(convex->vertices[next], here), direction);
      if (rise > most) {
        most = rise;
        best = next;
      }
    }
    *looked += end - begin;
    if (best == at) break;
    at = best;
  }
  return at;
}

uint32_t syn_convex_climb(const syn_convex *convex, syn_vec3 direction, uint32_t start, uint32_t *looked) {
  const bool coarse = start == SYN_NONE;
  uint32_t top = climb_from(convex, direction, coarse ? coarse_start(convex, direction, looked) : start, looked);
  /* On a face that is flat up to rounding, no neighbour may seem better although the face has the opposite direction:
   * then the top is behind the centre. */
  if (!coarse && vec3_dot(vec3_sub(convex->vertices[top], convex->center), direction) < 0)
    top = climb_from(convex, direction, coarse_start(convex, direction, looked), looked);
  return top;
}

syn_vec3 syn_convex_place(const convex_pair *pair, int side, uint32_t vertex) {
  const syn_vec3 v = pair->body[side]->vertices[vertex];
  return side == 0 ? v : vec3_add(mat3_apply(&pair->pose->rotation, v), pair->pose->translation);
}

/* Applies the inverse rotation: the weighted sum of the rows, without building the transpose. */
static syn_vec3 turned_back(const syn_mat3 *m, syn_vec3 d) {
  return vec3_madd(vec3_madd(vec3_scale(m->row[0], d.x), d.y, m->row[1]), d.z, m->row[2]);
}

uint32_t syn_convex_support(convex_pair *pair, int side, syn_vec3 direction) {
  const syn_vec3 local = side == 0 ? direction : turned_back(&pair->pose->rotation, direction);
  ++pair->supports;
  return pair->last[side] = syn_convex_climb(pair->body[side], local, pair->last[side], &pair->looked);
}

#include "collide/cylindrical/cylindrical_projection.h"

#include <string.h>

#include "base/parallel.h"

/* ---- finding the crossings ------------------------------------------------------------------------------------------
 */

typedef struct projecting {
  const syn_context *context;
  const syn_ring_vertices *vertices;
  const syn_vec3 *points;
  const syn_ring_table *table;
  const syn_ring_projection *old;
  const uint8_t *stale;
  uint32_t vertex_count, asked; /* vertices whose rings must be crossed with the surface */
  uint32_t *order;              /* those vertices, sorted by cell for locality */
  size_t *room;                 /* per position in the order: start of its crossings in `found` */
  syn_ring_crossing *found;     /* with gaps */
  uint32_t *place;              /* vertex -> its position in the order, SYN_NONE */
  uint32_t *count;              /* vertex -> crossings */
} projecting;

enum { GRAIN = 256 };

static bool keeps(const projecting *job, uint32_t v) { return job->old && !job->stale[v]; }

static bool is_left_out(const projecting *job, uint32_t v) {
  return job->vertices->left_out && job->vertices->left_out(job->vertices->user, v);
}

/* Finds the cells of vertices; SYN_NONE: not needed. */
static void find_cells(void *user, size_t begin, size_t end) {
  projecting *job = user;
  for (size_t v = begin; v < end; ++v) {
    const syn_ring ring = syn_ring_of(job->points[v]);
    const bool asks =
        !keeps(job, (uint32_t)v) && !is_left_out(job, (uint32_t)v) && syn_ring_table_reaches(job->table, ring);
    job->place[v] = asks ? syn_ring_table_cell(job->table, ring) : SYN_NONE;
    job->count[v] = keeps(job, (uint32_t)v) ? job->old->start[v + 1] - job->old->start[v] : 0;
  }
}

/* Sorts the vertices by cell (counting sort); `next` has an entry per cell and one more. */
static void order_by_cell(projecting *job, uint32_t *next, size_t cells) {
  memset(next, 0, (cells + 1) * sizeof *next);
  for (uint32_t v = 0; v < job->vertex_count; ++v)
    if (job->place[v] != SYN_NONE) ++next[job->place[v] + 1];
  for (size_t cell = 0; cell < cells; ++cell) next[cell + 1] += next[cell];
  job->asked = next[cells];
  for (uint32_t v = 0; v < job->vertex_count; ++v) {
    if (job->place[v] == SYN_NONE) continue;
    job->place[v] = next[job->place[v]]++;
    job->order[job->place[v]] = v;
  }
}

static void count_room(void *user, size_t begin, size_t end) {
  projecting *job = user;
  for (size_t i = begin; i < end; ++i)
    job->room[i] = 2 * (size_t)syn_ring_table_count(job->table, syn_ring_of(job->points[job->order[i]]));
}

static void find_crossings(void *user, size_t begin, size_t end) {
  projecting *job = user;
  for (size_t i = begin; i < end; ++i) {
    const uint32_t v = job->order[i];
    job->count[v] = syn_ring_table_cross(job->table, syn_ring_of(job->points[v]), job->found + job->room[i]);
  }
}

static size_t room_to_offsets(size_t *room, uint32_t count) {
  size_t sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const size_t its = room[i];
    room[i] = sum;
    sum += its;
  }
  return sum;
}

static syn_status find_all(projecting *job, syn_arena *arena, syn_error *error) {
  const size_t n = job->vertex_count, cells = (size_t)job->table->columns * job->table->rows;
  uint32_t *next;
  SYN_TRY(SYN_TAKE(arena, &job->order, n, error));
  SYN_TRY(SYN_TAKE(arena, &job->place, n, error));
  SYN_TRY(SYN_TAKE(arena, &job->count, n, error));
  SYN_TRY(SYN_TAKE(arena, &job->room, n, error));
  SYN_TRY(SYN_TAKE(arena, &next, cells + 1, error));
  syn_parallel_for(job->context, n, 16 * GRAIN, find_cells, job);
  order_by_cell(job, next, cells);
  syn_parallel_for(job->context, job->asked, GRAIN, count_room, job);
  SYN_TRY(SYN_TAKE(arena, &job->found, room_to_offsets(job->room, job->asked), error));
  syn_parallel_for(job->context, job->asked, GRAIN, find_crossings, job);
  return SYN_OK;
}

/* Packs the arcs without gaps, in the order of the vertices. */
static syn_status gather_arcs(const projecting *job, syn_ring_projection *made, syn_error *error) {
  size_t total = 0;
  for (uint32_t v = 0; v < job->vertex_count; ++v) total += job->count[v];
  if (total > UINT32_MAX)
    return syn_fail(error, SYN_TOO_LARGE, "the rings of the vertices cross the other surface %zu times, more than 2^32",
                    total);
  SYN_TRY(SYN_NEW(made->context, &made->start, (size_t)job->vertex_count + 1, error));
  SYN_TRY(SYN_NEW(made->context, &made->crossings, total, error));
  uint32_t next = 0;
  for (uint32_t v = 0; v < job->vertex_count; ++v) {
    made->start[v] = next;
    if (job->count[v] == 0) continue;
    const syn_ring_crossing *from =
        keeps(job, v) ? job->old->crossings + job->old->start[v] : job->found + job->room[job->place[v]];
    memcpy(made->crossings + next, from, job->count[v] * sizeof *from);
    next += job->count[v];
  }
  made->start[job->vertex_count] = next;
  return SYN_OK;
}

/* ---- packing them by their number -----------------------------------------------------------------------------------
 */

/* Returns the class of a vertex: 1 to 8 crossings, 9 for the general case, 0 for none. */
static uint32_t class_of(const syn_ring_projection *projection, uint32_t v) {
  const uint32_t begin = projection->start[v], count = projection->start[v + 1] - begin;
  if (count > SYN_RING_CLASSES) return SYN_RING_CLASSES + 1;
  for (uint32_t i = begin; i < begin + count; ++i)
    if (projection->crossings[i].inside[0] == projection->crossings[i].inside[1]) return SYN_RING_CLASSES + 1;
  return count;
}

/* Writes a vertex into its slot. */
static void pack_vertex(syn_ring_projection *p, syn_vec3 point, uint32_t v, uint32_t class) {
  const uint32_t row = p->class_start[class + 1] - p->class_start[class], place = p->slot[v];
  const double angle = syn_ring_angle(point);
  p->radius[place] = syn_ring_of(point).radius;
  if (class > SYN_RING_CLASSES) return;
  double *turn = p->turns + p->class_turns[class] + (place - p->class_start[class]);
  for (uint32_t i = p->start[v]; i < p->start[v + 1]; ++i, turn += row) {
    const double to = syn_wrap_angle(p->crossings[i].angle - angle);
    *turn = copysign(to < 0 ? to + 2 * SYN_PI : to, p->crossings[i].inside[1] ? 1 : -1);
  }
}

static syn_status pack(syn_ring_projection *p, const syn_vec3 *points, syn_error *error) {
  uint32_t count[SYN_RING_CLASSES + 2] = {0}, next[SYN_RING_CLASSES + 2];
  for (uint32_t v = 0; v < p->vertex_count; ++v) ++count[class_of(p, v)];
  size_t turns = 0;
  p->class_start[0] = p->class_start[1] = 0;
  for (uint32_t class = 1; class <= SYN_RING_CLASSES + 1; ++class) {
    next[class] = p->class_start[class];
    p->class_start[class + 1] = p->class_start[class] + count[class];
    if (class > SYN_RING_CLASSES) break;
    p->class_turns[class] = turns;
    turns += (size_t) class * count[class];
  }
  const uint32_t packed = p->class_start[SYN_RING_CLASSES + 2];
  SYN_TRY(SYN_NEW(p->context, &p->packed, packed, error));
  SYN_TRY(SYN_NEW(p->context, &p->slot, p->vertex_count, error));
  SYN_TRY(SYN_NEW(p->context, &p->radius, packed, error));
  SYN_TRY(SYN_NEW(p->context, &p->turns, turns, error));
  for (uint32_t v = 0; v < p->vertex_count; ++v) {
    const uint32_t class = class_of(p, v);
    if (class == 0) continue;
    const uint32_t place = next[class]++;
    p->packed[place] = v;
    p->slot[v] = place;
    pack_vertex(p, points[v], v, class);
  }
  return SYN_OK;
}

syn_status syn_ring_project(const syn_context *context, const syn_ring_vertices *vertices, const syn_ring_table *table,
                            const syn_ring_projection *old, const uint8_t *stale, syn_ring_projection *projection,
                            syn_error *error) {
  syn_ring_projection made = {.context = context, .vertex_count = vertices->count};
  projecting job = {.context = context,
                    .vertices = vertices,
                    .points = vertices->points,
                    .table = table,
                    .old = old && old->start ? old : NULL,
                    .stale = stale,
                    .vertex_count = vertices->count};
  syn_arena arena = {.context = context};
  syn_status status = find_all(&job, &arena, error);
  if (status == SYN_OK) status = gather_arcs(&job, &made, error);
  syn_arena_release(&arena);
  if (status == SYN_OK) status = pack(&made, vertices->points, error);
  if (status != SYN_OK) {
    syn_ring_projection_release(&made);
    return status;
  }
  *projection = made;
  return SYN_OK;
}

bool syn_ring_reproject(syn_ring_projection *p, const syn_ring_vertices *vertices, const syn_ring_table *table,
                        const uint8_t *stale, syn_ring_crossing *buffer) {
  for (uint32_t v = 0; v < vertices->count; ++v) {
    if (!stale[v]) continue;
    const syn_ring ring = syn_ring_of(vertices->points[v]);
    const bool asks =
        !(vertices->left_out && vertices->left_out(vertices->user, v)) && syn_ring_table_reaches(table, ring);
    const uint32_t count = asks ? syn_ring_table_cross(table, ring, buffer) : 0, class = class_of(p, v);
    if (count != p->start[v + 1] - p->start[v]) return false;
    if (count == 0) continue;
    memcpy(p->crossings + p->start[v], buffer, count * sizeof *buffer);
    if (class_of(p, v) != class) return false;
    pack_vertex(p, vertices->points[v], v, class);
  }
  return true;
}

void syn_ring_projection_release(syn_ring_projection *projection) {
  const syn_context *context = projection->context;
  syn_free(context, projection->slot);
  syn_free(context, projection->start);
  syn_free(context, projection->crossings);
  syn_free(context, projection->packed);
  syn_free(context, projection->radius);
  syn_free(context, projection->turns);
  *projection = (syn_ring_projection){.context = context};
}

/* ---- looking at a pose ----------------------------------------------------------------------------------------------
 */

enum { BLOCK = 128 };

/* Computes nearest[j], the signed depth in radians at the nearest of `rows` crossings; branchless. */
static void nearest_of_block(const double *turns, size_t row_length, uint32_t rows, size_t count, double turn,
                             double *restrict nearest) {
  for (size_t j = 0; j < count; ++j) nearest[j] = INFINITY;
  for (uint32_t row = 0; row < rows; ++row, turns += row_length)
    for (size_t j = 0; j < count; ++j) {
      double offset = turn - fabs(turns[j]);
      offset -= offset > SYN_PI ? 2 * SYN_PI : 0;
      offset += offset < -SYN_PI ? 2 * SYN_PI : 0;
      const double depth = copysign(1, turns[j]) * offset;
      nearest[j] = fabs(depth) < fabs(nearest[j]) ? depth : nearest[j];
    }
}

static void nearest_of_class(const syn_ring_projection *p, uint32_t class, double turn, double *depth_mm) {
  const uint32_t first = p->class_start[class], end = p->class_start[class + 1];
  double nearest[BLOCK];
  for (uint32_t begin = first; begin < end; begin += BLOCK) {
    const uint32_t count = end - begin < BLOCK ? end - begin : BLOCK;
    nearest_of_block(p->turns + p->class_turns[class] + (begin - first), end - first, class, count, turn, nearest);
    for (uint32_t j = 0; j < count; ++j) {
      const double distance = fabs(nearest[j]);
      const double depth = distance <= SYN_RING_TOUCH ? 0 : distance < SYN_PI ? nearest[j] : -distance;
      depth_mm[p->packed[begin + j]] = depth * p->radius[begin + j];
    }
  }
}

syn_ring_depth syn_ring_projection_at(const syn_ring_projection *p, const syn_vec3 *points, uint32_t vertex,
                                      double turn, syn_ring_way way) {
  const double angle = syn_wrap_angle(syn_ring_angle(points[vertex]) + turn);
  return syn_ring_depth_at(p->crossings + p->start[vertex], p->start[vertex + 1] - p->start[vertex], angle, way);
}

void syn_ring_projection_depths(const syn_ring_projection *p, const syn_vec3 *points, double turn, syn_ring_way way,
                                double *depth_mm) {
  for (uint32_t v = 0; v < p->vertex_count; ++v) depth_mm[v] = -INFINITY;
  uint32_t class = 1;
  if (way == SYN_RING_NEAREST)
    for (; class <= SYN_RING_CLASSES; ++class)
      nearest_of_class(p, class, turn < 0 ? turn + 2 * SYN_PI : turn, depth_mm);
  for (uint32_t i = p->class_start[class]; i < p->class_start[SYN_RING_CLASSES + 2]; ++i)
    depth_mm[p->packed[i]] = p->radius[i] * syn_ring_projection_at(p, points, p->packed[i], turn, way).depth;
}

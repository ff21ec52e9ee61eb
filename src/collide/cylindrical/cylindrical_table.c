#include "collide/cylindrical/cylindrical_table.h"

#include <string.h>

#include "base/parallel.h"

/* ---- bounds -------------------------------------------------------------------------------------------------------
 */

/* Returns the squared distance of the z axis to the segment a b. */
static double axis_to_segment2(syn_vec3 a, syn_vec3 b) {
  const double x = b.x - a.x, y = b.y - a.y, length2 = x * x + y * y, t = -(a.x * x + a.y * y);
  if (!(t > 0)) return a.x * a.x + a.y * a.y;
  if (t >= length2) return b.x * b.x + b.y * b.y;
  const double cross = a.x * b.y - a.y * b.x;
  return cross * cross / length2;
}

/* Returns the squared distance of the z axis to the triangle: 0 if it intersects, else that of the nearest edge (App.
 * A). */
static double axis_to_hull2(const syn_vec3 *v, int count) {
  if (count < 3) return axis_to_segment2(v[0], v[count - 1]);
  const double ab = v[0].x * v[1].y - v[0].y * v[1].x, bc = v[1].x * v[2].y - v[1].y * v[2].x,
               ca = v[2].x * v[0].y - v[2].y * v[0].x;
  if ((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0)) return 0;
  return min2(axis_to_segment2(v[0], v[1]), min2(axis_to_segment2(v[1], v[2]), axis_to_segment2(v[2], v[0])));
}

syn_ring_bounds syn_ring_bounds_of(const syn_vec3 *corners, int count) {
  double far2 = 0, low = INFINITY, high = -INFINITY;
  for (int c = 0; c < count; ++c) {
    far2 = max2(far2, corners[c].x * corners[c].x + corners[c].y * corners[c].y);
    low = min2(low, corners[c].z);
    high = max2(high, corners[c].z);
  }
  const double near = sqrt(axis_to_hull2(corners, count)), far = sqrt(far2);
  /* Wider than the slack of syn_ring_meet and than the rounding to float, of the bounds and of the values compared with
   * them. */
  const double margin = 4e-7 * (far + max2(fabs(low), fabs(high)));
  return (syn_ring_bounds){(float)(near - margin), (float)(far + margin), (float)(low - margin),
                           (float)(high + margin)};
}

static syn_ring_bounds bounds_of_triangle(const syn_ring_table *table, uint32_t t) {
  const uint32_t *v = table->triangles[t].v;
  const syn_vec3 corners[3] = {table->points[v[0]], table->points[v[1]], table->points[v[2]]};
  return syn_ring_bounds_of(corners, 3);
}

static void fill_bounds(void *user, size_t begin, size_t end) {
  syn_ring_table *table = user;
  for (size_t t = begin; t < end; ++t) table->bounds[t] = bounds_of_triangle(table, (uint32_t)t);
}

/* Resets the range (Eq. 2 and L) to empty: nothing is in range of an empty surface. */
static void no_range(syn_ring_table *table) {
  table->range = (syn_ring_bounds){INFINITY, -INFINITY, INFINITY, -INFINITY};
  table->min_reach2 = INFINITY;
  table->max_reach2 = -INFINITY;
}

static void widen_range(syn_ring_table *table, syn_ring_bounds b) {
  syn_ring_bounds *range = &table->range;
  range->near = b.near < range->near ? b.near : range->near;
  range->far = b.far > range->far ? b.far : range->far;
  range->low = b.low < range->low ? b.low : range->low;
  range->high = b.high > range->high ? b.high : range->high;
  /* The nearest and the farthest corner of the rectangle that bounds the triangle. */
  const double near = b.near > 0 ? (double)b.near : 0, far = (double)b.far;
  const double level = b.low > 0 ? (double)b.low : b.high < 0 ? (double)-b.high : 0;
  const double rise = (double)(-b.low > b.high ? -b.low : b.high);
  table->min_reach2 = min2(table->min_reach2, near * near + level * level);
  table->max_reach2 = max2(table->max_reach2, far * far + rise * rise);
}

/* ---- the grid ------------------------------------------------------------------------------------------------------
 */

typedef struct cell_span {
  uint32_t first_column, last_column, first_row, last_row;
} cell_span;

static uint32_t clamp_cell(double place, uint32_t cells) {
  return place >= 1 ? place < (double)cells ? (uint32_t)place : cells - 1 : 0;
}

static uint32_t column_of(const syn_ring_table *table, double radius) {
  return clamp_cell((radius - table->near) * table->cells_per_mm, table->columns);
}

static uint32_t row_of(const syn_ring_table *table, double height) {
  return clamp_cell((height - table->low) * table->cells_per_mm, table->rows);
}

static cell_span span_of(const syn_ring_table *table, const syn_ring_bounds *b) {
  return (cell_span){column_of(table, (double)b->near), column_of(table, (double)b->far), row_of(table, (double)b->low),
                     row_of(table, (double)b->high)};
}

static double mean_edge(const syn_ring_table *table) {
  double sum = 0;
  const uint32_t step = table->triangle_count / 4096 + 1; /* a few thousand estimate the mean well enough */
  uint32_t count = 0;
  for (uint32_t t = 0; t < table->triangle_count; t += step, ++count) {
    const uint32_t *v = table->triangles[t].v;
    for (int c = 0; c < 3; ++c) sum += vec3_distance(table->points[v[c]], table->points[v[(c + 1) % 3]]) / 3;
  }
  return count ? sum / count : 0;
}

/* Lays cells of `step` mm over the range (Eq. 3); false if there would be too many. */
static bool lay_grid(syn_ring_table *table, double step) {
  const double width = max2((double)table->range.far - (double)table->range.near, 0);
  const double height = max2((double)table->range.high - (double)table->range.low, 0);
  const double columns = ceil(width / step), rows = ceil(height / step);
  if (!(max2(columns, 1) * max2(rows, 1) <= table->cell_capacity)) return false;
  table->columns = columns > 1 ? (uint32_t)columns : 1;
  table->rows = rows > 1 ? (uint32_t)rows : 1;
  table->cells_per_mm = 1 / step;
  table->near = (double)table->range.near;
  table->low = (double)table->range.low;
  return true;
}

/* Counts the members of every cell; false if there are too many. */
static bool count_members(syn_ring_table *table) {
  const uint32_t cells = table->columns * table->rows;
  uint64_t members = 0;
  memset(table->start, 0, (cells + 1) * sizeof *table->start);
  for (uint32_t t = 0; t < table->triangle_count; ++t) {
    const cell_span span = span_of(table, &table->bounds[t]);
    members += (uint64_t)(span.last_column - span.first_column + 1) * (span.last_row - span.first_row + 1);
    if (members > table->member_capacity) return false;
    for (uint32_t row = span.first_row; row <= span.last_row; ++row)
      for (uint32_t column = span.first_column; column <= span.last_column; ++column)
        ++table->start[row * table->columns + column];
  }
  return true;
}

static void fill_members(syn_ring_table *table) {
  const uint32_t cells = table->columns * table->rows;
  uint32_t sum = 0;
  for (uint32_t cell = 0; cell <= cells; ++cell) {
    const uint32_t count = cell < cells ? table->start[cell] : 0;
    table->start[cell] = sum += count;
  }
  /* In reverse order, so that each cell's end moves to its start and its triangles ascend. */
  for (uint32_t t = table->triangle_count; t-- > 0;) {
    const cell_span span = span_of(table, &table->bounds[t]);
    for (uint32_t row = span.first_row; row <= span.last_row; ++row)
      for (uint32_t column = span.first_column; column <= span.last_column; ++column)
        table->members[--table->start[row * table->columns + column]] = t;
  }
}

/* ---- building ------------------------------------------------------------------------------------------------------
 */

enum { MEMBERS_PER_TRIANGLE = 8 };

static size_t added_capacity_of(uint32_t triangle_count) { return triangle_count / 4 + 16; }

static size_t aligned(size_t bytes) { return (bytes + 15) & ~(size_t)15; }

static uint32_t capacity_of_cells(uint32_t triangle_count, uint32_t cells) {
  return cells ? cells : triangle_count + 16;
}

size_t syn_ring_table_room(uint32_t triangle_count) {
  return 2 * ((size_t)triangle_count + added_capacity_of(triangle_count));
}

size_t syn_ring_table_bytes(uint32_t triangle_count, uint32_t cells) {
  const size_t cell_capacity = capacity_of_cells(triangle_count, cells), n = triangle_count;
  return aligned(n * sizeof(syn_ring_bounds)) + aligned((cell_capacity + 1) * sizeof(uint32_t)) +
         aligned(cell_capacity * sizeof(uint32_t)) + aligned(MEMBERS_PER_TRIANGLE * n * sizeof(uint32_t)) +
         added_capacity_of(triangle_count) * sizeof(struct syn_ring_added);
}

static void *carve(char **memory, size_t bytes) {
  void *piece = *memory;
  *memory += aligned(bytes);
  return piece;
}

static void place_arrays(syn_ring_table *table, uint32_t cells, char *memory) {
  const size_t n = table->triangle_count;
  table->cell_capacity = capacity_of_cells(table->triangle_count, cells);
  table->member_capacity = (uint32_t)(MEMBERS_PER_TRIANGLE * n < UINT32_MAX ? MEMBERS_PER_TRIANGLE * n : UINT32_MAX);
  table->added_capacity = (uint32_t)added_capacity_of(table->triangle_count);
  table->bounds = carve(&memory, n * sizeof *table->bounds);
  table->start = carve(&memory, ((size_t)table->cell_capacity + 1) * sizeof *table->start);
  table->added_head = carve(&memory, (size_t)table->cell_capacity * sizeof *table->added_head);
  table->members = carve(&memory, MEMBERS_PER_TRIANGLE * n * sizeof *table->members);
  table->added = carve(&memory, table->added_capacity * sizeof *table->added);
}

void syn_ring_table_build(syn_ring_table *table, const syn_vec3 *points, const syn_triangle *triangles,
                          uint32_t triangle_count, uint32_t cells, void *memory, const syn_context *context,
                          bool parallel) {
  *table = (syn_ring_table){.points = points, .triangles = triangles, .triangle_count = triangle_count};
  place_arrays(table, cells, memory);
  if (parallel)
    syn_parallel_for(context, triangle_count, 4096, fill_bounds, table);
  else
    fill_bounds(table, 0, triangle_count);
  no_range(table);
  for (uint32_t t = 0; t < triangle_count; ++t) widen_range(table, table->bounds[t]);
  /* The mean edge length is the best resolution (Arbabi 2009, §3.2.4). Coarser if a few large triangles would fill all
   * cells. */
  const double area =
      ((double)table->range.far - (double)table->range.near) * ((double)table->range.high - (double)table->range.low);
  double step = cells ? sqrt(max2(area, 0) / cells) : mean_edge(table);
  if (!(step > 0 && isfinite(step))) step = 1;
  while (!lay_grid(table, step) || !count_members(table)) step *= 1.25;
  fill_members(table);
  memset(table->added_head, 0xff, (size_t)table->columns * table->rows * sizeof *table->added_head);
}

/* ---- update ---------------------------------------------------------------------------------------------------------
 */

static bool span_holds(cell_span span, uint32_t column, uint32_t row) {
  return column >= span.first_column && column <= span.last_column && row >= span.first_row && row <= span.last_row;
}

/* Marks the cells of `to`, and lists the triangle in those that are not in `from`. */
static bool move_triangle(syn_ring_table *table, uint32_t t, cell_span from, cell_span to, uint8_t *dirty) {
  for (uint32_t row = to.first_row; row <= to.last_row; ++row)
    for (uint32_t column = to.first_column; column <= to.last_column; ++column) {
      const uint32_t cell = row * table->columns + column;
      dirty[cell] = 1;
      if (span_holds(from, column, row)) continue;
      if (table->added_count == table->added_capacity) return false;
      table->added[table->added_count] = (struct syn_ring_added){t, table->added_head[cell]};
      table->added_head[cell] = table->added_count++;
    }
  return true;
}

static void mark_cells(const syn_ring_table *table, cell_span span, uint8_t *dirty) {
  for (uint32_t row = span.first_row; row <= span.last_row; ++row)
    memset(dirty + (size_t)row * table->columns + span.first_column, 1, span.last_column - span.first_column + 1);
}

bool syn_ring_table_update(syn_ring_table *table, const uint8_t *changed, uint8_t *dirty) {
  for (uint32_t t = 0; t < table->triangle_count; ++t) {
    if (!changed[t]) continue;
    const cell_span from = span_of(table, &table->bounds[t]);
    table->bounds[t] = bounds_of_triangle(table, t);
    widen_range(table,
                table->bounds[t]); /* too wide after a triangle has left, which costs time and changes no result */
    mark_cells(table, from, dirty);
    if (!move_triangle(table, t, from, span_of(table, &table->bounds[t]), dirty)) return false;
  }
  return true;
}

/* ---- looking up
 * ------------------------------------------------------------------------------------------------------ */

uint32_t syn_ring_table_cell(const syn_ring_table *table, syn_ring ring) {
  return row_of(table, ring.height) * table->columns + column_of(table, ring.radius);
}

bool syn_ring_table_reaches(const syn_ring_table *table, syn_ring ring) {
  const double reach2 = ring.radius * ring.radius + ring.height * ring.height;
  return reach2 >= table->min_reach2 && reach2 <= table->max_reach2 &&
         syn_ring_within(&table->range, (float)ring.radius, (float)ring.height);
}

uint32_t syn_ring_table_count(const syn_ring_table *table, syn_ring ring) {
  const uint32_t cell = syn_ring_table_cell(table, ring);
  const float radius = (float)ring.radius, height = (float)ring.height;
  uint32_t count = 0;
  for (uint32_t i = table->start[cell]; i < table->start[cell + 1]; ++i)
    count += syn_ring_within(&table->bounds[table->members[i]], radius, height);
  for (uint32_t i = table->added_head[cell]; i != SYN_NONE; i = table->added[i].next)
    count += syn_ring_within(&table->bounds[table->added[i].triangle], radius, height);
  return count;
}

uint32_t syn_ring_table_cross(const syn_ring_table *table, syn_ring ring, syn_ring_crossing *crossings) {
  const uint32_t cell = syn_ring_table_cell(table, ring);
  const float radius = (float)ring.radius, height = (float)ring.height;
  uint32_t count = 0;
  for (uint32_t i = table->start[cell]; i < table->start[cell + 1]; ++i) {
    const uint32_t t = table->members[i];
    if (syn_ring_within(&table->bounds[t], radius, height))
      count += syn_ring_meet(ring, table->points, table->triangles, t, crossings + count);
  }
  for (uint32_t i = table->added_head[cell]; i != SYN_NONE; i = table->added[i].next) {
    const uint32_t t = table->added[i].triangle;
    if (syn_ring_within(&table->bounds[t], radius, height))
      count += syn_ring_meet(ring, table->points, table->triangles, t, crossings + count);
  }
  return syn_ring_order(ring, table->points, table->triangles, crossings, count);
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

void syn_ring_table_visit(const syn_ring_table *table, const syn_ring_bounds *bounds,
                          void (*visit)(void *user, uint32_t triangle), void *user) {
  const cell_span span = span_of(table, bounds);
  for (uint32_t row = span.first_row; row <= span.last_row; ++row)
    for (uint32_t column = span.first_column; column <= span.last_column; ++column) {
      const uint32_t cell = row * table->columns + column;
      for (uint32_t i = table->start[cell]; i < table->start[cell + 1]; ++i) {
        const uint32_t t = table->members[i];
        const cell_span its = span_of(table, &table->bounds[t]);
        /* Only in the first of the cells that the triangle shares with the bounds. */
        if (row == larger(its.first_row, span.first_row) && column == larger(its.first_column, span.first_column))
          visit(user, t);
      }
      for (uint32_t i = table->added_head[cell]; i != SYN_NONE; i = table->added[i].next)
        visit(user, table->added[i].triangle);
    }
}

/* Makes grids of directions: rings about an axis, and a core that closes the middle without degenerate quads. */

#include "pressure/layer/layer.h"

void syn_layer_frame(layer_grid *grid, syn_vec3 axis, syn_vec3 near_top) {
  grid->axis = vec3_unit(axis);
  const syn_vec3 top = vec3_unit(vec3_madd(near_top, -vec3_dot(near_top, grid->axis), grid->axis));
  grid->top = vec3_length2(top) > 0 ? top : vec3_any_normal(grid->axis);
  grid->front = vec3_cross(grid->axis, grid->top);
}

syn_vec3 syn_layer_direction(const layer_grid *grid, double polar, double clock) {
  const syn_vec3 out = vec3_add(vec3_scale(grid->top, cos(clock)), vec3_scale(grid->front, sin(clock)));
  return vec3_unit(vec3_add(vec3_scale(grid->axis, cos(polar)), vec3_scale(out, sin(polar))));
}

/* ---- the core ------------------------------------------------------------------------------------------------------
 */

/* Outline of the square at level 0 (the middle) to 1 (the edge), `off` the middle of a side: a square that becomes
 * rounder outward, so that the quads at its corners keep angles well below 180 degrees on both sides. */
static double outline(double level, double off) {
  const double square = 1 - 0.4 * level;
  return level * (1 - square + square / (sqrt(2) * cos(off)));
}

/* Computes the position of node (i, j) of the core on the unit disk, as polar factor and clock. */
static double core_place(uint32_t n, uint32_t i, uint32_t j, double *clock) {
  const double x = 2.0 * i / n - 1, y = 2.0 * j / n - 1, level = max2(fabs(x), fabs(y));
  double angle = 0, off = 0;
  if (level == 0) {
    *clock = 0;
    return 0;
  }
  if (fabs(x) >= fabs(y)) {
    off = y / x * SYN_PI / 4;
    angle = (x > 0 ? 0 : SYN_PI) + off;
  } else {
    off = -x / y * SYN_PI / 4;
    angle = (y > 0 ? SYN_PI / 2 : -SYN_PI / 2) + off;
  }
  *clock = angle + 0.75 * SYN_PI; /* corner (0, 0) is at clock 0 */
  return outline(level, off);
}

/* Returns the number of node (i, j): nodes on the edge are those of ring 0. */
static uint32_t core_node(const layer_grid *grid, uint32_t i, uint32_t j) {
  const uint32_t n = grid->core;
  if (j == 0) return i;
  if (i == n) return n + j;
  if (j == n) return 2 * n + (n - i);
  if (i == 0) return (3 * n + (n - j)) % grid->columns;
  return grid->rings * grid->columns + (j - 1) * (n - 1) + (i - 1);
}

static void fill_core(layer_grid *grid, double size) {
  const uint32_t n = grid->core;
  for (uint32_t j = 1; j < n; ++j)
    for (uint32_t i = 1; i < n; ++i) {
      double clock;
      const double factor = core_place(n, i, j, &clock);
      grid->directions[core_node(grid, i, j)] = syn_layer_direction(grid, size * factor, clock);
    }
  for (uint32_t j = 0; j < n; ++j)
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t quad = grid->quad_count++;
      grid->quads[quad][0] = core_node(grid, i, j);
      grid->quads[quad][1] = core_node(grid, i + 1, j);
      grid->quads[quad][2] = core_node(grid, i + 1, j + 1);
      grid->quads[quad][3] = core_node(grid, i, j + 1);
      grid->ring_of[quad] = grid->column_of[quad] = SYN_NONE;
    }
}

/* ---- the rings -----------------------------------------------------------------------------------------------------
 */

static void fill_column(layer_grid *grid, const layer_breaks *breaks, uint32_t column) {
  uint32_t ring = 0;
  for (uint32_t b = 0; b + 1 < breaks->count; ++b)
    for (uint32_t s = 0; s <= breaks->steps[b]; ++s) {
      if (s == 0 && b > 0) continue;
      const double part = (double)s / breaks->steps[b];
      grid->polar[ring++ * grid->columns + column] =
          (1 - part) * breaks->polar[column][b] + part * breaks->polar[column][b + 1];
    }
}

static void fill_rings(layer_grid *grid) {
  for (uint32_t ring = 0; ring < grid->rings; ++ring)
    for (uint32_t c = 0; c < grid->columns; ++c) {
      const uint32_t node = ring * grid->columns + c, next = ring * grid->columns + (c + 1) % grid->columns;
      grid->directions[node] = syn_layer_direction(grid, grid->polar[node], grid->clock[c]);
      if (ring + 1 == grid->rings) continue;
      const uint32_t quad = grid->quad_count++;
      grid->quads[quad][0] = node;
      grid->quads[quad][1] = node + grid->columns;
      grid->quads[quad][2] = next + grid->columns;
      grid->quads[quad][3] = next;
      grid->ring_of[quad] = ring;
      grid->column_of[quad] = c;
    }
}

static syn_status take_grid(layer_grid *grid, syn_error *error) {
  const uint32_t inner = grid->core ? (grid->core - 1) * (grid->core - 1) : 0;
  const uint32_t quads = (grid->rings - 1) * grid->columns + grid->core * grid->core;
  grid->node_count = grid->rings * grid->columns + inner;
  SYN_TRY(SYN_TAKE(grid->arena, &grid->polar, grid->rings * grid->columns, error));
  SYN_TRY(SYN_TAKE(grid->arena, &grid->directions, grid->node_count, error));
  SYN_TRY(SYN_TAKE(grid->arena, &grid->quads, quads, error));
  SYN_TRY(SYN_TAKE(grid->arena, &grid->ring_of, quads, error));
  SYN_TRY(SYN_TAKE(grid->arena, &grid->column_of, quads, error));
  SYN_TRY(SYN_TAKE(grid->arena, &grid->kind, quads, error));
  for (uint32_t i = 0; i < quads; ++i) grid->kind[i] = LAYER_NONE;
  return SYN_OK;
}

syn_status syn_layer_grid_fill(layer_grid *grid, bool core, const layer_breaks *breaks, syn_error *error) {
  grid->rings = 1;
  for (uint32_t b = 0; b + 1 < breaks->count; ++b) grid->rings += breaks->steps[b];
  grid->core = core ? grid->columns / 4 : 0;
  grid->quad_count = 0;
  SYN_TRY(take_grid(grid, error));
  const double size = breaks->polar[0][0];
  for (uint32_t c = 0; c < grid->columns; ++c) {
    if (core) {
      grid->clock[c] = 2 * SYN_PI * c / grid->columns;
      breaks->polar[c][0] = size * outline(1, fmod(grid->clock[c], SYN_PI / 2) - SYN_PI / 4);
    }
    fill_column(grid, breaks, c);
  }
  if (core) fill_core(grid, size);
  fill_rings(grid);
  return SYN_OK;
}

syn_vec3 syn_layer_quad_direction(const layer_grid *grid, uint32_t quad) {
  syn_vec3 sum = {0, 0, 0};
  for (int k = 0; k < 4; ++k) sum = vec3_add(sum, grid->directions[grid->quads[quad][k]]);
  return vec3_unit(sum);
}

/* ---- field ----------------------------------------------------------------------------------------------------- */
/* Interpolates numbers on the nodes of a grid where rays missed, and smooths them. */

/* ---- neighbours ----------------------------------------------------------------------------------------------------
 */

static bool has_neighbour(const layer_neighbours *around, uint32_t node, uint32_t end, uint32_t other) {
  for (uint32_t i = around->start[node]; i < end; ++i)
    if (around->list[i] == other) return true;
  return false;
}

syn_status syn_layer_neighbours_find(const layer_grid *grid, uint8_t from, uint8_t to, layer_neighbours *around,
                                     syn_error *error) {
  enum { MOST = 8 }; /* a node of a grid has at most four neighbours, or five at the core's corners */
  uint32_t *end, *quads;
  SYN_TRY(SYN_TAKE(grid->arena, &quads, grid->node_count, error));
  SYN_TRY(SYN_TAKE(grid->arena, &around->edge, grid->node_count, error));
  SYN_TRY(SYN_TAKE(grid->arena, &around->start, grid->node_count + 1, error));
  SYN_TRY(SYN_TAKE(grid->arena, &around->list, (size_t)MOST * grid->node_count, error));
  SYN_TRY(SYN_TAKE(grid->arena, &end, grid->node_count, error));
  for (uint32_t i = 0; i < grid->node_count; ++i) {
    end[i] = around->start[i] = MOST * i;
    quads[i] = 0;
  }
  for (uint32_t q = 0; q < grid->quad_count; ++q) {
    if (grid->kind[q] < from || grid->kind[q] > to) continue;
    for (int k = 0; k < 4; ++k) {
      const uint32_t a = grid->quads[q][k], b = grid->quads[q][(k + 1) % 4];
      ++quads[a];
      if (!has_neighbour(around, a, end[a], b)) around->list[end[a]++] = b;
      if (!has_neighbour(around, b, end[b], a)) around->list[end[b]++] = a;
    }
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < grid->node_count; ++i) {
    const uint32_t begin = around->start[i];
    around->edge[i] = quads[i] < end[i] - begin;
    around->start[i] = count;
    for (uint32_t k = begin; k < end[i]; ++k) around->list[count++] = around->list[k];
  }
  around->start[grid->node_count] = count;
  return SYN_OK;
}

/* ---- filling -------------------------------------------------------------------------------------------------------
 */

uint32_t syn_layer_fill(const layer_grid *grid, const layer_neighbours *around, double *values, double *work) {
  uint32_t missing = 0, filled = 1;
  for (uint32_t i = 0; i < grid->node_count; ++i)
    missing += isnan(values[i]) && around->start[i + 1] > around->start[i];
  while (filled) {
    filled = 0;
    for (uint32_t i = 0; i < grid->node_count; ++i) {
      double sum = 0;
      int known = 0;
      work[i] = values[i];
      if (!isnan(values[i])) continue;
      for (uint32_t k = around->start[i]; k < around->start[i + 1]; ++k)
        if (!isnan(values[around->list[k]])) {
          sum += values[around->list[k]];
          ++known;
        }
      if (!known) continue;
      work[i] = sum / known;
      ++filled;
    }
    for (uint32_t i = 0; i < grid->node_count; ++i) values[i] = work[i];
  }
  return missing;
}

/* ---- smoothing -----------------------------------------------------------------------------------------------------
 */

/* A node on the edge of the region uses only neighbours on the edge, so that smoothing does not shrink the edge. */
static double mean_around(const layer_neighbours *around, const double *values, uint32_t node) {
  const uint32_t begin = around->start[node], end = around->start[node + 1];
  double sum = 0, count = 0;
  for (uint32_t k = begin; k < end; ++k) {
    const uint32_t other = around->list[k];
    if (isnan(values[other]) || (around->edge[node] && !around->edge[other])) continue;
    sum += values[other];
    ++count;
  }
  return count > 0 ? sum / count : values[node];
}

double syn_layer_roughness(const layer_grid *grid, const layer_neighbours *around, const double *values) {
  double sum = 0, count = 0;
  for (uint32_t i = 0; i < grid->node_count; ++i) {
    if (isnan(values[i]) || around->edge[i] || around->start[i + 1] == around->start[i]) continue;
    const double off = values[i] - mean_around(around, values, i);
    sum += off * off;
    ++count;
  }
  return count > 0 ? sqrt(sum / count) : 0;
}

double syn_layer_smooth(const layer_grid *grid, const layer_neighbours *around, double passes, double *values,
                        double *work) {
  double moved = 0, count = 0;
  double *before = work + grid->node_count;
  for (uint32_t i = 0; i < grid->node_count; ++i) before[i] = values[i];
  for (double left = passes; left > 0; left -= 1) {
    const double share = 0.5 * min2(left, 1);
    for (uint32_t i = 0; i < grid->node_count; ++i)
      work[i] = isnan(values[i]) ? values[i] : (1 - share) * values[i] + share * mean_around(around, values, i);
    for (uint32_t i = 0; i < grid->node_count; ++i) values[i] = work[i];
  }
  for (uint32_t i = 0; i < grid->node_count; ++i) {
    if (isnan(values[i]) || around->start[i + 1] == around->start[i]) continue;
    moved += (values[i] - before[i]) * (values[i] - before[i]);
    ++count;
  }
  return count > 0 ? sqrt(moved / count) : 0;
}

void syn_layer_smooth_circle(double *values, size_t stride, uint32_t count, int passes) {
  for (int p = 0; p < passes; ++p) {
    const double first = values[0];
    double before = values[(count - 1) * stride];
    for (uint32_t i = 0; i < count; ++i) {
      const double here = values[i * stride], next = i + 1 < count ? values[(i + 1) * stride] : first;
      values[i * stride] = 0.25 * before + 0.5 * here + 0.25 * next;
      before = here;
    }
  }
}

/* Interpolates numbers on the nodes of a grid where rays missed, and smooths them. */
#include "pressure/layer/layer.h"

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

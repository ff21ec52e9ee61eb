#include "collide/volume/ball_grid.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

syn_status syn_ball_grid_create(const syn_context *context, uint32_t ball_count, ball_grid *grid, syn_error *error) {
  *grid = (ball_grid){.context = context, .ball_count = ball_count};
  return SYN_NEW(context, &grid->balls, ball_count, error);
}

void syn_ball_grid_release(ball_grid *grid) {
  syn_free(grid->context, grid->start);
  syn_free(grid->context, grid->balls);
  *grid = (ball_grid){0};
}

/* Returns the cell of a coordinate; monotonic. */
static uint32_t cell_along(const ball_grid *grid, int axis, double x) {
  const double place = (x - vec3_at(grid->box.min, axis)) * grid->cells_per_mm;
  return !(place > 0) ? 0 : place < grid->size[axis] ? (uint32_t)place : grid->size[axis] - 1;
}

static size_t cell_of(const ball_grid *grid, syn_vec3 p) {
  return ((size_t)cell_along(grid, 2, p.z) * grid->size[1] + cell_along(grid, 1, p.y)) * grid->size[0] +
         cell_along(grid, 0, p.x);
}

/* Chooses cells as wide as the largest ball, wider if there would be more than twice as many cells as balls. Returns
 * their count. */
static size_t choose_cells(ball_grid *grid) {
  const syn_vec3 extent = vec3_sub(grid->box.max, grid->box.min);
  const double longest = max2(extent.x, max2(extent.y, extent.z)), most = 2.0 * grid->ball_count + 8;
  grid->size[0] = grid->size[1] = grid->size[2] = 1;
  grid->cells_per_mm = 0;
  if (!(longest > 0) || !isfinite(longest)) return 1;
  for (double width = max2(2 * grid->largest, longest * 1e-6);; width *= 1.25) {
    double count[3];
    for (int k = 0; k < 3; ++k) count[k] = floor(vec3_at(extent, k) / width) + 1;
    if (count[0] * count[1] * count[2] > most) continue;
    for (int k = 0; k < 3; ++k) grid->size[k] = (uint32_t)count[k];
    grid->cells_per_mm = 1 / width;
    return (size_t)count[0] * (size_t)count[1] * (size_t)count[2];
  }
}

syn_status syn_ball_grid_fill(ball_grid *grid, const syn_vec3 *middles, const double *radii, double radius,
                              syn_error *error) {
  const uint32_t n = grid->ball_count;
  grid->box = box_empty();
  grid->largest = 0;
  for (uint32_t i = 0; i < n; ++i) {
    box_add(&grid->box, middles[i]);
    grid->largest = max2(grid->largest, radii ? radii[i] : radius);
  }
  const size_t cells = choose_cells(grid);
  if (cells + 2 > grid->start_capacity) {
    const syn_status status = SYN_RESERVE(grid->context, &grid->start, 0, cells + 2, &grid->start_capacity, error);
    if (status != SYN_OK) {
      grid->box = box_empty(); /* which nothing touches */
      return status;
    }
  }
  /* counts go one place further than needed, so that filling turns begins into the ends that are the next begins */
  uint32_t *start = grid->start;
  memset(start, 0, (cells + 2) * sizeof *start);
  for (uint32_t i = 0; i < n; ++i) ++start[cell_of(grid, middles[i]) + 2];
  for (size_t c = 2; c < cells + 2; ++c) start[c] += start[c - 1];
  for (uint32_t i = 0; i < n; ++i)
    grid->balls[start[cell_of(grid, middles[i]) + 1]++] = (grid_ball){middles[i], radii ? radii[i] : radius, i};
  return SYN_OK;
}

bool syn_ball_grid_overlaps(const ball_grid *grid, syn_vec3 middle, double radius,
                            bool (*visit)(void *user, const grid_ball *ball, double distance), void *user) {
  const double reach = (radius + grid->largest) * (1 + 0x1p-40) + 0x1p-40 * vec3_length(middle); /* and rounding */
  const syn_vec3 wide = vec3(reach, reach, reach);
  const syn_box box = {vec3_sub(middle, wide), vec3_add(middle, wide)};
  uint32_t low[3], high[3];
  if (!box_overlap(&box, &grid->box)) return true;
  for (int k = 0; k < 3; ++k) {
    low[k] = cell_along(grid, k, vec3_at(box.min, k));
    high[k] = cell_along(grid, k, vec3_at(box.max, k));
  }
  for (uint32_t z = low[2]; z <= high[2]; ++z)
    for (uint32_t y = low[1]; y <= high[1]; ++y) {
      /* the cells of a row lie together */
      const size_t row = ((size_t)z * grid->size[1] + y) * grid->size[0];
      for (uint32_t i = grid->start[row + low[0]]; i < grid->start[row + high[0] + 1]; ++i) {
        const grid_ball *ball = &grid->balls[i];
        const double distance = vec3_distance(middle, ball->middle);
        if (distance < radius + ball->radius && !visit(user, ball, distance)) return false;
      }
    }
  return true;
}

/* Finds the cells of a grid that a cone of directions touches.
 *
 * A cell is dropped if one plane of the cone has the whole cell behind it. The cell's four corners decide, with a
 * margin for the mappings whose cells have curved borders (Arbabi 2009, Fig. 24: there extra points were needed). Type
 * 1: parallels are arcs. Type 2: z is a concave function of x and y, off its corners by at most size^2/8 times its
 * second derivatives, which z^-3 bounds; near the equator the whole height of the cell bounds it better. Type 3:
 * borders are great circles, nothing sticks out. */
#include "collide/radial/radial_cover.h"

#include <math.h>

#include "base/vec.h"

typedef struct cell_range {
  uint32_t layer, first_column, last_column, first_row, last_row;
} cell_range;

/* ---- what a block needs of its planes, rows and columns -----------------------------------------------------------
 */

/* Products of a plane with the three axes from which corners are composed: those of radial_side, or x, y and z. */
typedef struct cover_planes {
  float by_first[3], by_second[3];
} cover_planes;

static cover_planes prepare_planes(const radial_grid *grid, const radial_cone *cone, uint32_t layer,
                                   cover_block *block) {
  cover_planes out;
  for (int k = 0; k < 3; ++k) { /* the third plane of an edge is zero */
    const syn_vec3 n = cone->planes[k];
    if (grid->mapping == SYN_MAPPING_UNIFORM) {
      const radial_side *side = &syn_radial_sides[layer];
      out.by_first[k] = (float)vec3_dot(n, side->by_s);
      out.by_second[k] = (float)vec3_dot(n, side->origin);
      block->slope[k] = (float)vec3_dot(n, side->by_t);
    } else {
      const bool round = grid->mapping == SYN_MAPPING_SPHERICAL;
      out.by_first[k] = (float)n.x;
      out.by_second[k] = round ? (float)n.y : 0;
      block->slope[k] = (float)(round ? n.z : n.y);
      block->rise[k] = (float)(layer ? n.z : -n.z);
    }
  }
  block->margin = 2 * (float)RADIAL_SLACK;
  if (grid->mapping == SYN_MAPPING_SPHERICAL)
    block->margin += grid->scale1 > 0.5 ? (float)(1 / sqrt((1 + grid->cosine1) / 2) - 1) : INFINITY;
  else
    block->bend = (float)((1 / (grid->scale1 * grid->scale1) + 1 / (grid->scale2 * grid->scale2)) / 8);
  return out;
}

/* Computes tangents of evenly spaced angles to 5e-7, none beyond pi/4; much faster than the library (Lambert's
 * continued fraction). */
static void tangents_from(float start, float step, uint32_t count, float *out) {
  for (int32_t i = 0; i < (int32_t)count; ++i) {
    const float x = start + (float)i * step, x2 = x * x;
    out[i] = x * (945 - x2 * (105 - x2)) / (945 - x2 * (420 - 15 * x2));
  }
}

/* Sines and cosines of evenly spaced angles: rotation by the step is much faster than the library. */
typedef struct turning {
  double sine, cosine, step_sine, step_cosine;
} turning;
static void turn_step(turning *t) {
  const double sine = t->sine * t->step_cosine + t->cosine * t->step_sine;
  t->cosine = t->cosine * t->step_cosine - t->sine * t->step_sine;
  t->sine = sine;
}

static double square(double x) { return x * x; }
/* Returns the least square in an interval. */
static double least_square(double from, double to) { return square(from > 0 ? from : min2(to, 0)); }

static void prepare_rows(const radial_grid *grid, uint32_t first, cover_block *block) {
  const double step = 1 / grid->scale2, start = grid->min2 + first * step;
  if (grid->mapping == SYN_MAPPING_SPHERICAL) {
    turning polar = {sin(start), cos(start), grid->sine2, grid->cosine2};
    for (uint32_t r = 0; r <= block->rows; ++r, turn_step(&polar)) {
      block->along[r] =
          (float)max2(polar.sine, 0); /* there are no directions beyond the poles, even if the grid extends there */
      block->across[r] = (float)polar.cosine;
    }
    return;
  }
  for (uint32_t r = 0; r <= block->rows; ++r) block->along[r] = 1;
  if (grid->mapping == SYN_MAPPING_UNIFORM) {
    tangents_from((float)(start - SYN_PI / 4), (float)step, block->rows + 1, block->across);
    return;
  }
  for (uint32_t r = 0; r <= block->rows; ++r) {
    block->across[r] = (float)(start + r * step);
    block->square[r] = square(start + r * step);
  }
  for (uint32_t r = 0; r < block->rows; ++r)
    block->nearest_square[r] = least_square(start + r * step, start + (r + 1) * step);
}

static void prepare_columns(const radial_grid *grid, const cover_planes *planes, uint32_t first, cover_block *block) {
  const double step = 1 / grid->scale1, start = grid->min1 + first * step;
  float along_first[COVER_BORDERS], along_second[COVER_BORDERS];
  /* The two factors of each column border, by mapping. */
  if (grid->mapping == SYN_MAPPING_SPHERICAL) {
    turning longitude = {sin(start), cos(start), grid->sine1, grid->cosine1};
    for (int i = 0; i < COVER_BORDERS; ++i, turn_step(&longitude)) {
      along_first[i] = (float)longitude.cosine;
      along_second[i] = (float)longitude.sine;
    }
  } else if (grid->mapping == SYN_MAPPING_UNIFORM) {
    tangents_from((float)(start - SYN_PI / 4), (float)step, COVER_BORDERS, along_first);
    for (int i = 0; i < COVER_BORDERS; ++i) along_second[i] = 1;
  } else {
    for (int i = 0; i < COVER_BORDERS; ++i) {
      along_first[i] = (float)(start + i * step);
      along_second[i] = 0;
      block->above[i] = 1 - square(start + i * step);
    }
    for (int i = 0; i < COVER_COLUMNS; ++i)
      block->nearest_above[i] = 1 - least_square(start + i * step, start + (i + 1) * step);
  }
  /* Each plane of the cone at each border. */
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < COVER_BORDERS; ++i)
      block->side[k][i] = planes->by_first[k] * along_first[i] + planes->by_second[k] * along_second[i];
}

/* ---- all of a cone ------------------------------------------------------------------------------------------------
 */

/* `range` is that of the block. */
static void visit_found_cells(const radial_grid *grid, const cell_range *range, const cover_found *found,
                              radial_visit *visit, void *user) {
  const uint32_t columns = range->last_column - range->first_column + 1;
  for (uint32_t row = range->first_row; row <= range->last_row; ++row, ++found) {
    const uint32_t start = syn_radial_cell_number(grid, range->layer, row, 0);
    for (cover_found left = *found & ((1U << columns) - 1); left != 0; left &= left - 1) {
      const uint32_t i = (uint32_t)__builtin_ctz(left);
      const cover_found bits = *found >> i;
      visit(user, start + syn_radial_cell_number(grid, 0, 0, range->first_column + i),
            (bits >> 8 & 1) | (bits >> 15 & 2) | (bits >> 22 & 4));
    }
  }
}

static cover_kernel *choose_kernel(syn_mapping mapping) {
  const cover_kernels *best = &syn_cover_portable;
#if SYN_AVX2
  if (syn_has_avx2()) best = &syn_cover_avx2;
#endif
  return mapping == SYN_MAPPING_CARTESIAN ? best->disc : best->ruled;
}

static uint32_t last_of(uint32_t first, uint32_t count, uint32_t last) {
  return last - first < count ? last : first + count - 1;
}

static void cover_range(const radial_grid *grid, const radial_cone *cone, const cell_range *all, radial_visit *visit,
                        void *user) {
  cover_kernel *const kernel = choose_kernel(grid->mapping);
  cover_block block;
  cover_found found[COVER_ROWS];
  cell_range part = *all;
  const cover_planes planes = prepare_planes(grid, cone, all->layer, &block);
  for (part.first_row = all->first_row; part.first_row <= all->last_row; part.first_row += COVER_ROWS) {
    part.last_row = last_of(part.first_row, COVER_ROWS, all->last_row);
    block.rows = part.last_row - part.first_row + 1;
    prepare_rows(grid, part.first_row, &block);
    for (part.first_column = all->first_column; part.first_column <= all->last_column;
         part.first_column += COVER_COLUMNS) {
      part.last_column = last_of(part.first_column, COVER_COLUMNS, all->last_column);
      prepare_columns(grid, &planes, part.first_column, &block);
      kernel(&block, found);
      visit_found_cells(grid, &part, found, visit, user);
    }
  }
}

static bool clip(double low, double high, double min, double scale, uint32_t cells, uint32_t *first, uint32_t *last) {
  const double from = (low - min) * scale, to = (high - min) * scale;
  if (to < 0 || from >= cells) return false;
  *first = from > 0 ? (uint32_t)from : 0;
  *last = to < cells ? (uint32_t)to : cells - 1;
  return true;
}

void syn_radial_cover(const radial_grid *grid, const radial_cone *cone, radial_visit *visit, void *user) {
  radial_span spans[RADIAL_SPANS];
  const uint32_t count = syn_radial_spans(grid->mapping, cone, spans);
  uint32_t taken = grid->columns; /* the two spans of type 1 may share a column: only the first visits it */
  for (uint32_t s = 0; s < count; ++s) {
    cell_range all = {.layer = spans[s].a3};
    if (!clip(spans[s].low1, spans[s].high1, grid->min1, grid->scale1, grid->columns, &all.first_column,
              &all.last_column) ||
        !clip(spans[s].low2, spans[s].high2, grid->min2, grid->scale2, grid->rows, &all.first_row, &all.last_row))
      continue;
    if (grid->mapping == SYN_MAPPING_SPHERICAL) {
      if (all.last_column >= taken) {
        if (taken == 0) continue;
        all.last_column = taken - 1;
      }
      taken = all.first_column;
    }
    cover_range(grid, cone, &all, visit, user);
  }
}

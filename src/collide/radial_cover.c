/* Which cells of a grid a cone of directions touches.
 *
 * A cell is dropped when one plane of the cone has the whole cell behind it. The cell's four corners tell, together
 * with a pad for the mappings whose cells have curved borders (seed A, Fig. 24: there extra points were needed).
 * A block of cells is looked at together, without branches, so that a compiler can do several at once. Floats are right
 * to 1e-6, far within the slack. */
#include <math.h>

#include "base/vec.h"
#include "collide/radial_mapping.h"

enum { BLOCK = 8, BORDERS = BLOCK + 4 }; /* columns of a block; their borders, filled up to whole vectors */

static inline float least2(float a, float b) { return a < b ? a : b; }
static inline float most2(float a, float b) { return a > b ? a : b; }

typedef struct cell_range {
  uint32_t layer, first_column, last_column, first_row, last_row;
} cell_range;

/* Of each cell of a row: 0, or TOUCHED and the bits of the planes that have it inside. */
enum { TOUCHED = 8 };
typedef int32_t findings[BLOCK];

static void tell(const radial_grid *grid, const cell_range *range, uint32_t row, const findings found,
                 radial_visit *visit, void *user) {
  for (uint32_t i = 0; i <= range->last_column - range->first_column; ++i)
    if (found[i])
      visit(user, syn_radial_cell_number(grid, range->layer, row, range->first_column + i),
            (uint32_t)found[i] & (TOUCHED - 1));
}

/* ---- type 3: its borders are great circles, and nothing sticks out of its corners' hull ---------------------------
 */

/* To 1e-7 for |x| <= pi/4, and much quicker than the library's (Lambert's continued fraction). */
static inline float rough_tangent(float x) {
  const float x2 = x * x;
  return x * (945 - x2 * (105 - x2)) / (945 - x2 * (420 - 15 * x2));
}

/* The largest and the smallest product of a plane with a border of each column. */
typedef struct flat_columns {
  float most[3][BLOCK], least[3][BLOCK];
} flat_columns;

static void find_row(const flat_columns *columns, const float most[3], const float least[3], findings found) {
  for (int i = 0; i < BLOCK; ++i) {
    const int32_t touched = (columns->most[0][i] + most[0] >= 0) & (columns->most[1][i] + most[1] >= 0) &
                            (columns->most[2][i] + most[2] >= 0);
    const int32_t inside = (columns->least[0][i] + least[0] > 0) | (columns->least[1][i] + least[1] > 0) << 1 |
                           (columns->least[2][i] + least[2] > 0) << 2;
    found[i] = touched ? TOUCHED | inside : 0;
  }
}

/* Directions are linear in the tangents s and t of both angles: the largest product of a plane with a corner is the
 * largest over s and the largest over t, and the smallest likewise. */
static void cover_flat_block(const radial_grid *grid, const radial_cone *cone, const cell_range *range,
                             radial_visit *visit, void *user) {
  const radial_side *side = &syn_radial_sides[range->layer];
  const double step1 = 1 / grid->scale1, step2 = 1 / grid->scale2;
  const double first_s = grid->min1 - SYN_PI / 4 + range->first_column * step1, first_t = grid->min2 - SYN_PI / 4;
  flat_columns columns;
  float s[BORDERS], slope[3];
  for (int i = 0; i < BORDERS; ++i) s[i] = rough_tangent((float)(first_s + i * step1));
  for (int k = 0; k < 3; ++k) { /* the third plane of an edge is zero */
    const float at = (float)vec3_dot(cone->planes[k], side->origin), by = (float)vec3_dot(cone->planes[k], side->by_s);
    const float above = at + 2 * (float)RADIAL_SLACK, below = at - 2 * (float)RADIAL_SLACK;
    for (int i = 0; i < BLOCK; ++i) {
      columns.most[k][i] = above + most2(by * s[i], by * s[i + 1]);
      columns.least[k][i] = below + least2(by * s[i], by * s[i + 1]);
    }
    slope[k] = (float)vec3_dot(cone->planes[k], side->by_t);
  }
  float below, above = rough_tangent((float)(first_t + range->first_row * step2));
  for (uint32_t row = range->first_row; row <= range->last_row; ++row) {
    float most[3], least[3];
    findings found;
    below = above;
    above = rough_tangent((float)(first_t + (row + 1) * step2));
    for (int k = 0; k < 3; ++k) {
      most[k] = most2(slope[k] * below, slope[k] * above);
      least[k] = least2(slope[k] * below, slope[k] * above);
    }
    find_row(&columns, most, least, found);
    tell(grid, range, row, found, visit, user);
  }
}

/* ---- types 1 and 2: cells stick out of their corners' hull --------------------------------------------------------
 */

/* The borders of a row of cells: at corner i the product of plane k with the direction, and for type 2 its |z|. */
typedef struct corner_row {
  float side[3][BORDERS], height[BORDERS];
} corner_row;

/* What the columns of a block share with all rows. */
typedef struct round_columns {
  float side[3][BORDERS]; /* type 1: product with (cos, sin, 0) of the longitude; type 2: with (x, 0, 0) */
  double above[BORDERS];  /* type 2: 1 - x^2 of each border … */
  double nearest[BLOCK];  /* … and of the place in each column where that is largest */
} round_columns;

/* Sines and cosines of angles in even steps: a turn by the step is much quicker than the library. */
typedef struct turning {
  double sine, cosine, step_sine, step_cosine;
} turning;
static turning start_turning(double angle, double step) {
  return (turning){sin(angle), cos(angle), sin(step), cos(step)};
}
static void turn(turning *t) {
  const double sine = t->sine * t->step_cosine + t->cosine * t->step_sine;
  t->cosine = t->cosine * t->step_cosine - t->sine * t->step_sine;
  t->sine = sine;
}

static void prepare_longitudes(const radial_grid *grid, const radial_cone *cone, uint32_t first, round_columns *out) {
  turning t = start_turning(grid->min1 + first / grid->scale1, 1 / grid->scale1);
  float sine[BORDERS], cosine[BORDERS];
  for (int i = 0; i < BORDERS; ++i, turn(&t)) {
    sine[i] = (float)t.sine;
    cosine[i] = (float)t.cosine;
  }
  for (int k = 0; k < 3; ++k) {
    const float x = (float)cone->planes[k].x, y = (float)cone->planes[k].y;
    for (int i = 0; i < BORDERS; ++i) out->side[k][i] = x * cosine[i] + y * sine[i];
  }
}

/* 1 - a^2 at the place between two borders where it is largest. */
static double largest_rest(double from, double to) {
  const double a = from > 0 ? from : min2(to, 0);
  return 1 - a * a;
}

static void prepare_abscissas(const radial_grid *grid, const radial_cone *cone, uint32_t first, round_columns *out) {
  const double step = 1 / grid->scale1, start = grid->min1 + first * step;
  for (int i = 0; i < BORDERS; ++i) out->above[i] = 1 - (start + i * step) * (start + i * step);
  for (int i = 0; i < BLOCK; ++i) out->nearest[i] = largest_rest(start + i * step, start + (i + 1) * step);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < BORDERS; ++i) out->side[k][i] = (float)(cone->planes[k].x * (start + i * step));
}

/* The corners at one polar angle. There is nothing beyond the poles, which the grid may exceed by its slack. */
static void evaluate_parallel(const radial_cone *cone, const round_columns *columns, const turning *polar,
                              corner_row *out) {
  const float sine = (float)max2(polar->sine, 0);
  for (int k = 0; k < 3; ++k) {
    const float z = (float)(cone->planes[k].z * polar->cosine);
    for (int i = 0; i < BORDERS; ++i) out->side[k][i] = sine * columns->side[k][i] + z;
  }
}

/* The corners at one y. Where the square of addresses leaves the disc of directions, it stays in the plane z = 0. */
static void evaluate_ordinate(const radial_cone *cone, const round_columns *columns, uint32_t layer, double y,
                              corner_row *out) {
  for (int i = 0; i < BORDERS; ++i) out->height[i] = sqrtf(most2((float)(columns->above[i] - y * y), 0));
  for (int k = 0; k < 3; ++k) {
    const float at = (float)(cone->planes[k].y * y), z = (float)(layer ? cone->planes[k].z : -cone->planes[k].z);
    for (int i = 0; i < BORDERS; ++i) out->side[k][i] = columns->side[k][i] + at + z * out->height[i];
  }
}

/* How far each cell may stick out. Type 1: parallels are arcs. */
static float longitude_pad(const radial_grid *grid) {
  return grid->scale1 > 0.5 ? (float)(1 / cos(0.5 / grid->scale1) - 1) : INFINITY;
}

/* Type 2: z is a concave function of x and y, off its corners by at most size^2/8 times its second derivatives, which
 * z^-3 bounds; near the equator the whole height of the cell bounds it better. */
static void find_flat_pads(const radial_grid *grid, const round_columns *columns, double below, double above,
                           const corner_row *lower, const corner_row *upper, float pads[BLOCK]) {
  const double size1 = 1 / grid->scale1, size2 = 1 / grid->scale2;
  const double beside = 1 - largest_rest(below, above);
  const float bend = (float)((size1 * size1 + size2 * size2) / 8);
  for (int i = 0; i < BLOCK; ++i) {
    const float low =
        least2(least2(lower->height[i], lower->height[i + 1]), least2(upper->height[i], upper->height[i + 1]));
    const float height2 = (float)(columns->nearest[i] - beside);
    const float pad = least2(sqrtf(most2(height2, 0)), bend / most2(low * low * low, 1e-30F));
    pads[i] = height2 < -1e-6F ? -INFINITY : pad; /* outside the disc: no direction has this address */
  }
}

/* `share`: how much of its pad a cell sticks out towards each plane. */
static void find_round_row(const corner_row *lower, const corner_row *upper, const float pads[BLOCK],
                           const float share[3], findings found) {
  const float slack = 2 * (float)RADIAL_SLACK;
  for (int i = 0; i < BLOCK; ++i) found[i] = pads[i] >= 0 ? TOUCHED : 0;
  for (int k = 0; k < 3; ++k) {
    const float *low = lower->side[k], *high = upper->side[k];
    for (int i = 0; i < BLOCK; ++i) {
      const float margin = pads[i] * share[k] + slack;
      const float most = most2(most2(low[i], low[i + 1]), most2(high[i], high[i + 1])),
                  least = least2(least2(low[i], low[i + 1]), least2(high[i], high[i + 1]));
      const int32_t behind = most + margin<0, inside = least - margin> 0;
      found[i] = behind ? 0 : found[i] | inside << k;
    }
  }
  for (int i = 0; i < BLOCK; ++i) found[i] = found[i] & TOUCHED ? found[i] : 0;
}

static void cover_longitudes(const radial_grid *grid, const radial_cone *cone, const cell_range *range,
                             radial_visit *visit, void *user) {
  static const float share[3] = {1, 1, 1};
  float pads[BLOCK];
  round_columns columns;
  corner_row rows[2];
  findings found;
  for (int i = 0; i < BLOCK; ++i) pads[i] = longitude_pad(grid);
  prepare_longitudes(grid, cone, range->first_column, &columns);
  turning polar = start_turning(grid->min2 + range->first_row / grid->scale2, 1 / grid->scale2);
  evaluate_parallel(cone, &columns, &polar, &rows[range->first_row % 2]);
  for (uint32_t row = range->first_row; row <= range->last_row; ++row) {
    turn(&polar);
    evaluate_parallel(cone, &columns, &polar, &rows[(row + 1) % 2]);
    find_round_row(&rows[0], &rows[1], pads, share, found);
    tell(grid, range, row, found, visit, user);
  }
}

static void cover_disc(const radial_grid *grid, const radial_cone *cone, const cell_range *range, radial_visit *visit,
                       void *user) {
  float pads[BLOCK], share[3];
  round_columns columns;
  corner_row rows[2];
  findings found;
  for (int k = 0; k < 3; ++k) share[k] = (float)fabs(cone->planes[k].z); /* it bulges along z alone */
  prepare_abscissas(grid, cone, range->first_column, &columns);
  double above = grid->min2 + range->first_row / grid->scale2;
  evaluate_ordinate(cone, &columns, range->layer, above, &rows[range->first_row % 2]);
  for (uint32_t row = range->first_row; row <= range->last_row; ++row) {
    const double below = above;
    above = grid->min2 + (row + 1) / grid->scale2;
    evaluate_ordinate(cone, &columns, range->layer, above, &rows[(row + 1) % 2]);
    find_flat_pads(grid, &columns, below, above, &rows[0], &rows[1], pads);
    find_round_row(&rows[0], &rows[1], pads, share, found);
    tell(grid, range, row, found, visit, user);
  }
}

/* ---- all ----------------------------------------------------------------------------------------------------------
 */

static bool clip(double low, double high, double min, double scale, uint32_t cells, uint32_t *first, uint32_t *last) {
  const double from = floor((low - min) * scale), to = floor((high - min) * scale);
  if (to < 0 || from >= cells) return false;
  *first = from > 0 ? (uint32_t)from : 0;
  *last = to < cells ? (uint32_t)to : cells - 1;
  return true;
}

void syn_radial_cover(const radial_grid *grid, const radial_cone *cone, radial_visit *visit, void *user) {
  radial_span spans[RADIAL_SPANS];
  const uint32_t count = syn_radial_spans(grid->mapping, cone, spans);
  uint32_t taken = grid->columns; /* the two spans of type 1 may meet in one column: the first has it */
  for (uint32_t s = 0; s < count; ++s) {
    cell_range all = {.layer = spans[s].a3}, block;
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
    for (block = all; block.first_column <= all.last_column; block.first_column += BLOCK) {
      block.last_column =
          all.last_column - block.first_column < BLOCK ? all.last_column : block.first_column + BLOCK - 1;
      if (grid->mapping == SYN_MAPPING_UNIFORM)
        cover_flat_block(grid, cone, &block, visit, user);
      else if (grid->mapping == SYN_MAPPING_SPHERICAL)
        cover_longitudes(grid, cone, &block, visit, user);
      else
        cover_disc(grid, cone, &block, visit, user);
    }
  }
}

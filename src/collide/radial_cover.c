/* Grids of radial cells, and which of their cells a cone of directions touches.
 *
 * A cell is dropped when one plane of the cone has the whole cell behind it. The cell's four corners tell, together
 * with a pad for the mappings whose cells have curved borders (seed A, Fig. 24: there extra points were needed). */
#include <math.h>

#include "base/vec.h"
#include "collide/radial_mapping.h"

/* ---- grids ------------------------------------------------------------------------------------------------------- */

static double whole_range(syn_mapping mapping, int address) {
  if (mapping == SYN_MAPPING_CARTESIAN) return 2;
  if (mapping == SYN_MAPPING_UNIFORM) return SYN_PI / 2;
  return address == 1 ? 2 * SYN_PI : SYN_PI;
}

radial_grid syn_radial_grid(syn_mapping mapping, uint32_t cells, const radial_span *used) {
  radial_grid grid = {.mapping = mapping, .layers = syn_radial_layer_count(mapping)};
  const uint32_t dimension = (uint32_t)ceil(sqrt((double)cells / grid.layers));
  grid.columns = grid.rows = dimension > 0 ? dimension : 1;
  grid.tile_columns = grid.tile_rows = (grid.columns + RADIAL_TILE - 1) / RADIAL_TILE;
  const bool whole = mapping == SYN_MAPPING_UNIFORM || !(used->low1 <= used->high1);
  const double origin1 = mapping == SYN_MAPPING_CARTESIAN ? -1 : mapping == SYN_MAPPING_SPHERICAL ? -SYN_PI : 0;
  const double origin2 = mapping == SYN_MAPPING_CARTESIAN ? -1 : 0;
  /* a little more than is used, so that no direction of the body falls off the last cell */
  const double slack = 2 * RADIAL_SLACK;
  grid.min1 = (whole ? origin1 : used->low1) - slack;
  grid.min2 = (whole ? origin2 : used->low2) - slack;
  grid.scale1 = grid.columns / ((whole ? whole_range(mapping, 1) : used->high1 - used->low1) + 2 * slack);
  grid.scale2 = grid.rows / ((whole ? whole_range(mapping, 2) : used->high2 - used->low2) + 2 * slack);
  return grid;
}

uint32_t syn_radial_locate(const radial_grid *grid, syn_vec3 unit) {
  const radial_address at = syn_radial_address(grid->mapping, unit);
  const double column = (at.a1 - grid->min1) * grid->scale1, row = (at.a2 - grid->min2) * grid->scale2;
  if (!(column >= 0 && column < grid->columns && row >= 0 && row < grid->rows)) return SYN_NONE;
  return syn_radial_cell_number(grid, at.a3, (uint32_t)row, (uint32_t)column);
}

bool syn_radial_holds(const radial_grid *grid, const radial_span *span) {
  return span->low1 >= grid->min1 && (span->high1 - grid->min1) * grid->scale1 <= grid->columns &&
         span->low2 >= grid->min2 && (span->high2 - grid->min2) * grid->scale2 <= grid->rows;
}

/* ---- corners and pads of cells ------------------------------------------------------------------------------------
 */

/* What the direction at an address needs of one of its two numbers; sines and tangents are costly, and a whole row or
 * column of corners shares them. */
typedef struct half_address {
  double value, sine, cosine;
} half_address;

static half_address prepare(const radial_grid *grid, double a) {
  if (grid->mapping == SYN_MAPPING_CARTESIAN) return (half_address){a, 0, 0};
  if (grid->mapping == SYN_MAPPING_UNIFORM) return (half_address){tan(a - SYN_PI / 4), 0, 0};
  return (half_address){a, sin(a), cos(a)};
}
static half_address prepare_column(const radial_grid *grid, double column) {
  return prepare(grid, grid->min1 + column / grid->scale1);
}
static half_address prepare_row(const radial_grid *grid, double row) {
  return prepare(grid, grid->min2 + row / grid->scale2);
}

/* The direction at an address; any length for type 3. Where type 2's square leaves the disc of directions, it stays in
 * the plane z = 0. */
static syn_vec3 direction_at(const radial_grid *grid, uint32_t layer, half_address a1, half_address a2) {
  if (grid->mapping == SYN_MAPPING_SPHERICAL) return vec3(a2.sine * a1.cosine, a2.sine * a1.sine, a2.cosine);
  const double s = a1.value, t = a2.value;
  if (grid->mapping == SYN_MAPPING_CARTESIAN) {
    const double z2 = 1 - s * s - t * t, z = z2 > 0 ? sqrt(z2) : 0;
    return vec3(s, t, layer ? z : -z);
  }
  switch (layer) { /* the inverse of Eq. 33, see radial_mapping.c */
  case 0: return vec3(1, -s, t);
  case 1: return vec3(s, 1, -t);
  case 2: return vec3(-1, s, -t);
  case 3: return vec3(-s, -1, t);
  case 4: return vec3(-t, s, 1);
  default: return vec3(t, -s, -1);
  }
}

typedef struct cell_place {
  uint32_t layer, row, column;
} cell_place;

/* The inverse of syn_radial_cell_number. */
static cell_place place_of(const radial_grid *grid, uint32_t cell) {
  const uint32_t tile = cell >> (2 * RADIAL_TILE_BITS), line = tile / grid->tile_columns;
  return (cell_place){line / grid->tile_rows,
                      line % grid->tile_rows * RADIAL_TILE + (cell >> RADIAL_TILE_BITS) % RADIAL_TILE,
                      tile % grid->tile_columns * RADIAL_TILE + cell % RADIAL_TILE};
}

syn_vec3 syn_radial_cell_middle(const radial_grid *grid, uint32_t cell) {
  const cell_place at = place_of(grid, cell);
  return vec3_unit(
      direction_at(grid, at.layer, prepare_column(grid, at.column + 0.5), prepare_row(grid, at.row + 0.5)));
}

/* How far the cell may stick out from the hull of its four corners. Type 1: parallels are arcs. Type 2: z is a concave
 * function of x and y, off its corners by at most size^2/8 times its second derivatives, which z^-3 bounds; near the
 * equator the whole height of the cell bounds it better. (Type 3: borders are great circles, nothing sticks out.) */
static double round_cell_pad(const radial_grid *grid) {
  return grid->scale1 > 0.5 ? 1 / cos(0.5 / grid->scale1) - 1 : HUGE_VAL;
}
static double flat_cell_pad(const radial_grid *grid, double a1, double a2, double lowest_z) {
  const double size1 = 1 / grid->scale1, size2 = 1 / grid->scale2;
  const double x = a1 > 0 ? a1 : min2(a1 + size1, 0), y = a2 > 0 ? a2 : min2(a2 + size2, 0);
  const double height2 = 1 - x * x - y * y;
  if (height2 < -1e-9) return -1; /* outside the disc: no direction has this address */
  const double height = sqrt(max2(height2, 0)), bend = (size1 * size1 + size2 * size2) / 8;
  return lowest_z * lowest_z * lowest_z * height > bend ? bend / (lowest_z * lowest_z * lowest_z) : height;
}

/* ---- covering ---------------------------------------------------------------------------------------------------- */

enum { BLOCK = 16 }; /* columns that are looked at together */

typedef struct corner_row {
  double height[BLOCK + 1];  /* |z| of each corner */
  double side[3][BLOCK + 1]; /* which side of each plane it is on */
} corner_row;

typedef struct cell_range {
  uint32_t layer, first_column, last_column, first_row, last_row;
} cell_range;

static void evaluate_row(const radial_grid *grid, const radial_cone *cone, const cell_range *range,
                         const half_address columns[], uint32_t row, corner_row *out) {
  const half_address a2 = prepare_row(grid, row);
  for (uint32_t i = 0; i <= range->last_column - range->first_column + 1; ++i) {
    const syn_vec3 p = direction_at(grid, range->layer, columns[i], a2);
    out->height[i] = fabs(p.z);
    for (uint32_t k = 0; k < cone->plane_count; ++k) out->side[k][i] = vec3_dot(cone->planes[k], p);
  }
}

/* False where it is wholly behind one plane. */
static bool cell_touches(const radial_grid *grid, const radial_cone *cone, const corner_row *lower,
                         const corner_row *upper, uint32_t i, double round_pad, double a1, double a2,
                         uint32_t *inside) {
  double pad = round_pad; /* of type 1 the same for all */
  if (grid->mapping == SYN_MAPPING_CARTESIAN) {
    const double lowest =
        min2(min2(lower->height[i], lower->height[i + 1]), min2(upper->height[i], upper->height[i + 1]));
    pad = flat_cell_pad(grid, a1, a2, lowest);
  }
  if (pad < 0) return false;
  *inside = 0;
  for (uint32_t k = 0; k < cone->plane_count; ++k) {
    const double *low = lower->side[k], *high = upper->side[k];
    /* type 2 bulges along z alone */
    const double margin = pad * (grid->mapping == SYN_MAPPING_CARTESIAN ? fabs(cone->planes[k].z) : 1);
    if (max2(max2(low[i], low[i + 1]), max2(high[i], high[i + 1])) + margin < -2 * RADIAL_SLACK) return false;
    const double least = min2(min2(low[i], low[i + 1]), min2(high[i], high[i + 1])) - margin;
    *inside |= (uint32_t)(least > 2 * RADIAL_SLACK) << k;
  }
  return true;
}

/* To 1e-8 for |x| <= pi/4: far within the slack, and much quicker than the library's (Lambert's continued fraction). */
static double rough_tangent(double x) {
  const double x2 = x * x;
  return x * (945 - x2 * (105 - x2)) / (945 - x2 * (420 - 15 * x2));
}

/* Type 3, whose directions are linear in the tangents s and t of both angles: the largest product of a plane with a
 * corner is the largest over s and the largest over t, and the smallest likewise. At most BLOCK columns. */
static void cover_flat_block(const radial_grid *grid, const radial_cone *cone, const cell_range *range,
                             radial_visit *visit, void *user) {
  const half_address zero = {0, 0, 0}, one = {1, 0, 0};
  const uint32_t columns = range->last_column - range->first_column + 1;
  const syn_vec3 origin = direction_at(grid, range->layer, zero, zero);
  const syn_vec3 by_s = vec3_sub(direction_at(grid, range->layer, one, zero), origin),
                 by_t = vec3_sub(direction_at(grid, range->layer, zero, one), origin);
  const double first_s = grid->min1 - SYN_PI / 4, first_t = grid->min2 - SYN_PI / 4;
  double s[BLOCK + 1], most_s[3][BLOCK], least_s[3][BLOCK], slope[3];
  bool rises[3];
  for (uint32_t i = 0; i <= columns; ++i) s[i] = rough_tangent(first_s + (range->first_column + i) / grid->scale1);
  for (int k = 0; k < 3; ++k) { /* the third plane of an edge is zero */
    const double at = vec3_dot(cone->planes[k], origin), by = vec3_dot(cone->planes[k], by_s);
    for (uint32_t i = 0; i < columns; ++i) {
      most_s[k][i] = at + 2 * RADIAL_SLACK + max2(by * s[i], by * s[i + 1]);
      least_s[k][i] = at - 2 * RADIAL_SLACK + min2(by * s[i], by * s[i + 1]);
    }
    slope[k] = vec3_dot(cone->planes[k], by_t);
    rises[k] = by > 0;
  }
  double below, above = rough_tangent(first_t + range->first_row / grid->scale2);
  for (uint32_t row = range->first_row; row <= range->last_row; ++row) {
    below = above;
    above = rough_tangent(first_t + (row + 1) / grid->scale2);
    double most_t[3], least_t[3];
    for (int k = 0; k < 3; ++k) {
      most_t[k] = max2(slope[k] * below, slope[k] * above);
      least_t[k] = min2(slope[k] * below, slope[k] * above);
    }
    /* products change one way along the row: what a plane leaves lies at one end of it */
    uint32_t first = 0, end = columns;
    for (int k = 0; k < 3; ++k)
      if (rises[k])
        while (first < end && most_s[k][first] + most_t[k] < 0) ++first;
      else
        while (first < end && most_s[k][end - 1] + most_t[k] < 0) --end;
    for (uint32_t i = first; i < end; ++i) {
      const uint32_t inside = (uint32_t)(least_s[0][i] + least_t[0] > 0) |
                              (uint32_t)(least_s[1][i] + least_t[1] > 0) << 1 |
                              (uint32_t)(least_s[2][i] + least_t[2] > 0) << 2;
      visit(user, syn_radial_cell_number(grid, range->layer, row, range->first_column + i), inside);
    }
  }
}

/* At most BLOCK columns. */
static void cover_block(const radial_grid *grid, const radial_cone *cone, const cell_range *range, radial_visit *visit,
                        void *user) {
  corner_row rows[2];
  half_address columns[BLOCK + 1];
  const double round_pad = round_cell_pad(grid);
  for (uint32_t i = 0; i <= range->last_column - range->first_column + 1; ++i)
    columns[i] = prepare_column(grid, range->first_column + i);
  evaluate_row(grid, cone, range, columns, range->first_row, &rows[0]);
  for (uint32_t row = range->first_row; row <= range->last_row; ++row) {
    const corner_row *lower = &rows[(row - range->first_row) % 2];
    corner_row *upper = &rows[(row - range->first_row + 1) % 2];
    evaluate_row(grid, cone, range, columns, row + 1, upper);
    const double a2 = grid->min2 + row / grid->scale2;
    for (uint32_t column = range->first_column; column <= range->last_column; ++column) {
      const double a1 = grid->min1 + column / grid->scale1;
      uint32_t inside;
      if (cell_touches(grid, cone, lower, upper, column - range->first_column, round_pad, a1, a2, &inside))
        visit(user, syn_radial_cell_number(grid, range->layer, row, column), inside);
    }
  }
}

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
      else
        cover_block(grid, cone, &block, visit, user);
    }
  }
}

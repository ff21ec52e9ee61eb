/* Grids of radial cells. */
#include <math.h>

#include "base/vec.h"
#include "collide/radial/radial_mapping.h"

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
  /* slightly more than the used range, so that no direction of the body is outside the last cell */
  const double slack = 2 * RADIAL_SLACK;
  grid.min1 = (whole ? origin1 : used->low1) - slack;
  grid.min2 = (whole ? origin2 : used->low2) - slack;
  grid.scale1 = grid.columns / ((whole ? whole_range(mapping, 1) : used->high1 - used->low1) + 2 * slack);
  grid.scale2 = grid.rows / ((whole ? whole_range(mapping, 2) : used->high2 - used->low2) + 2 * slack);
  grid.sine1 = sin(1 / grid.scale1);
  grid.cosine1 = cos(1 / grid.scale1);
  grid.sine2 = sin(1 / grid.scale2);
  grid.cosine2 = cos(1 / grid.scale2);
  return grid;
}

uint32_t syn_radial_locate(const radial_grid *grid, syn_vec3 unit) {
  const radial_address at = syn_radial_address(grid->mapping, unit);
  const double column = (at.a1 - grid->min1) * grid->scale1, row = (at.a2 - grid->min2) * grid->scale2;
  if (!(column >= 0 && column < grid->columns && row >= 0 && row < grid->rows)) return SYN_NONE;
  return syn_radial_cell_number(grid, at.a3, (uint32_t)row, (uint32_t)column);
}

static float arc_tangent(float x) {
  static const float c[] = RADIAL_ARC_TANGENT;
  const float x2 = x * x;
  float sum = c[0];
  for (int k = 1; k < 5; ++k) sum = sum * x2 + c[k];
  return sum * x;
}

static uint32_t cell_along(float angle, float offset, float scale, uint32_t count) {
  const int32_t at = (int32_t)((angle + offset) * scale), last = (int32_t)count - 1;
  return (uint32_t)(at < 0 ? 0 : at > last ? last : at);
}

/* Eq. 7, 33 and 11 in floats: sides 0 and 2 are x, 1 and 3 y, 4 and 5 z. */
static uint32_t find_uniform(const radial_grid *grid, float x, float y, float z) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  const bool is_x = ax >= ay && ax >= az, is_y = !is_x && ay >= az;
  const float axis = is_x ? x : is_y ? y : z, over = 1 / axis;
  const float first = is_x ? -y : is_y ? x : y, second = is_x ? z : is_y ? -z : -x;
  const uint32_t layer = is_x ? (axis < 0 ? 2 : 0) : is_y ? (axis < 0 ? 3 : 1) : (axis < 0 ? 5 : 4);
  const float offset1 = (float)(SYN_PI / 4 - grid->min1), offset2 = (float)(SYN_PI / 4 - grid->min2);
  const uint32_t column = cell_along(arc_tangent(first * over), offset1, (float)grid->scale1, grid->columns);
  const uint32_t row = cell_along(arc_tangent(second * over), offset2, (float)grid->scale2, grid->rows);
  return syn_radial_cell_number(grid, layer, row, column);
}

uint32_t syn_radial_find_cell(const radial_grid *grid, syn_vec3 point) {
  if (grid->mapping == SYN_MAPPING_UNIFORM) return find_uniform(grid, (float)point.x, (float)point.y, (float)point.z);
  const uint32_t cell = syn_radial_locate(grid, vec3_unit(point));
  return cell == SYN_NONE ? syn_radial_cell_count(grid) : cell;
}

bool syn_radial_holds(const radial_grid *grid, const radial_span *span) {
  return span->low1 >= grid->min1 && (span->high1 - grid->min1) * grid->scale1 <= grid->columns &&
         span->low2 >= grid->min2 && (span->high2 - grid->min2) * grid->scale2 <= grid->rows;
}

/* ---- middles of cells -------------------------------------------------------------------------------------------- */

/* Returns the direction at an address, of any length. If type 2's square leaves the disc of directions, it stays in the
 * plane z = 0. */
static syn_vec3 direction_at(const radial_grid *grid, uint32_t layer, double a1, double a2) {
  if (grid->mapping == SYN_MAPPING_SPHERICAL) return vec3(sin(a2) * cos(a1), sin(a2) * sin(a1), cos(a2));
  if (grid->mapping == SYN_MAPPING_CARTESIAN) {
    const double z2 = 1 - a1 * a1 - a2 * a2, z = z2 > 0 ? sqrt(z2) : 0;
    return vec3(a1, a2, layer ? z : -z);
  }
  const radial_side *side = &syn_radial_sides[layer];
  return vec3_madd(vec3_madd(side->origin, tan(a1 - SYN_PI / 4), side->by_s), tan(a2 - SYN_PI / 4), side->by_t);
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
  return vec3_unit(direction_at(grid, at.layer, grid->min1 + (at.column + 0.5) / grid->scale1,
                                grid->min2 + (at.row + 0.5) / grid->scale2));
}

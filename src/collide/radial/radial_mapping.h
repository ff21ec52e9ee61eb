/* Radial segments: the space around a centre divided into cells of directions (Arbabi 2009, §3.3.3.1), so that
 * everything in one direction, near or far, is in one cell.
 *
 * Directions are unit vectors from the centre. One of three mapping functions (Arbabi 2009, §3.3.3.1.1 to §3.3.3.1.3)
 * gives a direction its address (a1, a2, a3). A grid cuts the range of a1 and a2 into columns and rows, and every value
 * of a3 is a separate layer. */
#ifndef SYN_COLLIDE_RADIAL_MAPPING_H
#define SYN_COLLIDE_RADIAL_MAPPING_H

#include <synovia/collide.h>

typedef struct radial_address {
  double a1, a2;
  uint32_t a3;
} radial_address;

/* Eq. 5: longitude and polar angle. Eq. 6: x, y and the side of z. Eq. 7 and 33: two angles on one of six sides; Arbabi
 * leaves the borders between sides open; here x goes before y and y before z. */
radial_address syn_radial_address(syn_mapping mapping, syn_vec3 unit);
uint32_t syn_radial_layer_count(syn_mapping mapping);

/* The sides of type 3: tangents s and t of both angles, less pi/4, belong to the direction origin + s by_s + t by_t. */
typedef struct radial_side {
  syn_vec3 origin, by_s, by_t;
} radial_side;
extern const radial_side syn_radial_sides[6];

/* The tolerance of cells, as an angle: whatever is closer than this to a cell counts as in it, to cover rounding. */
#define RADIAL_SLACK 2e-5

/* The directions of a triangle (three corners) or an edge (two): all x with planes[i] . x >= 0 for every plane, which
 * of a triangle is that of the edge from corner i. A triangle seen edge-on has the planes of an edge: no cell is inside
 * both.
 */
typedef struct radial_cone {
  uint32_t corner_count, plane_count;
  syn_vec3 corners[3]; /* unit */
  syn_vec3 planes[3];  /* unit, or zero if undetermined */
} radial_cone;
/* Make a cone from points relative to the centre, none of them zero; or from their directions. */
radial_cone syn_radial_cone(const syn_vec3 *points, uint32_t count);
radial_cone syn_radial_cone_of(const syn_vec3 *units, uint32_t count);

/* Returns a lower bound of the length of any point of the hull of unit corners; every direction of a cone is such a
 * point, normalised. |sum w_i u_i|^2 = sum w_i w_j u_i.u_j is at least the smallest u_i.u_j; 0 if that gives no bound.
 */
double syn_radial_shortest(const syn_vec3 *corners, uint32_t count);

/* A rectangle of addresses. */
typedef struct radial_span {
  double low1, high1, low2, high2;
  uint32_t a3;
} radial_span;
enum { RADIAL_SPANS = 6 };
/* Finds rectangles that together contain every address of the cone; returns their count. */
uint32_t syn_radial_spans(syn_mapping mapping, const radial_cone *cone, radial_span spans[RADIAL_SPANS]);

/* Cells are numbered in square tiles, so that neighbours along both axes are close in memory. */
enum { RADIAL_TILE_BITS = 4, RADIAL_TILE = 1 << RADIAL_TILE_BITS };

typedef struct radial_grid {
  syn_mapping mapping;
  uint32_t columns, rows, layers;
  uint32_t tile_columns, tile_rows;      /* of one layer */
  double min1, min2;                     /* addresses where the grid starts */
  double scale1, scale2;                 /* cells per unit of address */
  double sine1, cosine1, sine2, cosine2; /* of the angles of a cell, if the addresses are angles */
} radial_grid;

/* Makes a grid of about `cells` cells (Eq. 8) over the addresses in use (Eq. 9 and 10: the whole range for type 3). */
radial_grid syn_radial_grid(syn_mapping mapping, uint32_t cells, const radial_span *used);
/* Returns the count of cell numbers, more than there are directions for, because tiles at the borders are complete,
 * too. */
static inline uint32_t syn_radial_cell_count(const radial_grid *grid) {
  return grid->tile_columns * grid->tile_rows * grid->layers << (2 * RADIAL_TILE_BITS);
}
static inline uint32_t syn_radial_cell_number(const radial_grid *grid, uint32_t layer, uint32_t row, uint32_t column) {
  const uint32_t tile =
      (layer * grid->tile_rows + (row >> RADIAL_TILE_BITS)) * grid->tile_columns + (column >> RADIAL_TILE_BITS);
  return (((tile << RADIAL_TILE_BITS) + row % RADIAL_TILE) << RADIAL_TILE_BITS) + column % RADIAL_TILE;
}
/* Returns the cell of a direction (Eq. 11), or SYN_NONE outside the grid. */
uint32_t syn_radial_locate(const radial_grid *grid, syn_vec3 unit);
/* Returns the cell of the ray through a point, which is neither the centre nor too far for floats: equal to the above
 * within the slack, faster, and the same for every caller; outside the grid, the number after the last cell. */
uint32_t syn_radial_find_cell(const radial_grid *grid, syn_vec3 point);
/* The arc tangent for |x| <= 1, to 1e-5: Abramowitz and Stegun, 4.4.47, from the highest power down. */
#define RADIAL_ARC_TANGENT                                                                                             \
  { 0.0208351F, -0.0851330F, 0.1801410F, -0.3302995F, 0.9998660F }
/* Returns the direction in the middle of a cell; if that is not a direction (type 2), one next to it. */
syn_vec3 syn_radial_cell_middle(const radial_grid *grid, uint32_t cell);

/* Calls visit(user, cell, inside) once for every cell of the grid that the cone may touch: none is missed, and few are
 * visited needlessly. Bit k of `inside`: the whole cell, with its slack, is inside plane k. */
typedef void radial_visit(void *user, uint32_t cell, uint32_t inside);
void syn_radial_cover(const radial_grid *grid, const radial_cone *cone, radial_visit *visit, void *user);

#endif

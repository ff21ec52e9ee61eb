#include "shape/tet_grid.h"

#include <assert.h>

#include "mesh/builder.h"

#define MAX_TETS 100000000.0

static void count_points(const syn_tet_grid *grid, uint32_t points[3]) {
  for (int axis = 0; axis < 3; ++axis) points[axis] = grid->cells[axis] + !(axis == 1 && grid->wraps);
}

static void place_grid_points(const syn_tet_grid *grid, const uint32_t points[3], syn_vec3 *out) {
  uint32_t at[3];
  for (at[2] = 0; at[2] < points[2]; ++at[2])
    for (at[1] = 0; at[1] < points[1]; ++at[1])
      for (at[0] = 0; at[0] < points[0]; ++at[0]) *out++ = grid->place(grid->user, at);
}

/* Finds the numbers of the cell's eight corners; bit `axis` of a corner means that it is on the far side. */
static void find_corners(const uint32_t cell[3], const uint32_t points[3], uint32_t corners[8]) {
  assert(points[0] > 0 && points[1] > 0 && points[2] > 0);
  for (uint32_t c = 0; c < 8; ++c) {
    uint32_t at[3];
    for (uint32_t axis = 0; axis < 3; ++axis) at[axis] = (cell[axis] + ((c >> axis) & 1)) % points[axis];
    corners[c] = (at[2] * points[1] + at[1]) * points[0] + at[0];
  }
}

/* Six paths lead along three edges from one end of the cell's diagonal to the other; each is a tetrahedron. A face's
 * cut depends only on the mirroring along the face's own two directions, which both of its cells share. */
static syn_tet *cut_cell(const uint32_t corners[8], uint32_t start, syn_tet *out) {
  static const uint32_t paths[6][3] = {{1, 2, 4}, {2, 4, 1}, {4, 1, 2}, {2, 1, 4}, {1, 4, 2}, {4, 2, 1}};
  const bool flipped = (start ^ (start >> 1) ^ (start >> 2)) & 1;
  for (int p = 0; p < 6; ++p) {
    uint32_t a = start, b = a ^ paths[p][0], c = b ^ paths[p][1], d = c ^ paths[p][2];
    const bool negative = (p >= 3) != flipped;
    *out++ = (syn_tet){{corners[a], corners[b], corners[negative ? d : c], corners[negative ? c : d]}};
  }
  return out;
}

/* The corner from which the diagonal starts. */
static uint32_t start_corner(const syn_tet_grid *grid, const uint32_t cell[3]) {
  uint32_t start = 0;
  for (uint32_t axis = 0; axis < 3; ++axis)
    if (grid->mirrored[axis] && cell[axis] < grid->cells[axis] / 2) start |= 1u << axis;
  return start;
}

syn_status syn_tet_grid_mesh(const syn_context *context, const syn_tet_grid *grid, syn_tetmesh **mesh,
                             syn_error *error) {
  const double wanted = 6.0 * grid->cells[0] * grid->cells[1] * grid->cells[2];
  if (wanted > MAX_TETS)
    return syn_fail(error, SYN_TOO_LARGE, "%.0f tetrahedra were asked for; ask for fewer cells, at most %.0f result",
                    wanted, MAX_TETS);
  uint32_t points[3], cell[3], corners[8];
  count_points(grid, points);
  syn_builder builder = {.context = context};
  SYN_TRY(syn_builder_size(&builder, (size_t)points[0] * points[1] * points[2], 0, (size_t)wanted, error));
  place_grid_points(grid, points, builder.points);
  syn_tet *out = builder.tets;
  for (cell[2] = 0; cell[2] < grid->cells[2]; ++cell[2])
    for (cell[1] = 0; cell[1] < grid->cells[1]; ++cell[1])
      for (cell[0] = 0; cell[0] < grid->cells[0]; ++cell[0]) {
        find_corners(cell, points, corners);
        out = cut_cell(corners, start_corner(grid, cell), out);
      }
  return syn_builder_tetmesh(&builder, mesh, error);
}

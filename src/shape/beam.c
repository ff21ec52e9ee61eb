/* Beam of tetrahedra from the origin along x: the bar of every textbook case. */
#include "base/vec.h"
#include "shape/shape.h"
#include "shape/tet_grid.h"

enum { LENGTH, WIDTH, HEIGHT, CELLS_X, CELLS_Y, CELLS_Z };
static const syn_shape_parameter parameters[] = {
    {"length", "mm", 100, 1e-3, 1e5, false, "along x, from 0"},
    {"width", "mm", 10, 1e-3, 1e5, false, "along y, about 0"},
    {"height", "mm", 10, 1e-3, 1e5, false, "along z, about 0"},
    {"cells-x", "", 20, 1, 10000, true, "bricks along x, six tetrahedra each"},
    {"cells-y", "", 2, 1, 10000, true, "bricks along y"},
    {"cells-z", "", 2, 1, 10000, true, "bricks along z"},
};

static syn_vec3 place_beam_node(const void *user, const uint32_t at[3]) {
  const double *values = user;
  return vec3(values[LENGTH] * (at[0] / values[CELLS_X]), values[WIDTH] * (at[1] / values[CELLS_Y] - 0.5),
              values[HEIGHT] * (at[2] / values[CELLS_Z] - 0.5));
}

static syn_status make_beam(const double *values, syn_joint *shape, syn_error *error) {
  const syn_tet_grid grid = {.cells = {(uint32_t)values[CELLS_X], (uint32_t)values[CELLS_Y], (uint32_t)values[CELLS_Z]},
                             .place = place_beam_node,
                             .user = values};
  syn_tetmesh *mesh;
  SYN_TRY(syn_tet_grid_mesh(shape->context, &grid, &mesh, error));
  return syn_shape_add(shape, "beam", SYN_TISSUE_LIGAMENT, true, NULL, mesh, error);
}

const syn_shape_maker syn_make_beam = {{"beam", "a box of tetrahedra along x, 480 as standard", 6, parameters},
                                       make_beam};

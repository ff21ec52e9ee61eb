/* Graft for a torn cruciate ligament, of tetrahedra along z. The default values are those of Sundaraj 2004, Table 6.2:
 * 5 mm by 10 mm by 25 mm, 50 mm^2 across, 850 mm^2 of surface, 1 250 mm^3. */
#include "base/vec.h"
#include "shape/shape.h"
#include "shape/tet_grid.h"

enum { LENGTH, WIDTH, HEIGHT, ROUNDNESS, CELLS, ALONG, TAPER, LAYERS };
static const syn_shape_parameter parameters[] = {
    {"length", "mm", 25, 1e-3, 1e5, false, "along z, from the tibial end at 0"},
    {"width", "mm", 10, 1e-3, 1e5, false, "along x, about 0"},
    {"height", "mm", 5, 1e-3, 1e5, false, "along y, about 0"},
    {"roundness", "", 0, 0, 1, false, "of the cross-section: 0 a rectangle, 1 an ellipse"},
    {"cells", "", 4, 2, 500, true, "bricks across the width and across the height"},
    {"along", "", 12, 1, 10000, true, "bricks along z; 6 cells^2 along tetrahedra, 1 152 as standard"},
    {"taper", "", 0, 0, 0.9, false, "part of width and height that is missing at both ends; full in the middle half"},
    {"layers", "", 0, 0, 500, true,
     "bricks across the height; 0: as across the width. 4 cells, 2 layers and 10 along "
     "have the 138 nodes outside of Sundaraj 2004"},
};

/* The square [-1, 1]^2 shrinks towards the circle along rays from its middle, so concentric squares become concentric
 * circles and nothing folds over. */
static double layers(const double *values) { return values[LAYERS] > 0 ? values[LAYERS] : values[CELLS]; }

static syn_vec3 place_graft_node(const void *user, const uint32_t at[3]) {
  const double *values = user;
  const double x = 2 * (at[0] / values[CELLS]) - 1, y = 2 * (at[1] / layers(values)) - 1;
  const double far = fmax(fabs(x), fabs(y));
  const double shrink = far > 0 ? 1 + values[ROUNDNESS] * (far / sqrt(x * x + y * y) - 1) : 1;
  const double share = at[2] / values[ALONG], size = 1 - values[TAPER] * fmax(0, 2 * fabs(2 * share - 1) - 1);
  return vec3(values[WIDTH] / 2 * x * shrink * size, values[HEIGHT] / 2 * y * shrink * size, values[LENGTH] * share);
}

static syn_status make_graft(const double *values, syn_joint *shape, syn_error *error) {
  const uint32_t cells = (uint32_t)values[CELLS];
  /* mirrored cuts lead from the middle into the corners, where a round cross-section would flatten any other */
  const syn_tet_grid grid = {.cells = {cells, (uint32_t)layers(values), (uint32_t)values[ALONG]},
                             .mirrored = {true, true, false},
                             .place = place_graft_node,
                             .user = values};
  syn_tetmesh *mesh;
  SYN_TRY(syn_tet_grid_mesh(shape->context, &grid, &mesh, error));
  return syn_shape_add(shape, "graft", SYN_TISSUE_LIGAMENT, true, NULL, mesh, error);
}

const syn_shape_maker syn_make_graft = {
    {"graft", "a ligament graft of tetrahedra along z, rectangular to round, with tapered ends", 8, parameters},
    make_graft};

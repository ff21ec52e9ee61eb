/* V of tetrahedra: two legs that meet in a mitre, the mesh of the measurements of Erleben & Sporring 2005, Fig. 1.5.4
 * to 1.5.7. The legs lie in the xy plane, open towards x, with the inner corner at the origin. */
#include "base/vec.h"
#include "shape/shape.h"
#include "shape/tet_grid.h"

enum { LEG, WIDTH, DEPTH, OPENING, CELLS, ALONG };
static const syn_shape_parameter parameters[] = {
    {"leg", "mm", 60, 1e-2, 1e5, false, "length of the inner side of a leg"},
    {"width", "mm", 10, 1e-3, 1e5, false, "of a leg, in the plane of the V"},
    {"depth", "mm", 10, 1e-3, 1e5, false, "of a leg, across the plane of the V"},
    {"opening", "deg", 60, 20, 180, false, "angle between the legs; 180 is a straight bar"},
    {"cells", "", 3, 1, 500, true, "bricks across the width, and as many across the depth"},
    {"along", "", 0, 0, 10000, true,
     "bricks along a leg; 0 makes them about as long as wide. 12 cells^2 along tetrahedra, 1 944 as standard; "
     "24 cells make a million"},
};

typedef struct bent_bar {
  const double *values;
  uint32_t across, along;
} bent_bar;

/* i runs across from the outer to the inner side, j along from the tip of the lower leg over the corner to that of the
 * upper one, k across the depth. */
static syn_vec3 place_bar_node(const void *user, const uint32_t at[3]) {
  const bent_bar *bar = user;
  const double half = bar->values[OPENING] / 2 * SYN_PI / 180;
  const bool upper = at[1] >= bar->along;
  const double t = bar->values[WIDTH] * (1 - (double)at[0] / bar->across);
  const double share = (double)(upper ? at[1] - bar->along : bar->along - at[1]) / bar->along;
  /* distance along the leg: from the mitre, where y = u sin + t cos = 0, to the tip */
  const double mitre = -t / tan(half), u = mitre + share * (bar->values[LEG] - mitre);
  const double x = u * cos(half) - t * sin(half), y = share == 0 ? 0 : u * sin(half) + t * cos(half);
  return vec3(x, upper ? y : -y, bar->values[DEPTH] * ((double)at[2] / bar->across - 0.5));
}

static syn_status make_bent_bar(const double *values, syn_joint *shape, syn_error *error) {
  double along = values[ALONG];
  if (along == 0) along = fmin(10000, fmax(1, round(values[LEG] / values[WIDTH] * values[CELLS])));
  const bent_bar bar = {values, (uint32_t)values[CELLS], (uint32_t)along};
  const syn_tet_grid grid = {.cells = {bar.across, 2 * bar.along, bar.across},
                             .mirrored = {false, true, false},
                             .place = place_bar_node,
                             .user = &bar};
  syn_tetmesh *mesh;
  SYN_TRY(syn_tet_grid_mesh(shape->context, &grid, &mesh, error));
  return syn_shape_add(shape, "v", SYN_TISSUE_MUSCLE, true, NULL, mesh, error);
}

const syn_shape_maker syn_make_v = {{"v", "a V of tetrahedra: two legs joined in a mitre", 6, parameters},
                                    make_bent_bar};

/* Shapes of tetrahedra: beam, graft, thigh and V, over a grid of bent bricks. */
#include <assert.h>

#include "base/vec.h"
#include "mesh/builder.h"
#include "shape/closed_surface.h"
#include "shape/shape_maker.h"
#include "shape/tet_shapes.h"

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

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

/* ---- beam -------------------------------------------------------------------------------------------------------- */

/* Beam of tetrahedra from the origin along x: the bar of every textbook case. */

enum { BEAM_LENGTH, BEAM_WIDTH, BEAM_HEIGHT, BEAM_CELLS_X, BEAM_CELLS_Y, BEAM_CELLS_Z };
static const syn_shape_parameter beam_parameters[] = {
    {"length", "mm", 100, 1e-3, 1e5, false, "along x, from 0"},
    {"width", "mm", 10, 1e-3, 1e5, false, "along y, about 0"},
    {"height", "mm", 10, 1e-3, 1e5, false, "along z, about 0"},
    {"cells-x", "", 20, 1, 10000, true, "bricks along x, six tetrahedra each"},
    {"cells-y", "", 2, 1, 10000, true, "bricks along y"},
    {"cells-z", "", 2, 1, 10000, true, "bricks along z"},
};

static syn_vec3 place_beam_node(const void *user, const uint32_t at[3]) {
  const double *values = user;
  return vec3(values[BEAM_LENGTH] * (at[0] / values[BEAM_CELLS_X]),
              values[BEAM_WIDTH] * (at[1] / values[BEAM_CELLS_Y] - 0.5),
              values[BEAM_HEIGHT] * (at[2] / values[BEAM_CELLS_Z] - 0.5));
}

static syn_status make_beam(const double *values, syn_joint *shape, syn_error *error) {
  const syn_tet_grid grid = {
      .cells = {(uint32_t)values[BEAM_CELLS_X], (uint32_t)values[BEAM_CELLS_Y], (uint32_t)values[BEAM_CELLS_Z]},
      .place = place_beam_node,
      .user = values};
  syn_tetmesh *mesh;
  SYN_TRY(syn_tet_grid_mesh(shape->context, &grid, &mesh, error));
  return syn_shape_add(shape, "beam", SYN_TISSUE_LIGAMENT, true, NULL, mesh, error);
}

const syn_shape_maker syn_make_beam = {{"beam", "a box of tetrahedra along x, 480 as standard", 6, beam_parameters},
                                       make_beam};

/* ---- graft ------------------------------------------------------------------------------------------------------- */

/* Graft for a torn cruciate ligament, of tetrahedra along z. The default values are those of Sundaraj 2004, Table 6.2:
 * 5 mm by 10 mm by 25 mm, 50 mm^2 across, 850 mm^2 of surface, 1 250 mm^3. */

enum { GRAFT_LENGTH, GRAFT_WIDTH, GRAFT_HEIGHT, GRAFT_ROUNDNESS, GRAFT_CELLS, GRAFT_ALONG, GRAFT_TAPER, GRAFT_LAYERS };
static const syn_shape_parameter graft_parameters[] = {
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
static double layers(const double *values) {
  return values[GRAFT_LAYERS] > 0 ? values[GRAFT_LAYERS] : values[GRAFT_CELLS];
}

static syn_vec3 place_graft_node(const void *user, const uint32_t at[3]) {
  const double *values = user;
  const double x = 2 * (at[0] / values[GRAFT_CELLS]) - 1, y = 2 * (at[1] / layers(values)) - 1;
  const double far = fmax(fabs(x), fabs(y));
  const double shrink = far > 0 ? 1 + values[GRAFT_ROUNDNESS] * (far / sqrt(x * x + y * y) - 1) : 1;
  const double share = at[2] / values[GRAFT_ALONG],
               size = 1 - values[GRAFT_TAPER] * fmax(0, 2 * fabs(2 * share - 1) - 1);
  return vec3(values[GRAFT_WIDTH] / 2 * x * shrink * size, values[GRAFT_HEIGHT] / 2 * y * shrink * size,
              values[GRAFT_LENGTH] * share);
}

static syn_status make_graft(const double *values, syn_joint *shape, syn_error *error) {
  const uint32_t cells = (uint32_t)values[GRAFT_CELLS];
  /* mirrored cuts lead from the middle into the corners, where a round cross-section would flatten any other */
  const syn_tet_grid grid = {.cells = {cells, (uint32_t)layers(values), (uint32_t)values[GRAFT_ALONG]},
                             .mirrored = {true, true, false},
                             .place = place_graft_node,
                             .user = values};
  syn_tetmesh *mesh;
  SYN_TRY(syn_tet_grid_mesh(shape->context, &grid, &mesh, error));
  return syn_shape_add(shape, "graft", SYN_TISSUE_LIGAMENT, true, NULL, mesh, error);
}

const syn_shape_maker syn_make_graft = {
    {"graft", "a ligament graft of tetrahedra along z, rectangular to round, with tapered ends", 8, graft_parameters},
    make_graft};

/* ---- thigh ------------------------------------------------------------------------------------------------------- */

/* Thigh along z: muscle of tetrahedra around a femur. The default skin encloses the 8 835 730 mm^3 of Sundaraj 2004,
 * Table 6.1 (a cylinder of 75 mm by 500 mm there), tapered towards the knee. */

enum { THIGH_LENGTH, THIGH_PROXIMAL, THIGH_DISTAL, THIGH_OVAL, THIGH_BONE, THIGH_CELLS, THIGH_AROUND, THIGH_ALONG };
static const syn_shape_parameter thigh_parameters[] = {
    {"length", "mm", 500, 1, 1e5, false, "from the knee at z = 0 to the hip"},
    {"proximal", "mm", 85, 1, 1e4, false, "radius at the hip, side to side"},
    {"distal", "mm", 64.55, 1, 1e4, false, "radius at the knee, side to side"},
    {"oval", "", 1, 0.6, 1.6, false, "radius front to back (y) as a share of that side to side (x)"},
    {"bone", "mm", 14, 0.1, 1e4, false, "radius of the femur, at most 0.8 of the smallest radius of the thigh"},
    {"cells", "", 3, 1, 500, true, "bricks from the bone to the skin"},
    {"around", "", 24, 8, 2000, true, "bricks around the bone"},
    {"along", "", 20, 1, 5000, true, "bricks along z; 6 cells around along tetrahedra, 8 640 as standard"},
};

/* i runs from the bone to the skin, j around, k along. */
static syn_vec3 place_thigh_node(const void *user, const uint32_t at[3]) {
  const double *values = user;
  const double share = at[2] / values[THIGH_ALONG], depth = at[0] / values[THIGH_CELLS];
  const double angle = 2 * SYN_PI / values[THIGH_AROUND] * at[1];
  const double skin = (1 - share) * values[THIGH_DISTAL] + share * values[THIGH_PROXIMAL];
  const double x = (1 - depth) * values[THIGH_BONE] + depth * skin;
  const double y = (1 - depth) * values[THIGH_BONE] + depth * skin * values[THIGH_OVAL];
  return vec3(x * cos(angle), y * sin(angle), values[THIGH_LENGTH] * share);
}

/* The femur's rings are the innermost points of the muscle, to the bit; a pole closes either end. */
static syn_vec3 place_on_bone(const void *user, uint32_t ring, uint32_t sector) {
  const double *values = user;
  if (ring == 0) return vec3(0, 0, 0);
  if (ring == (uint32_t)values[THIGH_ALONG] + 2) return vec3(0, 0, values[THIGH_LENGTH]);
  return place_thigh_node(user, (uint32_t[3]){0, sector, ring - 1});
}

static syn_status make_thigh(const double *values, syn_joint *shape, syn_error *error) {
  const double smallest = fmin(values[THIGH_PROXIMAL], values[THIGH_DISTAL]) * fmin(1, values[THIGH_OVAL]);
  if (!(values[THIGH_BONE] <= 0.8 * smallest))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "bone of a thigh must be at most 0.8 of its smallest radius, that is %g mm, not %g", 0.8 * smallest,
                    values[THIGH_BONE]);
  const uint32_t around = (uint32_t)values[THIGH_AROUND], along = (uint32_t)values[THIGH_ALONG];
  const syn_tet_grid grid = {.cells = {(uint32_t)values[THIGH_CELLS], around, along},
                             .wraps = true,
                             .place = place_thigh_node,
                             .user = values};
  const syn_loft bone = {along + 3, around, SYN_LOFT_POLES, along + 3, place_on_bone, values};
  syn_tetmesh *muscle;
  SYN_TRY(syn_tet_grid_mesh(shape->context, &grid, &muscle, error));
  SYN_TRY(syn_shape_add(shape, "muscle", SYN_TISSUE_MUSCLE, true, NULL, muscle, error));
  syn_trimesh *femur;
  SYN_TRY(syn_loft_make(shape->context, &bone, &femur, error));
  return syn_shape_add(shape, "femur", SYN_TISSUE_BONE, false, femur, NULL, error);
}

const syn_shape_maker syn_make_thigh = {{"thigh", "muscle of tetrahedra around a femur, along z", 8, thigh_parameters},
                                        make_thigh};

/* ---- V ----------------------------------------------------------------------------------------------------------- */

/* V of tetrahedra: two legs that meet in a mitre, the mesh of the measurements of Erleben & Sporring 2005, Fig. 1.5.4
 * to 1.5.7. The legs lie in the xy plane, open towards x, with the inner corner at the origin. */

enum { V_LEG, V_WIDTH, V_DEPTH, V_OPENING, V_CELLS, V_ALONG };
static const syn_shape_parameter v_parameters[] = {
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
  const double half = bar->values[V_OPENING] / 2 * SYN_PI / 180;
  const bool upper = at[1] >= bar->along;
  const double t = bar->values[V_WIDTH] * (1 - (double)at[0] / bar->across);
  const double share = (double)(upper ? at[1] - bar->along : bar->along - at[1]) / bar->along;
  /* distance along the leg: from the mitre, where y = u sin + t cos = 0, to the tip */
  const double mitre = -t / tan(half), u = mitre + share * (bar->values[V_LEG] - mitre);
  const double x = u * cos(half) - t * sin(half), y = share == 0 ? 0 : u * sin(half) + t * cos(half);
  return vec3(x, upper ? y : -y, bar->values[V_DEPTH] * ((double)at[2] / bar->across - 0.5));
}

static syn_status make_bent_bar(const double *values, syn_joint *shape, syn_error *error) {
  double along = values[V_ALONG];
  if (along == 0) along = fmin(10000, fmax(1, round(values[V_LEG] / values[V_WIDTH] * values[V_CELLS])));
  const bent_bar bar = {values, (uint32_t)values[V_CELLS], (uint32_t)along};
  const syn_tet_grid grid = {.cells = {bar.across, 2 * bar.along, bar.across},
                             .mirrored = {false, true, false},
                             .place = place_bar_node,
                             .user = &bar};
  syn_tetmesh *mesh;
  SYN_TRY(syn_tet_grid_mesh(shape->context, &grid, &mesh, error));
  return syn_shape_add(shape, "v", SYN_TISSUE_MUSCLE, true, NULL, mesh, error);
}

const syn_shape_maker syn_make_v = {{"v", "a V of tetrahedra: two legs joined in a mitre", 6, v_parameters},
                                    make_bent_bar};

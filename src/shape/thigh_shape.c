/* Thigh along z: muscle of tetrahedra around a femur. The default skin encloses the 8 835 730 mm^3 of Sundaraj 2004,
 * Table 6.1 (a cylinder of 75 mm by 500 mm there), tapered towards the knee. */
#include "base/vec.h"
#include "shape/loft.h"
#include "shape/shape.h"
#include "shape/tet_grid.h"

enum { LENGTH, PROXIMAL, DISTAL, OVAL, BONE, CELLS, AROUND, ALONG };
static const syn_shape_parameter parameters[] = {
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
  const double share = at[2] / values[ALONG], depth = at[0] / values[CELLS];
  const double angle = 2 * SYN_PI / values[AROUND] * at[1];
  const double skin = (1 - share) * values[DISTAL] + share * values[PROXIMAL];
  const double x = (1 - depth) * values[BONE] + depth * skin;
  const double y = (1 - depth) * values[BONE] + depth * skin * values[OVAL];
  return vec3(x * cos(angle), y * sin(angle), values[LENGTH] * share);
}

/* The femur's rings are the innermost points of the muscle, to the bit; a pole closes either end. */
static syn_vec3 place_on_bone(const void *user, uint32_t ring, uint32_t sector) {
  const double *values = user;
  if (ring == 0) return vec3(0, 0, 0);
  if (ring == (uint32_t)values[ALONG] + 2) return vec3(0, 0, values[LENGTH]);
  return place_thigh_node(user, (uint32_t[3]){0, sector, ring - 1});
}

static syn_status make_thigh(const double *values, syn_joint *shape, syn_error *error) {
  const double smallest = fmin(values[PROXIMAL], values[DISTAL]) * fmin(1, values[OVAL]);
  if (!(values[BONE] <= 0.8 * smallest))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "bone of a thigh must be at most 0.8 of its smallest radius, that is %g mm, not %g", 0.8 * smallest,
                    values[BONE]);
  const uint32_t around = (uint32_t)values[AROUND], along = (uint32_t)values[ALONG];
  const syn_tet_grid grid = {
      .cells = {(uint32_t)values[CELLS], around, along}, .wraps = true, .place = place_thigh_node, .user = values};
  const syn_loft bone = {along + 3, around, SYN_LOFT_POLES, along + 3, place_on_bone, values};
  syn_tetmesh *muscle;
  SYN_TRY(syn_tet_grid_mesh(shape->context, &grid, &muscle, error));
  SYN_TRY(syn_shape_add(shape, "muscle", SYN_TISSUE_MUSCLE, true, NULL, muscle, error));
  syn_trimesh *femur;
  SYN_TRY(syn_loft_make(shape->context, &bone, &femur, error));
  return syn_shape_add(shape, "femur", SYN_TISSUE_BONE, false, femur, NULL, error);
}

const syn_shape_maker syn_make_thigh = {{"thigh", "muscle of tetrahedra around a femur, along z", 8, parameters},
                                        make_thigh};

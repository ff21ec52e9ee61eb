/* A lever that turns about its gad and lifts a stone (Arbabi 2009, Fig. 49: 1 056 and 1 280 triangles, as here). */
#include "base/vec.h"
#include "shape/capsule.h"
#include "shape/geodesic.h"
#include "shape/noise.h"
#include "shape/shape.h"

enum { LONG, SHORT, RADIUS, STONE, ROUGHNESS, GAP, SEED, LEVEL };
static const syn_shape_parameter parameters[] = {
    {"long", "mm", 150, 1, 1e5, false, "from the gad at the origin to the hand's end, along x"},
    {"short", "mm", 50, 1, 1e5, false, "from the gad to the end under the stone, along -x"},
    {"radius", "mm", 6, 0.1, 1e4, false, "of the lever at its short end; the hand's end is a third thinner"},
    {"stone", "mm", 30, 0.1, 1e5, false, "mean radius of the stone"},
    {"roughness", "", 0.2, 0, 0.9, false, "of the stone, as a share of its radius"},
    {"gap", "mm", 2, 1e-3, 1e4, false, "least gap between the level lever and the stone above it"},
    {"seed", "", 1, 0, 4294967295.0, true, "which stone"},
    SYN_SHAPE_LEVEL,
};

static double stone_radius(const void *user, syn_vec3 direction) {
  const double *values = user;
  const double bump = syn_noise_octaves((uint32_t)values[SEED], vec3_scale(direction, 1.5), 3);
  return values[STONE] * (1 + values[ROUGHNESS] * bump);
}

static syn_status make_lever(const double *values, syn_joint *shape, syn_error *error) {
  syn_trimesh *mesh;
  const double thin = values[RADIUS] * 2 / 3;
  SYN_TRY(syn_capsule(shape->context, vec3(-values[SHORT], 0, 0), vec3(values[LONG], 0, 0), values[RADIUS], thin, 22,
                      24, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "lever", SYN_TISSUE_BONE, true, mesh, NULL, error));
  /* the stone rests over the short end, clear of the lever however rough it is */
  const double height = values[RADIUS] + values[GAP] + values[STONE] * (1 + values[ROUGHNESS]);
  SYN_TRY(syn_geodesic(shape->context, 8, vec3(-values[SHORT], 0, height), stone_radius, values, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "stone", SYN_TISSUE_BONE, false, mesh, NULL, error));
  /* a positive turn about y lowers the long end and lifts the short one */
  syn_shape_turns(shape, (syn_vec3){0, 0, 0}, (syn_joint_axes){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  return syn_shape_refine(shape, (uint32_t)values[LEVEL], error);
}

const syn_shape_maker syn_make_lever = {
    {"lever", "a lever about its gad and a stone over its short end: 1 056 and 1 280 triangles", 8, parameters},
    make_lever};

/* Torus about the z axis; by default the 1 152 triangles of Arbabi 2009, Fig. 52, which roll over the rough ground. */
#include "base/vec.h"
#include "shape/loft.h"
#include "shape/shape.h"

enum { MAJOR, MINOR, RINGS, SECTORS };
static const syn_shape_parameter parameters[] = {
    {"major", "mm", 30, 1e-3, 1e4, false, "radius of the circle that the tube follows"},
    {"minor", "mm", 10, 1e-4, 1e4, false, "radius of the tube, smaller than major"},
    {"rings", "", 24, 3, 4000, true, "points around the tube"},
    {"sectors", "", 24, 3, 4000, true, "points along the tube; rings x sectors vertices, twice as many triangles"},
};

static syn_status make_torus(const double *values, syn_joint *shape, syn_error *error) {
  const double major = values[MAJOR], minor = values[MINOR];
  if (!(minor < major * (1 - 1e-6)))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the tube of a torus would meet itself: minor (%g mm) must be smaller than major (%g mm)", minor,
                    major);
  const uint32_t rings = (uint32_t)values[RINGS];
  syn_profile_point *circle;
  SYN_TRY(SYN_NEW(shape->context, &circle, rings, error));
  for (uint32_t i = 0; i < rings; ++i) {
    const double angle = 2 * SYN_PI * i / rings;
    circle[i] = (syn_profile_point){major + minor * cos(angle), minor * sin(angle)};
  }
  syn_trimesh *mesh = NULL;
  syn_status status = syn_revolve(shape->context, circle, rings, (uint32_t)values[SECTORS], NULL, &mesh, error);
  syn_free(shape->context, circle);
  if (status != SYN_OK) return status;
  return syn_shape_add(shape, "torus", SYN_TISSUE_BONE, true, mesh, NULL, error);
}

const syn_shape_maker syn_make_torus = {
    {"torus", "a ring about the z axis, 1 152 triangles as standard", 4, parameters}, make_torus};

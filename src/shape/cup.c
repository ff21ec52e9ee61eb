/* Part of a spherical shell about the origin, open towards z: the fixed half of the ball-in-cup scenes. */
#include "base/vec.h"
#include "shape/loft.h"
#include "shape/shape.h"

enum { INNER, OUTER, OPENING, RESOLUTION };
static const syn_shape_parameter parameters[] = {
    {"inner", "mm", 24, 1e-3, 1e4, false, "radius of the socket"},
    {"outer", "mm", 30, 1e-3, 1e4, false, "radius of the back, larger than inner"},
    {"opening", "deg", 180, 10, 350, false, "angle that the cup spans, seen from its centre: 180 is a hemisphere"},
    {"resolution", "", 80, 2, 1000, true, "rings in a quarter circle; four times as many sectors"},
};

/* Point of the sphere at `angle` degrees from the lowest point; written so that a hemisphere's rim has z = 0 exactly.
 */
static syn_profile_point on_circle(double radius, double angle) {
  const double elevation = (angle - 90) * SYN_PI / 180;
  return (syn_profile_point){radius * cos(elevation), radius * sin(elevation)};
}

/* Up the back, across the rim, down the socket. Returns how many points there are. */
static uint32_t trace_profile(const double *values, uint32_t rings, uint32_t rim, syn_profile_point *out) {
  const double half = values[OPENING] / 2, thickness = values[OUTER] - values[INNER];
  syn_profile_point *const first = out;
  *out++ = (syn_profile_point){0, -values[OUTER]};
  for (uint32_t i = 1; i < rings; ++i) *out++ = on_circle(values[OUTER], half * i / rings);
  for (uint32_t i = 0; i <= rim; ++i) *out++ = on_circle(values[OUTER] - thickness * i / rim, half);
  for (uint32_t i = rings - 1; i > 0; --i) *out++ = on_circle(values[INNER], half * i / rings);
  *out++ = (syn_profile_point){0, -values[INNER]};
  return (uint32_t)(out - first);
}

static syn_status make_cup(const double *values, syn_joint *shape, syn_error *error) {
  const double inner = values[INNER], outer = values[OUTER], resolution = values[RESOLUTION];
  if (!(outer > inner * (1 + 1e-6)))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the outer radius of a cup must be larger than its inner one, not %g and %g mm", outer, inner);
  const uint32_t rings = (uint32_t)fmax(1, round(resolution * values[OPENING] / 180));
  /* rim cells about as wide as those of the shell */
  const double cell = (inner + outer) / 2 * SYN_PI / 2 / resolution;
  const uint32_t rim = (uint32_t)fmin(resolution, fmax(1, round((outer - inner) / cell)));
  syn_profile_point *profile;
  SYN_TRY(SYN_NEW(shape->context, &profile, 2 * (size_t)rings + rim + 1, error));
  const uint32_t count = trace_profile(values, rings, rim, profile);
  syn_trimesh *mesh = NULL;
  syn_status status = syn_revolve(shape->context, profile, count, 4 * (uint32_t)resolution, NULL, &mesh, error);
  syn_free(shape->context, profile);
  if (status != SYN_OK) return status;
  SYN_TRY(syn_shape_add(shape, "cup", SYN_TISSUE_BONE, false, mesh, NULL, error));
  syn_shape_turns(shape, (syn_vec3){0, 0, 0}, (syn_joint_axes){{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  return SYN_OK;
}

const syn_shape_maker syn_make_cup = {
    {"cup", "a spherical shell about the origin with a rim, open towards z", 4, parameters}, make_cup};

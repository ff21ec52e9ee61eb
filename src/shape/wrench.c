/* A wrench around the head of a screw, turning about the screw's axis, z (Arbabi 2009, Fig. 50: 2 878 and 921
 * triangles; here 2 876 and 912). */
#include "base/vec.h"
#include "shape/extrude.h"
#include "shape/loft.h"
#include "shape/shape.h"

enum { FLATS, PLAY, LENGTH, THICKNESS, SHANK, THREAD, LEVEL };
static const syn_shape_parameter parameters[] = {
    {"flats", "mm", 13, 0.1, 1e4, false, "distance between opposite sides of the screw's head"},
    {"play", "mm", 0.1, 1e-4, 1e3, false, "gap between the head and either jaw, at most a tenth of flats"},
    {"length", "mm", 110, 0.1, 1e5, false, "from the screw's axis to the end of the handle, 2 to 100 times flats"},
    {"thickness", "mm", 5, 0.1, 1e4, false, "of the wrench; the head is as high"},
    {"shank", "mm", 20, 0.1, 1e5, false, "length of the screw below its head"},
    {"thread", "", 0.12, 0, 0.5, false, "depth of the thread as a share of the shank's radius"},
    SYN_SHAPE_LEVEL,
};
enum { OUTLINE = 180, LAYERS = 7 };

/* Counter-clockwise from the root of the handle's upper edge: round the upper jaw, into the mouth (open towards -x),
 * round the lower jaw, and round the handle's end. */
static void trace_wrench(const double *values, syn_outline *outline) {
  const double apothem = values[FLATS] / 2, gap = apothem + values[PLAY], head = values[FLATS] * 1.1;
  const double back = 2 * apothem / sqrt(3) + values[PLAY], handle = apothem * 0.9;
  const double root = asin(handle / head), mouth = SYN_PI - asin(gap / head);
  syn_outline_arc(outline, 0, 0, head, root, mouth, 24);
  syn_outline_add(outline, back, gap);
  syn_outline_add(outline, back, -gap);
  syn_outline_arc(outline, 0, 0, head, -mouth, -root, 24);
  syn_outline_arc(outline, values[LENGTH] - handle, 0, handle, -SYN_PI / 2, SYN_PI / 2, 12);
  syn_outline_refine(outline, OUTLINE);
}

/* ---- screw ------------------------------------------------------------------------------------------------------ */

enum { SHANK_RINGS = 14, SCREW_RINGS = SHANK_RINGS + 5, SCREW_SECTORS = 24 };

/* Distance from the middle to the side of a hexagon with corners on the x axis, for sector s of 24. */
static double hexagon(double apothem, uint32_t s) { return apothem / cos((s % 4 - 2.0) * 2 * SYN_PI / SCREW_SECTORS); }

/* The shank's radius waves along a helix that turns once in four rings; its top ring is plain. */
static double shank_radius(const double *values, uint32_t ring, uint32_t sector) {
  const double plain = values[FLATS] * 0.3;
  if (ring + 1 >= SHANK_RINGS) return plain;
  const double phase = ring / 4.0 - (double)sector / SCREW_SECTORS;
  return plain * (1 - values[THREAD] / 2 * (1 + cos(2 * SYN_PI * phase)));
}

static syn_vec3 place_on_rings(const double *values, uint32_t ring, uint32_t sector) {
  const double angle = 2 * SYN_PI * sector / SCREW_SECTORS, apothem = values[FLATS] / 2;
  double r, z;
  if (ring < SHANK_RINGS) {
    r = shank_radius(values, ring, sector);
    z = -values[SHANK] * (SHANK_RINGS - 1 - ring) / (SHANK_RINGS - 1);
  } else {
    /* underside, two levels of the sides, top edge, and a ring inside the top */
    const uint32_t step = ring - SHANK_RINGS;
    r = hexagon(apothem, sector) * (step == 4 ? 0.5 : 1);
    z = values[THICKNESS] * fmin(step, 3) / 3;
  }
  return vec3(r * cos(angle), r * sin(angle), z);
}

/* The rings between two poles. */
static syn_vec3 place_on_screw(const void *user, uint32_t ring, uint32_t sector) {
  const double *values = user;
  if (ring == 0) return vec3(0, 0, -values[SHANK]);
  if (ring == SCREW_RINGS + 1) return vec3(0, 0, values[THICKNESS]);
  return place_on_rings(values, ring - 1, sector);
}

static syn_status make_wrench(const double *values, syn_joint *shape, syn_error *error) {
  if (values[PLAY] > values[FLATS] / 10)
    return syn_fail(error, SYN_BAD_ARGUMENT, "play of a wrench must be at most a tenth of flats, that is %g mm, not %g",
                    values[FLATS] / 10, values[PLAY]);
  if (values[LENGTH] < 2 * values[FLATS] || values[LENGTH] > 100 * values[FLATS])
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "length of a wrench must be 2 to 100 times flats, that is %g to %g mm, not %g", 2 * values[FLATS],
                    100 * values[FLATS], values[LENGTH]);
  syn_point2 room[OUTLINE];
  syn_outline outline = {room, 0, OUTLINE};
  trace_wrench(values, &outline);
  syn_trimesh *mesh;
  SYN_TRY(syn_extrude(shape->context, &outline, 0, values[THICKNESS], LAYERS, NULL, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "wrench", SYN_TISSUE_BONE, true, mesh, NULL, error));
  const syn_loft screw = {SCREW_RINGS + 2, SCREW_SECTORS, SYN_LOFT_POLES, SCREW_RINGS + 2, place_on_screw, values};
  SYN_TRY(syn_loft_make(shape->context, &screw, &mesh, error));
  SYN_TRY(syn_shape_add(shape, "screw", SYN_TISSUE_BONE, false, mesh, NULL, error));
  syn_shape_turns(shape, (syn_vec3){0, 0, values[THICKNESS] / 2}, (syn_joint_axes){{0, 0, 1}, {1, 0, 0}, {0, 1, 0}});
  return syn_shape_refine(shape, (uint32_t)values[LEVEL], error);
}

const syn_shape_maker syn_make_wrench = {
    {"wrench", "an open wrench around the head of a screw: 2 876 and 912 triangles", 7, parameters}, make_wrench};

/* Computes the features of a hip: the distance of its tissues from its centre in every direction of a grid (Arbabi
 * 2009, §4.5.2.1). */
#include <math.h>

#include "base/statistics.h"
#include "base/vec.h"
#include "collide/radial/radial_field.h"
#include "pressure/estimate/estimate.h"

enum { ROUND = 36, DOWN = 18, DIRECTIONS = ROUND * DOWN, TISSUES = 3, PARTS = 3 };

/* Parts of a tissue, and which of their hits on a ray is used: of the femoral cartilage the outer one, which is the
 * articular surface, of the others the first. Of a femur that is the head and the neck: the length of the scanned
 * shaft does not matter. */
static const struct {
  syn_hip_part parts[PARTS];
  bool outermost;
} tissues[TISSUES] = {{{SYN_HIP_FEMUR, SYN_HIP_PARTS, SYN_HIP_PARTS}, false},
                      {{SYN_HIP_FEMORAL_CARTILAGE, SYN_HIP_PARTS, SYN_HIP_PARTS}, true},
                      {{SYN_HIP_ACETABULAR_CARTILAGE, SYN_HIP_LABRUM, SYN_HIP_TRANSITION_ZONE}, false}};

/* Middle of a cell of 10 by 10 degrees, with the pole up. Mirrored for a left hip, whose axes have opposite
 * directions. */
static syn_vec3 direction(const syn_hip *hip, bool moves, int cell) {
  const syn_hip_axes *axes = moves ? &hip->femur_axes : &hip->pelvis_axes;
  const double polar = (cell / ROUND + 0.5) * SYN_PI / DOWN, round = (cell % ROUND + 0.5) * 2 * SYN_PI / ROUND;
  const double side = hip->side == SYN_SIDE_LEFT ? -1 : 1;
  const syn_vec3 outward = vec3_add(vec3_scale(axes->flexion, cos(round)), vec3_scale(axes->adduction, sin(round)));
  return vec3_scale(vec3_add(vec3_scale(outward, sin(polar)), vec3_scale(axes->rotation, cos(polar))), side);
}

/* Adds the radii of one part; a smaller radius that is already set is kept. */
static syn_status add_part(const syn_context *context, const syn_hip *hip, syn_hip_part part, bool outermost,
                           double *radii, syn_error *error) {
  syn_collide_options options = syn_default_collide_options();
  options.center = hip->center;
  options.use_normals = false;
  radial_table table;
  SYN_TRY(syn_radial_table_create(context, hip->parts[part], &options, !outermost, &table, error));
  for (int cell = 0; cell < DIRECTIONS; ++cell) {
    const double depth = syn_radial_depth(&table, direction(hip, syn_hip_part_moves(part), cell), SYN_NONE).depth;
    const double radius = outermost ? 1 + depth : 1 - depth;
    if (isfinite(depth) && (radii[cell] == 0 || radius < radii[cell])) radii[cell] = radius;
  }
  syn_radial_table_release(&table);
  return SYN_OK;
}

static syn_status check(const syn_context *context, const syn_hip *hip, syn_error *error) {
  for (int t = 0; t < TISSUES; ++t)
    if (!hip->parts[tissues[t].parts[0]])
      return syn_fail(error, SYN_BAD_ARGUMENT, "pressure cannot be estimated from the shape: the hip has no %s",
                      syn_hip_part_name(tissues[t].parts[0]));
  if (!hip->parts[SYN_HIP_LABRUM])
    syn_warn(context, "the hip has no labrum: its pressure is estimated from hips as if the rim were bare");
  return SYN_OK;
}

/* Computes the median radius of the articular cartilage. */
static syn_status joint_radius(const double *radii, double *radius, syn_error *error) {
  double seen[DIRECTIONS];
  size_t count = 0;
  for (int i = 0; i < DIRECTIONS; ++i)
    if (radii[i] > 0) seen[count++] = radii[i];
  *radius = syn_median(seen, count);
  if (*radius > 0 && isfinite(*radius)) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH, "the femoral cartilage cannot be seen from the centre of the joint");
}

syn_status syn_pressure_features(const syn_context *context, const syn_hip *hip, double features[SYN_PRESSURE_FEATURES],
                                 syn_error *error) {
  double radius;
  context = syn_context_or_default(context);
  SYN_TRY(check(context, hip, error));
  for (int i = 0; i < SYN_PRESSURE_FEATURES; ++i) features[i] = 0;
  for (int t = 0; t < TISSUES; ++t)
    for (int p = 0; p < PARTS; ++p) {
      const syn_hip_part part = tissues[t].parts[p];
      if (part == SYN_HIP_PARTS || !hip->parts[part]) continue;
      SYN_TRY(add_part(context, hip, part, tissues[t].outermost, features + (size_t)t * DIRECTIONS, error));
    }
  SYN_TRY(joint_radius(features + DIRECTIONS, &radius, error));
  for (int i = 0; i < SYN_PRESSURE_FEATURES; ++i) features[i] /= radius;
  return SYN_OK;
}

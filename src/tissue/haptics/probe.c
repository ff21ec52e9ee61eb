/* The convex cylinder. */
#include "base/vec.h"
#include "tissue/haptics/haptics.h"

syn_status syn_probe_prepare(const syn_probe *probe, syn_probe *unit, syn_error *error) {
  if (!(probe->radius_mm > 0 && probe->length_mm > 0) || isinf(probe->radius_mm) || isinf(probe->length_mm))
    return syn_fail(error, SYN_BAD_ARGUMENT, "radius and length of the probe must be above 0 mm");
  if (!vec3_finite(probe->axis) || !(vec3_length(probe->axis) > 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the axis of the probe must be a direction");
  *unit = *probe;
  unit->axis = vec3_unit(probe->axis);
  return SYN_OK;
}

double syn_probe_gap(const syn_probe *unit, syn_vec3 tip, syn_vec3 point, bool under_tip, syn_vec3 *normal,
                     bool *tip_is_near) {
  const syn_vec3 from_tip = vec3_sub(point, tip);
  const double height = vec3_dot(from_tip, unit->axis); /* above the tip's plane, within the handle */
  const syn_vec3 out = vec3_madd(from_tip, -height, unit->axis);
  const double radius = vec3_length(out);
  const syn_vec3 sideways = radius > 0 ? vec3_scale(out, 1 / radius) : vec3_any_normal(unit->axis);
  const bool at_end = height > unit->length_mm / 2; /* nearer to the handle's end than to the tip */
  const double beside = radius - unit->radius_mm, beyond = at_end ? height - unit->length_mm : -height;
  const syn_vec3 endways = at_end ? unit->axis : vec3_neg(unit->axis);
  *tip_is_near = false;
  if (beside > 0 && beyond > 0) {
    const double distance = sqrt(beside * beside + beyond * beyond);
    *normal = vec3_scale(vec3_madd(vec3_scale(sideways, beside), beyond, endways), 1 / distance);
    return distance;
  }
  const bool by_end = beside <= 0 && (beyond >= beside || (under_tip && !at_end));
  *normal = by_end ? endways : sideways;
  *tip_is_near = by_end && !at_end;
  return by_end ? beyond : beside;
}

double syn_probe_distance(const syn_probe *probe, syn_vec3 tip, syn_vec3 point, syn_vec3 *normal) {
  syn_probe unit = *probe;
  unit.axis = vec3_unit(probe->axis);
  syn_vec3 way;
  bool tip_is_near;
  const double distance = syn_probe_gap(&unit, tip, point, false, &way, &tip_is_near);
  if (normal) *normal = way;
  return distance;
}

/* Computes the range of a Dof: its limits, its comfort limits, and how other Dofs restrict them (Maciel 2005, §2.4.2
 * and §2.4.5). */
#include "base/names.h"
#include "base/vec.h"
#include "motion/skeleton.h"

SYN_ENUM_NAMES(syn_dof_state, SYN_DOF_STATES, [SYN_DOF_COMFORTABLE] = "comfortable",
               [SYN_DOF_UNCOMFORTABLE] = "uncomfortable", [SYN_DOF_BEYOND] = "beyond");

/* Interpolates linearly between the points; constant beyond the ends. */
static double curve_at(const syn_range_modifier *m, const double *curve, double x) {
  if (!(x > m->at[0])) return curve[0];
  size_t next = 1;
  while (next < m->count && m->at[next] < x) ++next;
  if (next == m->count) return curve[m->count - 1];
  const double t = (x - m->at[next - 1]) / (m->at[next] - m->at[next - 1]);
  return (1 - t) * curve[next - 1] + t * curve[next];
}

syn_range syn_skeleton_range(const syn_skeleton *skeleton, size_t dof, const double *values) {
  const syn_dof *self = skeleton->dofs[dof];
  syn_range range = {self->lower, self->upper};
  for (size_t i = 0; i < self->modifier_count; ++i) {
    const syn_range_modifier *m = &self->modifiers[i];
    const double x = values[skeleton->store->influencers[dof][i]];
    if (m->lower) range.lower = max2(range.lower, curve_at(m, m->lower, x));
    if (m->upper) range.upper = min2(range.upper, curve_at(m, m->upper, x));
  }
  if (range.lower > range.upper) range.lower = range.upper = (range.lower + range.upper) / 2;
  return range;
}

size_t syn_skeleton_clamp(const syn_skeleton *skeleton, double *values) {
  size_t changed = 0;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const size_t dof = skeleton->store->order[i];
    const syn_range range = syn_skeleton_range(skeleton, dof, values);
    if (values[dof] < range.lower || values[dof] > range.upper) {
      values[dof] = values[dof] < range.lower ? range.lower : range.upper;
      ++changed;
    }
  }
  return changed;
}

size_t syn_skeleton_influenced(const syn_skeleton *skeleton, size_t dof, bool *influenced) {
  size_t count = 0;
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const size_t other = skeleton->store->order[i]; /* Dofs that influence it come earlier in this order */
    influenced[other] = false;
    for (size_t m = 0; m < skeleton->dofs[other]->modifier_count && !influenced[other]; ++m) {
      const size_t by = skeleton->store->influencers[other][m];
      influenced[other] = by == dof || influenced[by];
    }
    count += influenced[other];
  }
  return count;
}

syn_dof_state syn_skeleton_state(const syn_skeleton *skeleton, size_t dof, const double *values) {
  const syn_dof *self = skeleton->dofs[dof];
  const syn_range range = syn_skeleton_range(skeleton, dof, values);
  const double value = values[dof];
  if (!(value >= range.lower && value <= range.upper)) return SYN_DOF_BEYOND;
  return value >= self->comfort_lower && value <= self->comfort_upper ? SYN_DOF_COMFORTABLE : SYN_DOF_UNCOMFORTABLE;
}

double syn_skeleton_parameter(const syn_skeleton *skeleton, size_t dof, const double *values) {
  const syn_range range = syn_skeleton_range(skeleton, dof, values);
  return range.upper > range.lower ? (values[dof] - range.lower) / (range.upper - range.lower) : 0;
}

double syn_skeleton_value(const syn_skeleton *skeleton, size_t dof, const double *values, double parameter) {
  const syn_range range = syn_skeleton_range(skeleton, dof, values);
  return (1 - parameter) * range.lower + parameter * range.upper;
}

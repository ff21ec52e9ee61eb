/* Predicts the start of a step. In a continuing motion, nodes and the mobile body are extrapolated from the last
 * step; without that the bodies initially overlap by the whole rotation of the step, and the iteration may find
 * another equilibrium. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* Returns axis times angle of the rotation from one pose to another, in the common frame. */
static syn_vec3 turn_between(const syn_pose *from, const syn_pose *to) {
  const syn_pose back = syn_pose_inverse(from), way = syn_pose_compose(to, &back);
  syn_quat q = syn_pose_quat(&way);
  if (q.w < 0) q = (syn_quat){-q.w, -q.x, -q.y, -q.z};
  const double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  return sine > 0 ? vec3_scale(vec3(q.x, q.y, q.z), 2 * atan2(sine, q.w) / sine) : vec3(0, 0, 0);
}

/* Returns the rotation of this step over that of the last one; 0 if the axes differ. */
static double ratio_of(const syn_contact_problem *c) {
  const syn_vec3 last = turn_between(&c->equilibrium.before_load.pose, &c->equilibrium.kept_load.pose);
  const syn_vec3 next = turn_between(&c->equilibrium.kept_load.pose, &c->equilibrium.load.pose);
  const double along = vec3_dot(last, next), length = vec3_length(last);
  if (!(along > 0.9 * length * vec3_length(next)) || !(length > 1e-6)) return 0;
  return min2(vec3_length(next) / length, 2);
}

static void local_places(const syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *to) {
  for (int k = 0; k < 2; ++k) syn_contact_local_positions(c, &c->bodies.sides[k], x, to + c->bodies.sides[k].first);
}

void syn_contact_remember(syn_contact_problem *c) {
  const syn_contact_load load = c->equilibrium.load;
  const syn_vec3 shift = c->equilibrium.shift;
  c->equilibrium.load = c->equilibrium.before_load = c->equilibrium.kept_load;
  c->equilibrium.shift = c->equilibrium.before_shift = c->equilibrium.kept_shift;
  local_places(c, c->equilibrium.kept_x, c->equilibrium.before);
  c->equilibrium.load = load;
  c->equilibrium.shift = shift;
  c->equilibrium.has_before = true;
}

/* On entry c->equilibrium.x and the shift are those of the last equilibrium, rotated to the present pose. */
static void extrapolate(syn_contact_problem *c, double ratio) {
  local_places(c, c->equilibrium.x, c->solver.trial);
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    c->solver.trial[i] = vec3_madd(c->solver.trial[i], ratio, vec3_sub(c->solver.trial[i], c->equilibrium.before[i]));
  c->equilibrium.shift =
      vec3_madd(c->equilibrium.shift, ratio, vec3_sub(c->equilibrium.shift, c->equilibrium.before_shift));
  const contact_side *mobile = &c->bodies.sides[1];
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    c->solver.trial[i] = vec3_add(syn_pose_point(&c->equilibrium.load.pose, c->solver.trial[i]), c->equilibrium.shift);
  syn_contact_place_bonded(c, c->solver.trial);
}

syn_status syn_contact_predict(syn_contact_problem *c, syn_error *error) {
  const double ratio = c->equilibrium.has_before ? ratio_of(c) : 0;
  const syn_vec3 shift = c->equilibrium.shift;
  if (!(ratio > 0) || c->equilibrium.load.driven) return SYN_OK;
  /* Compare the residuals without and with extrapolation. */
  SYN_TRY(syn_contact_residual(c, c->equilibrium.x, c->solver.r, error));
  const double left = syn_vectors_dot(c->solver.r, c->solver.r, c->bodies.unknown_count);
  extrapolate(c, ratio);
  SYN_TRY(syn_contact_residual(c, c->solver.trial, c->solver.r, error));
  if (syn_vectors_dot(c->solver.r, c->solver.r, c->bodies.unknown_count) < left)
    memcpy(c->equilibrium.x, c->solver.trial, c->bodies.node_count * sizeof *c->equilibrium.x);
  else
    c->equilibrium.shift = shift;
  return SYN_OK;
}

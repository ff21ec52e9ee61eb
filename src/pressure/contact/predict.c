/* Where a step begins. In a motion that goes on, nodes and the mobile body go on as they did in the step before;
 * without that the bodies overlap at first by all that the step turns them, and what comes of it may be another
 * equilibrium. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* Axis times angle of the turn from one pose to another, in the common frame. */
static syn_vec3 turn_between(const syn_pose *from, const syn_pose *to) {
  const syn_pose back = syn_pose_inverse(from), way = syn_pose_compose(to, &back);
  syn_quat q = syn_pose_quat(&way);
  if (q.w < 0) q = (syn_quat){-q.w, -q.x, -q.y, -q.z};
  const double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  return sine > 0 ? vec3_scale(vec3(q.x, q.y, q.z), 2 * atan2(sine, q.w) / sine) : vec3(0, 0, 0);
}

/* How many times the last step this one is; 0 where it goes another way. */
static double ratio_of(const syn_bearing *c) {
  const syn_vec3 last = turn_between(&c->before_load.pose, &c->kept_load.pose);
  const syn_vec3 next = turn_between(&c->kept_load.pose, &c->load.pose);
  const double along = vec3_dot(last, next), length = vec3_length(last);
  if (!(along > 0.9 * length * vec3_length(next)) || !(length > 1e-6)) return 0;
  return min2(vec3_length(next) / length, 2);
}

static void local_places(const syn_bearing *c, const syn_vec3 *x, syn_vec3 *to) {
  for (int k = 0; k < 2; ++k) syn_contact_local_positions(c, &c->sides[k], x, to + c->sides[k].first);
}

void syn_contact_remember(syn_bearing *c) {
  const syn_bearing_load load = c->load;
  const syn_vec3 shift = c->shift;
  c->load = c->before_load = c->kept_load;
  c->shift = c->before_shift = c->kept_shift;
  local_places(c, c->kept_x, c->before);
  c->load = load;
  c->shift = shift;
  c->has_before = true;
}

/* c->x and the shift are those of the last equilibrium, turned. */
static void extrapolate(syn_bearing *c, double ratio) {
  local_places(c, c->x, c->trial);
  for (uint32_t i = 0; i < c->node_count; ++i)
    c->trial[i] = vec3_madd(c->trial[i], ratio, vec3_sub(c->trial[i], c->before[i]));
  c->shift = vec3_madd(c->shift, ratio, vec3_sub(c->shift, c->before_shift));
  const contact_side *mobile = &c->sides[1];
  for (uint32_t i = mobile->first; i < mobile->first + mobile->node_count; ++i)
    c->trial[i] = vec3_add(syn_pose_point(&c->load.pose, c->trial[i]), c->shift);
  syn_contact_place_bonded(c, c->trial);
}

syn_status syn_contact_predict(syn_bearing *c, syn_error *error) {
  const double ratio = c->has_before ? ratio_of(c) : 0;
  const syn_vec3 shift = c->shift;
  if (!(ratio > 0) || c->load.driven) return SYN_OK;
  SYN_TRY(syn_contact_forces_left(c, c->x, c->r, error));
  const double left = syn_contact_dot(c->r, c->r, c->unknown_count);
  extrapolate(c, ratio);
  SYN_TRY(syn_contact_forces_left(c, c->trial, c->r, error));
  if (syn_contact_dot(c->r, c->r, c->unknown_count) < left)
    memcpy(c->x, c->trial, c->node_count * sizeof *c->x);
  else
    c->shift = shift;
  return SYN_OK;
}

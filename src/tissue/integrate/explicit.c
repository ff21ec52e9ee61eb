/* Integrators that need only forces: explicit and symplectic Euler, and Runge-Kutta. */
#include <string.h>

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

/* Finds contacts at the positions of the surfaces; these integrators use gaps only for forces. */
static syn_status forces_at(syn_simulation *s, const syn_vec3 *x, const syn_vec3 *v, double part, syn_vec3 *f,
                            syn_error *error) {
  syn_sim_forces(s, x, v, f);
  if (s->touch_count == 0) return SYN_OK;
  syn_sim_points(s, x, part, s->points);
  SYN_TRY(syn_sim_find_gaps(s, s->points, part, false, error));
  syn_gaps_force(s, f);
  return SYN_OK;
}

/* Moves held axes to their targets at constant speed. */
static void place_held(syn_simulation *s, const syn_vec3 *before) {
  const double h = s->options.step_s;
  for (uint32_t i = 0; i < s->node_count; ++i) {
    if (!s->held[i]) continue;
    const syn_vec3 speed = vec3_scale(vec3_sub(s->target[i], before[i]), 1 / h);
    s->x[i] = syn_mix_held(s->held[i], s->x[i], s->target[i]);
    s->v[i] = syn_mix_held(s->held[i], s->v[i], speed);
  }
}

syn_status syn_step_explicit(syn_simulation *s, syn_error *error) {
  const double h = s->options.step_s;
  const bool symplectic = s->options.integrator == SYN_INTEGRATOR_SYMPLECTIC;
  syn_vec3 *f = s->work[0], *before = s->work[1];
  SYN_TRY(forces_at(s, s->x, s->v, 0, f, error));
  for (uint32_t i = 0; i < s->node_count; ++i) {
    const syn_vec3 v = vec3_madd(s->v[i], h / s->mass[i], f[i]);
    before[i] = s->x[i];
    s->x[i] = vec3_madd(s->x[i], h, symplectic ? v : s->v[i]);
    s->v[i] = v;
  }
  place_held(s, before);
  return SYN_OK;
}

/* Computes the state at a fraction of the step, by the derivatives of the previous stage. */
static void advance(const syn_simulation *s, double part, const syn_vec3 *speed, const syn_vec3 *gain, syn_vec3 *x,
                    syn_vec3 *v) {
  const double h = s->options.step_s;
  for (uint32_t i = 0; i < s->node_count; ++i) {
    x[i] = vec3_madd(s->x[i], part * h, speed[i]);
    v[i] = vec3_madd(s->v[i], part * h, gain[i]);
    if (!s->held[i]) continue;
    x[i] = syn_mix_held(s->held[i], x[i], vec3_lerp(s->x[i], s->target[i], part));
    v[i] = syn_mix_held(s->held[i], v[i], vec3_scale(vec3_sub(s->target[i], s->x[i]), 1 / h));
  }
}

/* The derivatives of the four stages are summed as they are computed: k1 + 2 k2 + 2 k3 + k4. */
syn_status syn_step_rk4(syn_simulation *s, syn_error *error) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  const double h = s->options.step_s;
  syn_vec3 *f = s->work[0], *x = s->work[1], *v = s->work[2], *dx = s->work[3], *dv = s->work[4], *speed = s->work[5];
  advance(s, 0, s->v, s->v, x, v);
  memset(dx, 0, s->node_count * sizeof *dx);
  memset(dv, 0, s->node_count * sizeof *dv);
  for (int stage = 0; stage < 4; ++stage) {
    SYN_TRY(forces_at(s, x, v, at[stage], f, error));
    for (uint32_t i = 0; i < s->node_count; ++i) {
      speed[i] = v[i];
      f[i] = vec3_scale(f[i], 1 / s->mass[i]);
      dx[i] = vec3_madd(dx[i], weight[stage], speed[i]);
      dv[i] = vec3_madd(dv[i], weight[stage], f[i]);
    }
    if (stage < 3) advance(s, at[stage + 1], speed, f, x, v);
  }
  for (uint32_t i = 0; i < s->node_count; ++i) {
    x[i] = s->x[i];
    s->x[i] = vec3_madd(s->x[i], h / 6, dx[i]);
    s->v[i] = vec3_madd(s->v[i], h / 6, dv[i]);
  }
  place_held(s, x);
  return SYN_OK;
}

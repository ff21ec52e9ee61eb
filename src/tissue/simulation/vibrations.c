/* Finds the highest frequency of bodies, and the stable step that follows from it: an explicit step has to be
 * shorter than a part of its period (Courant, Friedrichs and Lewy 1928). */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

/* Buffers of the power method for one body. */
typedef struct vibration {
  const syn_soft *soft;
  double (*stiffness)[9], (*damped)[9]; /* at rest; with the damping of 1 / s added */
  double wide;                          /* factor of the part that couples all nodes */
  syn_vec3 *row, *x, *y;
} vibration;

static void multiply(const vibration *v, const double (*blocks)[9], const syn_vec3 *x, syn_vec3 *y) {
  syn_block_multiply(v->soft->pattern, blocks, x, y);
  double sum = 0;
  for (uint32_t i = 0; v->wide != 0 && i < v->soft->node_count; ++i) sum += vec3_dot(v->row[i], x[i]);
  for (uint32_t i = 0; v->wide != 0 && i < v->soft->node_count; ++i) y[i] = vec3_madd(y[i], v->wide * sum, v->row[i]);
}

/* Finds the largest eigenvalue of mass^-1 * stiffness by the power method. Eighty iterations have an error of a few
 * percent. */
static double largest_eigenvalue(const vibration *v) {
  const uint32_t count = v->soft->node_count;
  double value = 0;
  for (uint32_t i = 0; i < count; ++i) /* opposite signs of neighbours, as in the highest mode */
    v->x[i] = vec3((i * 7919u) % 13 - 6.0, (i * 104729u) % 11 - 5.0, (i * 1299709u) % 17 - 8.0);
  for (int round = 0; round < 80; ++round) {
    double norm = 0;
    multiply(v, (const double(*)[9])v->stiffness, v->x, v->y);
    for (uint32_t i = 0; i < count; ++i) norm += v->soft->mass[i] * vec3_length2(v->x[i]);
    if (!(norm > 0)) return 0;
    value = 0;
    for (uint32_t i = 0; i < count; ++i) value += vec3_dot(v->x[i], v->y[i]);
    value /= norm;
    double most = 0;
    for (uint32_t i = 0; i < count; ++i) {
      v->x[i] = vec3_scale(v->y[i], 1 / v->soft->mass[i]);
      most = max2(most, vec3_length(v->x[i]));
    }
    if (!(most > 0)) return value;
    for (uint32_t i = 0; i < count; ++i) v->x[i] = vec3_scale(v->x[i], 1 / most);
  }
  return value;
}

/* Rayleigh quotient x^T C x / x^T M x of the mode found. */
static double damping_of(const vibration *v) {
  double with = 0, norm = 0;
  multiply(v, (const double(*)[9])v->damped, v->x, v->y);
  for (uint32_t i = 0; i < v->soft->node_count; ++i) with += vec3_dot(v->x[i], v->y[i]);
  multiply(v, (const double(*)[9])v->stiffness, v->x, v->y);
  for (uint32_t i = 0; i < v->soft->node_count; ++i) {
    with -= vec3_dot(v->x[i], v->y[i]);
    norm += v->soft->mass[i] * vec3_length2(v->x[i]);
  }
  return norm > 0 ? max2(0, with / norm) : 0;
}

static syn_status measure(const syn_context *context, vibration *v, syn_sim_body *body, syn_error *error) {
  const syn_soft *soft = v->soft;
  const size_t blocks = syn_block_count(soft->pattern);
  SYN_TRY(SYN_NEW_ZEROED(context, &v->stiffness, blocks, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &v->damped, blocks, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &v->row, soft->node_count, error));
  SYN_TRY(SYN_NEW(context, &v->x, soft->node_count, error));
  SYN_TRY(SYN_NEW(context, &v->y, soft->node_count, error));
  soft->model->stiffness(soft->state, soft->rest, 0, true, v->stiffness);
  soft->model->stiffness(soft->state, soft->rest, 1, true, v->damped);
  if (soft->model->wide) v->wide = soft->model->wide(soft->state, soft->rest, v->row);
  body->fastest_rad_s = sqrt(max2(0, largest_eigenvalue(v)));
  body->fastest_damping_per_s = damping_of(v);
  return SYN_OK;
}

static syn_status find_fastest(const syn_context *context, syn_sim_body *body, syn_error *error) {
  if (body->fastest_rad_s > 0 || !body->soft->model->stiffness) return SYN_OK;
  vibration v = {.soft = body->soft};
  const syn_status status = measure(context, &v, body, error);
  void *const all[] = {v.stiffness, v.damped, v.row, v.x, v.y};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) syn_free(context, all[i]);
  return status;
}

syn_status syn_sim_fastest(syn_simulation *s, double *rad_s, double *damping_per_s, syn_error *error) {
  *rad_s = *damping_per_s = 0;
  for (size_t b = 0; b < s->body_count; ++b) {
    syn_sim_body *body = &s->bodies[b];
    if (!body->soft) continue;
    SYN_TRY(find_fastest(s->context, body, error));
    *rad_s = max2(*rad_s, body->fastest_rad_s);
    *damping_per_s = max2(*damping_per_s, body->fastest_damping_per_s);
  }
  return SYN_OK;
}

/* Returns the square of the frequency of the lightest vertex of a skin on the stiffest penalty. */
static double penalty_square(const syn_simulation *s) {
  double most = 0;
  for (size_t t = 0; t < s->touch_count; ++t) {
    if (s->touches[t].options.response != SYN_RESPONSE_PENALTY) continue;
    const uint32_t pair[2] = {s->touches[t].fixed, s->touches[t].mobile};
    for (int side = 0; side < 2; ++side) {
      const syn_sim_body *body = &s->bodies[pair[side]];
      for (uint32_t i = 0; body->soft && i < body->surface->vertex_count; ++i) {
        double inverse_mass = 0;
        for (uint32_t k = body->soft->skin_start[i]; k < body->soft->skin_start[i + 1]; ++k)
          inverse_mass +=
              body->soft->skin_weights[k] * body->soft->skin_weights[k] / body->soft->mass[body->soft->skin_nodes[k]];
        most = max2(most, s->touches[t].options.pressure_mpa_mm * s->point_area[body->first_point + i] * inverse_mass);
      }
    }
  }
  return most;
}

/* With frequency w and damping c: w^2 h^2 + 2 c h < 4 for symplectic steps, h < c / w^2 (and 2 / c) with the old
 * velocity; Runge and Kutta's method is stable up to 2.8 on the imaginary and on the real axis. */
syn_status syn_sim_stable_step(syn_simulation *s, double *step_s, syn_error *error) {
  double w, c;
  *step_s = (double)INFINITY;
  SYN_TRY(syn_sim_fastest(s, &w, &c, error));
  const double square = w * w + penalty_square(s);
  if (!(square > 0)) return SYN_OK;
  switch (s->options.integrator) {
  case SYN_INTEGRATOR_SYMPLECTIC: *step_s = (sqrt(c * c + 4 * square) - c) / square; break;
  case SYN_INTEGRATOR_RK4: *step_s = 2.78 / max2(sqrt(square), c); break;
  case SYN_INTEGRATOR_EXPLICIT: *step_s = c > 0 ? min2(c / square, 2 / c) : 0; break;
  default: break;
  }
  return SYN_OK;
}

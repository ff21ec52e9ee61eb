#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/vdm/vdm.h"

/* ==== BiCG ======================================================================================================== */

/* A solution with the kept factorisation takes about as long as this many steps. */
enum { MOST_STEPS = 20 };

typedef struct steps {
  const syn_vdm_system *system;
  syn_lanes *r, *direction, *product;
  double square[4], least[4];
} steps;

/* Residuals of the free unknowns, and their squared norms, weighted by the inverse diagonal. */
static void residual(const syn_vdm_system *s, const syn_lanes *b, const syn_lanes *x, syn_lanes *r, double square[4]) {
  syn_vdm_multiply(s, x, r);
  syn_lanes sum = {{0}};
  for (uint32_t g = 0; g < s->group_count; ++g) {
    const syn_lanes product = r[g], right = b[g], open = s->free[g], scale = s->scale[g];
    syn_lanes rest;
    for (int c = 0; c < 4; ++c) rest.v[c] = open.v[c] * (right.v[c] - product.v[c]);
    for (int c = 0; c < 4; ++c) sum.v[c] += rest.v[c] * rest.v[c] * scale.v[c];
    r[g] = rest;
  }
  for (int c = 0; c < 4; ++c) square[c] = sum.v[c];
}

static bool is_done(const steps *s) {
  return s->square[0] <= s->least[0] && s->square[1] <= s->least[1] && s->square[2] <= s->least[2];
}

static void next_direction(steps *s, const syn_lanes *ratio) {
  const syn_lanes part = *ratio;
  for (uint32_t g = 0; g < s->system->group_count; ++g) {
    const syn_lanes rest = s->r[g], scale = s->system->scale[g];
    syn_lanes direction = s->direction[g];
    for (int c = 0; c < 4; ++c) direction.v[c] = rest.v[c] * scale.v[c] + part.v[c] * direction.v[c];
    s->direction[g] = direction;
  }
}

static syn_lanes slopes(const steps *s) {
  syn_lanes slope = {{0}};
  for (uint32_t g = 0; g < s->system->group_count; ++g)
    for (int c = 0; c < 4; ++c) slope.v[c] += s->direction[g].v[c] * s->product[g].v[c];
  return slope;
}

/* Takes a step of `length` along the directions. Returns the squared norms of the new residuals. */
static syn_lanes advance(steps *s, const syn_lanes *length, syn_lanes *x) {
  syn_lanes sum = {{0}};
  const syn_lanes way = *length;
  for (uint32_t g = 0; g < s->system->group_count; ++g) {
    const syn_lanes direction = s->direction[g], product = s->product[g], open = s->system->free[g],
                    scale = s->system->scale[g];
    syn_lanes rest = s->r[g], at = x[g];
    for (int c = 0; c < 4; ++c) rest.v[c] -= way.v[c] * open.v[c] * product.v[c];
    for (int c = 0; c < 4; ++c) at.v[c] += way.v[c] * direction.v[c];
    for (int c = 0; c < 4; ++c) sum.v[c] += rest.v[c] * rest.v[c] * scale.v[c];
    s->r[g] = rest;
    x[g] = at;
  }
  return sum;
}

static void one_step(steps *s, syn_lanes *x) {
  syn_vdm_multiply(s->system, s->direction, s->product);
  const syn_lanes slope = slopes(s);
  syn_lanes length = {{0}}, ratio = {{0}};
  for (int c = 0; c < 3; ++c) /* a converged direction stops while the others continue */
    if (s->square[c] > s->least[c] && slope.v[c] > 0) length.v[c] = s->square[c] / slope.v[c];
  const syn_lanes square = advance(s, &length, x);
  for (int c = 0; c < 3; ++c) {
    if (s->square[c] > 0) ratio.v[c] = square.v[c] / s->square[c];
    s->square[c] = square.v[c];
  }
  next_direction(s, &ratio);
}

/* Solves S x = b for the free unknowns, starting from the given x, until the residual is `tolerance` times b. Adds
 * its steps to *steps. Returns false if it does not converge: x is then an intermediate solution. */
static bool vdm_bicg(syn_vdm *vdm, const syn_lanes *b, double tolerance, syn_lanes *x, uint32_t *count) {
  const syn_vdm_system *system = &vdm->system;
  steps s = {.system = system, .r = vdm->work[0], .direction = vdm->work[1], .product = vdm->work[2]};
  /* Right-hand side of the free unknowns: loads, and the coupling with the prescribed ones. */
  for (uint32_t g = 0; g < system->group_count; ++g)
    for (int c = 0; c < 4; ++c) s.direction[g].v[c] = (1 - system->free[g].v[c]) * x[g].v[c];
  residual(system, b, s.direction, s.r, s.least);
  for (int c = 0; c < 3; ++c) s.least[c] *= tolerance * tolerance;
  residual(system, b, x, s.r, s.square);
  for (uint32_t g = 0; g < system->group_count; ++g) s.direction[g] = (syn_lanes){{0}};
  next_direction(&s, &(syn_lanes){{0}});
  for (int i = 0; !is_done(&s); ++i, ++*count) {
    if (i == MOST_STEPS) return false;
    one_step(&s, x);
  }
  return true;
}

/* ==== solution ==================================================================================================== */

/* Finds the equilibrium S w = loads + p * spread, with the pressure p that keeps the volume (Sundaraj 2004, §3.3).
 *
 * Two solutions with S, for the loads and for the direction in which pressure pushes, give w for every p. The remaining
 * problem is one equation for p. The linear analysis keeps the volume to first order (Eq. 3.37). The other two keep
 * that of the mesh (Eq. 3.43): each Newton step is the printed update of the matrix's last row by the areas of the new
 * shape, and Sherman and Morrison's formula for a changed last row is a quotient of two products. */

static const double volume_tolerance = 1e-10; /* relative; 1e-6 is guaranteed */
static const double shape_tolerance = 1e-8;   /* of the square root of the area */
static const double bicg_tolerance = 1e-10;
enum { MOST_NEWTON_STEPS = 40, MOST_SHAPES = 400 };

/* ---- right sides --------------------------------------------------------------------------------------------------
 */

static syn_vec3 traction(const syn_vdm *vdm, uint32_t node) {
  const uint8_t *kinds = vdm->constraint[node];
  const syn_vec3 value = vdm->value[node];
  return vec3(kinds[0] == SYN_VDM_CONTACT ? value.x : 0, kinds[1] == SYN_VDM_CONTACT ? value.y : 0,
              kinds[2] == SYN_VDM_CONTACT ? value.z : 0);
}

static void add_lanes(syn_lanes *sum, double factor, syn_vec3 a) {
  sum->v[0] += factor * a.x;
  sum->v[1] += factor * a.y;
  sum->v[2] += factor * a.z;
}

/* Weight and contact, or the normals, times the volumes of the nodes. */
static void fill_right(syn_vdm *vdm, const syn_vdm_shape *shape, const syn_vec3 *x, bool loads) {
  memset(vdm->right, 0, vdm->system.group_count * sizeof *vdm->right);
  const double height = vdm->rest.volume / shape->total_area;
  double top = 0;
  const syn_vec3 weight = loads ? syn_vdm_weight(vdm, x, &top) : vec3(0, 0, 0);
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    syn_lanes *right = &vdm->right[vdm->system.group[i]];
    const double volume = shape->area[i] * height;
    const syn_vec3 normal = syn_vdm_normal(shape, i);
    if (loads) {
      add_lanes(right, volume * (vec3_dot(weight, x[i]) - top), normal);
      add_lanes(right, volume, traction(vdm, i));
    } else
      add_lanes(right, volume, normal);
  }
}

static syn_vec3 displacement(const syn_vdm *vdm, const syn_vdm_shape *shape, const syn_lanes *w, uint32_t node) {
  const double *v = w[vdm->system.group[node]].v, part = 1 / shape->area[node];
  return vec3(v[0] * part, v[1] * part, v[2] * part);
}

/* ---- pressure -----------------------------------------------------------------------------------------------------
 */

static void place(syn_vdm *vdm, const syn_vdm_shape *shape, double pressure, syn_vec3 *x) {
  const syn_vec3 *rest = vdm->soft->rest;
  for (uint32_t i = 0; i < vdm->node_count; ++i)
    x[i] = vec3_madd(vec3_add(rest[i], displacement(vdm, shape, vdm->load, i)), pressure,
                     displacement(vdm, shape, vdm->spread, i));
}

static syn_status nothing_gives(syn_error *error) {
  return syn_fail(error, SYN_BAD_ARGUMENT, "no free node can take up the volume that the moved ones displace");
}

/* Eq. 3.37: the sum of A_i n_i L_i is 0. */
static syn_status linear_pressure(const syn_vdm *vdm, double *pressure, syn_error *error) {
  double by_loads = 0, by_pressure = 0, size = 0;
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    const syn_vec3 n = syn_vdm_normal(&vdm->rest, i);
    const double *load = vdm->load[vdm->system.group[i]].v, *spread = vdm->spread[vdm->system.group[i]].v;
    by_loads += n.x * load[0] + n.y * load[1] + n.z * load[2];
    by_pressure += n.x * spread[0] + n.y * spread[1] + n.z * spread[2];
    size += fabs(n.x * load[0]) + fabs(n.y * load[1]) + fabs(n.z * load[2]);
  }
  *pressure = 0;
  if (by_pressure > 0)
    *pressure = -by_loads / by_pressure;
  else if (fabs(by_loads) > 1e-12 * size)
    return nothing_gives(error);
  return SYN_OK;
}

/* Newton's method for the pressure at which the mesh has its volume at rest. Returns that shape in x and in
 * vdm->trial. */
static syn_status keep_volume(syn_vdm *vdm, const syn_vdm_shape *shape, syn_vec3 *x, double *pressure,
                              syn_error *error) {
  syn_vdm_shape *const reached = &vdm->trial;
  for (int i = 0; i < MOST_NEWTON_STEPS; ++i) {
    place(vdm, shape, *pressure, x);
    syn_vdm_measure(vdm, x, reached);
    const double missing = vdm->rest.volume - reached->volume;
    if (fabs(missing) <= volume_tolerance * vdm->rest.volume) return SYN_OK;
    double slope = 0;
    for (uint32_t k = 0; k < vdm->node_count; ++k)
      slope += vec3_dot(reached->vector[k], displacement(vdm, shape, vdm->spread, k));
    if (!(slope > 0)) return i == 0 ? nothing_gives(error) : SYN_NOT_CONVERGED;
    *pressure += missing / slope;
  }
  return SYN_NOT_CONVERGED;
}

static syn_status unsettled(const char *what, syn_error *error) {
  return syn_fail(error, SYN_NOT_CONVERGED, "the %s of the body does not settle: move it in smaller steps", what);
}

/* ---- the three solvers --------------------------------------------------------------------------------------------
 */

static syn_status solve_kept(syn_vdm *vdm, bool quasi_linear, syn_vec3 *x, syn_vdm_report *report, syn_error *error) {
  const size_t bytes = vdm->system.group_count * sizeof *vdm->load;
  memset(vdm->load, 0, bytes);
  memset(vdm->spread, 0, bytes);
  SYN_TRY(syn_vdm_hold(vdm, &vdm->rest, vdm->load, error));
  SYN_TRY(syn_vdm_inverse_prepare(vdm, quasi_linear, &report->updates, error));
  fill_right(vdm, &vdm->rest, vdm->soft->rest, true);
  SYN_TRY(syn_vdm_inverse_apply(vdm, vdm->right, vdm->load, error));
  fill_right(vdm, &vdm->rest, vdm->soft->rest, false);
  SYN_TRY(syn_vdm_inverse_apply(vdm, vdm->right, vdm->spread, error));
  SYN_TRY(linear_pressure(vdm, &report->pressure_mpa, error));
  report->iterations = 1;
  if (quasi_linear) {
    const syn_status status = keep_volume(vdm, &vdm->rest, x, &report->pressure_mpa, error);
    return status == SYN_NOT_CONVERGED ? unsettled("volume", error) : status;
  }
  place(vdm, &vdm->rest, report->pressure_mpa, x);
  syn_vdm_measure(vdm, x, &vdm->trial);
  return SYN_OK;
}

static syn_status solve_systems(syn_vdm *vdm, const syn_vdm_shape *shape, const syn_vec3 *x, syn_vdm_report *report,
                                syn_error *error) {
  for (int loads = 1; loads >= 0; --loads) {
    syn_lanes *w = loads ? vdm->load : vdm->spread;
    fill_right(vdm, shape, x, loads);
    if (!vdm->direct && vdm_bicg(vdm, vdm->right, bicg_tolerance, w, &report->bicg_steps)) continue;
    /* Edges stiffer than nodes need many steps. The kept factorisation, which does not depend on the shape, takes
     * less time. */
    vdm->direct = true;
    SYN_TRY(syn_vdm_inverse_prepare(vdm, true, &report->updates, error));
    SYN_TRY(syn_vdm_inverse_apply(vdm, vdm->right, w, error));
  }
  return SYN_OK;
}

/* Prescribed unknowns of the spread are zero; its free ones and the loads start from the last solution. */
static void begin_held(syn_vdm *vdm) {
  for (uint32_t g = 0; g < vdm->system.group_count; ++g)
    for (int c = 0; c < 3; ++c)
      if (vdm->system.held[g] >> c & 1) vdm->spread[g].v[c] = 0;
}

static double step_of(const syn_vdm *vdm, const syn_vec3 *from, const syn_vec3 *to) {
  double most = 0;
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    const double step = vec3_length2(vec3_sub(to[i], from[i]));
    if (!(step <= most)) most = step;
  }
  return sqrt(most);
}

/* Returns the step length by Aitken's rule: steps that decrease steadily are lengthened, steps that oscillate or
 * grow are shortened. `last` is the step before and becomes this one. */
static double part_of_step(const syn_vdm *vdm, const syn_vec3 *from, const syn_vec3 *to, double part, bool first,
                           syn_vec3 *last) {
  double along = 0, square = 0;
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    const syn_vec3 step = vec3_sub(to[i], from[i]), change = vec3_sub(step, last[i]);
    along += vec3_dot(last[i], change);
    square += vec3_length2(change);
    last[i] = step;
  }
  if (first || !(square > 0)) return 1;
  return max2(1.0 / 16, min2(4, -part * along / square));
}

/* Fixed-point iteration: areas and normals of a shape give the next shape, until they agree. */
static syn_status solve_shapes(syn_vdm *vdm, syn_vec3 *x, syn_vdm_report *report, syn_error *error) {
  const double enough = shape_tolerance * sqrt(vdm->rest.total_area);
  double part = 1;
  for (int i = 0; i < MOST_SHAPES; ++i) {
    syn_vdm_measure(vdm, vdm->x, &vdm->now);
    SYN_TRY(syn_vdm_hold(vdm, &vdm->now, vdm->load, error));
    begin_held(vdm);
    SYN_TRY(solve_systems(vdm, &vdm->now, vdm->x, report, error));
    const syn_status status = keep_volume(vdm, &vdm->now, x, &report->pressure_mpa, error);
    if (status == SYN_NOT_CONVERGED) return unsettled("volume", error);
    if (status) return status;
    ++report->iterations;
    report->change_mm = step_of(vdm, vdm->x, x);
    if (report->change_mm <= enough) return SYN_OK;
    if (!isfinite(report->change_mm)) break;
    part = part_of_step(vdm, vdm->x, x, part, i == 0, vdm->net);
    for (uint32_t k = 0; k < vdm->node_count; ++k) vdm->x[k] = vec3_lerp(vdm->x[k], x[k], part);
  }
  return unsettled("shape", error);
}

/* A failed solution is no good start for the next one. */
static void begin_at_rest(syn_vdm *vdm) {
  memcpy(vdm->x, vdm->soft->rest, vdm->node_count * sizeof *vdm->x);
  memset(vdm->load, 0, vdm->node_count * sizeof *vdm->load);
  memset(vdm->spread, 0, vdm->node_count * sizeof *vdm->spread);
  vdm->pressure = 0;
}

syn_status syn_vdm_solve(syn_soft *soft, syn_vec3 *x, syn_vdm_report *report, syn_error *error) {
  syn_vdm *vdm;
  SYN_TRY(syn_vdm_of(soft, &vdm, error));
  if (vdm->stale) {
    syn_vdm_inverse_drop(vdm);
    syn_vdm_assemble(vdm);
    begin_at_rest(vdm);
  }
  syn_vdm_report found = {.pressure_mpa = vdm->pressure};
  const syn_vdm_solver solver = soft->options.vdm_solver;
  const syn_status status = solver == SYN_VDM_NONLINEAR
                                ? solve_shapes(vdm, x, &found, error)
                                : solve_kept(vdm, solver == SYN_VDM_QUASI_LINEAR, x, &found, error);
  if (status) {
    begin_at_rest(vdm);
    return status;
  }
  memcpy(vdm->x, x, vdm->node_count * sizeof *x);
  vdm->pressure = found.pressure_mpa;
  found.volume_error = vdm->trial.volume / vdm->rest.volume - 1;
  found.factorisations = vdm->factorisations;
  if (report) *report = found;
  return SYN_OK;
}

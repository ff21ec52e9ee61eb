/* Implicit Euler and equilibrium: Newton's method on one nonlinear system. Prescribed nodes and rigid bodies move to
 * their targets during the iteration, in increments that barriers allow, and only after the bodies have responded to
 * the last increment. */
#include <float.h>
#include <string.h>

#include "base/vec.h"
#include "solve/newton.h"
#include "tissue/contact/contact.h"
#include "tissue/integrate/newton_matrix.h"

/* ---- one step -------------------------------------------------------------------------------------------------------
 */

/* After this many Newton steps without halving the residual, contacts are kept. */
enum { STALLS = 8 };

typedef struct iteration {
  syn_simulation *s;
  bool inertia;
  double part;     /* completed fraction of the prescribed motion of nodes and rigid bodies */
  double goal;     /* fraction after the next full Newton step: 1, or the present one */
  double reaction; /* the largest force in a prescribed axis */
  double least;    /* smallest residual so far, of the worst node */
  uint32_t stalls; /* Newton steps since the residual was halved */
  double nearest;  /* minimum gap after one Newton step, relative to the barrier's reach */
  bool arrived;    /* the prescribed motion was complete before this Newton step, which therefore includes its forces */
  bool calm; /* the last Newton step was small compared with the reach of barriers: the prescribed motion continues */
  bool done;
  syn_vec3 *start;  /* positions at the start of the step */
  syn_vec3 *r;      /* residual: 0 in all free axes at the solution */
  syn_vec3 *d;      /* Newton step */
  syn_vec3 *trial;  /* trial position */
  syn_vec3 *v, *mv; /* buffers */
} iteration;

/* Residual at x: forces minus mass times acceleration, zero in prescribed axes. */
static syn_status find_residual(iteration *it, const syn_vec3 *x, double part, syn_vec3 *r, syn_error *error) {
  syn_simulation *s = it->s;
  const double h = s->options.step_s;
  for (uint32_t i = 0; it->inertia && i < s->node_count; ++i)
    it->v[i] = vec3_scale(vec3_sub(x[i], it->start[i]), 1 / h);
  /* Forces of bodies and gaps */
  syn_sim_forces(s, x, it->inertia ? it->v : NULL, r);
  if (s->touch_count > 0) {
    syn_sim_points(s, x, part, s->points);
    SYN_TRY(syn_sim_find_gaps(s, s->points, part, false, error));
    syn_gaps_force(s, r);
  }
  /* Inertia: minus mass times the change of velocity over the step */
  for (uint32_t i = 0; it->inertia && i < s->node_count; ++i) it->v[i] = vec3_sub(it->v[i], s->v[i]);
  for (size_t b = 0; it->inertia && b < s->body_count; ++b)
    if (s->bodies[b].soft)
      syn_soft_add_inertia(s->bodies[b].soft, -1 / h, it->v + s->bodies[b].first_node, r + s->bodies[b].first_node);
  /* Reactions of prescribed axes, which have no residual */
  it->reaction = 0;
  for (uint32_t i = 0; i < s->node_count; ++i) {
    if (!s->held[i]) continue;
    it->reaction = max2(it->reaction, vec3_length(syn_mix_held(s->held[i], vec3(0, 0, 0), r[i])));
    r[i] = syn_mix_held(s->held[i], r[i], vec3(0, 0, 0));
  }
  return SYN_OK;
}

static double largest(const syn_vec3 *a, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double length = vec3_length(a[i]);
    if (!(length <= most)) most = length;
  }
  return most;
}

/* Adds the change of the gap forces due to the motion of rigid bodies from the present fraction to the goal. */
static void add_rigid_way(const iteration *it) {
  const syn_simulation *s = it->s;
  if (it->goal == it->part || s->gaps.count == 0) return;
  syn_sim_points(s, s->x, it->part, s->points);
  syn_sim_points(s, s->x, it->goal, s->points_after);
  uint32_t nodes[SYN_GAP_NODES];
  double coefficients[SYN_GAP_NODES];
  for (size_t i = 0; i < s->gaps.count; ++i) {
    const syn_gap *gap = &s->gaps.gaps[i];
    double change = 0;
    for (int p = 0; p < 4; ++p)
      change +=
          gap->weight[p] * vec3_dot(gap->normal, vec3_sub(s->points_after[gap->points[p]], s->points[gap->points[p]]));
    const double push = -syn_gap_evaluate(s, gap).second * change;
    const uint32_t count = push == 0 ? 0 : syn_gap_nodes(s, gap, nodes, coefficients);
    for (uint32_t k = 0; k < count; ++k)
      it->d[nodes[k]] = vec3_madd(it->d[nodes[k]], push * coefficients[k], gap->normal);
  }
}

/* Computes the prescribed motion from the present position to the goal. */
static bool find_way(const iteration *it, syn_vec3 *way) {
  const syn_simulation *s = it->s;
  bool moves = false;
  for (uint32_t i = 0; i < s->node_count; ++i) {
    const syn_vec3 rest = it->goal > it->part ? vec3_sub(s->target[i], s->x[i]) : vec3(0, 0, 0);
    way[i] = syn_mix_held(s->held[i], vec3(0, 0, 0), rest);
    moves |= vec3_length2(way[i]) > 0;
  }
  return moves;
}

static syn_status factorize_step(void *user, syn_error *error) {
  const iteration *it = user;
  syn_simulation *s = it->s;
  ++s->iterations;
  SYN_TRY(syn_newton_prepare(s, error));
  SYN_TRY(syn_newton_factorize(s, s->x, it->inertia ? 1 / s->options.step_s : 0, error));
  return syn_wides_fill(s, s->x, &s->newton->wides, error);
}

/* Solves for the Newton step, with prescribed axes moving to their goal. */
static syn_status solve_step(void *user, bool fresh, uint32_t n, syn_error *error) {
  iteration *it = user;
  syn_simulation *s = it->s;
  (void)fresh, (void)n;
  syn_vec3 *way = it->trial;
  const bool moves = find_way(it, way);
  memcpy(it->d, it->r, s->node_count * sizeof *it->d);
  /* Prescribed motion on the right-hand side */
  if (moves) {
    syn_block_multiply(s->newton->pattern, (const double(*)[9])s->newton->blocks, way, it->mv);
    syn_wides_multiply(&s->newton->wides, s->node_count, way, it->mv);
    for (uint32_t i = 0; i < s->node_count; ++i) it->d[i] = vec3_sub(it->d[i], it->mv[i]);
  }
  add_rigid_way(it);
  SYN_TRY(syn_system_solve(s->newton->system, 1, it->d, it->d, error));
  SYN_TRY(syn_wides_correct(&s->newton->wides, s->node_count, s->newton->system, it->d, error));
  for (uint32_t i = 0; i < s->node_count; ++i) it->d[i] = syn_mix_held(s->held[i], it->d[i], way[i]);
  return SYN_OK;
}

static void try_part(const iteration *it, double part) {
  for (uint32_t i = 0; i < it->s->node_count; ++i) it->trial[i] = vec3_madd(it->s->x[i], part, it->d[i]);
}

/* Returns the smallest distance between surfaces with a barrier, relative to its reach; 1 without any. */
static double least_gap(const syn_simulation *s) {
  double least = 1;
  for (size_t i = 0; i < s->gaps.count; ++i) {
    const syn_touch *touch = &s->touches[s->gaps.gaps[i].touch];
    if (touch->barrier) least = min2(least, s->gaps.gaps[i].gap_mm / touch->options.barrier_mm);
  }
  return least;
}

/* Limits the step length by the barriers, with a margin, so that distances stay above 0. Nor may a distance decrease
 * to less than a twentieth at once: a body whose motion ends in contact would be accepted there, with unbounded
 * forces. */
static syn_status limit_length(void *user, double *length, syn_error *error) {
  iteration *it = user;
  syn_simulation *s = it->s;
  double reach;
  *length = 1;
  if (syn_sim_barrier_reach(s, &reach)) {
    try_part(it, 1);
    syn_sim_points(s, s->x, it->part, s->points);
    syn_sim_points(s, it->trial, it->goal, s->points_after);
    SYN_TRY(syn_barrier_free_part(s, s->points, s->points_after, length, error));
    if (*length < 1) *length *= 0.9;
  }
  it->nearest = 0.05 * least_gap(s);
  return SYN_OK;
}

/* Returns the completed fraction of the prescribed motion after a part of the Newton step. */
static double part_after(const iteration *it, double length) { return it->part + length * (it->goal - it->part); }

static syn_status evaluate_trial(void *user, double length, syn_vec3 *r, newton_trial *trial, syn_error *error) {
  iteration *it = user;
  try_part(it, length);
  SYN_TRY(find_residual(it, it->trial, part_after(it, length), r, error));
  trial->any_slope = it->goal != it->part; /* the residual may grow with the prescribed motion */
  trial->allowed = least_gap(it->s) >= it->nearest;
  return SYN_OK;
}

static void accept_trial(void *user, double length) {
  iteration *it = user;
  it->part = length == 1 ? it->goal : part_after(it, length);
  memcpy(it->s->x, it->trial, it->s->node_count * sizeof *it->s->x);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* Scale of the forces on a node: the largest reaction, load and weight, inertia or contact force. */
static double force_scale(const iteration *it) {
  const syn_simulation *s = it->s;
  const double per_s2 = it->inertia ? 1 / (s->options.step_s * s->options.step_s) : 0;
  uint32_t nodes[SYN_GAP_NODES];
  double coefficients[SYN_GAP_NODES], most = it->reaction;
  for (uint32_t i = 0; i < s->node_count; ++i) {
    const syn_vec3 load = vec3_madd(s->load[i], s->mass[i], s->options.gravity);
    const syn_vec3 way = vec3_madd(vec3_sub(s->x[i], it->start[i]), -s->options.step_s, s->v[i]);
    most = max2(most, max2(vec3_length(load), per_s2 * s->mass[i] * vec3_length(way)));
  }
  for (size_t i = 0; i < s->gaps.count; ++i) {
    const double push = fabs(syn_gap_evaluate(s, &s->gaps.gaps[i]).first);
    const uint32_t count = push > 0 ? syn_gap_nodes(s, &s->gaps.gaps[i], nodes, coefficients) : 0;
    for (uint32_t k = 0; k < count; ++k) most = max2(most, push * fabs(coefficients[k]));
  }
  return most;
}

/* Residual from rounding errors, however exact the solution is: of positions as large as the scene, at the stiffest
 * node. */
static double rounding(const syn_simulation *s) {
  double stiffest = 0;
  for (uint32_t i = 0; i < s->node_count; ++i)
    for (int c = 0; c < 3; ++c) stiffest = max2(stiffest, s->newton->blocks[s->newton->pattern->row_start[i]][4 * c]);
  return 4 * DBL_EPSILON * stiffest * s->size_mm;
}

/* A step is solved if a full Newton step was tiny; or if the residual is tiny and the Newton step was small: near
 * the solution contacts that appear and vanish may shorten every step. */
static bool is_solved(const iteration *it, double correction, double taken) {
  const syn_simulation *s = it->s;
  const double small = s->options.tolerance * s->size_mm;
  if (taken == 1 && correction <= small) return true;
  if (!(correction <= 1e3 * small)) return false;
  return largest(it->r, s->node_count) <= max2(s->options.tolerance * force_scale(it), rounding(s));
}

static syn_status report_failure(void *user, double residual, syn_error *error) {
  const iteration *it = user;
  (void)residual;
  uint32_t worst = 0;
  for (uint32_t i = 0; i < it->s->node_count; ++i)
    if (vec3_length2(it->r[i]) > vec3_length2(it->r[worst])) worst = i;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "step %llu has no solution after %u iterations: residual %g N at %s, where the largest force is "
                  "%g N, and %.3g %% of the way is done: take a shorter step, or move less at a time",
                  (unsigned long long)it->s->steps + 1, it->s->iterations, vec3_length(it->r[worst]),
                  syn_sim_node_words(it->s, worst).text, force_scale(it), 100 * it->part);
}

/* From here on keeps contacts that appear and vanish from one Newton step to the next. */
static void keep_what_flips(iteration *it) {
  const double left = largest(it->r, it->s->node_count);
  if (it->part < 1 || left < 0.5 * it->least)
    it->stalls = 0;
  else
    ++it->stalls;
  it->least = min2(left, it->least);
  if (it->stalls >= STALLS) it->s->keeps_gaps = true;
}

static syn_status judge_step(void *user, double *residual, newton_verdict *verdict, syn_error *error) {
  iteration *it = user;
  (void)residual, (void)error;
  *verdict = it->done ? NEWTON_SOLVED : NEWTON_GOES_ON;
  it->arrived = it->part == 1;
  it->goal = it->calm ? 1 : it->part;
  return SYN_OK;
}

static syn_status finish_iteration(void *user, double length, syn_error *error) {
  iteration *it = user;
  double reach;
  (void)error;
  const bool barrier = syn_sim_barrier_reach(it->s, &reach);
  const double correction = largest(it->d, it->s->node_count);
  it->done = it->part == 1 && (it->arrived || it->s->gaps.count == 0) && is_solved(it, correction, length);
  it->calm = !barrier || (length == 1 && correction < 0.1 * reach);
  keep_what_flips(it);
  return SYN_OK;
}

/* Newton's method with a new matrix in every iteration, and halving of steps that are too long. */
static syn_status iterate_step(iteration *it, syn_error *error) {
  syn_simulation *s = it->s;
  const newton_options options = {.max_iterations = s->options.iterations ? s->options.iterations : 100,
                                  .overshoot = 0.9,
                                  .late_overshoot = 0.9,
                                  .shortest = 0.5,
                                  .longest = 0.5,
                                  .shortenings = 40};
  const newton_problem problem = {.user = it,
                                  .count = s->node_count,
                                  .r = it->r,
                                  .next_r = it->mv,
                                  .d = it->d,
                                  .judge = judge_step,
                                  .factorize = factorize_step,
                                  .solve = solve_step,
                                  .limit_length = limit_length,
                                  .evaluate = evaluate_trial,
                                  .accept = accept_trial,
                                  .finish_iteration = finish_iteration,
                                  .give_up = report_failure};
  double residual = 0; /* unused: is_solved compares nodes */
  SYN_TRY(find_residual(it, s->x, 0, it->r, error));
  s->iterations = 0;
  return syn_newton_solve(&problem, &options, &residual, error);
}

syn_status syn_step_newton(syn_simulation *s, syn_error *error) {
  iteration it = {.s = s,
                  .inertia = s->options.integrator == SYN_INTEGRATOR_IMPLICIT,
                  .least = INFINITY,
                  .calm = true,
                  .start = s->work[SYN_WORK_BEFORE_X],
                  .r = s->work[0],
                  .d = s->work[1],
                  .trial = s->work[2],
                  .v = s->work[3],
                  .mv = s->work[4]};
  const syn_status status = iterate_step(&it, error);
  /* Velocities from the change of position; 0 in equilibrium */
  s->keeps_gaps = false;
  SYN_TRY(status);
  for (uint32_t i = 0; i < s->node_count; ++i)
    s->v[i] = it.inertia ? vec3_scale(vec3_sub(s->x[i], it.start[i]), 1 / s->options.step_s) : vec3(0, 0, 0);
  return SYN_OK;
}

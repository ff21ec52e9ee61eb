/* Finds the equilibrium at one load: Newton's method on elements and contact, with reused factorisations.
 * Multipliers are augmented as soon as the residual is small compared with their change. */

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* ---- elastic forces -------------------------------------------------------------------------------------------- */
/* Computes forces and stiffness of the elements. Those of the mobile body are computed in the frame of its mesh,
 * since laws for small displacements do not account for its rotation. */

static bool is_turned(const syn_contact_problem *c, const contact_side *side) {
  const syn_mat3 *r = &c->equilibrium.load.pose.rotation;
  return side->moves && !(r->row[0].x == 1 && r->row[1].y == 1 && r->row[2].z == 1);
}

void syn_contact_local_positions(const syn_contact_problem *c, const contact_side *side, const syn_vec3 *x,
                                 syn_vec3 *local) {
  const syn_vec3 moved =
      side->moves ? vec3_add(c->equilibrium.load.pose.translation, c->equilibrium.shift) : vec3(0, 0, 0);
  const syn_mat3 back = mat3_transpose(&c->equilibrium.load.pose.rotation);
  const bool turned = is_turned(c, side);
  for (uint32_t i = 0; i < side->node_count; ++i) {
    const syn_vec3 d = vec3_sub(x[side->first + i], moved);
    local[i] = turned ? mat3_apply(&back, d) : d;
  }
}

syn_status syn_contact_elastic_forces(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *f, syn_error *error) {
  memset(f, 0, c->bodies.node_count * sizeof *f);
  for (int k = 0; k < 2; ++k) {
    const contact_side *side = &c->bodies.sides[k];
    if (!side->soft) continue;
    syn_contact_local_positions(c, side, x, c->solver.local);
    syn_soft_forces(side->soft, c->solver.local, NULL, f + side->first);
    if (!is_turned(c, side)) continue;
    for (uint32_t i = 0; i < side->node_count; ++i)
      f[side->first + i] = mat3_apply(&c->equilibrium.load.pose.rotation, f[side->first + i]);
  }
  return syn_contact_gather_forces(c, f, error);
}

static void turn_block(const syn_mat3 *turn, double block[9]) {
  const syn_mat3 b = {{{block[0], block[1], block[2]}, {block[3], block[4], block[5]}, {block[6], block[7], block[8]}}};
  const syn_mat3 half = mat3_multiply(turn, &b), back = mat3_transpose(turn), out = mat3_multiply(&half, &back);
  for (int r = 0; r < 3; ++r)
    block[3 * r] = out.row[r].x, block[3 * r + 1] = out.row[r].y, block[3 * r + 2] = out.row[r].z;
}

void syn_contact_elastic_stiffness(syn_contact_problem *c, contact_side *side, const syn_vec3 *x, bool definite) {
  if (side->blocks_are_known) return;
  syn_contact_local_positions(c, side, x, c->solver.local);
  side->soft->model->stiffness(side->soft->state, c->solver.local, 0, definite, side->blocks);
  side->blocks_are_known = side->soft->options.law == SYN_LAW_LINEAR;
}

void syn_contact_turned_block(const syn_contact_problem *c, const contact_side *side, size_t k, double block[9]) {
  memcpy(block, side->blocks[k], 9 * sizeof *block);
  if (is_turned(c, side)) turn_block(&c->equilibrium.load.pose.rotation, block);
}

/* ---- exact step ------------------------------------------------------------------------------------------------ */
/* Computes Newton steps with all derivatives. The factorised matrix omits the rotation of normals and the motion of
 * cuts. Where bone penetrates far into a labrum that part outweighs the rest, and Newton's iteration diverges
 * without it. GMRES approximates products with the full derivative by differences of the forces, with the
 * factorisation as preconditioner, so that a few vectors suffice. The active set stays that of the factorisation
 * meanwhile. */

/* Directional derivative: the decrease of the residual when the unknowns move by z, per length of z. */
static syn_status multiply_by_differences(void *user, const syn_vec3 *z, syn_vec3 *product, syn_error *error) {
  syn_contact_problem *c = user;
  double most = 0;
  for (uint32_t i = 0; i < c->bodies.unknown_count; ++i) most = max2(most, vec3_length2(z[i]));
  const double h = most > 0 ? 1e-6 * c->contact.reach_mm / sqrt(most) : 1;
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    c->solver.trial[i] = c->bodies.unknown[i] == SYN_NONE ? c->equilibrium.x[i]
                                                          : vec3_madd(c->equilibrium.x[i], h, z[c->bodies.unknown[i]]);
  SYN_TRY(syn_contact_residual(c, c->solver.trial, product, error));
  for (uint32_t i = 0; i < c->bodies.unknown_count; ++i)
    product[i] = vec3_scale(vec3_sub(c->solver.r[i], product[i]), 1 / h);
  return SYN_OK;
}

static syn_status precondition(void *user, const syn_vec3 *v, syn_vec3 *z, syn_error *error) {
  const syn_contact_problem *c = user;
  return syn_system_solve(c->solver.system, 1, v, z, error);
}

syn_status syn_contact_solve_exactly(syn_contact_problem *c, double tolerance, syn_error *error) {
  const syn_gmres_matrix matrix = {c, multiply_by_differences, precondition};
  if (!(syn_vectors_dot(c->solver.r, c->solver.r, c->bodies.unknown_count) > 0))
    return syn_contact_solve_system(c, error);
  c->solver.gmres.arena = &c->arena;
  c->solver.gmres.count = c->bodies.unknown_count;
  c->solver.solved = false;
  c->contact.keeps_active = true;
  const syn_status status = syn_gmres_solve(&c->solver.gmres, &matrix, c->solver.r, tolerance, c->solver.d, error);
  c->contact.keeps_active = false;
  return status;
}

/* ---- contact newton -------------------------------------------------------------------------------------------- */

contact_newton_options syn_contact_newton_options(void) {
  return (contact_newton_options){.search = {.overshoot = 10,
                                             .late_overshoot = 0.8,
                                             .late = 20,
                                             .shortest = 0.2,
                                             .longest = 0.7,
                                             .shortenings = 10,
                                             .reuse = 0.6},
                                  .easy = 5,
                                  .exact_tolerance = 0.05,
                                  .augment = 0.03,
                                  .active_share = 200,
                                  .longest_step = 0.5,
                                  .snap_effort = 5,
                                  .lost = 0.7,
                                  .lost_in_snap = 5};
}

typedef struct balance {
  double residual; /* norm of the residual */
  double scale;    /* norm of the contact forces */
} balance;

static syn_vec3 free_part(uint8_t prescribed, syn_vec3 v) {
  return vec3(prescribed & SYN_X ? 0 : v.x, prescribed & SYN_Y ? 0 : v.y, prescribed & SYN_Z ? 0 : v.z);
}

/* Sums the elastic and the contact forces on nodes to the residual of the unknowns. */
static balance sum_forces(syn_contact_problem *c, syn_vec3 *r) {
  balance b = {0, 0};
  /* Contact forces on all nodes */
  memset(c->contact.force, 0, c->bodies.node_count * sizeof *c->contact.force);
  syn_contact_add_forces(c, c->contact.force);
  memset(r, 0, c->bodies.unknown_count * sizeof *r);
  /* Elastic and contact forces of each unknown, without prescribed axes */
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    const uint32_t u = c->bodies.unknown[i];
    b.scale += vec3_length2(c->contact.force[i]);
    if (u == SYN_NONE) continue;
    const syn_vec3 f = vec3_add(c->solver.force[i], c->contact.force[i]);
    r[u] = vec3_add(r[u], u == c->bodies.shift_unknown ? f : free_part(c->bodies.prescribed[i], f));
  }
  /* The mobile frame bears the applied force along the axes that are not driven. */
  syn_vec3 *shift = &r[c->bodies.shift_unknown];
  *shift = free_part(c->equilibrium.load.driven, vec3_add(*shift, c->equilibrium.load.force));
  for (uint32_t u = 0; u < c->bodies.unknown_count; ++u) b.residual += vec3_length2(r[u]);
  b.residual = sqrt(b.residual);
  b.scale = sqrt(b.scale);
  return b;
}

static syn_status evaluate_forces(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *r, balance *b,
                                  syn_error *error) {
  SYN_TRY(syn_contact_elastic_forces(c, x, c->solver.force, error));
  SYN_TRY(syn_contact_evaluate(c, x, error));
  *b = sum_forces(c, r);
  return SYN_OK;
}

syn_status syn_contact_residual(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *r, syn_error *error) {
  balance b;
  return evaluate_forces(c, x, r, &b, error);
}

/* Returns the change of the multipliers at the next augmentation, relative to the pressures: root mean square over
 * the area. */
static double multiplier_change(const syn_contact_problem *c) {
  double square = 0, change = 0;
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) {
    const double p = c->contact.pressure[i], d = p - c->contact.lambda[i];
    square += c->bodies.whole_area[i] * p * p;
    change += c->bodies.whole_area[i] * d * d;
  }
  return square > 0 ? sqrt(change / square) : change > 0;
}

static void augment_multipliers(syn_contact_problem *c) {
  memcpy(c->contact.lambda, c->contact.pressure, contact_slave(c)->node_count * sizeof *c->contact.lambda);
  syn_contact_set_pressures(c);
}

/* ---- one Newton step -----------------------------------------------------------------------------------------------
 */

typedef struct contact_newton {
  syn_contact_problem *c;
  balance balance;
  uint32_t augmented; /* number of augmentations */
} contact_newton;

/* Limits the step length to half the contact search radius. */
static syn_status limit_length(void *user, double *length, syn_error *error) {
  const syn_contact_problem *c = ((const contact_newton *)user)->c;
  const double allowed = c->solver.newton.longest_step * c->contact.reach_mm;
  double most = 0;
  (void)error;
  for (uint32_t i = 0; i < c->bodies.unknown_count; ++i) most = max2(most, vec3_length2(c->solver.d[i]));
  *length = most > allowed * allowed ? allowed / sqrt(most) : 1;
  return SYN_OK;
}

/* Nodes bonded to the fixed frame do not move. */
static syn_status evaluate_trial(void *user, double length, syn_vec3 *r, newton_trial *trial, syn_error *error) {
  contact_newton *newton = user;
  syn_contact_problem *c = newton->c;
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    c->solver.trial[i] = c->bodies.unknown[i] == SYN_NONE
                             ? c->equilibrium.x[i]
                             : vec3_madd(c->equilibrium.x[i], length, c->solver.d[c->bodies.unknown[i]]);
  SYN_TRY(evaluate_forces(c, c->solver.trial, r, &newton->balance, error));
  trial->residual = newton->balance.residual;
  return SYN_OK;
}

static void accept_trial(void *user, double length) {
  syn_contact_problem *c = ((contact_newton *)user)->c;
  memcpy(c->equilibrium.x, c->solver.trial, c->bodies.node_count * sizeof *c->equilibrium.x);
  c->equilibrium.shift = vec3_madd(c->equilibrium.shift, length, c->solver.d[c->bodies.shift_unknown]);
}

static syn_status restore_residual(void *user, double *residual, syn_error *error) {
  contact_newton *newton = user;
  SYN_TRY(evaluate_forces(newton->c, newton->c->equilibrium.x, newton->c->solver.r, &newton->balance, error));
  *residual = newton->balance.residual;
  return SYN_OK;
}

/* Near a snap-through the step with all derivatives may lead back to the limit point, against the forces. The
 * factorised matrix is definite: its step follows the forces, and is taken instead. */
static syn_status solve_step(void *user, bool fresh, uint32_t n, syn_error *error) {
  syn_contact_problem *c = ((contact_newton *)user)->c;
  const contact_newton_options *o = &c->solver.newton;
  if (!fresh || n <= o->easy) return syn_contact_solve_system(c, error);
  SYN_TRY(syn_contact_solve_exactly(c, o->exact_tolerance, error));
  return syn_vectors_dot(c->solver.r, c->solver.d, c->bodies.unknown_count) > 0 ? SYN_OK
                                                                                : syn_contact_solve_system(c, error);
}

/* A factorisation is reused while nearly the same nodes are active: a node that became active since would be pushed
 * apart without its contact stiffness. */
static bool may_reuse(void *user) {
  const syn_contact_problem *c = ((const contact_newton *)user)->c;
  uint32_t active = 0, changed = 0;
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) {
    const bool bears = c->contact.pressure[i] > 0;
    active += bears;
    changed += bears != c->solver.factor_active[i];
  }
  return changed <= active / c->solver.newton.active_share;
}

static syn_status factorize_active(void *user, syn_error *error) {
  syn_contact_problem *c = ((contact_newton *)user)->c;
  SYN_TRY(syn_contact_factorize(c, c->equilibrium.x, error));
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) c->solver.factor_active[i] = c->contact.pressure[i] > 0;
  return SYN_OK;
}

/* ---- the end -------------------------------------------------------------------------------------------------------
 */

static bool is_small(const syn_contact_problem *c, const balance *b, double part) {
  return b->residual <= part * b->scale || b->residual <= c->bodies.force_floor;
}

static syn_status judge_balance(void *user, double *residual, newton_verdict *verdict, syn_error *error) {
  contact_newton *newton = user;
  syn_contact_problem *c = newton->c;
  const double change = multiplier_change(c), tolerance = c->options.tolerance;
  (void)error;
  *verdict = NEWTON_GOES_ON;
  /* Solved: both residual and change of the multipliers are small */
  if (is_small(c, &newton->balance, tolerance) && change <= c->options.overlap) {
    *verdict = NEWTON_SOLVED;
  } else if (is_small(c, &newton->balance, max2(tolerance, c->solver.newton.augment * min2(change, 1))) &&
             newton->augmented < 2 * c->options.iterations) {
    augment_multipliers(c);
    newton->balance = sum_forces(c, c->solver.r);
    *residual = newton->balance.residual;
    ++newton->augmented;
    *verdict = NEWTON_CHANGED;
  }
  return SYN_OK;
}

static syn_status no_balance(void *user, double residual, syn_error *error) {
  const contact_newton *newton = user;
  const syn_contact_problem *c = newton->c;
  const double scale = newton->balance.scale;
  uint32_t worst = 0;
  for (uint32_t u = 0; u < c->bodies.unknown_count; ++u)
    if (vec3_length2(c->solver.r[u]) > vec3_length2(c->solver.r[worst])) worst = u;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "no equilibrium after %u iterations: residual %.3g N%s, %.3g %% of the forces of contact",
                  c->options.iterations, vec3_length(c->solver.r[worst]),
                  worst == c->bodies.shift_unknown ? " on the mobile body" : " at a node",
                  scale > 0 ? 100 * residual / scale : 100);
}

static bool is_active(const syn_contact_problem *c) {
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i)
    if (c->contact.pressure[i] > 0) return true;
  return false;
}

/* Detects loss of contact: the body moved by most of the thickness of the layers in one step. In a snap-through it
 * may move further, and be without contact for a while, since the tissue snaps ahead of it. */
static syn_status check_contact_kept(syn_contact_problem *c, syn_error *error) {
  if (c->equilibrium.snaps_through && is_active(c)) c->equilibrium.active_shift = c->equilibrium.shift;
  const double way = vec3_distance(c->equilibrium.shift, c->equilibrium.snaps_through ? c->equilibrium.active_shift
                                                                                      : c->equilibrium.kept_shift);
  if (!c->equilibrium.seated ||
      way <= (c->equilibrium.snaps_through ? c->solver.newton.lost_in_snap : c->solver.newton.lost) *
                 c->bodies.thickness_mm)
    return SYN_OK;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "the force moves the mobile body by %.3g mm in one step, and it leaves the other one", way);
}

static syn_status finish_iteration(void *user, double length, syn_error *error) {
  syn_contact_problem *c = ((contact_newton *)user)->c;
  (void)length;
  ++c->equilibrium.iterations;
  return check_contact_kept(c, error);
}

syn_status syn_contact_find_equilibrium(syn_contact_problem *c, syn_error *error) {
  contact_solver *s = &c->solver;
  contact_newton newton = {.c = c};
  newton_options options = s->newton.search;
  const newton_problem problem = {.user = &newton,
                                  .count = c->bodies.unknown_count,
                                  .r = s->r,
                                  .next_r = s->next_r,
                                  .d = s->d,
                                  .step = s->step,
                                  .anderson = &s->anderson,
                                  .judge = judge_balance,
                                  .factorize = factorize_active,
                                  .solve = solve_step,
                                  .may_reuse = may_reuse,
                                  .limit_length = limit_length,
                                  .evaluate = evaluate_trial,
                                  .accept = accept_trial,
                                  .restore = restore_residual,
                                  .finish_iteration = finish_iteration,
                                  .give_up = no_balance};
  /* A snap-through may take more iterations. */
  options.max_iterations = (c->equilibrium.snaps_through ? s->newton.snap_effort : 1) * c->options.iterations;
  /* Residual at the start, then Newton's method */
  SYN_TRY(evaluate_forces(c, c->equilibrium.x, s->r, &newton.balance, error));
  double residual = newton.balance.residual;
  SYN_TRY(syn_newton_solve(&problem, &options, &residual, error));
  c->equilibrium.residual = residual;
  return SYN_OK;
}

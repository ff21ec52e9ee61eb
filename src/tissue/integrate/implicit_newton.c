/* Implicit Euler and equilibrium: Newton's method on one nonlinear system. Held nodes and rigid bodies go to their
 * targets within the iteration, as far at a time as barriers allow, and only once the bodies have given way. */
#include <float.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/contact/contact.h"
#include "tissue/integrate/newton.h"

/* ---- one step -------------------------------------------------------------------------------------------------------
 */

/* After so many corrections that have not halved what is left over, contacts are kept. */
enum { STALLS = 8 };

typedef struct iteration {
  syn_simulation *s;
  bool inertia;
  double part;      /* of the way of held nodes and rigid bodies that is done */
  double goal;      /* how much of it will be done if nothing is in the way: all, or no more than now */
  double reaction;  /* the largest force in a held axis */
  double least;     /* that was left over so far, of the worst node */
  uint32_t stalls;  /* corrections since that was halved */
  syn_vec3 *start;  /* positions at the begin of the step */
  syn_vec3 *r;      /* forces that are left over; at the solution 0 in all free axes */
  syn_vec3 *d;      /* the correction */
  syn_vec3 *trial;  /* x + a part of it */
  syn_vec3 *v, *mv; /* work */
} iteration;

/* What is left over at x: forces minus mass times acceleration, zero in held axes. */
static syn_status leftover(iteration *it, const syn_vec3 *x, double part, syn_vec3 *r, syn_error *error) {
  syn_simulation *s = it->s;
  const double h = s->options.step_s;
  for (uint32_t i = 0; it->inertia && i < s->node_count; ++i)
    it->v[i] = vec3_scale(vec3_sub(x[i], it->start[i]), 1 / h);
  syn_sim_forces(s, x, it->inertia ? it->v : NULL, r);
  if (s->touch_count > 0) {
    syn_sim_points(s, x, part, s->points);
    SYN_TRY(syn_sim_find_gaps(s, s->points, part, false, error));
    syn_gaps_force(s, r);
  }
  for (uint32_t i = 0; it->inertia && i < s->node_count; ++i) it->v[i] = vec3_sub(it->v[i], s->v[i]);
  for (size_t b = 0; it->inertia && b < s->body_count; ++b)
    if (s->bodies[b].soft)
      syn_soft_add_inertia(s->bodies[b].soft, -1 / h, it->v + s->bodies[b].first_node, r + s->bodies[b].first_node);
  it->reaction = 0;
  for (uint32_t i = 0; i < s->node_count; ++i) {
    if (!s->held[i]) continue;
    it->reaction = max2(it->reaction, vec3_length(syn_mix_held(s->held[i], vec3(0, 0, 0), r[i])));
    r[i] = syn_mix_held(s->held[i], r[i], vec3(0, 0, 0));
  }
  return SYN_OK;
}

static double dot_all(const syn_vec3 *a, const syn_vec3 *b, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += vec3_dot(a[i], b[i]);
  return sum;
}

static double largest(const syn_vec3 *a, uint32_t count) {
  double most = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double length = vec3_length(a[i]);
    if (!(length <= most)) most = length;
  }
  return most;
}

/* The way of the surfaces' points that rigid bodies make between now and the goal changes gaps, too. */
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

/* Held nodes between now and the goal. */
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

/* The correction: what is left over, with held axes going to their goal. */
static syn_status find_direction(iteration *it, syn_error *error) {
  syn_simulation *s = it->s;
  const double per_s = it->inertia ? 1 / s->options.step_s : 0;
  SYN_TRY(syn_newton_prepare(s, error));
  SYN_TRY(syn_newton_factorize(s, s->x, per_s, error));
  SYN_TRY(syn_wides_fill(s, s->x, &s->newton->wides, error));
  syn_vec3 *way = it->trial;
  const bool moves = find_way(it, way);
  memcpy(it->d, it->r, s->node_count * sizeof *it->d);
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

/* The longest part of the correction that no barrier forbids. A little is left, so that distances stay above 0. */
static syn_status allowed_part(iteration *it, double *part, syn_error *error) {
  syn_simulation *s = it->s;
  *part = 1;
  double reach;
  if (!syn_sim_barrier_reach(s, &reach)) return SYN_OK;
  try_part(it, 1);
  syn_sim_points(s, s->x, it->part, s->points);
  syn_sim_points(s, it->trial, it->goal, s->points_after);
  SYN_TRY(syn_barrier_free_part(s, s->points, s->points_after, part, error));
  if (*part < 1) *part *= 0.9;
  return SYN_OK;
}

/* The least distance between surfaces with a barrier, as a part of its reach; 1 where none are so near. */
static double least_gap(const syn_simulation *s) {
  double least = 1;
  for (size_t i = 0; i < s->gaps.count; ++i) {
    const syn_touch *touch = &s->touches[s->gaps.gaps[i].touch];
    if (touch->barrier) least = min2(least, s->gaps.gaps[i].gap_mm / touch->options.barrier_mm);
  }
  return least;
}

/* Shortens the correction until it no longer overshoots: what is left over may not point back more strongly than it
 * pointed ahead. Needs no energy, so it also serves forces that have none. Nor may surfaces come twenty times nearer at
 * once: a body that ends its way where it touches would be taken to be there, with forces without bound. */
static syn_status take(iteration *it, double allowed, double *taken, syn_error *error) {
  syn_simulation *s = it->s;
  const bool stays = it->goal == it->part; /* else what is left over may grow on the way */
  const double ahead = dot_all(it->r, it->d, s->node_count), nearest = 0.05 * least_gap(s);
  double part = allowed;
  for (int halvings = 0;; ++halvings, part /= 2) {
    const double moved = it->part + part * (it->goal - it->part);
    try_part(it, part);
    SYN_TRY(leftover(it, it->trial, moved, it->mv, error));
    const double after = dot_all(it->mv, it->d, s->node_count);
    const bool good = isfinite(after) && (!stays || after >= -0.9 * fabs(ahead)) && least_gap(s) >= nearest;
    if (!good && halvings < 40) continue;
    it->part = part == 1 ? it->goal : moved;
    break;
  }
  memcpy(s->x, it->trial, s->node_count * sizeof *s->x);
  memcpy(it->r, it->mv, s->node_count * sizeof *it->r);
  *taken = part;
  return SYN_OK;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* The largest force on a node that the others have to balance: what holds it, loads and weight, inertia, contact. */
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

/* What rounding leaves over however well the step is solved: of places as large as the scene, by the stiffest node. */
static double rounding(const syn_simulation *s) {
  double stiffest = 0;
  for (uint32_t i = 0; i < s->node_count; ++i)
    for (int c = 0; c < 3; ++c) stiffest = max2(stiffest, s->newton->blocks[s->newton->pattern->row_start[i]][4 * c]);
  return 4 * DBL_EPSILON * stiffest * s->size_mm;
}

/* The step is solved when a whole correction was tiny; or when hardly any force is left over and the correction was
 * small: at the end contacts that come and go may shorten every correction. */
static bool is_solved(const iteration *it, double correction, double taken) {
  const syn_simulation *s = it->s;
  const double small = s->options.tolerance * s->size_mm;
  if (taken == 1 && correction <= small) return true;
  if (!(correction <= 1e3 * small)) return false;
  return largest(it->r, s->node_count) <= max2(s->options.tolerance * force_scale(it), rounding(s));
}

static syn_status no_solution(const iteration *it, syn_error *error) {
  uint32_t worst = 0;
  for (uint32_t i = 0; i < it->s->node_count; ++i)
    if (vec3_length2(it->r[i]) > vec3_length2(it->r[worst])) worst = i;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "step %llu has no solution after %u iterations: %g N are left over at %s, where the largest force is "
                  "%g N, and %.3g %% of the way is done: take a shorter step, or move less at a time",
                  (unsigned long long)it->s->steps + 1, it->s->iterations, vec3_length(it->r[worst]),
                  syn_sim_node_words(it->s, worst).text, force_scale(it), 100 * it->part);
}

/* Contacts that come and go from one correction to the next are kept from here on. */
static void keep_what_flips(iteration *it) {
  const double left = largest(it->r, it->s->node_count);
  if (it->part < 1 || left < 0.5 * it->least)
    it->stalls = 0;
  else
    ++it->stalls;
  it->least = min2(left, it->least);
  if (it->stalls >= STALLS) it->s->keeps_gaps = true;
}

static syn_status iterate(iteration *it, syn_error *error) {
  syn_simulation *s = it->s;
  const uint32_t most = s->options.iterations ? s->options.iterations : 100;
  double reach;
  const bool barrier = syn_sim_barrier_reach(s, &reach);
  SYN_TRY(leftover(it, s->x, 0, it->r, error));
  bool done = false, calm = true;
  for (s->iterations = 1; !done; ++s->iterations) {
    double allowed, taken;
    const bool arrived = it->part == 1; /* else the forces there are not answered yet */
    it->goal = calm ? 1 : it->part;
    SYN_TRY(find_direction(it, error));
    SYN_TRY(allowed_part(it, &allowed, error));
    SYN_TRY(take(it, allowed, &taken, error));
    const double correction = largest(it->d, s->node_count);
    done = it->part == 1 && (arrived || s->gaps.count == 0) && is_solved(it, correction, taken);
    calm = !barrier || (taken == 1 && correction < 0.1 * reach);
    if (!done && s->iterations == most) return no_solution(it, error);
    keep_what_flips(it);
  }
  --s->iterations;
  return SYN_OK;
}

syn_status syn_step_newton(syn_simulation *s, syn_error *error) {
  iteration it = {.s = s,
                  .inertia = s->options.integrator == SYN_INTEGRATOR_IMPLICIT,
                  .least = INFINITY,
                  .start = s->work[SYN_WORK_BEFORE_X],
                  .r = s->work[0],
                  .d = s->work[1],
                  .trial = s->work[2],
                  .v = s->work[3],
                  .mv = s->work[4]};
  const syn_status status = iterate(&it, error);
  s->keeps_gaps = false;
  SYN_TRY(status);
  for (uint32_t i = 0; i < s->node_count; ++i)
    s->v[i] = it.inertia ? vec3_scale(vec3_sub(s->x[i], it.start[i]), 1 / s->options.step_s) : vec3(0, 0, 0);
  return SYN_OK;
}

/* Implicit Euler and equilibrium: Newton's method on one nonlinear system. Held nodes and rigid bodies go to their
 * targets within the iteration, as far at a time as barriers allow, and only once the bodies have given way. */
#include <string.h>

#include "base/vec.h"
#include "tissue/contact/contact.h"
#include "tissue/integrate/wide.h"
#include "tissue/simulation/simulation.h"

/* The matrix of the whole scene. Its pattern is that of the bodies and of the contacts that were there when it was
 * made; a contact between other nodes makes it new. */
struct syn_newton {
  syn_block_pattern *pattern;
  syn_factor *factor;
  double (*blocks)[9];
  double (*factored)[9];    /* the blocks that `factor` is of, where is_factored */
  bool is_factored;         /* with nothing added to the diagonal */
  double (*body_blocks)[9]; /* of the largest body */
  uint32_t *slots;          /* for each block of each body: where it stands in the whole */
  bool has_contacts;        /* in the pattern */
  double shift;             /* that was last needed on the diagonal */
  syn_wides wides;          /* what joins all nodes of a body */
};

static void release_matrix(const syn_context *context, struct syn_newton *newton) {
  syn_factor_destroy(newton->factor);
  syn_block_pattern_destroy(newton->pattern);
  syn_free(context, newton->blocks);
  syn_free(context, newton->factored);
  newton->factor = NULL;
  newton->pattern = NULL;
  newton->blocks = newton->factored = NULL;
  newton->is_factored = false;
}

void syn_newton_destroy(syn_simulation *s) {
  if (!s->newton) return;
  release_matrix(s->context, s->newton);
  syn_wides_release(s->context, &s->newton->wides);
  syn_free(s->context, s->newton->body_blocks);
  syn_free(s->context, s->newton->slots);
  syn_free(s->context, s->newton);
  s->newton = NULL;
}

/* ---- the pattern ----------------------------------------------------------------------------------------------------
 */

static size_t body_block_count(const syn_simulation *s, size_t *largest) {
  size_t sum = 0;
  *largest = 0;
  for (size_t b = 0; b < s->body_count; ++b) {
    if (!s->bodies[b].soft) continue;
    const size_t count = syn_block_count(s->bodies[b].soft->pattern);
    sum += count;
    if (count > *largest) *largest = count;
  }
  return sum;
}

static syn_status add_body_pairs(const syn_sim_body *body, syn_block_pairs *list, syn_error *error) {
  const syn_block_pattern *p = body->soft->pattern;
  for (uint32_t row = 0; row < p->node_count; ++row)
    for (uint32_t k = p->row_start[row] + 1; k < p->row_start[row + 1]; ++k)
      SYN_TRY(syn_block_pairs_add(list, body->first_node + row, body->first_node + p->columns[k], error));
  return SYN_OK;
}

/* Every pair of nodes that a gap joins; `visit` returns false to stop. */
static bool visit_gap_pairs(const syn_simulation *s, bool (*visit)(void *user, uint32_t a, uint32_t b), void *user) {
  uint32_t nodes[SYN_GAP_NODES];
  double coefficients[SYN_GAP_NODES];
  for (size_t i = 0; i < s->gaps.count; ++i) {
    const uint32_t count = syn_gap_nodes(s, &s->gaps.gaps[i], nodes, coefficients);
    for (uint32_t a = 0; a < count; ++a)
      for (uint32_t b = 0; b < count; ++b)
        if (nodes[a] < nodes[b] && !visit(user, nodes[a], nodes[b])) return false;
  }
  return true;
}

typedef struct pair_adder {
  syn_block_pairs *list;
  syn_status status;
  syn_error *error;
} pair_adder;

static bool add_gap_pair(void *user, uint32_t a, uint32_t b) {
  pair_adder *adder = user;
  adder->status = syn_block_pairs_add(adder->list, a, b, adder->error);
  return adder->status == SYN_OK;
}

static bool is_in_pattern(void *user, uint32_t a, uint32_t b) { return syn_block_find(user, a, b) != SYN_NONE; }

static void find_slots(const syn_simulation *s, struct syn_newton *newton) {
  uint32_t *slot = newton->slots;
  for (size_t b = 0; b < s->body_count; ++b) {
    if (!s->bodies[b].soft) continue;
    const syn_block_pattern *p = s->bodies[b].soft->pattern;
    const uint32_t first = s->bodies[b].first_node;
    for (uint32_t row = 0; row < p->node_count; ++row)
      for (uint32_t k = p->row_start[row]; k < p->row_start[row + 1]; ++k)
        *slot++ = syn_block_find(newton->pattern, first + row, first + p->columns[k]);
  }
}

static syn_status collect_pairs(const syn_simulation *s, syn_block_pairs *list, syn_error *error) {
  for (size_t b = 0; b < s->body_count; ++b)
    if (s->bodies[b].soft) SYN_TRY(add_body_pairs(&s->bodies[b], list, error));
  pair_adder adder = {list, SYN_OK, error};
  visit_gap_pairs(s, add_gap_pair, &adder);
  return adder.status;
}

static syn_status make_matrix(syn_simulation *s, syn_error *error) {
  struct syn_newton *newton = s->newton;
  release_matrix(s->context, newton);
  syn_block_pairs list = {.context = s->context};
  syn_status status = collect_pairs(s, &list, error);
  if (!status)
    status = syn_block_pattern_create(s->context, s->node_count, (const uint32_t(*)[2])list.pairs, list.count,
                                      &newton->pattern, error);
  syn_free(s->context, list.pairs);
  SYN_TRY(status);
  SYN_TRY(SYN_NEW(s->context, &newton->blocks, syn_block_count(newton->pattern), error));
  SYN_TRY(SYN_NEW(s->context, &newton->factored, syn_block_count(newton->pattern), error));
  SYN_TRY(syn_factor_create(s->context, newton->pattern, s->held, &newton->factor, error));
  newton->has_contacts = s->gaps.count > 0;
  find_slots(s, newton);
  return SYN_OK;
}

/* A matrix whose pattern has all that acts now. Contacts that are gone stay in it as zeros, until all are gone. */
static syn_status prepare_matrix(syn_simulation *s, syn_error *error) {
  if (!s->newton) {
    size_t largest;
    const size_t count = body_block_count(s, &largest);
    SYN_TRY(SYN_NEW_ZEROED(s->context, &s->newton, 1, error));
    SYN_TRY(SYN_NEW(s->context, &s->newton->slots, count, error));
    SYN_TRY(SYN_NEW(s->context, &s->newton->body_blocks, largest, error));
  }
  const struct syn_newton *newton = s->newton;
  const bool fits = newton->factor && visit_gap_pairs(s, is_in_pattern, newton->pattern) &&
                    (s->gaps.count > 0 || !newton->has_contacts);
  return fits ? SYN_OK : make_matrix(s, error);
}

/* ---- numbers --------------------------------------------------------------------------------------------------------
 */

static void add_diagonal(const struct syn_newton *newton, uint32_t node, double value) {
  double *block = newton->blocks[newton->pattern->row_start[node]];
  for (int c = 0; c < 3; ++c) block[4 * c] += value;
}

static void add_gap_stiffness(const syn_simulation *s, const syn_gap *gap) {
  const syn_gap_energy e = syn_gap_evaluate(s, gap);
  if (!(e.second > 0)) return;
  uint32_t nodes[SYN_GAP_NODES];
  double coefficients[SYN_GAP_NODES];
  const uint32_t count = syn_gap_nodes(s, gap, nodes, coefficients);
  const double n[3] = {gap->normal.x, gap->normal.y, gap->normal.z};
  for (uint32_t a = 0; a < count; ++a)
    for (uint32_t b = 0; b < count; ++b) {
      if (nodes[a] > nodes[b]) continue; /* the other triangle; a node that comes twice meets itself both ways */
      double *block = s->newton->blocks[syn_block_find(s->newton->pattern, nodes[a], nodes[b])];
      const double value = e.second * coefficients[a] * coefficients[b];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) block[3 * r + c] += value * n[r] * n[c];
    }
}

static void add_consistent_mass(const syn_soft *soft, double scale, double (*blocks)[9]) {
  for (size_t k = 0; k < syn_block_count(soft->pattern); ++k)
    for (int c = 0; c < 9; c += 4) blocks[k][c] += scale * soft->consistent_mass[k];
}

/* Stiffness of bodies and contacts, and mass / step^2 in implicit steps. */
static void fill_matrix(syn_simulation *s, const syn_vec3 *x, double per_s, bool definite) {
  struct syn_newton *newton = s->newton;
  memset(newton->blocks, 0, syn_block_count(newton->pattern) * sizeof *newton->blocks);
  const uint32_t *slot = newton->slots;
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    if (!body->soft) continue;
    const size_t count = syn_block_count(body->soft->pattern);
    memset(newton->body_blocks, 0, count * sizeof *newton->body_blocks);
    body->soft->model->stiffness(body->soft->state, x + body->first_node, per_s, definite, newton->body_blocks);
    if (body->soft->consistent_mass) add_consistent_mass(body->soft, per_s * per_s, newton->body_blocks);
    for (size_t k = 0; k < count; ++k) syn_block_add(newton->blocks, *slot++, false, newton->body_blocks[k]);
    for (uint32_t i = 0; !body->soft->consistent_mass && i < body->soft->node_count; ++i)
      add_diagonal(newton, body->first_node + i, body->soft->mass[i] * per_s * per_s);
  }
  for (size_t i = 0; i < s->gaps.count; ++i) add_gap_stiffness(s, &s->gaps.gaps[i]);
}

static double mean_diagonal(const syn_simulation *s) {
  double sum = 0;
  for (uint32_t i = 0; i < s->node_count; ++i)
    for (int c = 0; c < 3; ++c) sum += s->newton->blocks[s->newton->pattern->row_start[i]][4 * c];
  return sum / (3.0 * s->node_count);
}

static syn_status update_factor(syn_simulation *s, syn_error *error) {
  struct syn_newton *newton = s->newton;
  newton->is_factored = false;
  ++s->factorisations;
  uint32_t node;
  const syn_status status = syn_factor_update(newton->factor, (const double(*)[9])newton->blocks, &node, error);
  if (node == SYN_NONE) return status;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "the stiffness is not positive definite in step %llu (seen at %s): the body is not held, or it is "
                  "unstable",
                  (unsigned long long)s->steps + 1, syn_sim_node_words(s, node).text);
}

/* The matrix as it is. Linear tissue has the same one whatever moves it: then the factor that is there serves on. */
static syn_status factorize_plain(syn_simulation *s, syn_error *error) {
  struct syn_newton *newton = s->newton;
  const size_t bytes = syn_block_count(newton->pattern) * sizeof *newton->blocks;
  if (newton->is_factored && memcmp(newton->blocks, newton->factored, bytes) == 0) return SYN_OK;
  SYN_TRY(update_factor(s, error));
  memcpy(newton->factored, newton->blocks, bytes);
  newton->is_factored = true;
  return SYN_OK;
}

/* Factorises, with so much on the diagonal that it succeeds: from `least` times the mean stiffness on, four times as
 * much at each try. *used is how much it was. */
static syn_status factorize_shifted(syn_simulation *s, double least, double most, double *used, syn_error *error) {
  struct syn_newton *newton = s->newton;
  const double mean = mean_diagonal(s);
  double on = 0;
  syn_status status = SYN_NOT_CONVERGED;
  for (double part = least; status == SYN_NOT_CONVERGED && part <= most; part *= 4) {
    for (uint32_t i = 0; i < s->node_count; ++i) add_diagonal(newton, i, (part - on) * mean);
    *used = on = part;
    status = update_factor(s, error);
  }
  return status;
}

/* As it is where that is positive definite; else with a little on the diagonal, which keeps Newton's fast end; else
 * made definite element by element, with what keeps bodies in place that nothing holds yet. */
static syn_status factorize(syn_simulation *s, const syn_vec3 *x, double per_s, syn_error *error) {
  struct syn_newton *newton = s->newton;
  fill_matrix(s, x, per_s, false);
  syn_status status = factorize_plain(s, error);
  if (status != SYN_NOT_CONVERGED) return status;
  status = factorize_shifted(s, max2(1e-4, newton->shift / 4), 0.3, &newton->shift, error);
  if (status != SYN_NOT_CONVERGED) return status;
  fill_matrix(s, x, per_s, true);
  status = factorize_plain(s, error);
  double used;
  return status != SYN_NOT_CONVERGED ? status : factorize_shifted(s, 1e-9, 1, &used, error);
}

/* ---- one step -------------------------------------------------------------------------------------------------------
 */

typedef struct iteration {
  syn_simulation *s;
  bool inertia;
  double part;      /* of the way of held nodes and rigid bodies that is done */
  double goal;      /* how much of it will be done if nothing is in the way: all, or no more than now */
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
  for (uint32_t i = 0; i < s->node_count; ++i) r[i] = syn_mix_held(s->held[i], r[i], vec3(0, 0, 0));
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
  SYN_TRY(prepare_matrix(s, error));
  SYN_TRY(factorize(s, s->x, per_s, error));
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
  SYN_TRY(syn_factor_solve(s->newton->factor, it->d, it->d, error));
  SYN_TRY(syn_wides_correct(&s->newton->wides, s->node_count, s->newton->factor, it->d, error));
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

static syn_status no_solution(const iteration *it, syn_error *error) {
  uint32_t worst = 0;
  for (uint32_t i = 0; i < it->s->node_count; ++i)
    if (vec3_length2(it->r[i]) > vec3_length2(it->r[worst])) worst = i;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "step %llu has no solution after %u iterations: %g N are left over at %s and %.3g %% of the way is "
                  "done; take a shorter step, or move less at a time",
                  (unsigned long long)it->s->steps + 1, it->s->iterations, vec3_length(it->r[worst]),
                  syn_sim_node_words(it->s, worst).text, 100 * it->part);
}

syn_status syn_step_newton(syn_simulation *s, syn_error *error) {
  iteration it = {.s = s,
                  .inertia = s->options.integrator == SYN_INTEGRATOR_IMPLICIT,
                  .start = s->work[SYN_WORK_BEFORE_X],
                  .r = s->work[0],
                  .d = s->work[1],
                  .trial = s->work[2],
                  .v = s->work[3],
                  .mv = s->work[4]};
  const uint32_t most = s->options.iterations ? s->options.iterations : 100;
  double reach;
  const bool barrier = syn_sim_barrier_reach(s, &reach);
  SYN_TRY(leftover(&it, s->x, 0, it.r, error));
  const double small = s->options.tolerance * s->size_mm;
  bool done = false, calm = true;
  for (s->iterations = 1; !done; ++s->iterations) {
    double allowed, taken;
    const bool arrived = it.part == 1; /* else the forces there are not answered yet */
    it.goal = calm ? 1 : it.part;
    SYN_TRY(find_direction(&it, error));
    SYN_TRY(allowed_part(&it, &allowed, error));
    SYN_TRY(take(&it, allowed, &taken, error));
    const double correction = largest(it.d, s->node_count);
    done = it.part == 1 && taken == 1 && correction <= small && (arrived || s->gaps.count == 0);
    calm = !barrier || (taken == 1 && correction < 0.1 * reach);
    if (!done && s->iterations == most) return no_solution(&it, error);
  }
  --s->iterations;
  for (uint32_t i = 0; i < s->node_count; ++i)
    s->v[i] = it.inertia ? vec3_scale(vec3_sub(s->x[i], it.start[i]), 1 / s->options.step_s) : vec3(0, 0, 0);
  return SYN_OK;
}

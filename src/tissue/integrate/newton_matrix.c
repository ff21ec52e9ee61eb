#include "tissue/integrate/newton_matrix.h"

#include <string.h>

#include "base/vec.h"
#include "tissue/contact/contact.h"

/* ==== parts that couple all nodes of a body ======================================================================= */

static bool has_part(const syn_sim_body *body) { return body->soft && body->soft->model->wide; }

static syn_status allocate(const syn_simulation *s, syn_wides *wides, syn_error *error) {
  size_t count = 0;
  for (size_t b = 0; b < s->body_count; ++b) count += has_part(&s->bodies[b]);
  if (count == wides->count) return SYN_OK;
  SYN_TRY(SYN_NEW_ZEROED(s->context, &wides->parts, count, error));
  wides->count = count;
  for (size_t i = 0; i < count; ++i) {
    SYN_TRY(SYN_NEW_ZEROED(s->context, &wides->parts[i].row, s->node_count, error));
    SYN_TRY(SYN_NEW(s->context, &wides->parts[i].column, s->node_count, error));
  }
  return SYN_OK;
}

static void wides_release(const syn_context *context, syn_wides *wides) {
  for (size_t i = 0; i < wides->count; ++i) {
    syn_free(context, wides->parts[i].row);
    syn_free(context, wides->parts[i].column);
  }
  syn_free(context, wides->parts);
  *wides = (syn_wides){0};
}

syn_status syn_wides_fill(const syn_simulation *s, const syn_vec3 *x, syn_wides *wides, syn_error *error) {
  SYN_TRY(allocate(s, wides, error));
  syn_wide *part = wides->parts;
  for (size_t b = 0; b < s->body_count; ++b) {
    const syn_sim_body *body = &s->bodies[b];
    if (!has_part(body)) continue;
    part->factor = body->soft->model->wide(body->soft->state, x + body->first_node, part->row + body->first_node);
    ++part;
  }
  return SYN_OK;
}

static double product(const syn_vec3 *a, const syn_vec3 *b, uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) sum += vec3_dot(a[i], b[i]);
  return sum;
}

static void add(double factor, const syn_vec3 *a, uint32_t count, syn_vec3 *sum) {
  for (uint32_t i = 0; i < count; ++i) sum[i] = vec3_madd(sum[i], factor, a[i]);
}

void syn_wides_multiply(const syn_wides *wides, uint32_t count, const syn_vec3 *way, syn_vec3 *sum) {
  for (size_t i = 0; i < wides->count; ++i)
    add(wides->parts[i].factor * product(wides->parts[i].row, way, count), wides->parts[i].row, count, sum);
}

static void correct_by(const syn_wide *part, uint32_t count, syn_vec3 *d) {
  const double below = 1 + part->factor * product(part->row, part->column, count);
  add(-part->factor * product(part->row, d, count) / below, part->column, count, d);
}

syn_status syn_wides_correct(const syn_wides *wides, uint32_t count, syn_system *system, syn_vec3 *d,
                             syn_error *error) {
  for (size_t i = 0; i < wides->count; ++i) {
    SYN_TRY(syn_system_solve(system, 1, wides->parts[i].row, wides->parts[i].column, error));
    for (size_t j = 0; j < i; ++j) correct_by(&wides->parts[j], count, wides->parts[i].column);
    correct_by(&wides->parts[i], count, d);
  }
  return SYN_OK;
}

/* ==== the matrix ================================================================================================== */

/* Builds the matrix of implicit steps and equilibria: its pattern, its numbers, and its factorisation. */

static void release_matrix(const syn_context *context, struct syn_newton *newton) {
  syn_system_destroy(newton->system);
  syn_pattern_destroy(newton->pattern);
  syn_free(context, newton->blocks);
  syn_free(context, newton->factored);
  newton->system = NULL;
  newton->pattern = NULL;
  newton->blocks = newton->factored = NULL;
  newton->is_factored = false;
}

void syn_newton_destroy(syn_simulation *s) {
  if (!s->newton) return;
  release_matrix(s->context, s->newton);
  wides_release(s->context, &s->newton->wides);
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
  const syn_pattern *p = body->soft->pattern;
  for (uint32_t row = 0; row < p->node_count; ++row)
    for (uint32_t k = p->row_start[row] + 1; k < p->row_start[row + 1]; ++k)
      SYN_TRY(syn_block_pairs_add(list, body->first_node + row, body->first_node + p->columns[k], error));
  return SYN_OK;
}

/* Visits every pair of nodes that a gap couples; `visit` returns false to stop. */
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

static bool is_in_pattern(void *user, uint32_t a, uint32_t b) { return syn_pattern_find(user, a, b) != SYN_NONE; }

static void find_slots(const syn_simulation *s, struct syn_newton *newton) {
  uint32_t *slot = newton->slots;
  for (size_t b = 0; b < s->body_count; ++b) {
    if (!s->bodies[b].soft) continue;
    const syn_pattern *p = s->bodies[b].soft->pattern;
    const uint32_t first = s->bodies[b].first_node;
    for (uint32_t row = 0; row < p->node_count; ++row)
      for (uint32_t k = p->row_start[row]; k < p->row_start[row + 1]; ++k)
        *slot++ = syn_pattern_find(newton->pattern, first + row, first + p->columns[k]);
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
    status = syn_pattern_create(s->context, s->node_count, (const uint32_t(*)[2])list.pairs, list.count,
                                &newton->pattern, error);
  syn_free(s->context, list.pairs);
  SYN_TRY(status);
  SYN_TRY(SYN_NEW(s->context, &newton->blocks, syn_block_count(newton->pattern), error));
  SYN_TRY(SYN_NEW(s->context, &newton->factored, syn_block_count(newton->pattern), error));
  syn_system_options how = syn_default_system_options();
  how.prescribed = s->held;
  SYN_TRY(syn_system_create(s->context, newton->pattern, &how, &newton->system, error));
  newton->has_contacts = s->gaps.count > 0;
  find_slots(s, newton);
  return SYN_OK;
}

/* Makes the pattern include all present contacts. Contacts that vanished remain in it as zeros, until all have
 * vanished. */
syn_status syn_newton_prepare(syn_simulation *s, syn_error *error) {
  if (!s->newton) {
    size_t largest;
    const size_t count = body_block_count(s, &largest);
    SYN_TRY(SYN_NEW_ZEROED(s->context, &s->newton, 1, error));
    SYN_TRY(SYN_NEW(s->context, &s->newton->slots, count, error));
    SYN_TRY(SYN_NEW(s->context, &s->newton->body_blocks, largest, error));
  }
  const struct syn_newton *newton = s->newton;
  const bool fits = newton->system && visit_gap_pairs(s, is_in_pattern, newton->pattern) &&
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
      if (nodes[a] > nodes[b])
        continue; /* the other triangle; a node that occurs twice has both entries on its diagonal */
      double *block = s->newton->blocks[syn_pattern_find(s->newton->pattern, nodes[a], nodes[b])];
      const double value = e.second * coefficients[a] * coefficients[b];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) block[3 * r + c] += value * n[r] * n[c];
    }
}

static void add_consistent_mass(const syn_soft *soft, double scale, double (*blocks)[9]) {
  for (size_t k = 0; k < syn_block_count(soft->pattern); ++k)
    for (int c = 0; c < 9; c += 4) blocks[k][c] += scale * soft->consistent_mass[k];
}

/* Adds the stiffness of bodies and contacts, and mass / step^2 in implicit steps. */
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
  const syn_status status = syn_system_update(newton->system, (const double(*)[9])newton->blocks, &node, error);
  if (node == SYN_NONE) return status;
  return syn_fail(error, SYN_NOT_CONVERGED,
                  "the stiffness is not positive definite in step %llu (seen at %s): the body is not held, or it is "
                  "unstable",
                  (unsigned long long)s->steps + 1, syn_sim_node_words(s, node).text);
}

/* Factorises without a shift. Linear tissue has the same matrix under every load: then the factorisation is reused. */
static syn_status factorize_plain(syn_simulation *s, syn_error *error) {
  struct syn_newton *newton = s->newton;
  const size_t bytes = syn_block_count(newton->pattern) * sizeof *newton->blocks;
  if (newton->is_factored && memcmp(newton->blocks, newton->factored, bytes) == 0) return SYN_OK;
  SYN_TRY(update_factor(s, error));
  memcpy(newton->factored, newton->blocks, bytes);
  newton->is_factored = true;
  return SYN_OK;
}

/* Factorises with the smallest shift of the diagonal that succeeds: from `least` times the mean stiffness on, four
 * times as much at each try. *used is the shift. */
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

/* Factorises the matrix if it is positive definite; else with a small shift, which keeps Newton's method fast near
 * the solution; else projected element by element, with a shift that limits the motion of bodies without
 * constraints. */
syn_status syn_newton_factorize(syn_simulation *s, const syn_vec3 *x, double per_s, syn_error *error) {
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

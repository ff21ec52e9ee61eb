/* The linear system of one iteration, factorised in one process or by ranks that share the unknowns. Positions,
 * contact and decisions are the same in all ranks; each computes the elements around the unknowns that it owns, and
 * its rows of the matrix. */
#include "pressure/contact/contact_problem.h"
#include "tissue/fem/fem.h"

/* Newton's iteration corrects the error of a solution. */
static const double solver_tolerance = 1e-8;

/* ---- shares --------------------------------------------------------------------------------------------------------
 */

static void set_node_owners(syn_contact_problem *c, uint32_t size) {
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    c->solver.node_owner[i] = c->bodies.unknown[i] == SYN_NONE ? size : c->solver.owner[c->bodies.unknown[i]];
}

/* The last rank owns the shift, and therefore computes all elements that are bonded to the mobile frame. */
syn_status syn_contact_share(syn_contact_problem *c, syn_error *error) {
  const uint32_t size = c->options.ranks ? syn_ranks_size(c->options.ranks) : 1;
  if (!c->options.ranks) return SYN_OK;
  SYN_TRY(SYN_TAKE(&c->arena, &c->solver.owner, c->bodies.unknown_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->solver.node_owner, c->bodies.node_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->solver.positions, c->bodies.unknown_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->contact.message.start, (size_t)size + 1, error));
  c->solver.positions[c->bodies.shift_unknown] = c->bodies.rest[0];
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    if (c->bodies.unknown[i] < c->bodies.shift_unknown) c->solver.positions[c->bodies.unknown[i]] = c->bodies.rest[i];
  SYN_TRY(syn_partition_boxes(c->context, size, c->solver.positions, NULL, c->bodies.unknown_count, c->solver.owner,
                              error));
  c->solver.owner[c->bodies.shift_unknown] = size - 1;
  set_node_owners(c, size);
  return SYN_OK;
}

bool syn_contact_owns(const syn_contact_problem *c, uint32_t unknown) {
  return !c->solver.owner || c->solver.owner[unknown] == syn_ranks_rank(c->options.ranks);
}

typedef struct share {
  const syn_contact_problem *problem;
  uint32_t first, rank;
} share;

static bool is_mine(const void *user, uint32_t node) {
  const share *s = user;
  return s->problem->solver.node_owner[s->first + node] == s->rank;
}

syn_status syn_contact_share_elements(syn_contact_problem *c, int side, syn_soft *soft, syn_error *error) {
  if (!c->solver.owner) return SYN_OK;
  c->bodies.sides[side].shared = soft;
  c->bodies.sides[side].blocks_are_known = false;
  const share s = {c, c->bodies.sides[side].first, syn_ranks_rank(c->options.ranks)};
  return syn_fem_choose(soft, is_mine, &s, error);
}

syn_status syn_contact_share_pattern(syn_contact_problem *c, syn_error *error) {
  bool found = false;
  const uint32_t size = c->solver.owner ? syn_ranks_size(c->options.ranks) : 1;
  if (size == 1) return SYN_OK;
  SYN_TRY(syn_partition_graph(c->context, size, c->solver.pattern, c->bodies.shift_unknown, c->solver.owner, &found,
                              error));
  if (!found) return SYN_OK;
  set_node_owners(c, size);
  syn_ranks_forget_owners(c->options.ranks);
  for (int k = 0; k < 2; ++k)
    if (c->bodies.sides[k].shared) SYN_TRY(syn_contact_share_elements(c, k, c->bodies.sides[k].shared, error));
  return SYN_OK;
}

syn_status syn_contact_gather_forces(syn_contact_problem *c, syn_vec3 *f, syn_error *error) {
  return c->solver.owner ? syn_ranks_gather(c->options.ranks, c->solver.node_owner, c->bodies.node_count, f, error)
                         : SYN_OK;
}

syn_status syn_contact_sum(const syn_contact_problem *c, double *value, syn_error *error) {
  return c->solver.owner ? syn_ranks_sum(c->options.ranks, value, error) : SYN_OK;
}

/* ---- the system ----------------------------------------------------------------------------------------------------
 */

bool syn_contact_has_system(const syn_contact_problem *c) { return c->solver.system; }

void syn_contact_release_system(syn_contact_problem *c) {
  syn_system_destroy(c->solver.system);
  c->solver.system = NULL;
  c->solver.solved = false;
}

syn_status syn_contact_make_system(syn_contact_problem *c, const uint8_t *held, syn_error *error) {
  syn_system_options how = syn_default_system_options();
  how.prescribed = held;
  how.positions = c->solver.positions;
  how.coupled = c->bodies.shift_unknown;
  how.ranks = c->options.ranks;
  how.owner = c->solver.owner;
  how.tolerance = solver_tolerance;
  return syn_system_create(c->context, c->solver.pattern, &how, &c->solver.system, error);
}

/* Solvers on several ranks may detect an indefinite matrix only in the solution: solve for the residual immediately. */
syn_status syn_contact_update_system(syn_contact_problem *c, syn_error *error) {
  c->solver.solved = false;
  SYN_TRY(syn_system_update(c->solver.system, (const double(*)[9])c->solver.blocks, NULL, error));
  if (!c->solver.owner) return SYN_OK;
  SYN_TRY(syn_system_solve(c->solver.system, 1, c->solver.r, c->solver.d, error));
  c->solver.solved = true;
  return SYN_OK;
}

syn_status syn_contact_solve_system(syn_contact_problem *c, syn_error *error) {
  const bool solved = c->solver.solved;
  c->solver.solved = false;
  return solved ? SYN_OK : syn_system_solve(c->solver.system, 1, c->solver.r, c->solver.d, error);
}

/* The equations of one iteration: a factorisation in one process, or ranks that share unknowns. Positions, contact and
 * decisions are the same in all of them; each computes the elements around the unknowns that it owns, and
 * the rows of the matrix that belong to them. */
#include "pressure/contact/contact_problem.h"
#include "tissue/fem/fem.h"

/* Newton's iteration corrects what a solution lacks. */
static const double solver_tolerance = 1e-8;

/* ---- shares --------------------------------------------------------------------------------------------------------
 */

static void set_node_owners(syn_bearing *c, uint32_t size) {
  for (uint32_t i = 0; i < c->node_count; ++i)
    c->node_owner[i] = c->unknown[i] == SYN_NONE ? size : c->owner[c->unknown[i]];
}

/* The shift comes with the last process, which therefore computes all elements that are bonded to the mobile frame. */
syn_status syn_contact_share(syn_bearing *c, syn_error *error) {
  const uint32_t size = c->options.ranks ? syn_ranks_size(c->options.ranks) : 1;
  if (!c->options.ranks) return SYN_OK;
  SYN_TRY(SYN_TAKE(&c->arena, &c->owner, c->unknown_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->node_owner, c->node_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->places, c->unknown_count, error));
  SYN_TRY(SYN_TAKE(&c->arena, &c->message.start, (size_t)size + 1, error));
  c->places[c->shift_unknown] = c->rest[0];
  for (uint32_t i = 0; i < c->node_count; ++i)
    if (c->unknown[i] < c->shift_unknown) c->places[c->unknown[i]] = c->rest[i];
  SYN_TRY(syn_partition_boxes(c->context, size, c->places, NULL, c->unknown_count, c->owner, error));
  c->owner[c->shift_unknown] = size - 1;
  set_node_owners(c, size);
  return SYN_OK;
}

bool syn_contact_owns(const syn_bearing *c, uint32_t unknown) {
  return !c->owner || c->owner[unknown] == syn_ranks_rank(c->options.ranks);
}

typedef struct share {
  const syn_bearing *bearing;
  uint32_t first, rank;
} share;

static bool is_mine(const void *user, uint32_t node) {
  const share *s = user;
  return s->bearing->node_owner[s->first + node] == s->rank;
}

syn_status syn_contact_share_elements(syn_bearing *c, int side, syn_soft *soft, syn_error *error) {
  if (!c->owner) return SYN_OK;
  c->sides[side].shared = soft;
  c->sides[side].blocks_are_known = false;
  const share s = {c, c->sides[side].first, syn_ranks_rank(c->options.ranks)};
  return syn_fem_choose(soft, is_mine, &s, error);
}

syn_status syn_contact_share_pattern(syn_bearing *c, syn_error *error) {
  bool found = false;
  const uint32_t size = c->owner ? syn_ranks_size(c->options.ranks) : 1;
  if (size == 1) return SYN_OK;
  SYN_TRY(syn_partition_graph(c->context, size, c->pattern, c->shift_unknown, c->owner, &found, error));
  if (!found) return SYN_OK;
  set_node_owners(c, size);
  syn_ranks_forget_owners(c->options.ranks);
  for (int k = 0; k < 2; ++k)
    if (c->sides[k].shared) SYN_TRY(syn_contact_share_elements(c, k, c->sides[k].shared, error));
  return SYN_OK;
}

syn_status syn_contact_gather_forces(syn_bearing *c, syn_vec3 *f, syn_error *error) {
  return c->owner ? syn_ranks_gather(c->options.ranks, c->node_owner, c->node_count, f, error) : SYN_OK;
}

syn_status syn_contact_sum(const syn_bearing *c, double *value, syn_error *error) {
  return c->owner ? syn_ranks_sum(c->options.ranks, value, error) : SYN_OK;
}

/* ---- the system ----------------------------------------------------------------------------------------------------
 */

bool syn_contact_has_system(const syn_bearing *c) { return c->system; }

void syn_contact_release_system(syn_bearing *c) {
  syn_system_destroy(c->system);
  c->system = NULL;
  c->solved = false;
}

syn_status syn_contact_make_system(syn_bearing *c, const uint8_t *held, syn_error *error) {
  syn_system_options how = syn_default_system_options();
  how.prescribed = held;
  how.positions = c->places;
  how.coupled = c->shift_unknown;
  how.ranks = c->options.ranks;
  how.owner = c->owner;
  how.tolerance = solver_tolerance;
  return syn_system_create(c->context, c->pattern, &how, &c->system, error);
}

/* Several ranks may find that a matrix is not definite only when they solve: they do so at once, for the residual. */
syn_status syn_contact_update_system(syn_bearing *c, syn_error *error) {
  c->solved = false;
  SYN_TRY(syn_system_update(c->system, (const double(*)[9])c->blocks, NULL, error));
  if (!c->owner) return SYN_OK;
  SYN_TRY(syn_system_solve(c->system, 1, c->r, c->d, error));
  c->solved = true;
  return SYN_OK;
}

syn_status syn_contact_solve_system(syn_bearing *c, syn_error *error) {
  const bool solved = c->solved;
  c->solved = false;
  return solved ? SYN_OK : syn_system_solve(c->system, 1, c->r, c->d, error);
}

/* Builds the matrix of one Newton iteration: stiffness of the elements, and penalty / area * G G^T of every active
 * node. The pattern, and with it the ordering of the factor, is reused while all entries fit into it. */

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"
#include "solve/partition.h"
#include "tissue/fem/fem.h"

/* ---- contact system -------------------------------------------------------------------------------------------- */
/* The linear system of one iteration, factorised in one process or by ranks that share the unknowns. Positions,
 * contact and decisions are the same in all ranks; each computes the elements around the unknowns that it owns, and
 * its rows of the matrix. */

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

/* true in one process */
static bool contact_owns(const syn_contact_problem *c, uint32_t unknown) {
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

/* Partitions the unknowns by the pattern of the matrix once there is one: it includes the coupling of the bodies by
 * contact. */
static syn_status contact_share_pattern(syn_contact_problem *c, syn_error *error) {
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

static bool contact_has_system(const syn_contact_problem *c) { return c->solver.system; }

static void contact_release_system(syn_contact_problem *c) {
  syn_system_destroy(c->solver.system);
  c->solver.system = NULL;
  c->solver.solved = false;
}

static syn_status contact_make_system(syn_contact_problem *c, const uint8_t *held, syn_error *error) {
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
static syn_status contact_update_system(syn_contact_problem *c, syn_error *error) {
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

/* ---- gap derivatives ------------------------------------------------------------------------------------------- */
/* Computes the derivatives of each node's weighted gap: with respect to the nodes of its own faces, and of the
 * master faces that they overlap. */

static syn_status add_entry(syn_contact_problem *c, size_t begin, size_t *count, uint32_t node, double weight,
                            syn_vec3 normal, syn_error *error) {
  const uint32_t unknown = c->bodies.unknown[node];
  if (unknown == SYN_NONE) return SYN_OK;
  size_t at = c->contact.stamp[unknown];
  if (at < begin || at >= *count || c->contact.rows.entries[at].unknown != unknown) {
    SYN_TRY(SYN_RESERVE(c->context, &c->contact.rows.entries, *count, 1, &c->contact.rows.capacity, error));
    at = (*count)++;
    c->contact.rows.entries[at] = (contact_row_entry){unknown, {0, 0, 0}};
    c->contact.stamp[unknown] = (uint32_t)at;
  }
  syn_vec3 *slope = &c->contact.rows.entries[at].slope;
  *slope = vec3_madd(*slope, weight, normal);
  return SYN_OK;
}

static int corner_of(const contact_face *face, uint32_t node) {
  int a = 0;
  while (face->node[a] != node) ++a;
  return a;
}

static syn_status add_face(syn_contact_problem *c, uint32_t s, uint32_t node, size_t begin, size_t *count,
                           syn_error *error) {
  const contact_face *face = &contact_slave(c)->faces[s];
  const contact_slave_face *own = &c->contact.slave_faces[s];
  const int a = corner_of(face, node);
  if (!(own->area[a] > 0)) return SYN_OK;
  for (int b = 0; b < syn_contact_shapes[face->kind].node_count; ++b)
    SYN_TRY(add_entry(c, begin, count, face->node[b], -own->own[a][b], own->normal, error));
  for (size_t k = c->contact.first_pair[s]; k < c->contact.first_pair[s + 1]; ++k) {
    const contact_pair *pair = &c->contact.pairs[k];
    if (!pair->meets) continue;
    const contact_face *other = &contact_master(c)->faces[pair->master];
    for (int l = 0; l < syn_contact_shapes[other->kind].node_count; ++l)
      SYN_TRY(add_entry(c, begin, count, other->node[l], pair->across[a][l], own->normal, error));
  }
  return SYN_OK;
}

/* Computes the rows of nodes that are active, or whose gap is below `within_mm`: gap_derivatives.c. */
static syn_status contact_make_rows(syn_contact_problem *c, double within_mm, syn_error *error) {
  const contact_side *slave = contact_slave(c);
  size_t count = 0;
  for (uint32_t i = 0; i < slave->node_count; ++i) {
    const size_t begin = c->contact.rows.start[i] = count;
    if (!(c->contact.area[i] > 0) || !(c->contact.pressure[i] > 0 || c->contact.gap[i] < within_mm)) continue;
    for (uint32_t k = c->bodies.faces_start[i]; k < c->bodies.faces_start[i + 1]; ++k)
      SYN_TRY(add_face(c, c->bodies.faces_around[k], slave->first + i, begin, &count, error));
  }
  c->contact.rows.start[slave->node_count] = count;
  return SYN_OK;
}

/* ---- contact matrix -------------------------------------------------------------------------------------------- */

void syn_contact_release_matrix(syn_contact_problem *c) {
  contact_release_system(c);
  syn_pattern_destroy(c->solver.pattern);
  syn_free(c->context, c->solver.blocks);
  c->solver.pattern = NULL;
  c->solver.blocks = NULL;
}

/* ---- pattern -------------------------------------------------------------------------------------------------------
 */

static syn_status add_side_pairs(const syn_contact_problem *c, const contact_side *side, syn_block_pairs *list,
                                 syn_error *error) {
  if (!side->soft) return SYN_OK;
  const syn_pattern *p = side->soft->pattern;
  for (uint32_t row = 0; row < p->node_count; ++row)
    for (uint32_t k = p->row_start[row]; k < p->row_start[row + 1]; ++k) {
      const uint32_t a = c->bodies.unknown[side->first + row], b = c->bodies.unknown[side->first + p->columns[k]];
      if (a != SYN_NONE && b != SYN_NONE && a != b) SYN_TRY(syn_block_pairs_add(list, a, b, error));
    }
  return SYN_OK;
}

static syn_status add_row_pairs(const syn_contact_problem *c, syn_block_pairs *list, syn_error *error) {
  const uint32_t rows = contact_slave(c)->node_count;
  const contact_row_entry *entries = c->contact.rows.entries;
  for (uint32_t i = 0; i < rows; ++i)
    for (size_t a = c->contact.rows.start[i]; a < c->contact.rows.start[i + 1]; ++a)
      for (size_t b = a + 1; b < c->contact.rows.start[i + 1]; ++b)
        SYN_TRY(syn_block_pairs_add(list, entries[a].unknown, entries[b].unknown, error));
  return SYN_OK;
}

static void find_slots(const syn_contact_problem *c, contact_side *side) {
  const syn_pattern *p = side->soft->pattern;
  for (uint32_t row = 0; row < p->node_count; ++row)
    for (uint32_t k = p->row_start[row]; k < p->row_start[row + 1]; ++k) {
      const uint32_t a = c->bodies.unknown[side->first + row], b = c->bodies.unknown[side->first + p->columns[k]];
      side->slots[k] =
          a == SYN_NONE || b == SYN_NONE ? SYN_NONE : syn_pattern_find(c->solver.pattern, a < b ? a : b, a < b ? b : a);
    }
}

static syn_status make_factor(syn_contact_problem *c, syn_error *error) {
  uint8_t *held;
  SYN_TRY(SYN_NEW_ZEROED(c->context, &held, c->bodies.unknown_count, error));
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    if (c->bodies.unknown[i] < c->bodies.shift_unknown) held[c->bodies.unknown[i]] = c->bodies.prescribed[i];
  held[c->bodies.shift_unknown] = c->solver.factor_driven = c->equilibrium.load.driven;
  const syn_status status = contact_make_system(c, held, error);
  syn_free(c->context, held);
  return status;
}

static syn_status use_pattern(syn_contact_problem *c, syn_error *error) {
  SYN_TRY(contact_share_pattern(c, error));
  SYN_TRY(SYN_NEW(c->context, &c->solver.blocks, syn_block_count(c->solver.pattern), error));
  for (int k = 0; k < 2; ++k)
    if (c->bodies.sides[k].soft) find_slots(c, &c->bodies.sides[k]);
  return make_factor(c, error);
}

syn_status syn_contact_take_pattern(syn_contact_problem *c, syn_pattern *pattern, syn_error *error) {
  syn_contact_release_matrix(c);
  c->solver.pattern = pattern;
  return use_pattern(c, error);
}

/* Nodes that are near contact get entries in the pattern before they become active. */
static syn_status make_pattern(syn_contact_problem *c, syn_error *error) {
  syn_contact_release_matrix(c);
  SYN_TRY(contact_make_rows(c, c->contact.near_mm, error));
  syn_block_pairs list = {.context = c->context};
  syn_status status = SYN_OK;
  for (int k = 0; k < 2 && !status; ++k) status = add_side_pairs(c, &c->bodies.sides[k], &list, error);
  if (!status) status = add_row_pairs(c, &list, error);
  if (!status)
    status = syn_pattern_create(c->context, c->bodies.unknown_count, (const uint32_t(*)[2])list.pairs, list.count,
                                &c->solver.pattern, error);
  syn_free(c->context, list.pairs);
  SYN_TRY(status);
  return use_pattern(c, error);
}

static uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

static void add_side(syn_contact_problem *c, contact_side *side, const syn_vec3 *x, bool definite) {
  const syn_pattern *p = side->soft->pattern;
  syn_contact_elastic_stiffness(c, side, x, definite);
  for (uint32_t row = 0; row < p->node_count; ++row)
    for (uint32_t k = p->row_start[row]; k < p->row_start[row + 1]; ++k) {
      if (side->slots[k] == SYN_NONE) continue;
      const uint32_t a = c->bodies.unknown[side->first + row], b = c->bodies.unknown[side->first + p->columns[k]];
      double block[9];
      if (!contact_owns(c, a) && !contact_owns(c, b)) continue;
      syn_contact_turned_block(c, side, k, block);
      syn_block_add(c->solver.blocks, side->slots[k], a > b, block);
      /* Two bonded nodes are one unknown: their block and its twin below the diagonal. */
      if (a == b && row != p->columns[k]) syn_block_add(c->solver.blocks, side->slots[k], true, block);
    }
}

/* Each rank fills the blocks of its own unknowns. */
static bool is_ours(const syn_contact_problem *c, uint32_t a, uint32_t b) {
  return contact_owns(c, a) || contact_owns(c, b);
}

static bool has_place(const syn_contact_problem *c, uint32_t a, uint32_t b) {
  return syn_pattern_find(c->solver.pattern, min_u32(a, b), max_u32(a, b)) != SYN_NONE;
}

/* Keeps the entries of a row, the largest first, that all have blocks with each other in the pattern. Dropping
 * entries makes the matrix less exact, but not less definite. Returns false if the dropped entries exceed 2 % of the
 * sum of squares. All ranks of a communicator have the same rows and drop the same entries. */
static bool find_places(const syn_contact_problem *c, contact_row_entry *row, size_t count, size_t *kept) {
  double lost = 0, all = 0;
  *kept = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t largest = i;
    for (size_t k = i + 1; k < count; ++k)
      if (vec3_length2(row[k].slope) > vec3_length2(row[largest].slope)) largest = k;
    const contact_row_entry e = row[largest];
    row[largest] = row[i];
    bool fits = true;
    for (size_t k = 0; k < *kept && fits; ++k) fits = has_place(c, e.unknown, row[k].unknown);
    all += vec3_length2(e.slope);
    if (fits) {
      row[i] = row[*kept];
      row[(*kept)++] = e;
    } else {
      row[i] = e;
      lost += vec3_length2(e.slope);
    }
  }
  return lost <= 0.02 * all;
}

/* Returns false if the pattern has no blocks for the row. */
static bool add_row(syn_contact_problem *c, uint32_t i) {
  contact_row_entry *row = c->contact.rows.entries + c->contact.rows.start[i];
  const double scale = c->contact.penalty[i] / c->bodies.whole_area[i];
  size_t count = c->contact.rows.start[i + 1] - c->contact.rows.start[i];
  if (!find_places(c, row, count, &count)) return false;
  for (size_t a = 0; a < count; ++a)
    for (size_t b = 0; b < count; ++b) {
      if (row[a].unknown > row[b].unknown || !is_ours(c, row[a].unknown, row[b].unknown)) continue;
      double *to = c->solver.blocks[syn_pattern_find(c->solver.pattern, row[a].unknown, row[b].unknown)];
      const syn_vec3 s = vec3_scale(row[a].slope, scale), t = row[b].slope;
      to[0] += s.x * t.x, to[1] += s.x * t.y, to[2] += s.x * t.z;
      to[3] += s.y * t.x, to[4] += s.y * t.y, to[5] += s.y * t.z;
      to[6] += s.z * t.x, to[7] += s.z * t.y, to[8] += s.z * t.z;
    }
  return true;
}

/* The rows must be those of the nodes that are active now. */
static bool add_contact(syn_contact_problem *c) {
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i)
    if (c->contact.pressure[i] > 0 && !add_row(c, i)) return false;
  return true;
}

static void add_diagonal(syn_contact_problem *c, uint32_t unknown, double value) {
  double *block = c->solver.blocks[c->solver.pattern->row_start[unknown]];
  for (int k = 0; k < 9; k += 4) block[k] += value;
}

static syn_status mean_diagonal(const syn_contact_problem *c, double *mean, syn_error *error) {
  double sum = 0;
  for (uint32_t i = 0; i < c->bodies.shift_unknown; ++i)
    for (int k = 0; k < 9 && contact_owns(c, i); k += 4) sum += c->solver.blocks[c->solver.pattern->row_start[i]][k];
  SYN_TRY(syn_contact_sum(c, &sum, error));
  *mean = c->bodies.shift_unknown > 0 ? sum / (3.0 * c->bodies.shift_unknown) : 1;
  return SYN_OK;
}

/* *fits: the pattern has blocks for all entries, in all processes. */
static syn_status fill(syn_contact_problem *c, const syn_vec3 *x, bool definite, bool *fits, syn_error *error) {
  double mean;
  memset(c->solver.blocks, 0, syn_block_count(c->solver.pattern) * sizeof *c->solver.blocks);
  for (int k = 0; k < 2; ++k)
    if (c->bodies.sides[k].soft) add_side(c, &c->bodies.sides[k], x, definite);
  /* A frame that nothing supports yet, or that may slide without resistance, would have a singular block: a small
   * diagonal limits its motion. */
  SYN_TRY(mean_diagonal(c, &mean, error));
  add_diagonal(c, c->bodies.shift_unknown, 1e-7 * mean);
  double missing = add_contact(c) ? 0 : 1;
  SYN_TRY(syn_contact_sum(c, &missing, error));
  *fits = missing == 0;
  return SYN_OK;
}

static syn_status prepare(syn_contact_problem *c, const syn_vec3 *x, bool definite, syn_error *error) {
  bool fits = false;
  /* The pattern is reused if the same axes are driven and all rows fit. */
  if (contact_has_system(c) && c->solver.factor_driven == c->equilibrium.load.driven) {
    SYN_TRY(contact_make_rows(c, -INFINITY, error));
    SYN_TRY(fill(c, x, definite, &fits, error));
  }
  if (fits) return SYN_OK;
  SYN_TRY(make_pattern(c, error));
  return fill(c, x, definite, &fits, error);
}

syn_status syn_contact_factorize(syn_contact_problem *c, const syn_vec3 *x, syn_error *error) {
  SYN_TRY(prepare(c, x, false, error));
  syn_status status = contact_update_system(c, error);
  if (status != SYN_NOT_CONVERGED) return status;
  /* Without a definite tangent: its definite part, plus a growing multiple of the identity. */
  SYN_TRY(prepare(c, x, true, error));
  double on = 0, mean;
  SYN_TRY(mean_diagonal(c, &mean, error));
  /* Shift the diagonal by a growing part of its mean, from 1e-6 on. */
  for (double part = 1e-6; status == SYN_NOT_CONVERGED && part < 1; part *= 10) {
    for (uint32_t i = 0; i < c->bodies.unknown_count; ++i) add_diagonal(c, i, (part - on) * mean);
    on = part;
    status = contact_update_system(c, error);
  }
  return status;
}

/* Writes and reads a contact problem in equilibrium: positions, multipliers and the load, and what the order of sums
 * depends on, which are the positions at the last search for faces and the pattern of the matrix. */
#include <string.h>

#include "pressure/contact/contact_problem.h"

typedef struct fixed_part {
  uint32_t node_count, slave_nodes;
  uint32_t has_pattern, unknown_count;
  uint64_t block_count;
  syn_contact_load load;
  syn_vec3 shift;
  double reach_mm;
  syn_contact_load before_load; /* the predicted start of the next step depends on the load before, too */
  syn_vec3 before_shift;
  uint32_t has_before;
} fixed_part;

static fixed_part describe(const syn_contact_problem *c) {
  fixed_part p;
  memset(&p, 0, sizeof p); /* the padding between members, too */
  p.node_count = c->bodies.node_count;
  p.slave_nodes = contact_slave(c)->node_count;
  p.has_pattern = c->solver.pattern != NULL;
  p.unknown_count = c->bodies.unknown_count;
  p.block_count = c->solver.pattern ? syn_block_count(c->solver.pattern) : 0;
  p.load = c->equilibrium.load;
  p.shift = c->equilibrium.shift;
  p.reach_mm = c->contact.reach_mm;
  p.before_load = c->equilibrium.before_load;
  p.before_shift = c->equilibrium.before_shift;
  p.has_before = c->equilibrium.has_before;
  return p;
}

void syn_contact_write_state(const syn_contact_problem *c, FILE *to) {
  const fixed_part p = describe(c);
  fwrite(&p, sizeof p, 1, to);
  fwrite(c->equilibrium.x, sizeof *c->equilibrium.x, c->bodies.node_count, to);
  fwrite(c->contact.tree_at, sizeof *c->contact.tree_at, c->bodies.node_count, to);
  fwrite(c->contact.searched, sizeof *c->contact.searched, c->bodies.node_count, to);
  fwrite(c->equilibrium.before, sizeof *c->equilibrium.before, c->bodies.node_count, to);
  fwrite(c->contact.lambda, sizeof *c->contact.lambda, p.slave_nodes, to);
  if (!c->solver.pattern) return;
  fwrite(c->solver.pattern->row_start, sizeof *c->solver.pattern->row_start, (size_t)c->bodies.unknown_count + 1, to);
  fwrite(c->solver.pattern->columns, sizeof *c->solver.pattern->columns, p.block_count, to);
}

static size_t size_of(const fixed_part *p) {
  size_t size = sizeof *p + 4 * (size_t)p->node_count * sizeof(syn_vec3) + p->slave_nodes * sizeof(double);
  if (p->has_pattern) size += ((size_t)p->unknown_count + 1 + p->block_count) * sizeof(uint32_t);
  return size;
}

static bool fits(const syn_contact_problem *c, const char *bytes, size_t size, fixed_part *p) {
  if (size < sizeof *p) return false;
  memcpy(p, bytes, sizeof *p);
  return p->node_count == c->bodies.node_count && p->slave_nodes == contact_slave(c)->node_count &&
         p->unknown_count == c->bodies.unknown_count && p->block_count < UINT32_MAX && size == size_of(p);
}

static const char *take(const char *from, void *to, size_t size) {
  memcpy(to, from, size);
  return from + size;
}

/* Pairs of the rows give the same pattern again. */
static syn_status add_pairs(const syn_contact_problem *c, const uint32_t *start, const uint32_t *columns,
                            uint64_t count, syn_block_pairs *list, syn_error *error) {
  for (uint32_t i = 0; i < c->bodies.unknown_count; ++i) {
    if (start[i] > start[i + 1] || start[i + 1] > count)
      return syn_fail(error, SYN_BAD_FORMAT, "the rows of the kept pattern are not in order");
    for (uint32_t k = start[i]; k < start[i + 1]; ++k) {
      if (columns[k] >= c->bodies.unknown_count)
        return syn_fail(error, SYN_BAD_FORMAT, "the kept pattern has a column that does not exist");
      if (columns[k] != i) SYN_TRY(syn_block_pairs_add(list, i, columns[k], error));
    }
  }
  return SYN_OK;
}

static syn_status read_pattern(syn_contact_problem *c, const fixed_part *p, const char *at, syn_error *error) {
  uint32_t *start;
  const size_t rows = (size_t)c->bodies.unknown_count + 1;
  syn_block_pairs list = {.context = c->context};
  syn_pattern *pattern = NULL;
  SYN_TRY(SYN_NEW(c->context, &start, rows + p->block_count, error));
  memcpy(start, at, (rows + p->block_count) * sizeof *start);
  syn_status status = add_pairs(c, start, start + rows, p->block_count, &list, error);
  if (!status)
    status = syn_pattern_create(c->context, c->bodies.unknown_count, (const uint32_t(*)[2])list.pairs, list.count,
                                &pattern, error);
  syn_free(c->context, start);
  syn_free(c->context, list.pairs);
  return status ? status : syn_contact_take_pattern(c, pattern, error);
}

syn_status syn_contact_read_state(syn_contact_problem *c, const char *bytes, size_t size, syn_error *error) {
  fixed_part p;
  if (!fits(c, bytes, size, &p)) return syn_fail(error, SYN_BAD_FORMAT, "the kept equilibrium is of other bodies");
  const size_t vectors = c->bodies.node_count * sizeof(syn_vec3);
  c->equilibrium.load = p.load;
  c->equilibrium.shift = p.shift;
  c->contact.reach_mm = p.reach_mm;
  const char *at = take(bytes + sizeof p, c->equilibrium.x, vectors);
  at = take(at, c->contact.tree_at, vectors);
  at = take(at, c->contact.searched, vectors);
  at = take(at, c->equilibrium.before, vectors);
  c->equilibrium.before_load = p.before_load;
  c->equilibrium.before_shift = p.before_shift;
  c->equilibrium.has_before = p.has_before;
  at = take(at, c->contact.lambda, p.slave_nodes * sizeof *c->contact.lambda);
  c->equilibrium.seated = true;
  SYN_TRY(syn_contact_search_again(c, error));
  return p.has_pattern ? read_pattern(c, &p, at, error) : SYN_OK;
}

/* Finds the pairs of faces that may overlap: each slave face queries a tree of boxes over the master's faces with
 * its own box, extended along its normal by the contact search radius. The pairs are valid until nodes have moved by
 * the margin of the boxes. */

#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* ---- exchange faces -------------------------------------------------------------------------------------------- */
/* Faces are cut by all ranks, in turn a few neighbouring ones each, since neighbours take similar work. All ranks
 * then receive all integrals, so that gaps, pressures and forces are sums of the same numbers in the same order
 * everywhere, as in one process. Sending takes a tenth of the time of cutting. */

enum { IN_TURN = 8 };

static uint32_t cutter_of(const syn_contact_problem *c, uint32_t slave_face) {
  return c->solver.owner ? slave_face / IN_TURN % syn_ranks_size(c->options.ranks) : 0;
}

bool syn_contact_cuts(const syn_contact_problem *c, uint32_t slave_face) {
  return !c->solver.owner || cutter_of(c, slave_face) == syn_ranks_rank(c->options.ranks);
}

/* Size of a message: for each face its integrals, the number of its pairs that overlap, and these pairs. */
static size_t most_bytes(const syn_contact_problem *c) {
  size_t size = 0;
  for (uint32_t s = 0; s < contact_slave(c)->face_count; ++s)
    if (syn_contact_cuts(c, s))
      size += sizeof(contact_slave_face) + sizeof(double) +
              (c->contact.first_pair[s + 1] - c->contact.first_pair[s]) * sizeof(contact_pair);
  return size;
}

static char *put(char *to, const void *from, size_t size) {
  memcpy(to, from, size);
  return to + size;
}

static char *write_face(const syn_contact_problem *c, uint32_t s, char *to) {
  double meeting = 0;
  for (size_t k = c->contact.first_pair[s]; k < c->contact.first_pair[s + 1]; ++k) meeting += c->contact.pairs[k].meets;
  to = put(to, &c->contact.slave_faces[s], sizeof *c->contact.slave_faces);
  to = put(to, &meeting, sizeof meeting);
  for (size_t k = c->contact.first_pair[s]; k < c->contact.first_pair[s + 1]; ++k)
    if (c->contact.pairs[k].meets) to = put(to, &c->contact.pairs[k], sizeof *c->contact.pairs);
  return to;
}

/* Pairs have the same order in all processes. */
static const char *read_face(syn_contact_problem *c, uint32_t s, const char *from) {
  double meeting;
  memcpy(&c->contact.slave_faces[s], from, sizeof *c->contact.slave_faces);
  memcpy(&meeting, from += sizeof *c->contact.slave_faces, sizeof meeting);
  from += sizeof meeting;
  for (size_t k = c->contact.first_pair[s]; k < c->contact.first_pair[s + 1]; ++k) {
    contact_pair pair;
    c->contact.pairs[k].meets = false;
    if (!(meeting > 0)) continue;
    memcpy(&pair, from, sizeof pair);
    if (pair.master != c->contact.pairs[k].master) continue;
    c->contact.pairs[k] = pair;
    from += sizeof pair;
    --meeting;
  }
  return from;
}

syn_status syn_contact_exchange_faces(syn_contact_problem *c, syn_error *error) {
  contact_message *m = &c->contact.message;
  const uint32_t faces = contact_slave(c)->face_count, size = c->solver.owner ? syn_ranks_size(c->options.ranks) : 1;
  if (size == 1) return SYN_OK;
  SYN_TRY(SYN_RESERVE(c->context, &m->mine, 0, most_bytes(c), &m->mine_capacity, error));
  char *to = m->mine;
  for (uint32_t s = 0; s < faces; ++s)
    if (syn_contact_cuts(c, s)) to = write_face(c, s, to);
  SYN_TRY(syn_ranks_exchange(c->options.ranks, m->mine, (size_t)(to - m->mine), &m->all, &m->all_capacity, m->start,
                             error));
  for (uint32_t r = 0; r < size; ++r) {
    const char *from = m->all + m->start[r];
    if (r == syn_ranks_rank(c->options.ranks)) continue;
    for (uint32_t s = 0; s < faces; ++s)
      if (cutter_of(c, s) == r) from = read_face(c, s, from);
  }
  return SYN_OK;
}

/* ---- face search ----------------------------------------------------------------------------------------------- */

static double margin_of(const syn_contact_problem *c) { return 0.25 * c->contact.reach_mm; }

static syn_box face_box(const contact_face *face, const syn_vec3 *x) {
  syn_box box = box_empty();
  for (int a = 0; a < syn_contact_shapes[face->kind].node_count; ++a) box_add(&box, x[face->node[a]]);
  return box;
}

/* The distance of two faces decreases by at most the sum of their displacements. */
static bool still_holds(const syn_contact_problem *c, const syn_vec3 *x) {
  if (!c->contact.pairs_are_known) return false;
  const double most = margin_of(c) / 2;
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    if (!(vec3_length2(vec3_sub(x[i], c->contact.searched[i])) <= most * most)) return false;
  return true;
}

static syn_status refit_tree(syn_contact_problem *c, const syn_vec3 *x, syn_error *error) {
  const contact_side *master = contact_master(c);
  syn_box *boxes;
  SYN_TRY(SYN_NEW(c->context, &boxes, master->face_count, error));
  for (uint32_t i = 0; i < master->face_count; ++i) boxes[i] = face_box(&master->faces[i], x);
  syn_status status = SYN_OK;
  if (c->contact.tree)
    syn_box_tree_refit(c->contact.tree, boxes);
  else {
    memmove(c->contact.tree_at, x, c->bodies.node_count * sizeof *x);
    status = syn_box_tree_create(c->context, boxes, master->face_count, &c->contact.tree, error);
  }
  syn_free(c->context, boxes);
  return status;
}

typedef struct collector {
  syn_contact_problem *c;
  uint32_t slave;
  syn_status status;
  syn_error *error;
} collector;

static bool add_pair(void *user, uint32_t master) {
  collector *to = user;
  syn_contact_problem *c = to->c;
  to->status =
      SYN_RESERVE(c->context, &c->contact.pairs, c->contact.pair_count, 1, &c->contact.pair_capacity, to->error);
  if (to->status) return false;
  c->contact.pairs[c->contact.pair_count++] = (contact_pair){.slave = to->slave, .master = master};
  return true;
}

syn_vec3 syn_contact_face_normal(const contact_face *face, const syn_vec3 *x) {
  const uint32_t *n = face->node;
  if (face->kind == CONTACT_QUAD4) return vec3_unit(vec3_cross(vec3_sub(x[n[2]], x[n[0]]), vec3_sub(x[n[3]], x[n[1]])));
  return vec3_unit(vec3_cross(vec3_sub(x[n[1]], x[n[0]]), vec3_sub(x[n[2]], x[n[0]])));
}

syn_status syn_contact_search(syn_contact_problem *c, const syn_vec3 *x, syn_error *error) {
  if (still_holds(c, x)) return SYN_OK;
  const contact_side *slave = contact_slave(c);
  const double margin = margin_of(c);
  SYN_TRY(refit_tree(c, x, error));
  c->contact.pair_count = 0;
  c->contact.pairs_are_known = false;
  collector to = {.c = c, .status = SYN_OK, .error = error};
  for (uint32_t s = 0; s < slave->face_count; ++s) {
    const contact_face *face = &slave->faces[s];
    /* Box of the face, extended by the search radius along the normal and by the margin */
    const syn_vec3 along = vec3_scale(syn_contact_face_normal(face, x), c->contact.reach_mm),
                   wide = vec3(margin, margin, margin);
    syn_box box = face_box(face, x);
    box_add(&box, vec3_add(box.min, vec3_min(along, vec3_neg(along))));
    box_add(&box, vec3_add(box.max, vec3_max(along, vec3_neg(along))));
    box.min = vec3_sub(box.min, wide), box.max = vec3_add(box.max, wide);
    to.slave = s;
    c->contact.first_pair[s] = c->contact.pair_count;
    syn_box_tree_overlaps(c->contact.tree, &box, add_pair, &to);
    SYN_TRY(to.status);
  }
  c->contact.first_pair[slave->face_count] = c->contact.pair_count;
  /* Positions from which still_holds measures displacements */
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) c->contact.searched[i] = x[i];
  c->contact.pairs_are_known = true;
  return SYN_OK;
}

/* The order of the pairs, and with it that of sums, depends on the positions from which the tree was first built. */
syn_status syn_contact_search_again(syn_contact_problem *c, syn_error *error) {
  syn_box_tree_destroy(c->contact.tree);
  c->contact.tree = NULL;
  c->contact.pairs_are_known = false;
  SYN_TRY(refit_tree(c, c->contact.tree_at, error));
  return syn_contact_search(c, c->contact.searched, error);
}

/* Faces are cut by all ranks, in turn a few neighbouring ones each, since neighbours take similar work. All ranks
 * then receive all integrals, so that gaps, pressures and forces are sums of the same numbers in the same order
 * everywhere, as in one process. Sending takes a tenth of the time of cutting. */
#include <string.h>

#include "pressure/contact/contact_problem.h"

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

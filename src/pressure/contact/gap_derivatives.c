/* Computes the derivatives of each node's weighted gap: with respect to the nodes of its own faces, and of the
 * master faces that they overlap. */
#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

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

syn_status syn_contact_make_rows(syn_contact_problem *c, double within_mm, syn_error *error) {
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

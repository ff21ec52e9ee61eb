/* Finds the pairs of faces that may overlap: each slave face queries a tree of boxes over the master's faces with
 * its own box, extended along its normal by the contact search radius. The pairs are valid until nodes have moved by
 * the margin of the boxes. */
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

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

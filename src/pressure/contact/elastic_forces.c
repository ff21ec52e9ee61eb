/* Computes forces and stiffness of the elements. Those of the mobile body are computed in the frame of its mesh,
 * since laws for small displacements do not account for its rotation. */
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

static bool is_turned(const syn_contact_problem *c, const contact_side *side) {
  const syn_mat3 *r = &c->equilibrium.load.pose.rotation;
  return side->moves && !(r->row[0].x == 1 && r->row[1].y == 1 && r->row[2].z == 1);
}

void syn_contact_local_positions(const syn_contact_problem *c, const contact_side *side, const syn_vec3 *x,
                                 syn_vec3 *local) {
  const syn_vec3 moved =
      side->moves ? vec3_add(c->equilibrium.load.pose.translation, c->equilibrium.shift) : vec3(0, 0, 0);
  const syn_mat3 back = mat3_transpose(&c->equilibrium.load.pose.rotation);
  const bool turned = is_turned(c, side);
  for (uint32_t i = 0; i < side->node_count; ++i) {
    const syn_vec3 d = vec3_sub(x[side->first + i], moved);
    local[i] = turned ? mat3_apply(&back, d) : d;
  }
}

syn_status syn_contact_elastic_forces(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *f, syn_error *error) {
  memset(f, 0, c->bodies.node_count * sizeof *f);
  for (int k = 0; k < 2; ++k) {
    const contact_side *side = &c->bodies.sides[k];
    if (!side->soft) continue;
    syn_contact_local_positions(c, side, x, c->solver.local);
    syn_soft_forces(side->soft, c->solver.local, NULL, f + side->first);
    if (!is_turned(c, side)) continue;
    for (uint32_t i = 0; i < side->node_count; ++i)
      f[side->first + i] = mat3_apply(&c->equilibrium.load.pose.rotation, f[side->first + i]);
  }
  return syn_contact_gather_forces(c, f, error);
}

static void turn_block(const syn_mat3 *turn, double block[9]) {
  const syn_mat3 b = {{{block[0], block[1], block[2]}, {block[3], block[4], block[5]}, {block[6], block[7], block[8]}}};
  const syn_mat3 half = mat3_multiply(turn, &b), back = mat3_transpose(turn), out = mat3_multiply(&half, &back);
  for (int r = 0; r < 3; ++r)
    block[3 * r] = out.row[r].x, block[3 * r + 1] = out.row[r].y, block[3 * r + 2] = out.row[r].z;
}

void syn_contact_elastic_stiffness(syn_contact_problem *c, contact_side *side, const syn_vec3 *x, bool definite) {
  if (side->blocks_are_known) return;
  syn_contact_local_positions(c, side, x, c->solver.local);
  side->soft->model->stiffness(side->soft->state, c->solver.local, 0, definite, side->blocks);
  side->blocks_are_known = side->soft->options.law == SYN_LAW_LINEAR;
}

void syn_contact_turned_block(const syn_contact_problem *c, const contact_side *side, size_t k, double block[9]) {
  memcpy(block, side->blocks[k], 9 * sizeof *block);
  if (is_turned(c, side)) turn_block(&c->equilibrium.load.pose.rotation, block);
}

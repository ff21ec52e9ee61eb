/* Computes Newton steps with all derivatives. The factorised matrix omits the rotation of normals and the motion of
 * cuts. Where bone penetrates far into a labrum that part outweighs the rest, and Newton's iteration diverges
 * without it. GMRES approximates products with the full derivative by differences of the forces, with the
 * factorisation as preconditioner, so that a few vectors suffice. The active set stays that of the factorisation
 * meanwhile. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* Directional derivative: the decrease of the residual when the unknowns move by z, per length of z. */
static syn_status multiply_by_differences(void *user, const syn_vec3 *z, syn_vec3 *product, syn_error *error) {
  syn_contact_problem *c = user;
  double most = 0;
  for (uint32_t i = 0; i < c->bodies.unknown_count; ++i) most = max2(most, vec3_length2(z[i]));
  const double h = most > 0 ? 1e-6 * c->contact.reach_mm / sqrt(most) : 1;
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    c->solver.trial[i] = c->bodies.unknown[i] == SYN_NONE ? c->equilibrium.x[i]
                                                          : vec3_madd(c->equilibrium.x[i], h, z[c->bodies.unknown[i]]);
  SYN_TRY(syn_contact_residual(c, c->solver.trial, product, error));
  for (uint32_t i = 0; i < c->bodies.unknown_count; ++i)
    product[i] = vec3_scale(vec3_sub(c->solver.r[i], product[i]), 1 / h);
  return SYN_OK;
}

static syn_status precondition(void *user, const syn_vec3 *v, syn_vec3 *z, syn_error *error) {
  const syn_contact_problem *c = user;
  return syn_system_solve(c->solver.system, 1, v, z, error);
}

syn_status syn_contact_solve_exactly(syn_contact_problem *c, double tolerance, syn_error *error) {
  const syn_gmres_matrix matrix = {c, multiply_by_differences, precondition};
  if (!(syn_vectors_dot(c->solver.r, c->solver.r, c->bodies.unknown_count) > 0))
    return syn_contact_solve_system(c, error);
  c->solver.gmres.arena = &c->arena;
  c->solver.gmres.count = c->bodies.unknown_count;
  c->solver.solved = false;
  c->contact.keeps_active = true;
  const syn_status status = syn_gmres_solve(&c->solver.gmres, &matrix, c->solver.r, tolerance, c->solver.d, error);
  c->contact.keeps_active = false;
  return status;
}

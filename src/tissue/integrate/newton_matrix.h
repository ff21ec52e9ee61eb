/* The matrix of Newton's method: stiffness of all bodies and contacts, and mass / step^2 in implicit steps. */
#ifndef SYN_TISSUE_INTEGRATE_NEWTON_MATRIX_H
#define SYN_TISSUE_INTEGRATE_NEWTON_MATRIX_H

#include <synovia/solve.h>

#include "tissue/integrate/wide.h"
#include "tissue/simulation/simulation.h"

/* The matrix of the whole scene. Its pattern is that of the bodies and of the contacts that were there when it was
 * made; a contact between other nodes makes it new. */
struct syn_newton {
  syn_pattern *pattern;
  syn_system *system;
  double (*blocks)[9];
  double (*factored)[9];    /* the blocks that are factorised, where is_factored */
  bool is_factored;         /* with nothing added to the diagonal */
  double (*body_blocks)[9]; /* of the largest body */
  uint32_t *slots;          /* for each block of each body: where it stands in the whole */
  bool has_contacts;        /* in the pattern */
  double shift;             /* that was last needed on the diagonal */
  syn_wides wides;          /* what joins all nodes of a body */
};

/* A matrix whose pattern has all that acts now. */
syn_status syn_newton_prepare(syn_simulation *s, syn_error *error);
/* Its numbers at x, factorised; per_s is 1 / step, or 0 in equilibrium. */
syn_status syn_newton_factorize(syn_simulation *s, const syn_vec3 *x, double per_s, syn_error *error);

#endif

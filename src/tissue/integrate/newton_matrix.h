/* The matrix of Newton's method: stiffness of all bodies and contacts, and mass / step^2 in implicit steps. */
#ifndef SYN_TISSUE_INTEGRATE_NEWTON_MATRIX_H
#define SYN_TISSUE_INTEGRATE_NEWTON_MATRIX_H

#include <synovia/solve.h>

#include "tissue/integrate/wide.h"
#include "tissue/simulation/simulation.h"

/* The matrix of the whole scene. Its pattern is that of the bodies and of the contacts when it was made; a contact
 * between other nodes requires a new one. */
struct syn_newton {
  syn_pattern *pattern;
  syn_system *system;
  double (*blocks)[9];
  double (*factored)[9];    /* the factorised blocks, if is_factored */
  bool is_factored;         /* without a shift */
  double (*body_blocks)[9]; /* of the largest body */
  uint32_t *slots;          /* for each block of each body: its index in the whole matrix */
  bool has_contacts;        /* in the pattern */
  double shift;             /* last shift of the diagonal that was needed */
  syn_wides wides;          /* parts that couple all nodes of a body */
};

/* Makes the pattern include all present contacts. */
syn_status syn_newton_prepare(syn_simulation *s, syn_error *error);
/* Computes its numbers at x and factorises them; per_s is 1 / step, or 0 in equilibrium. */
syn_status syn_newton_factorize(syn_simulation *s, const syn_vec3 *x, double per_s, syn_error *error);

#endif

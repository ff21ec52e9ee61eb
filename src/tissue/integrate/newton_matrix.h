/* The matrix of Newton's method: stiffness of all bodies and contacts, and mass / step^2 in implicit steps. */
#ifndef SYN_TISSUE_INTEGRATE_NEWTON_MATRIX_H
#define SYN_TISSUE_INTEGRATE_NEWTON_MATRIX_H

#include <synovia/solve.h>

#include "tissue/simulation/simulation.h"

typedef struct syn_wide {
  double factor;
  syn_vec3 *row;    /* of all nodes of the scene; zero outside of the body */
  syn_vec3 *column; /* the inverse of the matrix including the parts before, times the row */
} syn_wide;

typedef struct syn_wides {
  syn_wide *parts;
  size_t count;
} syn_wides;

/* Computes the parts of all bodies at x. The first call allocates. */
syn_status syn_wides_fill(const syn_simulation *s, const syn_vec3 *x, syn_wides *wides, syn_error *error);
/* Computes sum += parts * way. */
void syn_wides_multiply(const syn_wides *wides, uint32_t count, const syn_vec3 *way, syn_vec3 *sum);
/* Corrects d, a solution with the sparse matrix alone, for the parts. */
syn_status syn_wides_correct(const syn_wides *wides, uint32_t count, syn_system *system, syn_vec3 *d, syn_error *error);

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

/* Parts of the stiffness that couple all nodes of a body, factor * row row^T each (syn_soft_model.wide): in addition
 * to the sparse matrix, whose solution is corrected by Sherman and Morrison's formula. */
#ifndef SYN_TISSUE_INTEGRATE_WIDE_H
#define SYN_TISSUE_INTEGRATE_WIDE_H

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
void syn_wides_release(const syn_context *context, syn_wides *wides);
/* Computes sum += parts * way. */
void syn_wides_multiply(const syn_wides *wides, uint32_t count, const syn_vec3 *way, syn_vec3 *sum);
/* Corrects d, a solution with the sparse matrix alone, for the parts. */
syn_status syn_wides_correct(const syn_wides *wides, uint32_t count, syn_system *system, syn_vec3 *d, syn_error *error);

#endif

/* Anderson acceleration (Anderson 1965; Walker and Ni 2011): Newton steps of an old factorisation, whose error is
 * the change of the matrix since, are combined so that the residual becomes minimal. The last few steps replace a
 * new factorisation at the cost of a few dot products. */
#ifndef SYN_SOLVE_ANDERSON_H
#define SYN_SOLVE_ANDERSON_H

#include "base/memory.h"

/* Maximum number of combined steps. */
enum { ANDERSON_DEPTH = 6 };

/* Steps since the last factorisation; vectors are of all unknowns. */
typedef struct syn_anderson {
  syn_vec3 *last;                   /* the previous Newton step, before acceleration */
  syn_vec3 *change[ANDERSON_DEPTH]; /* change of the Newton step, */
  syn_vec3 *step[ANDERSON_DEPTH];   /* and of the unknowns, in the same iteration */
  int count, next;
  bool has_last;
} syn_anderson;

syn_status syn_anderson_reserve(syn_arena *arena, size_t count, syn_anderson *anderson, syn_error *error);
/* Forgets all steps, after a new factorisation. */
void syn_anderson_forget(syn_anderson *anderson);
/* Accelerates the Newton step d; `step` is the change of the unknowns since the previous one. */
void syn_anderson_accelerate(syn_anderson *anderson, const syn_vec3 *step, uint32_t count, syn_vec3 *d);

/* Returns the dot product, summed in the order of the entries. */
double syn_vectors_dot(const syn_vec3 *a, const syn_vec3 *b, uint32_t count);

#endif

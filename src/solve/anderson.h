/* Anderson acceleration (Anderson 1965; Walker and Ni 2011): Newton steps by an old factorisation, which are in error
 * by what changed since, are combined so that the residual becomes least. The last few steps stand in for a new
 * factorisation at the price of a few products. */
#ifndef SYN_SOLVE_ANDERSON_H
#define SYN_SOLVE_ANDERSON_H

#include "base/memory.h"

/* How many steps are combined at most. */
enum { ANDERSON_DEPTH = 6 };

/* Steps since the last factorisation; vectors are of all unknowns. */
typedef struct syn_anderson {
  syn_vec3 *last;                   /* the Newton step before, as it was solved for */
  syn_vec3 *change[ANDERSON_DEPTH]; /* what it changed by, */
  syn_vec3 *step[ANDERSON_DEPTH];   /* while this step was taken */
  int count, next;
  bool has_last;
} syn_anderson;

syn_status syn_anderson_reserve(syn_arena *arena, size_t count, syn_anderson *anderson, syn_error *error);
/* After a new factorisation. */
void syn_anderson_forget(syn_anderson *anderson);
/* Improves the Newton step d; `step` is what was taken since the one before. */
void syn_anderson_accelerate(syn_anderson *anderson, const syn_vec3 *step, uint32_t count, syn_vec3 *d);

/* The sum of products, in the order of the entries. */
double syn_vectors_dot(const syn_vec3 *a, const syn_vec3 *b, uint32_t count);

#endif

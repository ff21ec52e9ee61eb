/* Nonlinear equations of tissue and pressure. */
#ifndef SYN_SOLVE_NEWTON_H
#define SYN_SOLVE_NEWTON_H

#include "base/memory.h"

/* ==== Anderson acceleration ======================================================================================= */

/* Anderson acceleration (Anderson 1965; Walker and Ni 2011): Newton steps of an old factorisation, whose error is
 * the change of the matrix since, are combined so that the residual becomes minimal. The last few steps replace a
 * new factorisation at the cost of a few dot products. */

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

/* Returns the dot product, summed in the order of the entries. */
double syn_vectors_dot(const syn_vec3 *a, const syn_vec3 *b, uint32_t count);

/* ==== Newton's method ============================================================================================= */

/* Newton's method for tissue and pressure: solves residual(x) = 0 with a factorised matrix. Steps are shortened by a
 * line search; a factorisation may be reused for several steps (modified Newton), which Anderson acceleration then
 * combines. The problem defines the residual, the matrix and the criterion of a solution. */

/* The numbers were chosen by trial. Where a range is given, both of its ends were tried on the arch that snaps through
 * (tests/pressure/contact/test_snap.c): all displacements stayed within 1e-4. */
typedef struct newton_options {
  uint32_t max_iterations;
  /* Line search: a step is shortened while the residual at its end, projected on the step, is opposite and larger
   * than `overshoot` times that at its start. From iteration `late` on, when steps may oscillate, `late_overshoot`
   * replaces it. The next length is where the projected residual would vanish if it were linear, between the parts
   * `shortest` and `longest` of the last one; after `shortenings` attempts the step is accepted anyway. No range is
   * known: the arch needs no shorter steps. */
  double overshoot, late_overshoot;
  uint32_t late;
  double shortest, longest;
  uint32_t shortenings;
  /* Modified Newton: a factorisation is reused while every step reduces the residual to this part of the one before,
   * or less; 0: never. Range 0 to 0.9. */
  double reuse;
} newton_options;

/* Result of the evaluation at x + length * d. */
typedef struct newton_trial {
  double residual; /* norm of the residual */
  bool allowed;    /* else the step is shortened, whatever the residual is */
  bool any_slope;  /* the residual may grow: loads or prescribed motions continue within the step */
} newton_trial;

typedef enum newton_verdict {
  NEWTON_GOES_ON,
  NEWTON_CHANGED, /* the problem has changed its residual (new multipliers): judge again */
  NEWTON_SOLVED
} newton_verdict;

/* A system of equations. The problem keeps `x` itself. Functions that are NULL are not called. */
typedef struct newton_problem {
  void *user;
  uint32_t count;           /* of the vectors */
  syn_vec3 *r, *next_r, *d; /* residual at x and at a trial position; Newton step */
  syn_vec3 *step;           /* buffer; with anderson only */
  syn_anderson *anderson;   /* NULL: no acceleration */
  /* Judges x, with the residual r of norm *residual: solved? */
  syn_status (*judge)(void *user, double *residual, newton_verdict *verdict, syn_error *error);
  syn_status (*factorize)(void *user, syn_error *error); /* the matrix at x */
  /* Solves for d, given r, in iteration n, counted from 1; `fresh`: the factorisation is that of x. */
  syn_status (*solve)(void *user, bool fresh, uint32_t n, syn_error *error);
  bool (*may_reuse)(void *user); /* whether the factorisation may be reused at x; NULL: never */
  syn_status (*limit_length)(void *user, double *length, syn_error *error); /* maximum step length */
  syn_status (*evaluate)(void *user, double length, syn_vec3 *r, newton_trial *trial, syn_error *error);
  void (*accept)(void *user, double length); /* sets x to the trial position; r is next_r already */
  syn_status (*restore)(void *user, double *residual, syn_error *error); /* evaluates again at x; with may_reuse */
  syn_status (*finish_iteration)(void *user, double length, syn_error *error);
  syn_status (*give_up)(void *user, double residual, syn_error *error); /* returns SYN_NOT_CONVERGED with the reason */
} newton_problem;

/* Iterates from x, where the problem has evaluated r with the norm *residual, to a solution. */
syn_status syn_newton_solve(const newton_problem *problem, const newton_options *options, double *residual,
                            syn_error *error);

#endif

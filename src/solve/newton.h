/* Newton's method for tissue and pressure: solves residual(x) = 0 by steps of a matrix that is factorised. The steps
 * are shortened by a line search; a factorisation may be reused for several steps (modified Newton), which Anderson
 * acceleration then combines. What the residual, the matrix and a solution are is the problem's. */
#ifndef SYN_SOLVE_NEWTON_H
#define SYN_SOLVE_NEWTON_H

#include "solve/anderson.h"

/* The numbers were chosen by trial. Where a range is given, both of its ends were tried on the arch that snaps through
 * (tests/pressure/contact/test_snap.c): all displacements stayed within 1e-4. */
typedef struct newton_options {
  uint32_t max_iterations;
  /* Line search: a step is shortened for as long as the residual at its end points back along it by more than
   * `overshoot` times what it pointed ahead. From iteration `late` on, when steps may go to and fro, `late_overshoot`
   * takes its place. The next length is where the residual's slope would vanish, within the parts `shortest` and
   * `longest` of the last one; after so many `shortenings` the step is taken all the same. No range is known: the arch
   * needs no shorter steps. */
  double overshoot, late_overshoot;
  uint32_t late;
  double shortest, longest;
  uint32_t shortenings;
  /* Modified Newton: a factorisation is reused while the residual falls to this part of the one before, or less, at
   * every step; 0: it is never reused. Range 0 to 0.9. */
  double reuse;
} newton_options;

/* What is found at x + length * d. */
typedef struct newton_trial {
  double residual; /* length of all forces that are not balanced */
  bool allowed;    /* else the step is shortened, whatever the residual */
  bool any_slope;  /* the residual may grow: loads or prescribed motions go on within the step */
} newton_trial;

typedef enum newton_verdict {
  NEWTON_GOES_ON,
  NEWTON_CHANGED, /* the problem has changed its residual (new multipliers), and is looked at again */
  NEWTON_SOLVED
} newton_verdict;

/* A system of equations. `x` is the problem's own. Functions that are NULL are not called. */
typedef struct newton_problem {
  void *user;
  uint32_t count;           /* of the vectors */
  syn_vec3 *r, *next_r, *d; /* residual at x and at a trial position; Newton step */
  syn_vec3 *step;           /* work; with anderson only */
  syn_anderson *anderson;   /* NULL: none */
  /* At x, with the residual r of that length: solved? */
  syn_status (*judge)(void *user, double *residual, newton_verdict *verdict, syn_error *error);
  syn_status (*factorize)(void *user, syn_error *error); /* the matrix at x */
  /* d for r in iteration n, counted from 1; `fresh`: the matrix is that of x. */
  syn_status (*solve)(void *user, bool fresh, uint32_t n, syn_error *error);
  bool (*may_reuse)(void *user); /* is the factorisation still of use at x? NULL: never */
  syn_status (*limit_length)(void *user, double *length, syn_error *error); /* the longest step that is allowed */
  syn_status (*evaluate)(void *user, double length, syn_vec3 *r, newton_trial *trial, syn_error *error);
  void (*accept)(void *user, double length); /* x becomes the trial position, r is next_r already */
  syn_status (*restore)(void *user, double *residual, syn_error *error); /* evaluates once more at x; with may_reuse */
  syn_status (*finish_iteration)(void *user, double length, syn_error *error);
  syn_status (*give_up)(void *user, double residual, syn_error *error); /* SYN_NOT_CONVERGED with the reason */
} newton_problem;

/* From x, where the problem has evaluated r with the length *residual, to a solution. */
syn_status syn_newton_solve(const newton_problem *problem, const newton_options *options, double *residual,
                            syn_error *error);

#endif

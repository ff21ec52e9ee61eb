/* The range of motion by anything that can say whether two bodies collide: steps, then bisection. */
#ifndef BENCH_STEPPER_H
#define BENCH_STEPPER_H

#include "contender.h"

typedef struct bench_stepping {
  const bench_contender *inner; /* asked at each step: collides where its count is not 0 */
  double step_deg;
  double precision_deg; /* 0: the last free step is the answer */
} bench_stepping;

/* Everything is borrowed. */
bench_contender bench_stepper(const bench_stepping *how, const char *name, const char *detail);

#endif

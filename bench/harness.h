/* Measuring: contenders take turns, so that a busy machine is unfair to none, and the median counts. */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include "contender.h"

enum { BENCH_MAX_SAMPLES = 64 };

typedef struct bench_samples {
  double ms[BENCH_MAX_SAMPLES];
  size_t count;
} bench_samples;

/* Middle value, mean of the two middle ones for an even count, NAN for none. */
double bench_median(const bench_samples *samples);

/* CLOCK_MONOTONIC in milliseconds. */
double bench_now_ms(void);

typedef struct bench_pace {
  size_t repeats;   /* rounds, at most BENCH_MAX_SAMPLES */
  double budget_ms; /* a contender that has used up this time sits out the remaining rounds, but has at least one */
  double sample_ms; /* questions shorter than this are asked several times in a row for one sample */
} bench_pace;
bench_pace bench_default_pace(void);

/* One contender's part in a race. Set `contender`, the rest comes out. */
typedef struct bench_entry {
  const bench_contender *contender;
  bench_samples build, ask; /* per build; per pose */
  bench_answer answer;
  bool took_part;
  syn_error error; /* where it could not */
} bench_entry;

/* Builds in turns, then asks every pose in turns, after a warm-up that is not counted. One of each is built at a time
 * and kept for the questions. */
void bench_race(const bench_scene *scene, const bench_pace *pace, bench_entry *entries, size_t count);

#endif

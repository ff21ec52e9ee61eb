#include "harness.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(const bench_samples *samples) {
  if (samples->count == 0) return NAN;
  double sorted[BENCH_MAX_SAMPLES];
  memcpy(sorted, samples->ms, samples->count * sizeof *sorted);
  qsort(sorted, samples->count, sizeof *sorted, by_value);
  return (sorted[(samples->count - 1) / 2] + sorted[samples->count / 2]) / 2;
}

/* A turn of 25 ms is what a motion of a few dozen poses takes: each side works with caches of its own, as it does for
 * its users, and not with what the other left behind. There are many turns because other machines on the same processor
 * may slow down single ones. */
bench_pace bench_default_pace(void) { return (bench_pace){.repeats = 31, .budget_ms = 4000, .sample_ms = 25}; }

/* How one contender stands while the race is on. */
typedef struct runner {
  bench_entry *entry;
  void *state;
  double spent_ms;
  size_t laps; /* rounds of all poses for one sample */
} runner;

static bool may_go_on(const runner *r, const bench_samples *samples, const bench_pace *pace) {
  return r->entry->took_part && samples->count < pace->repeats &&
         (samples->count == 0 || r->spent_ms < pace->budget_ms);
}

static void take_sample(runner *r, bench_samples *samples, double spent_ms, double ms) {
  r->spent_ms += spent_ms;
  samples->ms[samples->count++] = ms;
}

/* ---- building -----------------------------------------------------------------------------------------------------
 */

static void build(runner *r, const bench_scene *scene) {
  const bench_contender *contender = r->entry->contender;
  if (r->state) contender->close(r->state);
  const double begin = bench_now_ms();
  r->state = contender->open(contender, scene, &r->entry->error);
  const double ms = bench_now_ms() - begin;
  r->entry->took_part = r->state != NULL;
  if (r->state) take_sample(r, &r->entry->build, ms, ms);
}

enum { BUILDS = 7 }; /* at most: they take longer than turns */

static void build_all(const bench_scene *scene, const bench_pace *pace, runner *runners, size_t count) {
  for (size_t round = 0; round < pace->repeats && round < BUILDS; ++round)
    for (size_t i = 0; i < count; ++i)
      if (may_go_on(&runners[i], &runners[i].entry->build, pace)) build(&runners[i], scene);
}

/* ---- asking -------------------------------------------------------------------------------------------------------
 */

static void merge(bench_answer *all, const bench_answer *one) {
  /* written so that NAN remains only if no pose gave a value */
  if (isnan(all->depth_mm) || one->depth_mm > all->depth_mm) all->depth_mm = one->depth_mm;
  all->count += one->count;
  all->turn_deg[0] = one->turn_deg[0];
  all->turn_deg[1] = one->turn_deg[1];
}

static void ask_every_pose(runner *r, const bench_scene *scene) {
  bench_answer all = {.depth_mm = NAN};
  for (size_t p = 0; p < scene->pose_count; ++p) {
    bench_answer one = {.depth_mm = NAN};
    r->entry->contender->ask(r->state, &scene->poses[p], &one);
    merge(&all, &one);
  }
  r->entry->answer = all;
}

/* The first round warms up and says how many laps a sample takes; one that is slow enough by itself is a sample. */
static void warm_up(runner *r, const bench_scene *scene, const bench_pace *pace) {
  r->spent_ms = 0;
  const double begin = bench_now_ms();
  ask_every_pose(r, scene);
  const double ms = bench_now_ms() - begin;
  r->laps = ms < pace->sample_ms ? (size_t)fmin(1e6, ceil(pace->sample_ms / fmax(ms, 1e-6))) : 1;
  if (ms >= pace->budget_ms) take_sample(r, &r->entry->ask, ms, ms / (double)scene->pose_count);
}

static void ask(runner *r, const bench_scene *scene) {
  const double begin = bench_now_ms();
  for (size_t lap = 0; lap < r->laps; ++lap) ask_every_pose(r, scene);
  const double ms = bench_now_ms() - begin;
  take_sample(r, &r->entry->ask, ms, ms / (double)(r->laps * scene->pose_count));
}

/* A contender that runs on without the others is measured at another time, when the machine may be faster or slower. */
enum { ENOUGH = 9 };
static bool is_somebody_out(const bench_pace *pace, const runner *runners, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (runners[i].entry->took_part && runners[i].spent_ms >= pace->budget_ms) return true;
  return false;
}

static void ask_all(const bench_scene *scene, const bench_pace *pace, runner *runners, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (runners[i].entry->took_part) warm_up(&runners[i], scene, pace);
  for (size_t round = 0; round < pace->repeats; ++round) {
    if (round >= ENOUGH && is_somebody_out(pace, runners, count)) break;
    for (size_t i = 0; i < count; ++i)
      if (may_go_on(&runners[i], &runners[i].entry->ask, pace)) ask(&runners[i], scene);
  }
}

void bench_race(const bench_scene *scene, const bench_pace *pace, bench_entry *entries, size_t count) {
  assert(pace->repeats > 0 && pace->repeats <= BENCH_MAX_SAMPLES);
  runner *runners = calloc(count ? count : 1, sizeof *runners);
  if (!runners) abort();
  for (size_t i = 0; i < count; ++i) {
    entries[i] = (bench_entry){.contender = entries[i].contender, .took_part = true};
    runners[i].entry = &entries[i];
  }
  build_all(scene, pace, runners, count);
  ask_all(scene, pace, runners, count);
  for (size_t i = 0; i < count; ++i)
    if (runners[i].state) entries[i].contender->close(runners[i].state);
  free(runners);
}

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "base/vec.h"
#include "tissue/haptics/haptics.h"

/* ==== durations =================================================================================================== */

static const double first_us = 0.05, growth = 1.02; /* the last bin begins at 17 minutes */

static uint32_t bin_of(double us) {
  if (!(us > first_us)) return 0;
  const double bin = log(us / first_us) / log(growth) + 1;
  return bin < SYN_TIME_BINS - 1 ? (uint32_t)bin : SYN_TIME_BINS - 1;
}

void syn_times_add(syn_times *times, double us) {
  ++times->bins[bin_of(us)];
  ++times->count;
  if (us > times->largest_us) times->largest_us = us;
}

/* Returns the upper end of the bin of the quantile: never too small. */
static double quantile(const syn_times *times, double part) {
  const double wanted = part * (double)times->count;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < SYN_TIME_BINS; ++i) {
    sum += times->bins[i];
    if ((double)sum >= wanted && sum > 0) return fmin(first_us * pow(growth, i), times->largest_us);
  }
  return times->largest_us;
}

syn_haptics_times syn_times_report(const syn_times *times) {
  return (syn_haptics_times){quantile(times, 0.5), quantile(times, 0.99), quantile(times, 0.999), times->largest_us};
}

/* ==== the loop ==================================================================================================== */

/* The two threads. The caller's thread simulates; a second one computes forces at a fixed rate. They share two
 * triple buffers: the points near the probe from the simulation, the position of its tip from the force thread. */

#if SYN_HAS_THREADS
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { FORCE_STACK = 1 << 20, PRIORITY = 40 };

typedef struct loop {
  syn_haptics *h;
  const syn_haptics_device *device;
  uint64_t periods;  /* to run */
  int64_t period_ns; /* of one period */
  syn_vec3 tips[3];  /* between the two threads */
  syn_triple tip;
  atomic_bool stop, done;
  /* of the force thread; the other reads them when it has ended */
  uint64_t late, run;
  double seconds, force_n;
  bool has_priority;
  syn_times computing, waking;
} loop;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void sleep_until(int64_t ns) {
  const struct timespec until = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
#ifdef __APPLE__
  const int64_t rest = ns - now_ns();
  const struct timespec wait = {.tv_sec = rest / 1000000000, .tv_nsec = rest % 1000000000};
  (void)until;
  if (rest > 0) nanosleep(&wait, NULL);
#else
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) continue;
#endif
}

/* ---- the thread of forces -------------------------------------------------------------------------------------------
 */

static bool ask_for_priority(void) {
#ifdef PR_SET_TIMERSLACK
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* wake up on time, not up to 0.05 ms later */
#endif
  const struct sched_param parameter = {.sched_priority = PRIORITY};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter) == 0;
}

static bool one_period(loop *l, uint64_t number) {
  const double time_s = (double)number * (double)l->period_ns * 1e-9;
  syn_vec3 tip;
  if (!l->device->read(l->device->user, time_s, &tip)) return false;
  l->tips[l->tip.back] = tip;
  syn_triple_publish(&l->tip);
  const syn_vec3 force = syn_haptics_force(l->h, tip);
  if (l->device->write) l->device->write(l->device->user, time_s, force);
  l->h->samples[l->run++] = (syn_haptics_sample){time_s, tip, force, l->h->locals[l->h->triple.front].frame_force};
  const double size = vec3_length(force);
  if (size > l->force_n) l->force_n = size;
  return true;
}

/* A period that ends after the start of the next is late; the periods that it covers are skipped. */
static void *run_forces(void *user) {
  loop *l = user;
  l->has_priority = l->h->options.realtime && ask_for_priority();
  const int64_t start = now_ns() + l->period_ns;
  uint64_t number = 0;
  while (number < l->periods && !atomic_load_explicit(&l->stop, memory_order_relaxed)) {
    const int64_t begin = start + (int64_t)number * l->period_ns;
    sleep_until(begin);
    const int64_t woken = now_ns();
    if (!one_period(l, number)) break;
    const int64_t ready = now_ns();
    syn_times_add(&l->waking, (double)(woken - begin) * 1e-3);
    syn_times_add(&l->computing, (double)(ready - woken) * 1e-3);
    const uint64_t missed = (uint64_t)((ready - begin) / l->period_ns);
    l->late += missed;
    number += 1 + missed;
  }
  l->seconds = (double)(now_ns() - start) * 1e-9;
  atomic_store_explicit(&l->done, true, memory_order_release);
  return NULL;
}

/* Starts a thread that receives no signals: they are handled by the program's other threads. */
static syn_status start_forces(loop *l, pthread_t *thread, syn_error *error) {
  pthread_attr_t attributes;
  sigset_t all, before;
  if (pthread_attr_init(&attributes) != 0) return syn_fail(error, SYN_NO_MEMORY, "no thread for the forces");
  pthread_attr_setstacksize(&attributes, FORCE_STACK);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failure = pthread_create(thread, &attributes, run_forces, l);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return failure ? syn_fail(error, SYN_NO_MEMORY, "the system grants no thread for the forces") : SYN_OK;
}

/* ---- the thread of the simulation -----------------------------------------------------------------------------------
 */

static syn_status run_frames(loop *l, uint64_t *frames, syn_error *error) {
  const double hz = l->h->options.simulation_hz;
  const int64_t frame_ns = hz > 0 ? (int64_t)(1e9 / hz) : 0, start = now_ns();
  int64_t next = start, told = start;
  const double whole = (double)l->periods * (double)l->period_ns;
  while (!atomic_load_explicit(&l->done, memory_order_acquire)) {
    syn_triple_take(&l->tip);
    SYN_TRY(syn_haptics_update(l->h, l->tips[l->tip.front], NULL, error));
    ++*frames;
    const int64_t now = now_ns();
    if (now - told > 100000000) {
      told = now;
      if (!syn_progress(l->h->context, "touching", min2(1, (double)(now - start) / whole)))
        return syn_fail(error, SYN_CANCELLED, "the haptic loop was stopped");
    }
    next += frame_ns;
    if (next < now) next = now; /* too slow: as many as possible */
    if (frame_ns > 0) sleep_until(next);
  }
  return SYN_OK;
}

/* ---- both -----------------------------------------------------------------------------------------------------------
 */

/* Brings the force thread's data into memory and, if the system allows it, locks it there. */
static bool lock_memory(const syn_haptics *h, bool lock) {
  const size_t most = h->options.max_points, square = most * most * sizeof(double);
  bool all = true;
  const struct {
    const void *block;
    size_t bytes;
  } parts[] = {{h->locals[0].compliance, h->is_vdm ? 0 : 9 * square},
               {h->locals[1].compliance, h->is_vdm ? 0 : 9 * square},
               {h->locals[2].compliance, h->is_vdm ? 0 : 9 * square},
               {h->locals[0].inverse, h->is_vdm ? 3 * square : 0},
               {h->locals[1].inverse, h->is_vdm ? 3 * square : 0},
               {h->locals[2].inverse, h->is_vdm ? 3 * square : 0},
               {h->force_work.matrix, square},
               {h->force_work.factor, square},
               {h->samples, h->sample_capacity * sizeof *h->samples},
               {h, sizeof *h}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    if (parts[i].bytes == 0) continue;
    if (lock)
      all &= mlock(parts[i].block, parts[i].bytes) == 0;
    else
      munlock(parts[i].block, parts[i].bytes);
  }
  return all;
}

static syn_status prepare(loop *l, double seconds, syn_error *error) {
  syn_haptics *h = l->h;
  l->period_ns = (int64_t)(1e9 / h->options.force_hz);
  l->periods = (uint64_t)(seconds * h->options.force_hz + 0.5);
  if (l->periods == 0) l->periods = 1;
  SYN_TRY(syn_reallocate(h->context, (void **)&h->samples, l->periods, sizeof *h->samples, error));
  memset(h->samples, 0, l->periods * sizeof *h->samples); /* no page faults within the loop */
  h->sample_capacity = l->periods;
  syn_triple_start(&l->tip);
  atomic_init(&l->stop, false);
  atomic_init(&l->done, false);
  syn_vec3 tip;
  if (!l->device->read(l->device->user, 0, &tip))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the device ended before it began");
  for (int i = 0; i < 3; ++i) l->tips[i] = tip;
  return syn_haptics_update(h, tip, NULL, error); /* CONSTRUCT: before the first force */
}

static void fill_report(const loop *l, uint64_t frames, bool locked, syn_haptics_report *report) {
  const double seconds = l->seconds > 0 ? l->seconds : 1e-9;
  *report = (syn_haptics_report){.seconds = l->seconds,
                                 .periods = l->run,
                                 .late = l->late,
                                 .rate_hz = (double)l->run / seconds,
                                 .frames = frames,
                                 .simulation_hz = (double)frames / seconds,
                                 .computing = syn_times_report(&l->computing),
                                 .waking = syn_times_report(&l->waking),
                                 .has_priority = l->has_priority,
                                 .has_locked_memory = locked,
                                 .force_n = l->force_n,
                                 .left_off = l->h->left_off,
                                 .samples = l->h->samples,
                                 .sample_count = l->run};
}

syn_status syn_haptics_run(syn_haptics *h, const syn_haptics_device *device, double seconds, syn_haptics_report *report,
                           syn_error *error) {
  *report = (syn_haptics_report){0};
  if (!(seconds > 0 && seconds <= 3600))
    return syn_fail(error, SYN_BAD_ARGUMENT, "a haptic loop runs above 0 and up to 3600 s, not %g", seconds);
  loop *l;
  SYN_TRY(SYN_NEW_ZEROED(h->context, &l, 1, error));
  l->h = h;
  l->device = device;
  uint64_t frames = 0;
  pthread_t thread;
  syn_status status = prepare(l, seconds, error);
  const bool locked = !status && h->options.realtime && lock_memory(h, true);
  if (!status) status = start_forces(l, &thread, error);
  if (!status) {
    status = run_frames(l, &frames, error);
    atomic_store_explicit(&l->stop, true, memory_order_relaxed);
    pthread_join(thread, NULL);
    fill_report(l, frames, locked, report);
  }
  if (h->options.realtime && h->samples) lock_memory(h, false);
  syn_free(h->context, l);
  return status;
}
#else
syn_status syn_haptics_run(syn_haptics *h, const syn_haptics_device *device, double seconds, syn_haptics_report *report,
                           syn_error *error) {
  (void)h, (void)device, (void)seconds;
  *report = (syn_haptics_report){0};
  return syn_fail(error, SYN_IO_ERROR, "a haptic loop needs threads, which this system does not have");
}
#endif

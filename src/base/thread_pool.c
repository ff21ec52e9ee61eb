/* Pool of threads that wait for parallel loops. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the threads --------------------------------------------------------------------------------------------------
 * Starting a thread takes about as long as a whole query, so helpers stay and sleep between loops. They are the
 * library's one piece of shared state; no result depends on them. */

typedef struct loop {
  void (*body)(void *user, size_t begin, size_t end);
  void *user;
  size_t count, grain, ranges;
  atomic_size_t next; /* the first range not yet taken */
  int wanted;         /* number of further helpers that may join */
  atomic_int helpers; /* how many are at work in it */
  struct loop *link;
} loop;

enum {
  HELPER_STACK = 2 << 20, /* bytes; a tenth of it is used */
  SPINS = 60000           /* about 2 ms: queries often come every millisecond, and waking a thread takes 0.02 ms */
};

typedef struct helper_pool {
  pthread_mutex_t lock; /* guards everything but the atomics */
  pthread_cond_t work, done;
  loop *loops;         /* that may want helpers */
  int threads, wanted; /* how many there are; how many more the loops want */
  atomic_int busy;
  atomic_int waiting; /* callers that sleep until their helpers are done */
  atomic_uint bell;   /* changes when a loop starts, after the lock is free: spinning threads take it next */
  atomic_bool spins;  /* there is a core for every thread */
  bool watches_forks;
} helper_pool;

#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP /* held for some nanoseconds only: no reason to sleep */
#define UNLOCKED PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#else
#define UNLOCKED PTHREAD_MUTEX_INITIALIZER
#endif
static helper_pool pool = {.lock = UNLOCKED, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};
static _Thread_local bool in_body; /* a loop inside a body stays on its thread: every core is in use already */

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static size_t take_range(loop *l) { return atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed); }

static void run_ranges(loop *l, size_t first) {
  in_body = true;
  for (size_t range = first; range < l->ranges; range = take_range(l)) {
    const size_t begin = range * l->grain;
    l->body(l->user, begin, l->count - begin < l->grain ? l->count : begin + l->grain);
  }
  in_body = false;
}

/* A loop that wants help, or NULL; under the lock. */
static loop *join_loop(void) {
  for (loop *l = pool.loops; l; l = l->link)
    if (l->wanted > 0) {
      --l->wanted;
      --pool.wanted;
      atomic_fetch_add(&l->helpers, 1);
      atomic_fetch_add(&pool.busy, 1);
      return l;
    }
  return NULL;
}

/* The caller may return as soon as the count is 0: nothing of its loop is touched after that. */
static void leave_loop(loop *l) {
  atomic_fetch_sub(&pool.busy, 1);
  if (atomic_fetch_sub(&l->helpers, 1) != 1 || atomic_load(&pool.waiting) == 0) return;
  pthread_mutex_lock(&pool.lock);
  pthread_cond_broadcast(&pool.done);
  pthread_mutex_unlock(&pool.lock);
}

static void *help(void *unused) {
  (void)unused;
  for (unsigned heard = 0;;) {
    for (int i = 0; i < SPINS && atomic_load(&pool.spins) && atomic_load(&pool.bell) == heard; ++i) pause_briefly();
    pthread_mutex_lock(&pool.lock);
    loop *l;
    for (;;) {
      heard = atomic_load(&pool.bell);
      if ((l = join_loop()) != NULL) break;
      pthread_cond_wait(&pool.work, &pool.lock);
    }
    pthread_mutex_unlock(&pool.lock);
    run_ranges(l, take_range(l));
    leave_loop(l);
  }
  return NULL;
}

/* ---- starting them ------------------------------------------------------------------------------------------------
 */

/* A child process has none of its parent's threads: it begins with an empty pool. */
static void before_fork(void) { pthread_mutex_lock(&pool.lock); }
static void after_fork_in_parent(void) { pthread_mutex_unlock(&pool.lock); }
static void after_fork_in_child(void) {
  static const pthread_mutex_t unlocked = UNLOCKED;
  static const pthread_cond_t unused = PTHREAD_COND_INITIALIZER;
  pool.lock = unlocked;
  pool.work = pool.done = unused;
  pool.loops = NULL;
  pool.threads = pool.wanted = 0;
  atomic_store(&pool.busy, 0);
  atomic_store(&pool.waiting, 0);
}

static bool start_helper(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, HELPER_STACK);
  const bool started = pthread_create(&thread, &attributes, help, NULL) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

int syn_processor_count(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
  const long count = sysconf(_SC_NPROCESSORS_ONLN); /* more processors than a set holds */
  return count > 0 ? (int)count : 1;
}

/* SYNOVIA_SPIN=0: waiting threads sleep at once. Where several programs share the cores, spinning takes from the others
 * what it was to save. */
static bool others_need_the_cores(void) {
  const char *spin = getenv("SYNOVIA_SPIN");
  return spin && spin[0] == '0' && !spin[1];
}

/* As many threads as all loops want, or as the system grants. Signals are for the threads of the program. Under the
 * lock. */
static void start_helpers(void) {
  const int target = atomic_load(&pool.busy) + pool.wanted;
  if (pool.threads >= target) return;
  if (!pool.watches_forks)
    pool.watches_forks = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (pool.threads < target && start_helper()) ++pool.threads;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  atomic_store(&pool.spins, pool.threads < syn_processor_count() && !others_need_the_cores());
}

/* ---- loops --------------------------------------------------------------------------------------------------------
 */

static void ask_for_help(loop *l, int helpers) {
  pthread_mutex_lock(&pool.lock);
  l->wanted = helpers;
  pool.wanted += helpers;
  l->link = pool.loops;
  pool.loops = l;
  start_helpers();
  if (helpers == 1)
    pthread_cond_signal(&pool.work);
  else
    pthread_cond_broadcast(&pool.work);
  pthread_mutex_unlock(&pool.lock);
  atomic_fetch_add(&pool.bell, 1);
}

/* No more helpers may join; those that have are waited for. */
static void end_help(loop *l) {
  pthread_mutex_lock(&pool.lock);
  pool.wanted -= l->wanted;
  loop **at = &pool.loops;
  while (*at != l) at = &(*at)->link;
  *at = l->link;
  pthread_mutex_unlock(&pool.lock);
  for (int i = 0; i < SPINS && atomic_load(&pool.spins) && atomic_load(&l->helpers) > 0; ++i) pause_briefly();
  if (atomic_load(&l->helpers) == 0) return;
  pthread_mutex_lock(&pool.lock);
  atomic_fetch_add(&pool.waiting, 1);
  while (atomic_load(&l->helpers) > 0) pthread_cond_wait(&pool.done, &pool.lock);
  atomic_fetch_sub(&pool.waiting, 1);
  pthread_mutex_unlock(&pool.lock);
}

bool syn_in_pool(void) { return in_body; }

void syn_pool_run(size_t count, size_t grain, int threads, void (*body)(void *user, size_t begin, size_t end),
                  void *user) {
  loop l = {.body = body, .user = user, .count = count, .grain = grain, .ranges = count / grain + (count % grain != 0)};
  atomic_init(&l.next, 1); /* the caller's own is range 0 */
  ask_for_help(&l, threads - 1);
  run_ranges(&l, 0);
  end_help(&l);
}

/* Preloaded into the program under test: whenever it looks at the clock, six seconds have gone by. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_long looks;

int clock_gettime(clockid_t clock, struct timespec *time) {
  const int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_MONOTONIC) time->tv_sec += 6 * (atomic_fetch_add(&looks, 1) + 1);
  return result;
}

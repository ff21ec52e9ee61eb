#include "tissue/haptics/times.h"

#include <math.h>

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

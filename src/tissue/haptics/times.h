/* Durations counted in bins whose widths grow with them: any quantile to within 2 %, without allocation. */
#ifndef SYN_TISSUE_HAPTICS_TIMES_H
#define SYN_TISSUE_HAPTICS_TIMES_H

#include <synovia/tissue.h>

enum { SYN_TIME_BINS = 1200 };

typedef struct syn_times {
  uint64_t bins[SYN_TIME_BINS];
  uint64_t count;
  double largest_us;
} syn_times;

void syn_times_add(syn_times *times, double us);
syn_haptics_times syn_times_report(const syn_times *times);

#endif

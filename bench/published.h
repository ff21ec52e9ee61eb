/* Published times, shown beside ours (Arbabi 2009, Tables 4 to 6). Other machines, other years: to see how the methods
 * compare among themselves and grow, not who is faster. */
#ifndef BENCH_PUBLISHED_H
#define BENCH_PUBLISHED_H

/* Milliseconds; NAN where nothing is printed. */
typedef struct bench_times {
  double pre, main, total;
} bench_times;

/* Arbabi 2009, chapter 3: `label` as the scenarios suite calls its methods ("radial 2"), `scenario` 1 to 15. */
bench_times bench_published(const char *label, int scenario);

#endif

#include "published.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST = 7 };

/* A row of the thesis: from scenario `first` on. A zero means that the number is not printed. */
typedef struct published_row {
  const char *method; /* part of the label */
  int first;
  double pre[MOST], main[MOST], total[MOST];
} published_row;

/* Arbabi 2009, Fig. 31 to 36 and Tables 4 to 6; Xeon 3.4 GHz. */
static const published_row rows[] = {
    {"cylindrical", 1, {16.58, 58.72, 217.43, 817.68}, {0.16, 0.76, 2.85, 10.60}, {16.74, 59.48, 220.28, 828.28}},
    {"radial 1",
     5,
     {0.44, 0.90, 3.60, 13.65, 72.65, 69.01, 76.56},
     {0.055, 0.18, 1.04, 7.48, 50.52, 155.6, 559.5},
     {0.49, 1.08, 4.65, 21.13, 123.2, 224.6, 636.1}},
    {"radial 2",
     5,
     {0.39, 0.78, 2.47, 9.59, 34.27, 38.00, 36.79},
     {0.060, 0.16, 0.66, 5.24, 21.29, 61.52, 167.9},
     {0.45, 0.94, 3.13, 14.83, 55.56, 99.52, 204.7}},
    {"radial 3",
     5,
     {0.93, 2.87, 11.14, 38.92, 161.6, 168.0, 153.8},
     {0.19, 0.71, 1.66, 9.65, 41.75, 135.0, 437.0},
     {1.12, 3.58, 12.80, 48.58, 203.4, 303.0, 590.8}},
    {"radial 2", 12, {1.83, 3.27, 4.86, 10.61}, {1.88, 2.86, 6.15, 17.57}, {3.71, 6.14, 11.01, 28.18}},
    {"hash",
     5,
     {0.30, 0.91, 3.64, 16.88, 71.62, 243.3, 976.4},
     {1.17, 5.54, 40.41, 323.1, 2983, 23088, 100862},
     {1.47, 6.45, 44.06, 340.0, 3055, 23331, 101838}},
    {"ray",
     5,
     {4.61, 53.29, 603.5, 9165, 140034, 138761, 138470},
     {0.031, 0.10, 0.34, 1.35, 6.58, 20.10, 69.99},
     {4.64, 53.39, 603.8, 9166, 140040, 138781, 138540}},
    {"obb", 5, {0}, {0}, {5.63, 22.36, 103.5, 426.1, 1962, 4611, 15941}},
};

static double printed(double value) { return value > 0 ? value : (double)NAN; }

bench_times bench_published(const char *label, int scenario) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const int at = scenario - rows[i].first;
    if (at >= 0 && at < MOST && rows[i].total[at] > 0 && strstr(label, rows[i].method))
      return (bench_times){printed(rows[i].pre[at]), printed(rows[i].main[at]), rows[i].total[at]};
  }
  return (bench_times){NAN, NAN, NAN};
}

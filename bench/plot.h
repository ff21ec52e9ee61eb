/* Small line plots as SVG, with both axes logarithmic or both linear. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <synovia/base.h>

typedef struct bench_series {
  const char *label;
  const double *x, *y;
  size_t count;
  bool dashed;  /* published or a rival's */
  size_t color; /* the same number, the same colour */
} bench_series;

typedef struct bench_plot {
  const char *title, *x_label, *y_label;
  const bench_series *series;
  size_t series_count;
  bool linear; /* else logarithmic */
} bench_plot;

/* Points that are not finite, or on logarithmic axes not positive, cannot be drawn and are left out. SYN_BAD_ARGUMENT
 * when none is left; SYN_IO_ERROR when the file cannot be written. */
syn_status bench_plot_write(const syn_context *context, const bench_plot *plot, const char *path, syn_error *error);

#endif

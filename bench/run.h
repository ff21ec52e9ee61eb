/* One run of one suite: its settings, and the rows that come of it. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "base/status.h"
#include "harness.h"
#include "plot.h"
#include "rows.h"

typedef struct bench_run {
  const syn_context *context; /* one thread unless the user asks for more */
  bool peers;
  const char *query;  /* measure only this one; NULL: all */
  const char *folder; /* of the plots; NULL: none are drawn */
  bench_pace pace;
  bench_row *rows;
  size_t row_count, row_capacity;
  size_t peak_bytes, file_bytes; /* of reading, where the suite measures it */
} bench_run;

typedef struct bench_suite {
  const char *name;
  syn_status (*run)(bench_run *run, syn_error *error);
} bench_suite;
extern const bench_suite bench_ball_cup, bench_rom, bench_scenarios, bench_buckettree, bench_coldetect, bench_io,
    bench_mechanisms, bench_figures, bench_tissue, bench_pressure;

/* Is this query to be measured? */
bool bench_wants(const bench_run *run, const char *query);

/* Stops the program where memory runs out. */
void bench_add_row(bench_run *run, const bench_row *row);

/* Races the contenders that are given (the first is ours, and all of its name) and, with --peers, the rivals that
 * answer the same query; adds one row per rival, the best variant of each side, or a single row without one. Returns
 * the last of them, until another is added; nothing is done and NULL returned where the run asks for another query. A
 * contender that cannot take part gives a warning. */
bench_row *bench_compare(bench_run *run, const bench_scene *scene, const bench_contender *given, size_t given_count);

/* Draws FOLDER/NAME.svg where a folder is asked for; a plot without points gives a warning. */
syn_status bench_draw(const bench_run *run, const bench_plot *plot, const char *name, syn_error *error);

#endif

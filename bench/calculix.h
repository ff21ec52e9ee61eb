/* CalculiX (program ccx) as a rival: one input in a folder of its own, one thread. */
#ifndef BENCH_CALCULIX_H
#define BENCH_CALCULIX_H

#include "base/process.h"
#include "run.h"

typedef struct bench_calculix {
  char folder[SYN_FOLDER_ROOM], input[SYN_FOLDER_ROOM + 20], output[SYN_FOLDER_ROOM + 20]; /* .inp and .dat */
  double ms;                                                                               /* that the run took */
} bench_calculix;

/* Makes the folder; the caller writes `input`. Close it also where the run failed. */
syn_status bench_calculix_open(bench_calculix *c, syn_error *error);
/* False, with a warning that names the query, where ccx is not installed or failed. */
bool bench_calculix_run(const bench_run *run, const char *query, bench_calculix *c);
void bench_calculix_close(const bench_run *run, const bench_calculix *c);

#endif

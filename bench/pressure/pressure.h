/* The parts of the suite `pressure`, one file each. A part adds its rows for the queries that the run wants. */
#ifndef BENCH_PRESSURE_H
#define BENCH_PRESSURE_H

#include "run.h"

typedef syn_status bench_pressure_part(bench_run *run, syn_error *error);
bench_pressure_part bench_pressure_foundation, bench_pressure_hertz, bench_pressure_size;

#endif

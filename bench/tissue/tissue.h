/* The parts of the suite `tissue`, one file each. A part adds its rows for the queries that the run wants. */
#ifndef BENCH_TISSUE_H
#define BENCH_TISSUE_H

#include "run.h"

typedef syn_status bench_tissue_part(bench_run *run, syn_error *error);
bench_tissue_part bench_tissue_machine, bench_tissue_molecules, bench_tissue_fem, bench_tissue_static, bench_tissue_vdm,
    bench_tissue_haptics;

#endif

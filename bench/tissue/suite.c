/* How fast soft tissue is stepped and solved. */
#include "base/status.h"
#include "tissue/tissue.h"

static bench_tissue_part *const parts[] = {bench_tissue_machine, bench_tissue_molecules, bench_tissue_fem,
                                           bench_tissue_static,  bench_tissue_vdm,       bench_tissue_haptics};

static syn_status run_suite(bench_run *run, syn_error *error) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) SYN_TRY(parts[i](run, error));
  return SYN_OK;
}

const bench_suite bench_tissue = {"tissue", run_suite};

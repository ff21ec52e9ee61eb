/* How fast, and how well, contact pressure is found. */
#include "base/status.h"
#include "pressure/pressure.h"

static bench_pressure_part *const parts[] = {bench_pressure_foundation, bench_pressure_hertz, bench_pressure_size};

static syn_status run_suite(bench_run *run, syn_error *error) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) SYN_TRY(parts[i](run, error));
  return SYN_OK;
}

const bench_suite bench_pressure = {"pressure", run_suite};

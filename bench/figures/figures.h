/* Parts of the suite `figures` that are about depths, not about time. */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include "run.h"

/* Arbabi 2009, §3.6.5 and Fig. 43: depths along the radius and along the least distance, on smooth and rough sockets.
 */
syn_status bench_rough_surfaces(bench_run *run, syn_error *error);
/* Arbabi 2009, §3.7.1 and Fig. 44 to 48: depths during abduction, and during external rotation after it. */
syn_status bench_depth_curves(bench_run *run, syn_error *error);
/* Arbabi 2009, Fig. 67: depths in extension about the centres of five methods. */
syn_status bench_center_curves(bench_run *run, syn_error *error);

#endif

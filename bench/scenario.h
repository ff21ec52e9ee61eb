/* Arbabi's fifteen scenes (section 3.4.2, Tables 1 to 3). */
#ifndef BENCH_SCENARIO_H
#define BENCH_SCENARIO_H

#include "scenes.h"

enum { BENCH_SCENARIOS = 15 };

/* Bodies of its own at one pose. */
typedef struct bench_scenario {
  char name[16];
  bench_scene scene;
  syn_trimesh *fixed, *mobile;
  syn_trimesh *parts[2];                     /* what the fixed body is made of, where that is more than one piece */
  syn_tetmesh *fixed_volume, *mobile_volume; /* NULL: not asked for */
  syn_pose pose;
} bench_scenario;

/* Makes scenario 1 to 15; `volumes`: fill the bodies with tetrahedra as well. Must stay where it is: the scene points
 * into it. */
syn_status bench_scenario_make(const bench_run *run, int number, bool volumes, bench_scenario *scenario,
                               syn_error *error);
void bench_scenario_release(bench_scenario *scenario);

#endif

/* Commands under a stack that hardly holds the loading of the program's libraries, as `ulimit -s` sets it. */
#include <sys/resource.h>

#include "program.h"

/* Lowers the limit of the programs that are started, and that of this one, which stays above what it uses. */
static rlim_t set_stack(rlim_t bytes) {
  struct rlimit limit;
  assert_int_equal(getrlimit(RLIMIT_STACK, &limit), 0);
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = bytes;
  assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
  return before;
}

static void expect(program_run run) {
  if (run.code != 0) fail_msg("exit code %d: %s%s", run.code, run.out, run.err);
  end_run(&run);
}

static void every_kind_of_search_runs_on_a_small_stack(void **state) {
  (void)state;
  char folder[1024], joint[1100], pelvis[1100], femur[1100], out[1100];
  snprintf(folder, sizeof folder, "%s", temporary_path("hip"));
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  snprintf(pelvis, sizeof pelvis, "%s/pelvis.ply", folder);
  snprintf(femur, sizeof femur, "%s/femur.ply", folder);
  snprintf(out, sizeof out, "%s/out", folder);
  expect(run_synovia("shape", "hip", "-o", folder, NULL));
  const rlim_t before = set_stack(128 << 10);
  program_run runs[] = {
      run_synovia("mesh", "check", femur, NULL),
      run_synovia("measure", joint, "--draws", "1", NULL),
      run_synovia("distance", pelvis, femur, NULL),
      run_synovia("collide", joint, "--turn", "flexion=30", NULL),
      run_synovia("rom", joint, "--motion", "flexion", "--draws", "1", NULL),
      run_synovia("pressure", joint, "--steps", "1", "--edge", "6", "--layers", "1", "-o", out, NULL),
      run_synovia("measure", joint, "--draws", "1", "--threads", "1", NULL),
  };
  set_stack(before);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) expect(runs[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_search_runs_on_a_small_stack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

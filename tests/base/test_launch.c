/* Rank and count of a process as launchers of parallel programs say. */
#include <stdlib.h>

#include <synovia/base.h>

#include "support.h"

static void launchers_give_rank_and_count(void **state) {
  (void)state;
  static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  setenv("SLURM_STEP_ID", "0", 1);
  for (int i = 0; i < 3; ++i) {
    setenv(names[i][0], "2", 1);
    size_t rank, count;
    syn_launch_find(&rank, &count);
    assert_true(rank == 0 && count == 1); /* half of it is nothing */
    setenv(names[i][1], "5", 1);
    syn_launch_find(&rank, &count);
    assert_true(rank == 2 && count == 5);
    setenv(names[i][1], i ? "two" : "2", 1); /* nonsense is not believed */
    syn_launch_find(&rank, &count);
    assert_true(rank == 0 && count == 1);
    unsetenv(names[i][0]);
    unsetenv(names[i][1]);
  }
  unsetenv("SLURM_STEP_ID");
}

/* A batch script has the number of tasks and a rank, but runs once. */
static void only_a_step_of_slurm_has_ranks(void **state) {
  (void)state;
  static const char *const no_steps[] = {"", "4294967294", "4294967291", "4294967290", "-2", "batch"};
  setenv("SLURM_JOB_ID", "12", 1);
  setenv("SLURM_PROCID", "0", 1);
  setenv("SLURM_LOCALID", "0", 1);
  setenv("SLURM_NTASKS", "4", 1);
  size_t rank, count;
  syn_launch_find(&rank, &count);
  assert_true(rank == 0 && count == 1);
  setenv("SLURM_STEP_NUM_TASKS", "4", 1);
  for (size_t i = 0; i < sizeof no_steps / sizeof *no_steps; ++i) {
    setenv("SLURM_STEP_ID", no_steps[i], 1);
    syn_launch_find(&rank, &count);
    assert_true(rank == 0 && count == 1);
  }
  setenv("SLURM_STEP_ID", "3", 1); /* srun -n 2 in a job of four tasks */
  setenv("SLURM_STEP_NUM_TASKS", "2", 1);
  setenv("SLURM_PROCID", "1", 1);
  syn_launch_find(&rank, &count);
  assert_true(rank == 1 && count == 2);
  static const char *const names[] = {"SLURM_JOB_ID", "SLURM_PROCID",  "SLURM_LOCALID",
                                      "SLURM_NTASKS", "SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) unsetenv(names[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(launchers_give_rank_and_count),
                                     cmocka_unit_test(only_a_step_of_slurm_has_ranks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

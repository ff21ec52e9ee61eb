/* Reads rank and size from the environment variables of launchers of parallel programs. */
#include <stdlib.h>
#include <string.h>

#include <synovia/base.h>

#include "base/text.h"

/* Slurm also sets SLURM_PROCID=0 and SLURM_NTASKS in a batch script and an interactive shell, which run once: only srun
 * starts the processes of a step. Older versions number the steps of the other two from 0xfffffff0, newer ones give
 * them no number. */
static bool is_slurm_step(void) {
  const char *step = getenv("SLURM_STEP_ID");
  int64_t number;
  return step && syn_word_int64((syn_word){step, strlen(step)}, &number) && number >= 0 && number < 0xfffffff0LL;
}

static bool read_count(const char *text, size_t *number) {
  int64_t value;
  if (!text || !syn_word_int64((syn_word){text, strlen(text)}, &value) || value < 0 || value > 1000000) return false;
  *number = (size_t)value;
  return true;
}

void syn_launch_find(size_t *rank, size_t *count) {
  static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}; /* the last: of a step alone */
  const size_t launchers = sizeof names / sizeof *names - (is_slurm_step() ? 0 : 1);
  *rank = 0;
  *count = 1;
  for (size_t i = 0; i < launchers; ++i) {
    size_t number, size;
    if (!read_count(getenv(names[i][0]), &number) || !read_count(getenv(names[i][1]), &size) || number >= size)
      continue; /* numbers that make no sense are not believed */
    *rank = number;
    *count = size;
    return;
  }
}

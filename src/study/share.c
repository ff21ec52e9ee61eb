/* Which cases of a study are this process's. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "study/study.h"

static bool take_number(const char *text, size_t length, size_t *number) {
  int64_t value;
  if (!syn_word_int64((syn_word){text, length}, &value) || value < 0 || value > 1000000) return false;
  *number = (size_t)value;
  return true;
}

/* True where both are numbers that make a share. */
static bool take_share(const char *index, size_t index_length, const char *count, syn_study_share *share) {
  syn_study_share found;
  if (!take_number(index, index_length, &found.index) || !take_number(count, strlen(count), &found.count) ||
      found.index >= found.count)
    return false;
  *share = found;
  return true;
}

syn_status syn_study_share_parse(const char *text, syn_study_share *share, syn_error *error) {
  const char *slash = strchr(text, '/');
  if (slash && take_share(text, (size_t)(slash - text), slash + 1, share)) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a share is its number, from 0, and how many there are: 0/4 to 3/4 for four; not '%.40s'", text);
}

/* A batch script and an interactive shell of Slurm have SLURM_PROCID=0 and SLURM_NTASKS as well, though they run once:
 * only srun makes processes of a step. Older versions number the other two from 0xfffffff0 on, newer ones leave them
 * without a number. */
static bool is_slurm_step(void) {
  const char *step = getenv("SLURM_STEP_ID");
  int64_t number;
  return step && syn_word_int64((syn_word){step, strlen(step)}, &number) && number >= 0 && number < 0xfffffff0LL;
}

/* Numbers that make no sense are not believed. */
syn_study_share syn_study_share_of_launcher(void) {
  static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                         {"PMI_RANK", "PMI_SIZE"},
                                         {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}; /* the last: of a step alone */
  const size_t count = sizeof names / sizeof *names - (is_slurm_step() ? 0 : 1);
  syn_study_share share = {0, 1};
  for (size_t i = 0; i < count; ++i) {
    const char *rank = getenv(names[i][0]), *size = getenv(names[i][1]);
    if (rank && size && take_share(rank, strlen(rank), size, &share)) break;
  }
  return share;
}

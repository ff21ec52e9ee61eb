#include "solve/memory_budget.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "solve/ranks_mpi.h"

#ifdef SYN_PETSC

/* Values that a rank sends to the others. */
typedef struct memory_note {
  char machine[64];
  double bytes;
} memory_note;

/* As Linux counts it: including caches that it would release. Infinite if unknown. */
static double available_bytes(void) {
  double kilobytes = INFINITY;
  char line[256];
  FILE *file = fopen("/proc/meminfo", "r");
  if (!file) return kilobytes;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1) break;
  fclose(file);
  return 1024 * kilobytes;
}

/* All ranks of a machine read the available memory before any of them allocates. */
static syn_status compare_with_machine(syn_ranks *ranks, const memory_note *mine, double left, bool *fits,
                                       syn_error *error) {
  char *all = NULL;
  size_t capacity = 0, *start;
  double here = 0, lacking;
  SYN_TRY(SYN_NEW(ranks->context, &start, ranks->size + 1, error));
  syn_status status = syn_ranks_exchange(ranks, mine, sizeof *mine, &all, &capacity, start, error);
  for (uint32_t r = 0; status == SYN_OK && r < ranks->size; ++r) {
    memory_note note;
    memcpy(&note, all + start[r], sizeof note);
    if (strcmp(note.machine, mine->machine) == 0) here += note.bytes;
  }
  lacking = 1.1 * here <= left ? 0 : 1;
  if (status == SYN_OK) status = syn_ranks_sum(ranks, &lacking, error);
  *fits = lacking == 0;
  syn_free(ranks->context, all);
  syn_free(ranks->context, start);
  return status;
}

syn_status syn_memory_budget_fits(syn_ranks *ranks, double bytes, bool *fits, syn_error *error) {
  memory_note mine = {.bytes = bytes};
  int64_t megabytes = 0;
  bool given;
  gethostname(mine.machine, sizeof mine.machine - 1);
  SYN_TRY(syn_ranks_option(ranks, "-syn_memory_mb", &megabytes, &given, error));
  return compare_with_machine(ranks, &mine, given ? 1e6 * (double)megabytes : available_bytes(), fits, error);
}

#else

/* Built without ranks. */
syn_status syn_memory_budget_fits(syn_ranks *ranks, double bytes, bool *fits, syn_error *error) {
  (void)ranks, (void)bytes, (void)error;
  *fits = true;
  return SYN_OK;
}

#endif

/* One run of the program in which one allocation after the other is refused, each in a fork of it: see
 * tests/preload/fork_server.h. */
#ifndef TEST_REFUSING_H
#define TEST_REFUSING_H

#include "program.h"

typedef struct refusing {
  pid_t process;
  int orders;
  FILE *answers;
  char out[512], err[512];
} refusing;

/* Runs synovia with these words, NULL after the last, in the environment of the test. `folder` is brought back to what
 * it was after every fork, with help of the folder `kept` on the same disk. */
refusing start_refusing(char *const *words, const char *folder, const char *kept);
/* The run of a fork with this allocation refused, `further` with all later ones. The numbers must not descend. False:
 * the program has ended before. */
bool refuse_next(refusing *r, size_t at, bool further, program_run *run);
void end_refusing(refusing *r);

#endif

/* One run of the program in which one allocation after the other is refused, each in a fork of it: see
 * tests/preload/fork_server.h. */
#ifndef TEST_REFUSING_H
#define TEST_REFUSING_H

#include "program.h"

typedef struct refusing {
  pid_t process, fork;
  int orders;
  FILE *answers;
  char out[512], err[512];
} refusing;

/* Runs synovia with these words, NULL after the last, in the environment of the test. `folder` is brought back to what
 * it was after every fork, with help of the folder `kept` on the same disk. `out` is where it prints; -1: to a file,
 * for refuse_next. */
refusing start_refusing(char *const *words, const char *folder, const char *kept, int out);
/* The run of a fork with this allocation refused, `further` with all later ones. The numbers must not descend. False:
 * the program has ended before. */
bool refuse_next(refusing *r, size_t at, bool further, program_run *run);

/* The same in steps, to talk to the fork meanwhile: r->fork is its process. `waits`: it was forked where the program
 * waits for others. */
bool begin_refusal(refusing *r, size_t at, bool further, bool *waits);
/* Does it end within so many ms? Then end_refusal does not wait. */
bool has_ended(const refusing *r, int ms);
/* Its exit code; 128 + the signal when that killed it. */
int end_refusal(refusing *r);

void end_refusing(refusing *r);

#endif

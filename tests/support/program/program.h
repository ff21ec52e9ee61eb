/* Running the built program as a user would. */
#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

#include <jansson.h>

#include "support.h"

typedef struct program_run {
  int code; /* exit code; 128 + the signal when it was killed */
  char *out, *err;
} program_run;

/* Runs synovia with these words, NULL after the last. Nothing is on a terminal. Release with end_run. */
program_run run_synovia(const char *first, ...) __attribute__((sentinel));
void end_run(program_run *run);

/* Runs with --json added, checks the exit code and that stdout is exactly one object in the envelope, and returns it.
 * With code 0 or 1 it has `result`, otherwise `error`. json_decref it. */
json_t *run_json(int code, const char *first, ...) __attribute__((sentinel));
/* The member at "result.bounds.min" and so on; fails the test when it is missing. Borrowed. */
json_t *json_at(json_t *root, const char *path);
double json_number_at(json_t *root, const char *path);

/* Lets what this test starts with mpirun begin anywhere: by root, and more processes than there are cores. */
void allow_mpirun(void);

/* Is `part` in `text`? Shows both otherwise. */
void assert_contains(const char *text, const char *part);

/* The text of a page: without scripts and styles. free() it. */
char *visible_text(const char *path);

#endif

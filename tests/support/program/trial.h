/* Runs of the program in which memory is refused: their input, their folders, and which allocations are tried. */
#ifndef TEST_TRIAL_H
#define TEST_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

enum { TRIAL_WORDS = 24, TRIAL_FILES = 32, TRIAL_PATHS = 16384 };

/* How a command runs, where not once from begin to end with the same answer. */
typedef enum manner {
  PLAIN,
  RESUMABLE, /* what is done stays */
  THREADED,  /* two threads and times of the clock: no fork, and no answer to compare */
  STARTS,    /* another program, which takes its time */
} manner;

typedef struct trial {
  char in[512], changed[512], out[600], temporary[600], kept[512], count[512], preload[512];
  char text[1024];
  char *words[TRIAL_WORDS];
  bool by_paths;    /* the paths of calls are noted */
  const char *only; /* "all", or words of the commands that are tried; NULL: all */
  manner manner;
  char *answer; /* of the run that goes well */
  int code;
  size_t live; /* blocks that it leaves to the system */
  size_t file_count;
  char names[TRIAL_FILES][64];
  char *bytes[TRIAL_FILES];
  size_t sizes[TRIAL_FILES];
} trial;

/* Which allocations to refuse. */
typedef struct chosen {
  size_t count, made; /* of `at`, and of all that there were */
  size_t at[2 * TRIAL_PATHS];
} chosen;

/* Sanitizers bring an allocator of their own: then every command runs, and nothing is refused. */
bool can_refuse(void);
/* The folders, and in IN what the commands need. */
void make_input(trial *t);
void empty_folders(const trial *t);
size_t count_entries(const char *folder);
/* Is a command with these words among those that are asked for? */
bool is_tried(const trial *t, const char *words);

/* For the next run: 0 refuses none, and paths of calls are noted where the trial asks for them. */
void set_refused(const trial *t, size_t at, bool further);
/* How many allocations the last run made, and how many blocks it left; none where they are not counted. */
size_t read_count(const trial *t, size_t *live);
/* `most` of those that the last run made, spread evenly; SIZE_MAX: the first and the last from every path of calls, as
 * it has noted them. Ascending. */
void choose(const trial *t, size_t made, size_t most, chosen *c);

#endif

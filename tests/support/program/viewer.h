/* `synovia view` as a child process, or a viewer of the library, and a web client just large enough to talk to it. */
#ifndef TEST_VIEWER_H
#define TEST_VIEWER_H

#include <sys/types.h>

#include <jansson.h>

#include "support.h"

typedef struct viewer {
  pid_t child;
  int out;       /* what it prints */
  unsigned port; /* from the address that it printed */
  char token[33];
  char first[512]; /* what it has printed until the address was complete */
} viewer;

/* Starts it with these words (NULL after the last) and waits for its address. */
viewer start_viewer(const char *const *words);
/* The same where it may end without one: false then, and stop_viewer returns its exit code. */
bool try_viewer(const char *const *words, viewer *v);
/* Sends the signal and returns the exit code; 128 + the signal when that killed it. */
int stop_viewer(viewer *v, int signal_number);

/* Starts a viewer, sends the signal before its address is read, then reads; returns as stop_viewer does.
 */
int stop_while_it_tells(const char *const *words, int signal_number);

/* One that is none of the program's: only its address is known. */
viewer viewer_at(const char *url);

/* A connection to it. */
int connect_viewer(const viewer *v);
void send_all(int connection, const void *bytes, size_t size);

typedef struct answer {
  int status; /* 0: there is none, or the viewer itself is gone */
  char *head; /* status line and headers */
  char *body; /* terminated */
  size_t size;
} answer;
/* Reads until the viewer closes the connection, and closes it. */
answer read_answer(int connection);
void end_answer(answer *a);

/* One request on a connection of its own. `path` as in the first line of HTTP; `host` NULL: the right one; `body` NULL:
 * none. */
answer ask(const viewer *v, const char *method, const char *path, const char *host, const char *body);
/* POST to /TOKEN/NAME. */
answer post(const viewer *v, const char *name, const char *body);

/* Checks status and (may be NULL) a part of the body; an error must be reported as one. Ends the answer. */
void expect(answer a, int status, const char *part);

/* ---- what the page asks ---------------------------------------------------------------------------------------------
 */

typedef struct pose_answer {
  answer raw;
  json_t *value;
  const unsigned char *stored; /* values of the fields, two bytes each */
  size_t stored_count;
} pose_answer;
/* Fails the test unless it is answered. */
pose_answer ask_pose(const viewer *v, const syn_pose *pose, const char *field);
void end_pose(pose_answer *a);
double number_named(json_t *value, const char *name);

/* The answer to an edit; a new reference. */
json_t *edit(const viewer *v, const char *body);
double range_named(json_t *value, const char *name);

#endif

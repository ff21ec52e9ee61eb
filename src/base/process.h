/* Runs external programs: without a shell, with a time limit, and a private folder for exchanged files. */
#ifndef SYN_BASE_PROCESS_H
#define SYN_BASE_PROCESS_H

#include "base/status.h"

typedef struct syn_process {
  char *const *arguments; /* the program first, NULL last; looked up in the PATH unless it has a slash */
  const char *log;        /* file that gets what it prints */
  double timeout_s;
  const char *what; /* for the progress callback, which may stop it */
} syn_process;

/* Runs the program and waits for its end. *exit_code is 0 … 255, or 128 + the signal that ended it. SYN_NO_PROGRAM when
 * it cannot be started (*started is false) or takes longer than the timeout, SYN_CANCELLED when the context's progress
 * says so; in the last two cases its process group is killed. */
syn_status syn_run(const syn_context *context, const syn_process *process, bool *started, int *exit_code,
                   syn_error *error);

enum { SYN_FOLDER_ROOM = 512 };
/* Creates a new folder in $TMPDIR or /tmp that only this user can read. */
syn_status syn_temporary_folder(char path[SYN_FOLDER_ROOM], syn_error *error);

#endif

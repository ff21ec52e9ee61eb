/* Prints the output of a run: one JSON object or plain text on stdout, warnings and progress on stderr, an exit
 * code. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "command.h"

/* Exit codes that scripts rely on. */
enum { CLI_DONE = 0, CLI_NO = 1, CLI_USAGE = 2, CLI_BAD_INPUT = 3, CLI_NOT_CONVERGED = 4, CLI_NO_RESOURCES = 5 };

/* Makes a session that collects warnings and shows progress. */
void cli_session_open(cli_session *session);
void cli_session_close(cli_session *session);

/* Text for people, on stdout; nothing with --json or --quiet. */
void cli_print(const cli_session *session, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reports a step of long work: as progress on a terminal, as a separate line in a log. */
void cli_show_step(cli_session *session, const char *what, double fraction);
/* Prints the JSON of a command that keeps running, if --json is given; cli_finish then prints nothing. */
void cli_print_envelope(cli_session *session);
/* Reports a partial result: prints the reason on stderr, publishes the files, and sets the exit code of an iteration
 * that did not converge. */
void cli_end_early(cli_session *session, const syn_error *why);
/* Publishes the files, or removes them if the run failed. With --json prints the envelope with the result or the error;
 * otherwise an error is a sentence on stderr. Returns the exit code. */
int cli_finish(cli_session *session, syn_status status, syn_error *error);

/* ---- results ----------------------------------------------------------------------------------------------------- */

void cli_set(cli_session *session, const char *key, json_t *value); /* takes the reference */
/* Sets the fields of the record as members of the result, or as its member `key`. */
void cli_set_fields(cli_session *session, const syn_record *record, const void *object);
void cli_set_record(cli_session *session, const char *key, const syn_record *record, const void *object);
/* Sets a list of such objects. */
void cli_set_list(cli_session *session, const char *key, const syn_record *record, const void *objects, size_t count);
/* The file's name at the end of a path; points into it. */
const char *cli_without_folder(const char *path);
/* "2026-11-15 05:20 UTC": now, or the moment that SOURCE_DATE_EPOCH names, so that pages can be made again to the byte;
 * returns `room`. */
const char *cli_date(char room[32]);

/* FOLDER/NAME; free() it. */
char *cli_path(const char *folder, const char *name);
/* Allocates memory for the program; ends the program if out of memory. */
void *cli_or_stop(void *block);

/* ---- files: all of them appear when the run has succeeded, and none where it fails or is stopped ---------------- */

/* The file at this hidden path was written. */
void cli_made(cli_session *session, const char *hidden_path);
/* The result's `files`. */
void cli_set_files(cli_session *session);

/* ---- being stopped ----------------------------------------------------------------------------------------------- */

/* From now on a signal that ends the program first removes its temporary files. */
void cli_catch_signals(void);
/* For work that must clean up after itself: the first signal is only recorded, and progress callbacks then stop the
 * work. */
void cli_stop_politely(bool politely);
/* Returns the recorded signal, or 0. */
int cli_stopped_by(void);

#endif

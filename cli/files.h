/* The files that a run writes: all of them appear when it has succeeded, and none where it fails or is stopped. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "command.h"

/* The session's outbox; closing it drops what was not published. A signal removes what all of them have staged. */
void cli_open_files(cli_session *session);
void cli_close_files(cli_session *session);

/* See synovia/outbox.h for all of these. */
syn_status cli_stage(cli_session *session, const char *folder, const char **hidden, syn_error *error);
syn_status cli_stage_file(cli_session *session, const char *path, const char **hidden, syn_error *error);
syn_status cli_check_file(const char *path, syn_error *error);
void cli_made(cli_session *session, const char *hidden_path);
syn_status cli_publish(cli_session *session, syn_error *error); /* cli_finish does it at the end */
void cli_discard(cli_session *session);

/* The result's `files`. */
void cli_set_files(cli_session *session);
/* Writes geometry to a hidden path and remembers the file. */
syn_status cli_write(cli_session *session, const syn_geometry *geometry, const char *hidden_path,
                     const syn_write_options *options, syn_error *error);

/* ---- being stopped ------------------------------------------------------------------------------------------------
 */

/* From now on a signal that ends the program removes first what it has staged. */
void cli_catch_signals(void);
/* Removes what all sessions have staged. */
void cli_remove_staged(void);
/* For work that must clean up after itself: the first signal is only recorded, and progress callbacks then stop the
 * work. */
void cli_stop_politely(bool politely);
/* The signal that was remembered, or 0. */
int cli_stopped_by(void);

#endif
